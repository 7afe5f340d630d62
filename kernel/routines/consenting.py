"""The card of a rule, and what a yes to it does: the routine is kept, with rights of its own.

What this stops: a routine that is kept with other rights than its card named; a question that is lost, or answered for
something else, because the daemon was stopped while it waited. What it does not: read a sentence (``handling``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NoReturn

from kernel.approval.card import card_view
from kernel.approval.consent import answer_to, refuse_denied
from kernel.authorize import asked, authorize, strictest
from kernel.model import Authorization, Plan, Resolution
from kernel.paths import holds
from kernel.planning.plan_graph import mermaid
from kernel.remembering.bulk import kept
from kernel.routines.book import KEPT
from kernel.routines.bringing import Bringing, bringing, takes_any, with_brought
from kernel.routines.compiling import free
from kernel.routines.contents import reads_contents
from kernel.routines.limiting import may_reach_it, most_an_hour
from kernel.routines.model import Added, Called, Change, FileSeen, Limit
from kernel.routines.parts import Part
from kernel.routines.routine import Routine, from_json, to_json
from kernel.routines.sayings import say
from kernel.routines.showing import plan_shown
from kernel.routines.trying import on_card
from kernel.routines.views import next_of, routine_view
from kernel.routines.waited_for import BROUGHT
from kernel.run import Run, Stop, error_view
from memory.model import Draft
from permissions import new_grant
from permissions.labels import KERNEL_SAID
from permissions.model import Action, GrantMode, Principal
from skills.model import Tool, ToolId


async def keep_after_yes(run: Run, routine: Routine, thing: Bringing | None, authorization: Authorization) -> NoReturn:
    """Show the card of ``routine``, and keep it where the person says yes. Raises Stop."""
    house = run.house
    run.language = routine.language
    around = house.circumstances(run.id, run.utterance.cwd, routine.node)
    refuse_denied(run, authorization)
    now = house.routines.get(routine.name) if routine.before else None
    routine = routine if now is None else replace(routine, paused=now.paused, broken=now.broken)
    view = routine_view(routine, str(house.folders.home), next_of(routine, house))
    view["limits"] += [say(routine.language, "rests still")] if routine.paused else []
    if may_reach_it(routine.trigger):
        view["most"] = say(routine.language, "most", count=str(most_an_hour(routine.trigger)))
    shown = plan_shown(routine, around)
    whole = routine.plan if thing is None else thing.found_in(routine)
    card = card_view(authorization, around, whole, *house.level()) | {
        "routine": view | {"plan": shown, "graph": mermaid(shown, routine.language)},
        "concerns": _concerns(view, shown, routine.language),
    } | ({"model": routine.worded.model} if routine.worded is not None else {})  # fmt: skip
    would = await on_card(run, routine)
    card |= {"would": would, "changes": would["dry"]["changes"]}
    own = routine.worded is None
    consented = run.yes and own and not asked(authorization)  # a yes in advance gives no right for good
    house.routines.proposed[run.id] = routine
    try:
        request = {"stage": "routine", "card": card, "diff": would["dry"]["diff"], **kept("frozen", to_json(routine))}
        await answer_to(run, request, consented=consented)
    finally:
        del house.routines.proposed[run.id]
    async with house.routines.keeping:
        routine = _as_of_now(run, routine)
        await _grant(run, routine, whole, authorization)
        await house.write_routine(Draft(kind=KEPT, body=to_json(routine), run=run.id, label=KERNEL_SAID.to_json()))
    house.with_effects.append(run.id)
    routine = house.routines.get(routine.name) or routine
    at = next_of(routine, house)
    view |= {"name": routine.name, "node": routine.node}
    key = "changed" if routine.before else "kept"
    when = ", ".join([view["when"], *view["limits"]])
    answer = say(run.language, key, name=routine.name, when=when, said=routine.said)
    lacks_token = isinstance(routine.trigger, Called) and not house.routines.has_token(routine.name)
    answer += f" {say(run.language, 'hook', name=routine.name)}" if lacks_token else ""
    answer += f" {say(run.language, 'rests', name=routine.name)}" if routine.paused else ""
    answer += f" {say(run.language, 'next', at=f'{at:%Y-%m-%d %H:%M}')}" if at is not None else ""
    raise Stop(Resolution.CONFIRMED if run.confirmed else Resolution.EXECUTED, answer, result={"routine": view})


def _as_of_now(run: Run, routine: Routine) -> Routine:
    """Return what is kept after the yes: called as nobody else is, or in the place of what it was. Raises Stop where
    that is not what it was any more when the card was answered.
    """
    known = run.house.routines
    if not routine.before:
        return replace(routine, name=free(routine.name, [one.name for one in known.every()]))
    now = known.get(routine.name)
    if now is None or now.key != routine.before:
        text = say(run.language, "changed meanwhile", name=routine.name)
        raise Stop(Resolution.DECLINED, text, error=error_view("routine.changed", text, ""))
    return replace(routine, changed=run.house.clock())


async def ask_again(run: Run, frozen: Mapping[str, Any]) -> NoReturn:
    """Ask again about the routine that a card was about when the daemon stopped, with rights decided anew."""
    routine = from_json(frozen)
    thing = bringing(routine.trigger, run.house.registry.skills(), run.house.world.home, routine.language)
    await keep_after_yes(run, routine, thing, authorized(run, routine, thing))


def authorized(run: Run, routine: Routine, thing: Bringing | None) -> Authorization:
    """Decide the rights of a routine; what it does with what its trigger brings, it may do with all such things."""
    around = run.house.circumstances(run.id, run.utterance.cwd, routine.node)
    looks = thing is not None and (thing.is_looked_at or reads_contents(routine.such))
    if thing is None or not (looks or takes_any(routine.plan)):
        return authorize(routine.plan, around)
    if thing.kind == "text":  # where it would fill a right, that is asked about each time
        return authorize(with_brought(routine.plan, dict.fromkeys(Part, ""), "", around.tool), around)
    whole = authorize(thing.found_in(routine), around)
    if thing.is_looked_at:  # the look is made in its name, so its rights stand on the card
        return whole
    tasks = tuple(one for one in whole.tasks if one.task != BROUGHT)
    verdicts = [decision.verdict for one in tasks for decision in one.decisions]
    return Authorization(strictest(verdicts), tasks)


def changes_what_it_waits_for(routine: Routine, authorization: Authorization, tool: Callable[[ToolId], Tool]) -> bool:
    """Tell whether a routine that waits for changes of files may change such files itself, or adds such a thing as it
    waits for, and nobody said whether that counts. It never does; but whoever says such a rule may not have seen it.
    """
    trigger = routine.trigger
    if Limit.OWN in dict(routine.limits):
        return False
    if isinstance(trigger, Added):
        adds = (tool(task.tool).adds for task in routine.plan.tasks)
        return any(one is not None and one.what == trigger.what for one in adds)
    if not isinstance(trigger, FileSeen) or trigger.change not in (Change.CHANGED, Change.WRITTEN):
        return False
    rights = (one.right for task in authorization.tasks for one in task.decisions)
    writes = [one for one in rights if one.action is Action.FS_WRITE]
    folder = trigger.folder
    return any(
        one.scope == folder or holds(folder, one.scope) or (one.tree and holds(one.scope, folder)) for one in writes
    )


async def _grant(run: Run, routine: Routine, whole: Plan, authorization: Authorization) -> None:
    """Give the routine what its card asked for, and nobody else anything."""
    house = run.house
    tools = {task.id: house.registry.tool(task.tool) for task in whole.tasks}
    grants = []
    for task, decision in asked(authorization):
        if tools[task].asks_always:
            continue  # it is asked about each time
        skill = house.registry.skill(tools[task].skill)
        principal = Principal(skill.id, skill.hash, tools[task].id, run.id, task, routine.node)
        grants.append(new_grant(principal, decision.right, GrantMode.ALWAYS, house.now_s()))
    if grants:
        await house.grant(grants, run.id)


def _concerns(view: Mapping[str, Any], plan: Mapping[str, Any], language: str) -> list[dict[str, str]]:
    """What is kept, as lines of the card: when, what, and what limits it."""
    lines = [{"why": say(language, "when"), "subject": str(view["when"])}]
    if worded := view["worded"]:
        lines.append({"why": say(language, "worded"), "subject": worded["words"]})
        lines += [{"why": say(language, "unsaid"), "subject": ", ".join(worded["unsaid"])}] if worded["unsaid"] else []
    lines += [{"why": say(language, "limit"), "subject": one} for one in view["limits"]]
    lines += [{"why": say(language, "limit"), "subject": view["most"]}] if "most" in view else []
    lines += [{"why": say(language, "does"), "subject": _task_words(task)} for task in plan["tasks"]]
    if view["next"]:
        lines.append({"why": say(language, "first"), "subject": str(view["next"])[:16].replace("T", " ")})
    return lines


def _task_words(task: Mapping[str, Any]) -> str:
    given = ", ".join(f"{task['labels'].get(name, name)}: {value}" for name, value in task["arguments"].items())
    return f"{task['title'].rstrip('.')}{f' ({given})' if given else ''}"
