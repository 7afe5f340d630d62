"""A run whose sentence explains what words mean, or takes that back: it is settled here.

"That means: ..." after a request that came to nothing is learnt and done; "when I say X, do Y" is learnt and not done.
Either is learnt only where the meaning is understood for sure, and by its own words: "delete them" would mean other
things another time. What was learnt is an event of its run, so that it goes
when the run is refused, taken back or forgotten.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

from kernel.asking.ask import in_words
from kernel.context.dialogue import Dialogue
from kernel.context.mind import Mind
from kernel.firewall import concern
from kernel.interpret import interpret
from kernel.itself import own_words
from kernel.learning.hearing import Explains, Lists, Unteaches, hear
from kernel.learning.model import TAUGHT, UNTAUGHT, Taught
from kernel.learning.phrases import LONGEST, is_telling, with_slots
from kernel.model import Decline, Intent, Plan, Proposal, Question, Resolution, Utterance
from kernel.remember import run_view
from kernel.run import Run, Stop, error_view


class Propose(Protocol):
    """What to do about a sentence of its own, in a conversation."""

    def __call__(self, utterance: Utterance, intent: Intent, *, dialogue: Dialogue) -> Proposal:
        """Return it."""


@dataclass(frozen=True, slots=True)
class _Meant:
    """What a meaning comes to as a request of its own, and what is learnt of it; else ``why`` nothing is."""

    plan: Proposal
    taught: Taught | None = None
    why: str = "meaning"  # the name of a sentence


_NOTHING = frozenset(("declined", "failed", "clarify"))


async def answer(run: Run, mind: Mind, dialogue: Dialogue, propose: Propose) -> Proposal | None:
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
            return await _explained(run, replace(heard, phrase=before), mind, dialogue, propose) if before else None
        case Explains():
            await _defined(run, heard, mind, dialogue.bare(), propose)
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
    _refuse_private(run)
    await run.log.say(UNTAUGHT, None, {"phrase": known.phrase})
    raise Stop(Resolution.EXECUTED, _say(run)["untaught"].format(phrase=known.phrase))


def _refuse_private(run: Run) -> None:
    if run.private:
        say = _say(run)["private"]
        raise Stop(Resolution.DECLINED, say, error=error_view("phrase.private", say, ""))


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


async def _explained(run: Run, heard: Explains, mind: Mind, dialogue: Dialogue, propose: Propose) -> Proposal:
    meant = _understood(run, heard, mind, dialogue, propose)
    if isinstance(meant.plan, Question):
        return meant.plan
    if not isinstance(meant.plan, Plan) or meant.why == "general":
        raise Stop(Resolution.DECLINED, _say(run)["meaning"].format(meaning=heard.meaning))
    run.taught = _why_not(run, heard, meant.why)
    if meant.taught is not None:
        await _learn(run, meant.taught)
        run.taught = _told(run, meant.taught)
    return meant.plan


async def _defined(run: Run, heard: Explains, mind: Mind, dialogue: Dialogue, propose: Propose) -> None:
    language, meant = run.language, _understood(run, heard, mind, dialogue, propose)
    if heard.bare and not isinstance(meant.plan, Plan):
        run.language = language
        return  # a request like any other
    if not isinstance(meant.plan, Plan) or meant.taught is None:
        asked = meant.plan.text if isinstance(meant.plan, Question) else ""
        raise Stop(Resolution.DECLINED, f"{_why_not(run, heard, meant.why)} {asked}".rstrip())
    await _learn(run, meant.taught)
    does = _say(run)["does"].format(plan=in_words(meant.plan, mind.toolbox))
    raise Stop(Resolution.EXECUTED, f"{_told(run, meant.taught)} {does}", result={"phrase": meant.taught.to_json()})


def read_as(run: Run, plan: Plan) -> str:
    """Return what the answer says of a phrase that was read as its meaning; nothing where none was."""
    meaning = plan.why.get("taught")
    return _say(run)["read"].format(phrase=run.utterance.text, meaning=meaning) if meaning else ""


def _why_not(run: Run, heard: Explains, why: str) -> str:
    return _say(run)[why].format(phrase=heard.phrase, meaning=heard.meaning) if why else ""


def _told(run: Run, taught: Taught) -> str:
    return _say(run)["learnt"].format(phrase=taught.phrase, meaning=taught.meaning) + _values(run, taught)


def _values(run: Run, taught: Taught) -> str:
    if not taught.slots:
        return ""
    return " " + _say(run)["values"].format(values=", ".join(f"“{one}”" for one in taught.slots))


async def _learn(run: Run, taught: Taught) -> None:
    _refuse_private(run)
    await run.log.say(TAUGHT, None, taught.to_json())


def _understood(run: Run, heard: Explains, mind: Mind, dialogue: Dialogue, propose: Propose) -> _Meant:
    meant = replace(run.utterance, text=heard.meaning)
    read = interpret(meant, run.house.world, mind.lexicon, run.language)
    if own_words.own_request(read) is not None or concern(heard.meaning, read):
        return _Meant(Decline(""))
    found = propose(meant, read, dialogue=dialogue)
    said = interpret(replace(meant, text=heard.phrase), run.house.world, mind.lexicon, run.language)
    run.language = read.language
    if not isinstance(found, Plan):
        return _Meant(found)
    if len(heard.phrase) > LONGEST:
        return _Meant(found, why="long")
    if not is_telling(heard.phrase, said.language) or own_words.own_request(said) is not None:
        return _Meant(found, why="general")
    if not _stands_alone(found, propose(meant, read, dialogue=dialogue.bare())):
        return _Meant(found, why="points")
    tools = tuple(str(task.tool) for task in found.tasks)
    taught = Taught(run.id, heard.phrase, heard.meaning, said.language, tools=tools)
    return _Meant(found, with_slots(taught, found, mind.toolbox), "")


def _stands_alone(plan: Plan, bare: Proposal) -> bool:
    """Tell whether the words come to this plan also where nothing was said or done before."""
    return isinstance(bare, Plan) and bare.tasks == plan.tasks


def _say(run: Run) -> dict[str, str]:
    return _SENTENCES.get(run.language, _SENTENCES["en"])


_SENTENCES = {
    "en": {
        "learnt": "From now on “{phrase}” means: {meaning}. To take that back, say: forget what “{phrase}” means.",
        "read": "I read “{phrase}” as: {meaning}.",
        "values": "Other values may stand for {values}.",
        "does": "What I will do then: {plan}.",
        "meaning": "I can only learn what I understand for sure, and “{meaning}” is not that; nothing was learnt.",
        "points": "“{meaning}” would mean something else another time, so nothing was learnt.",
        "long": "So many words are no phrase, so nothing was learnt.",
        "general": "“{phrase}” has no word by which I could know it; nothing was learnt.",
        "untaught": "“{phrase}” means nothing of its own any more.",
        "list": "What you taught me:",
        "none": "You have not taught me any phrase yet. Say for example: when I say “month end”, do: list the PDFs in "
        "Downloads.",
        "private": "A private request leaves nothing behind, so nothing was learnt or forgotten. Say it again "
        "without --private.",
    },
    "de": {
        "learnt": "Von jetzt an heißt „{phrase}“: {meaning}. Zurücknehmen: vergiss, was „{phrase}“ heißt.",
        "read": "„{phrase}“ habe ich gelesen als: {meaning}.",
        "values": "Für {values} können andere Werte stehen.",
        "does": "Was ich dann tue: {plan}.",
        "meaning": "Ich kann nur lernen, was ich sicher verstehe, und das ist „{meaning}“ nicht; nichts wurde gelernt.",
        "points": "„{meaning}“ würde ein andermal etwas anderes bedeuten, also wurde nichts gelernt.",
        "long": "So viele Wörter sind keine Wendung, also wurde nichts gelernt.",
        "general": "„{phrase}“ hat kein Wort, an dem ich es erkennen könnte; nichts wurde gelernt.",
        "untaught": "„{phrase}“ bedeutet nichts Eigenes mehr.",
        "list": "Was du mir beigebracht hast:",
        "none": "Du hast mir noch nichts beigebracht. Sag zum Beispiel: wenn ich „Monatsende“ sage, mach: liste "
        "die PDFs in Downloads auf.",
        "private": "Eine private Anfrage hinterlässt nichts, also wurde nichts gelernt und nichts vergessen. Sag es "
        "noch einmal ohne --private.",
    },
}
