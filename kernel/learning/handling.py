"""A run whose sentence explains what words mean, or takes that back: it is settled here.

"That means: ..." after a request that came to nothing is learnt and done; "when I say X, do Y" is learnt and not done.
Either is learnt only where the meaning is understood for sure. What was learnt is an event of its run, so that it goes
when the run is refused, taken back or forgotten.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from kernel.asking.ask import in_words
from kernel.context.dialogue import Dialogue
from kernel.context.mind import Mind
from kernel.firewall import concern
from kernel.interpret import interpret
from kernel.itself import own_words
from kernel.learning.hearing import Explains, Lists, Unteaches, hear
from kernel.learning.model import TAUGHT, UNTAUGHT, Taught
from kernel.learning.phrases import is_telling, with_slots
from kernel.model import Decline, Intent, Plan, Proposal, Question, Resolution, Utterance
from kernel.remember import run_view
from kernel.run import Run, Stop, error_view

Propose = Callable[[Utterance, Intent], Proposal]
"""What to do about a sentence of its own."""

_NOTHING = frozenset(("declined", "failed", "blocked", "clarify"))


async def answer(run: Run, intent: Intent, mind: Mind, dialogue: Dialogue, propose: Propose) -> Proposal | None:
    """End the run where its sentence is only about words; return what is to be done where it explains the one before.

    None where it is a request like any other.
    """
    heard = hear(run.utterance.text)
    match heard:
        case None:
            return None
        case Lists():
            raise Stop(Resolution.EXECUTED, _listed(run), result={"phrases": [one.to_json() for one in _known(run)]})
        case Unteaches():
            await _unteach(run, heard)
        case Explains(phrase=""):
            before = _came_to_nothing(run) if dialogue.unsettled or dialogue.pending is not None else ""
            return await _explained(run, replace(heard, phrase=before), mind, propose) if before else None
        case Explains():
            await _defined(run, heard, mind, propose)
    return None


def _known(run: Run) -> tuple[Taught, ...]:
    return run.house.learning.own(run.house.ledger).taught()


def _listed(run: Run) -> str:
    say, known = _say(run), _known(run)
    return "\n".join([say["list"], *(f"“{one.phrase}”: {one.meaning}" for one in known)]) if known else say["none"]


async def _unteach(run: Run, heard: Unteaches) -> None:
    known = next((one for one in _known(run) if one.phrase.casefold() == heard.phrase.casefold()), None)
    if known is None:
        return  # a request like any other: "forget what Anna means"
    await run.log.say(UNTAUGHT, None, {"phrase": known.phrase})
    raise Stop(Resolution.EXECUTED, _say(run)["untaught"].format(phrase=known.phrase))


def _came_to_nothing(run: Run) -> str:
    """The sentence that the last run, or the chain of answers that it ends, began with, if it came to nothing."""
    house = run.house
    earlier = [one for one in house.talk.runs(run.utterance.conversation) if one != run.id]
    if not earlier:
        return ""
    view = run_view(house.ledger.events(run=earlier[-1]))
    if view["resolution"] not in _NOTHING or view["private"]:
        return ""
    seen = {str(view["run"])}
    while view["answers"] and view["answers"] not in seen:
        seen.add(str(view["answers"]))
        view = run_view(house.ledger.events(run=view["answers"]))
    return str(view["text"] or "")


async def _explained(run: Run, heard: Explains, mind: Mind, propose: Propose) -> Proposal:
    plan, taught = _understood(run, heard, mind, propose)
    if isinstance(plan, Question):
        return plan
    if not isinstance(plan, Plan) or taught is None:
        raise Stop(Resolution.DECLINED, _say(run)["meaning"].format(meaning=heard.meaning))
    await _learn(run, taught)
    run.taught = _say(run)["learnt"].format(phrase=taught.phrase, meaning=taught.meaning) + _values(run, taught)
    return plan


async def _defined(run: Run, heard: Explains, mind: Mind, propose: Propose) -> None:
    say = _say(run)
    plan, taught = _understood(run, heard, mind, propose)
    if not isinstance(plan, Plan):
        text = say["meaning"].format(meaning=heard.meaning)
        raise Stop(Resolution.DECLINED, f"{text} {plan.text}" if isinstance(plan, Question) else text)
    if taught is None:
        raise Stop(Resolution.DECLINED, say["general"].format(phrase=heard.phrase))
    await _learn(run, taught)
    told = say["learnt"].format(phrase=taught.phrase, meaning=taught.meaning)
    does = say["does"].format(plan=in_words(plan, mind.toolbox))
    raise Stop(Resolution.EXECUTED, told + _values(run, taught) + " " + does, result={"phrase": taught.to_json()})


def _values(run: Run, taught: Taught) -> str:
    if not taught.slots:
        return ""
    return " " + _say(run)["values"].format(values=", ".join(f"“{one}”" for one in taught.slots))


async def _learn(run: Run, taught: Taught) -> None:
    if run.private:
        say = _say(run)["private"]
        raise Stop(Resolution.DECLINED, say, error=error_view("phrase.private", say, ""))
    await run.log.say(TAUGHT, None, taught.to_json())


def _understood(run: Run, heard: Explains, mind: Mind, propose: Propose) -> tuple[Proposal, Taught | None]:
    """What the meaning comes to as a request of its own, and what is learnt of it, if something can be."""
    meant, words = (replace(run.utterance, text=text) for text in (heard.meaning, heard.phrase))
    read = interpret(meant, run.house.world, mind.lexicon, run.language)
    said = interpret(words, run.house.world, mind.lexicon, run.language)
    if own_words.own_request(read) is not None or concern(heard.meaning, read):
        return Decline(""), None
    found = propose(meant, read)
    run.language = read.language
    taught = Taught(run.id, heard.phrase, heard.meaning, said.language)
    if not isinstance(found, Plan):
        return found, None
    telling = is_telling(heard.phrase, said.language) and own_words.own_request(said) is None
    tools = tuple(str(task.tool) for task in found.tasks)
    return found, with_slots(replace(taught, tools=tools), found, mind.toolbox) if telling else None


def _say(run: Run) -> dict[str, str]:
    return _SENTENCES.get(run.language, _SENTENCES["en"])


_SENTENCES = {
    "en": {
        "learnt": "From now on “{phrase}” means: {meaning}. To take that back, say: forget what “{phrase}” means.",
        "values": "Other values may stand for {values}.",
        "does": "What I will do then: {plan}.",
        "meaning": "I can only learn what I understand for sure, and “{meaning}” is not that; nothing was learnt.",
        "general": "“{phrase}” has no word by which I could know it; nothing was learnt.",
        "untaught": "“{phrase}” means nothing of its own any more.",
        "list": "What you taught me:",
        "none": "You have not taught me any phrase yet. Say for example: when I say “month end”, do: list the PDFs in "
        "Downloads.",
        "private": "A private request leaves nothing behind, so nothing was learnt. Say it again without --private.",
    },
    "de": {
        "learnt": "Von jetzt an heißt „{phrase}“: {meaning}. Zurücknehmen: vergiss, was „{phrase}“ heißt.",
        "values": "Für {values} können andere Werte stehen.",
        "does": "Was ich dann tue: {plan}.",
        "meaning": "Ich kann nur lernen, was ich sicher verstehe, und das ist „{meaning}“ nicht; nichts wurde gelernt.",
        "general": "„{phrase}“ hat kein Wort, an dem ich es erkennen könnte; nichts wurde gelernt.",
        "untaught": "„{phrase}“ bedeutet nichts Eigenes mehr.",
        "list": "Was du mir beigebracht hast:",
        "none": "Du hast mir noch nichts beigebracht. Sag zum Beispiel: wenn ich „Monatsende“ sage, mach: liste "
        "die PDFs in Downloads auf.",
        "private": "Eine private Anfrage hinterlässt nichts, also wurde nichts gelernt. Sag es noch einmal ohne "
        "--private.",
    },
}
