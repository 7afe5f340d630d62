"""A run whose sentence speaks to memory: it tells, asks or wants somebody forgotten, and is answered here.

Whoever a name may mean is asked once; a forget is always asked, whatever was consented to in advance.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from kernel.clients.bounds import may_remember, must_be_a_persons, must_remember
from kernel.clients.sight import graph_for
from kernel.itself.asked_back import pending, picked
from kernel.knowing.hearing import hear
from kernel.knowing.model import About, Asked, Forget, Heard, Search, Tell, Unsay
from kernel.model import Intent, Outcome, Plan, Proposal, Resolution, TaskId, Utterance
from kernel.run import Run, Stop, error_view
from memory.errors import StoreError
from permissions.labels import Label
from skills import one_import
from skills.errors import SkillError
from skills.model import EffectClass, ValueKind

if TYPE_CHECKING:
    from kernel.house import House
    from kernel.knowing.telling import Kept
    from memory.graph import Graph
    from skills.model import Tool

T = TypeVar("T")

LONGEST = 2_000
"""Characters of a sentence that is read as one to memory."""

_A_PATH = re.compile(r"[./]\w")
_PLACES = (ValueKind.FILE, ValueKind.FOLDER)


def take_up(run: Run) -> None:
    """Let a reply to the question whom a name means be the request that it settles."""
    asked = pending(run, "whom")
    at = picked(run.utterance.text, asked["lines"]) if asked else None
    if asked and at is not None:
        run.chosen, run.answers = {**asked["chosen"], asked["name"]: asked["ids"][at]}, str(asked["run"])
        run.utterance = replace(run.utterance, text=str(asked["text"]))


async def answer(run: Run, intent: Intent) -> str:
    """End the run with its answer where its sentence speaks to memory; else return.

    Where it asks for something of somebody that memory does not know, return how that is said: a tool may know it.
    """
    text = run.utterance.text
    heard = hear(text, run.language, run.utterance.now) if len(text) <= LONGEST else None
    if isinstance(heard, About) and _names_place(run, intent, heard.name):
        heard = None if _A_PATH.search(heard.name) else replace(heard, sure=False)
    if heard is None or (isinstance(heard, Search) and run.house.knowledge.is_empty()):
        return ""
    run.language = heard.language
    return await _guarded(run, _answered(run, heard, run.chosen))


def settle(run: Run, unknown: str, proposal: Proposal) -> None:
    """End the run with what memory does not know, unless the proposal asks a tool that knows people from files."""
    if not unknown:
        return
    from kernel.knowing.learning import gives_facts

    tools = [run.house.registry.tool(task.tool) for task in proposal.tasks] if isinstance(proposal, Plan) else []
    if not any(gives_facts(tool) and _is_own(run, tool) and _can_look(run, tool) for tool in tools):
        raise Stop(Resolution.EXECUTED, unknown, result={"facts": []})


def _can_look(run: Run, tool: Tool) -> bool:
    """Whether there is any of the folders where the tool looks people up: without contacts nobody is sent there."""
    scopes = [right.scope for right in tool.rights if right.action == "fs.read" and "{" not in right.scope]
    home = run.house.folders.home
    places = [home / one.removesuffix("/**").removeprefix("~/") for one in scopes if one.startswith("~/")]
    return not places or any(place.exists() for place in places)


async def named(run: Run, plan: Plan) -> Plan:
    """Return ``plan`` with the names of those whom the request calls otherwise ("my sister", "Annchen")."""
    if run.house.knowledge.is_empty() or not may_remember(run):
        return plan
    from kernel.knowing import naming

    text, tool = run.utterance.text, run.house.registry.tool
    if not naming.concerns(plan, text, tool):
        return plan
    return await _guarded(run, _with_graph(run, lambda graph: naming.named(graph, plan, text, tool, run.chosen)))


async def otherwise(run: Run, plan: Plan, failed: Outcome) -> Plan | None:
    """Return ``plan`` with another name of whom its one call did not find; None where nobody is known by another."""
    code = (failed.error or {}).get("code")
    if code != "tool.missing" or run.house.knowledge.is_empty() or not may_remember(run):
        return None
    from kernel.knowing import naming
    from kernel.knowing.unusable import went_without

    try:
        return await _with_graph(run, lambda graph: naming.otherwise(graph, plan, run.house.registry.tool))
    except StoreError as error:
        went_without(run.id, "other names of whom it did not find", error)
        return None


async def _guarded(run: Run, work: Awaitable[T]) -> T:
    """Do what looks names up: ask whom one means, and say in words what the graph refuses."""
    with one_import:
        from kernel.knowing.finding import Several
        from kernel.knowing.unusable import stop_of
    try:
        return await work
    except Several as several:
        await _ask_whom(run, several, run.utterance.text, run.chosen)
    except StoreError as error:
        raise stop_of(run, error) from error


async def _answered(run: Run, heard: Heard, chosen: Mapping[str, str]) -> str:
    if isinstance(heard, Tell | Unsay | Forget):
        must_be_a_persons(run)
    must_remember(run)
    match heard:
        case Tell() | Unsay():
            await _tell(run, heard, chosen)
        case Forget():
            await _forget(run, heard, chosen)
        case About() | Asked() | Search():
            return await _look(run, heard, chosen)
    return ""


# --- telling ------------------------------------------------------------------------------------------------------


async def _tell(run: Run, heard: Tell | Unsay, chosen: Mapping[str, str]) -> None:
    if run.private:
        refusal = _PRIVATE.get(run.language, _PRIVATE["en"])
        raise Stop(Resolution.DECLINED, refusal, error=error_view("memory.private", refusal, ""))
    from kernel.knowing import answering, telling

    created = next(iter(run.house.ledger.events(run=run.id, kinds=("run.created",))))

    def keep(graph: Graph) -> tuple[Kept, str]:
        if isinstance(heard, Tell):
            now_ns = int(run.utterance.now.timestamp() * 1e9)
            kept = telling.keep(graph, heard.statements, created.seq, now_ns, chosen)
        else:
            kept = telling.unsay(graph, heard.statements, chosen)
        return kept, answering.kept(graph, kept, run.language).text

    kept, text = await _with_graph(run, keep)
    if kept.changed:
        await _note(run, kept.to_json())
    raise Stop(Resolution.EXECUTED, text, result={"facts": [fact.id for fact in (*kept.facts, *kept.known)]})


async def _note(run: Run, told: dict[str, Any]) -> None:
    """Write down, in ids, what undo takes back."""
    await run.log.say("facts.told", None, told)
    if run.id not in run.house.with_effects:
        run.house.with_effects.append(run.id)


_PRIVATE = {
    "en": "A private request leaves nothing behind, so nothing was remembered. Say it again without --private.",
    "de": "Eine private Anfrage hinterlässt nichts, also wurde nichts gemerkt. Sag es noch einmal ohne --private.",
}


async def learn(run: Run, plan: Plan, outcomes: Mapping[TaskId, Outcome]) -> str:
    """Write down the facts that Steward's own tools found in files; return what to say of it, "" where there are
    none.
    """
    tools = {task.id: run.house.registry.tool(task.tool) for task in plan.tasks}
    found = [task for task, tool in tools.items() if _FACTS in (tool.result.fields or {}) and task in outcomes]
    if not found:
        return ""
    from kernel.knowing import learning

    say = _LEARNT.get(run.language, _LEARNT["en"])
    given = [task for task in found if learning.gives_facts(tools[task]) and _is_own(run, tools[task])]
    if run.private:
        return say["private"] if given else ""
    if run.client:
        return ""  # what a client has read is not what the person wants known
    told = [await _learnt(run, tools[task], outcomes[task], say) for task in given]
    return "\n".join(one for one in told if one)


async def _learnt(run: Run, tool: Tool, outcome: Outcome, say: Mapping[str, str]) -> str:
    """Write down what one task found, and return what to say of it; of what it wrote itself only what went wrong."""
    from kernel.knowing import learning

    source = await run.log.number_of("task.done", outcome.task)

    def take(graph: Graph) -> learning.Learnt:
        return learning.learn(graph, outcome.value, outcome.label or Label(), str(tool.skill), source)

    try:
        learnt = await _with_graph(run, take)
    except StoreError as error:  # what the request was for is done
        run.house.report(error)
        return say["failed"]
    if not (learnt.facts or learnt.retracted or learnt.passed_over):
        return ""
    if learnt.facts or learnt.retracted:
        await _note(run, learnt.to_json())
    if tool.effect is not EffectClass.PURE:
        return ""
    counts = {
        "one" if len(learnt.facts) == 1 else "new": len(learnt.facts),
        "gone": len(learnt.retracted),
        "passed": learnt.passed_over,
    }
    return " ".join(say[what].format(count=count) for what, count in counts.items() if count)


async def note(run: Run, plan: Plan) -> None:
    """Write down whom a request was about that was carried out, and with which tools; nobody new is made for it.

    Nothing is written of a private one or a client's. What was done stays done: what fails here goes to the log.
    """
    house = run.house
    if run.private or run.client or house.knowledge.is_empty():
        return
    from kernel.knowing import requested

    try:
        if not requested.speaks(plan, house.registry.tool):
            return
        source = await run.log.number_of("run.planned")
        await _with_graph(run, lambda graph: requested.note(graph, plan, house.registry.tool, source))
    except (StoreError, SkillError) as error:
        house.report(error)


async def linked(house: House, said: Utterance, run: str = "") -> Mapping[str, float]:
    """Return how near each tool is to whom the request names, 0..1; nothing for a client, or where nobody is known.

    ``run`` is whose request it is, where it is one's. The graph is opened only where some request has said of a tool
    that it was used about somebody.
    """
    knowledge, text = house.knowledge, said.text
    if said.client or knowledge.is_empty() or len(text) > LONGEST:
        return {}
    with one_import:
        from kernel.knowing import requested
        from kernel.knowing.finding import TOOL
        from kernel.knowing.unusable import went_without

    def look() -> Mapping[str, float]:
        return requested.linked(knowledge.graph(), text) if knowledge.has_made(TOOL) else {}

    try:
        return await asyncio.to_thread(look)
    except StoreError as error:
        went_without(run, "what it knows of whom it names", error)
        return {}


def _is_own(run: Run, tool: Tool) -> bool:
    return bool(run.house.registry.skill(tool.skill).shipped)


_FACTS = "facts"
_LEARNT = {
    "en": {"new": "New in memory: {count} facts.", "one": "New in memory: 1 fact.",
           "gone": "No longer said, so taken back: {count}.",
           "passed": "Passed over as not sound: {count}.",
           "failed": "What was found could not be kept in memory; the log of the daemon says why.",
           "private": "Nothing was written to memory: it was asked privately."},
    "de": {"new": "Neu im Gedächtnis: {count} Aussagen.", "one": "Neu im Gedächtnis: 1 Aussage.",
           "gone": "Nicht mehr gesagt, zurückgenommen: {count}.",
           "passed": "Als nicht stimmig übergangen: {count}.",
           "failed": "Was gefunden wurde, ließ sich nicht merken; warum, steht im Protokoll des Dienstes.",
           "private": "Nichts kam ins Gedächtnis: es wurde privat gefragt."},
}  # fmt: skip


# --- asking -------------------------------------------------------------------------------------------------------


async def _look(run: Run, heard: About | Asked | Search, chosen: Mapping[str, str]) -> str:
    from kernel.knowing import answering

    now_ns = int(run.utterance.now.timestamp() * 1e9)

    def look(graph: Graph) -> tuple[str, list[dict[str, Any]]] | None:
        match heard:
            case About():
                found = answering.about(graph, heard, chosen, now_ns)
            case Asked():
                found = answering.asked(graph, heard, chosen, now_ns)
            case Search():
                found = answering.told(graph, heard)
        if found is None:
            return None
        return found.text, [answering.fact_view(fact, graph, run.language) for fact in found.facts]

    answered = await _with_graph(run, look)
    if answered is None:
        return ""
    if isinstance(heard, Asked) and not answered[1]:
        return answered[0]
    raise Stop(Resolution.EXECUTED, answered[0], result={"facts": answered[1]})


# --- forgetting ---------------------------------------------------------------------------------------------------


async def _forget(run: Run, heard: Forget, chosen: Mapping[str, str]) -> None:
    from kernel.approval.consent import answer_to
    from kernel.backup.forgetting import behind
    from kernel.knowing import finding, forgetting, wording

    house = run.house
    entity = await _with_graph(run, lambda graph: finding.find(graph, heard.name, "", chosen))
    if entity is None and not heard.sure:
        return
    found = await asyncio.to_thread(forgetting.preview, house, heard.name, entity, (), run.id)
    if found.is_empty or (entity is None and not (found.reach.runs or found.facts or found.own.counts)):
        said = wording.name_in(None, heard.name, run.language)
        raise Stop(Resolution.EXECUTED, wording.word(run.language, "nothing", name=said))
    forgetting.must_be_possible(found, run.language)
    await answer_to(run, forgetting.question(found, run.language), consented=False)
    done = await forgetting.carry_out(house, found)
    answer = forgetting.said(found, done, run.language, behind(house))
    raise Stop(Resolution.CONFIRMED, answer, result={"facts": found.facts})


# --- whom a name means --------------------------------------------------------------------------------------------


async def _ask_whom(run: Run, several: Any, text: str, chosen: Mapping[str, str]) -> NoReturn:
    from kernel.knowing import finding, wording

    say = wording.SAY.get(run.language, wording.SAY["en"])
    lines = await _with_graph(run, lambda graph: finding.told_apart(graph, several.entities, say))
    asked = wording.word(run.language, "which", name=wording.name_in(None, several.name, run.language))
    whom = {"name": several.name.casefold(), "ids": [one.id for one in several.entities], "lines": lines, "text": text,
            "chosen": dict(chosen)}  # fmt: skip
    await run.log.say("run.asked", None, {"question": asked, "choices": lines, "whom": whom, **run.reply()})
    shown = "\n".join([asked, *(f"  {n}. {line}" for n, line in enumerate(lines, 1))])
    raise Stop(Resolution.CLARIFY, shown, question={"text": asked, "choices": lines})


def _names_place(run: Run, intent: Intent, name: str) -> bool:
    """Tell whether a name is that of a file or folder that is there ("what do you know about report.pdf")."""
    world = run.house.world
    places = [span for span in intent.spans if span.kind in _PLACES and isinstance(span.value, str)]
    words = [(span.value, _words(intent, span.first, span.last)) for span in places]
    meant = [value for value, said in words if name and (name in said or said in name)]  # "the lease" is lease.txt
    return any(value.startswith("/") and world.exists(value) for value in meant)


def _words(intent: Intent, first: int, last: int) -> str:
    return intent.text[intent.tokens[first].start : intent.tokens[last - 1].end]


async def _with_graph(run: Run, work: Callable[[Graph], T]) -> T:
    return await asyncio.to_thread(lambda: work(graph_for(run.house, run.client)))
