"""Events of the ledger in words: what was asked, which tool ran with what, what changed, which right was given.

A kind that a later version has written is told by its name; an event whose body was forgotten says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from portal.cli.changes import ChangeSet, told_in_line
from portal.cli.words import many, one_line, path_line, short_path, size, span

LONGEST = 160
NAMED = 3

Body = Mapping[str, Any]


def told(kind: str, body: Any) -> str:
    """Return one event in words, on one line."""
    if body is None:
        return "(forgotten)"
    if not isinstance(body, Mapping):
        return _short(body)
    if body.get("private") is True and len(body) == 1:
        return "(private)"
    tell = _TELL.get(kind)
    try:
        return tell(body) if tell else _anything(body)
    except (KeyError, TypeError, ValueError, AttributeError):  # another version wrote it in another form
        return _anything(body)


def _short(value: Any, longest: int = LONGEST) -> str:
    return one_line(short_path(str(value)), longest)


def _anything(body: Body) -> str:
    return _short(", ".join(f"{name} {value}" for name, value in body.items() if isinstance(value, str | int | float)))


def _asked(body: Body) -> str:
    client = str(body.get("client") or "")
    return f"{_short(client, 60)} asked: {_short(body['text'])}" if client else f"asked: {_short(body['text'])}"


def _fired(body: Body) -> str:
    late = " (missed, done late)" if body["missed"] else ""
    return f"{_short(body['name'], 60)} is due{late}: run {_short(body['run'], 20)}"


def _facts_told(body: Body) -> str:
    counts = {"new": body["facts"], "ended": body["ended"], "taken back": body["retracted"]}
    return "memory: " + (", ".join(f"{len(ids)} {words}" for words, ids in counts.items() if ids) or "nothing new")


def _retention(body: Body) -> str:
    days = body["days"]
    return "words are kept " + ("for good" if days is None else f"for {many(days, 'day')}")


def _interpreted(body: Body) -> str:
    return f"read as {_short(body.get('language') or '?', 20)}"


def _recommended(body: Body) -> str:
    best = [f"{one['tool']} {float(one['score']):.2f}" for one in (body.get("candidates") or ())[:NAMED]]
    return f"nearest: {', '.join(best)}" if best else "nothing fits"


def _planned(body: Body) -> str:
    return "plan: " + _short("; ".join(_call(task) for task in body["plan"]["tasks"]))


def _call(task: Body) -> str:
    return f"{task['tool']}({_arguments(task.get('arguments') or {})})"


def _arguments(arguments: Body) -> str:
    return ", ".join(f"{name}={_value(value)}" for name, value in arguments.items() if value is not None)


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        if "first" in value and "count" in value:
            return _several(value["first"], int(value["count"]))
        if place := value.get("path") or value.get("source"):
            return path_line(str(place), 60)
        return _short(", ".join(f"{k} {v}" for k, v in value.items()), 60)
    if isinstance(value, list):
        return _several(value, len(value))
    return _short(value, 60)


def _several(first: Any, count: int) -> str:
    named = [_value(item) for item in first[:NAMED]]
    return ", ".join([*named, *([f"… +{count - len(named)}"] if count > len(named) else [])])


def _question(body: Body) -> str:
    choices = ", ".join(str(choice) for choice in body.get("choices") or ())
    return _short(f"asked back: {body.get('question', '')}{f' [{choices}]' if choices else ''}")


def _requested(body: Body) -> str:
    card = body.get("card") or {}
    if body.get("stage") == "commit":
        return f"asks: {_changes(card.get('changes'))}"
    if card.get("mail"):
        return "asks: " + _short("; ".join(f"{one['why']} {one['subject']}" for one in card.get("concerns") or ()))
    if limit := card.get("limit"):
        return f"asks: {_short(limit.get('question', ''))}"
    asked = [right for right in card.get("lines") or card.get("rights") or () if right.get("verdict") == "ask"]
    return "asks: " + _short("; ".join(f"{right['skill']} {right.get('words') or ''}" for right in asked))


def _resolved(body: Body) -> str:
    return f"answered: {_short(body.get('answer', ''))}"


def _granted(body: Body) -> str:
    if "count" in body:
        return f"{body['count']} rights given, {_given(body['first'][0])} and others"
    return _given(body)


def _given(grant: Body) -> str:
    scope = f"{grant.get('action', '')}:{short_path(str(grant.get('scope', '')))}{'/**' if grant.get('tree') else ''}"
    return f"{_short(grant.get('skill', ''), 60)} may {_short(scope, 100)} ({lasts(grant)}){_why(grant)}"


def held_by(grant: Body) -> str:
    """Say whose a grant is: a skill's, a client's (``mcp:claude``), or a skill's that works for one."""
    skill, client = str(grant.get("skill", "")), str(grant.get("client") or "")
    return skill if client in ("", skill) else f"{client}.{skill}"


def lasts(grant: Body) -> str:
    """Say how long a grant holds: its mode, or until when; or that it does not count now."""
    if grant.get("idle"):
        return "not now: given to another version"
    if grant.get("expires_s") is None:
        return _short(grant.get("mode", ""), 20)
    return f"until {datetime.fromtimestamp(float(grant['expires_s'])).astimezone():%Y-%m-%d %H:%M}"


def _revoked(body: Body) -> str:
    return f"taken away: {_short(body['id'])}"


def _refused(body: Body) -> str:
    return f"refused: {_short(' '.join([str(body['what']), *map(str, body['asked'])]), 100)}: {_short(body['message'])}"


def _denied(body: Body) -> str:
    scope = f"{body['action']}:{short_path(str(body['scope']))}{'/**' if body.get('tree') else ''}"
    return f"denied at {_node(body)}: {_short(scope, 100)}{_why(body)}"


def _limited(body: Body) -> str:
    kind = f"{_short(body['meter'], 40)} {'in total' if body['total'] else 'for one call'}"
    if body["amount"] is None:
        return f"no longer limited at {_node(body)}: {kind}"
    return f"limited at {_node(body)}: {kind}, {_short(body.get('words') or body['amount'], 40)}{_why(body)}"


def _node(body: Body) -> str:
    return _short(str(body["node"]).removeprefix("root/user/workspace/").rpartition("root/")[2], 80)


def _why(body: Body) -> str:
    return f" ({_short(body['why'], 80)})" if body.get("why") else ""


def _amounts(verb: str, name: str) -> Callable[[Body], str]:
    return lambda body: f"{verb}: {_short(', '.join(f'{meter} {amount}' for meter, amount in body[name].items()))}"


def _started(body: Body) -> str:
    return f"{body['tool']}({_short(_arguments(body.get('arguments') or {}))})"


def _progressed(body: Body) -> str:
    part = body.get("fraction")
    return " ".join([*([f"{float(part):.0%}"] if part is not None else []), _short(body.get("text") or "")])


def _connected(body: Body) -> str:
    moved = f"{size(body['up_bytes'])} up, {size(body['down_bytes'])} down"
    cut = f", {_short(body['code'])}" if body.get("code") else ""
    return f"connected to {_place(body)} at {_short(body['address'])}: {moved} ({span(float(body['ms']) / 1000)}){cut}"


def _not_connected(body: Body) -> str:
    return f"not connected to {_place(body)}: {_short(body['code'])}"


def _place(body: Body) -> str:
    return _short(f"{body['host']}:{body['port']}", 80)


def _done(body: Body) -> str:
    had = f" of {size(body['reserved_bytes'])}" if body.get("reserved_bytes") else ""
    used = f", {size(body['peak_bytes'])}{had} memory" if body.get("peak_bytes") else ""
    return f"{_short(body.get('answer') or 'done')} ({span(float(body.get('wall_ms') or 0) / 1000)}{used})"


def _tested(body: Body) -> str:
    why = f": {_short(body['why'])}" if body.get("why") else ""
    return f"the wall was tried: {body['level']}, {len(body['failed'])} of {body['tried']} acts got through{why}"


def _learned(body: Body) -> str:
    return f"{_short(body['tool'], 80)} will begin with {size(body['reserve_bytes'])} of memory"


def _asked_for(body: Body) -> str:
    return f"{_short(body['by'], 60)} asks for {_started(body)} [{_short(body['call'], 20)}]"


def _answered(body: Body) -> str:
    return f"{_short(body['tool'], 60)} for {_short(body['by'], 60)}: {_done(body)} [{_short(body['call'], 20)}]"


def _not_answered(body: Body) -> str:
    tool = f"{_short(body['tool'], 60)} " if body.get("tool") else ""
    return f"{tool}for {_short(body['by'], 60)} {_failed(body)} [{_short(body['call'], 20)}]"


def _failed(body: Body) -> str:
    return _short(f"failed: {body.get('message') or body.get('code')}")


def _changes(sent: Any) -> str:
    changes = ChangeSet.of(sent)
    named = "; ".join(told_in_line(change) for change in changes.known[:NAMED])
    more = f" … and {changes.total - NAMED} more" if changes.total > NAMED else ""
    return _short(named) + more if named else "no change"


def _sealed(body: Body) -> str:
    return f"ready: {_changes(body.get('changes'))}"


def _committing(_body: Body) -> str:
    return "applying the changes"


def _committed(body: Body) -> str:
    return f"changed: {_changes(body.get('changes'))}"


def _recovered(body: Body) -> str:
    if body["rung"] == "plan":
        return f"version {body['version']} of the plan, without {_short(body['without'], 60)}"
    if body["rung"] == "name":
        return f"version {body['version']} of the plan, with another name of whom it did not find"
    return f"asks back for {_short(body.get('parameter') or '', 60)}"


def _finished(body: Body) -> str:
    return _short(f"{body.get('resolution')}: {body.get('answer') or ''}")


def _undone(body: Body) -> str:
    return f"taken back: {_changes(body.get('changes'))}"


_TELL: Mapping[str, Callable[[Body], str]] = {
    "run.created": _asked,
    "trial.created": lambda body: f"tries out {_short(' '.join(body['trial'].values()), 60)}: {_short(body['text'])}",
    "run.warming": lambda _: "waits until the words of the skills are learnt",
    "run.interpreted": _interpreted,
    "run.recommended": _recommended,
    "run.planned": _planned,
    "run.asked": _question,
    "run.dropped": lambda _: "the question was dropped",
    "approval.requested": _requested,
    "approval.resolved": _resolved,
    "grant.added": _granted,
    "grants.given": _granted,
    "grant.revoked": _revoked,
    "grant.expired": lambda body: f"ended: {_short(body['id'])}",
    "deny.added": _denied,
    "deny.removed": lambda body: f"no longer denied: {_short(body['id'])}",
    "limit.set": _limited,
    "perms.refused": _refused,
    "facts.told": _facts_told,
    "phrase.taught": lambda body: f"“{_short(body['phrase'], 80)}” means: {_short(body['meaning'], 120)}",
    "phrase.forgotten": lambda body: f"“{_short(body['phrase'], 80)}” means nothing of its own any more",
    "example.forgotten": lambda _: "is no example any more",
    "retention.set": _retention,
    "limit.learned": _learned,
    "wall.tested": _tested,
    "backup.taken": lambda body: f"a backup was written: {size(body['size_bytes'])}, {body['events']} events",
    "budget.reserved": _amounts("reserved", "amounts"),
    "budget.settled": _amounts("used", "used"),
    "clock.back": lambda _: "the machine's clock was set back; what has ended stays ended",
    "task.started": _started,
    "task.progress": _progressed,
    "net.connected": _connected,
    "net.refused": _not_connected,
    "net.failed": _not_connected,
    "call.started": _asked_for,
    "call.done": _answered,
    "call.failed": _not_answered,
    "door.used": lambda body: f"{_short(body['by'], 60)}: {_short(body['right'], 120)}",
    "task.done": _done,
    "task.failed": _failed,
    "task.skipped": lambda body: f"not done: {_short(body.get('answer') or 'what it would take was not made')}",
    "task.ahead": lambda _body: "its result was made beforehand",
    "task.recovered": lambda body: f"{_short(body['rung'], 20)}: {_short(body.get('code') or '', 40)}",
    "plan.recovered": _recovered,
    "changes.sealed": _sealed,
    "commit.started": _committing,
    "commit.done": _committed,
    "run.finished": _finished,
    "undo.started": lambda _: "taking the changes back",
    "undo.refused": lambda _: "not taken back: something has changed since",
    "run.undone": _undone,
    "undo.lapsed": lambda body: f"no longer kept to take back: {many(int(body['count']), 'run')}",
    "undo.part": lambda body: f"of it, {_undone(body)}",
    "reminder.due": lambda _: "something is due that a skill keeps on the clock",
    "reminder.hushed": lambda _: "what a private request put on the clock is told without a word here",
    "reminder.told": lambda body: (
        f"{_short(body.get('title') or '', 40)}: {_short(body['text'])}" if body.get("text") else "a private reminder"
    ),
    "proposal.dropped": lambda body: f"proposal dropped: {_short(body['proposal'], 20)}",
    "proposal.adopted": lambda body: f"proposal adopted: {_short(body['skill'], 60)} {_short(body['version'], 20)}",
    "skill.written": lambda body: f"being written: {_short(body['skill'], 60)} {_short(body['version'], 20)}",
    "skill.unwritten": lambda body: f"no longer written: {_short(body['skill'], 60)}",
    "skill.installed": lambda body: f"installed: {_short(body['skill'], 60)} {_short(body['version'], 20)}",
    "skill.used": lambda body: f"back to: {_short(body['skill'], 60)} {_short(body['version'], 20)}",
    "skill.pinned": lambda body: f"{'pinned' if body['pinned'] else 'no longer pinned'}: {_short(body['skill'], 60)}",
    "skill.removed": lambda body: f"out of use: {_short(body['skill'], 60)}",
    "routine.kept": lambda body: f"kept as {_short(body['name'], 60)}: {_short(body['text'])}",
    "routine.paused": lambda body: f"rests: {_short(body['name'], 60)}",
    "routine.resumed": lambda body: f"goes on: {_short(body['name'], 60)}",
    "routine.removed": lambda body: f"taken away: {_short(body['name'], 60)}",
    "routine.left": lambda body: f"rights kept for an undo: {len(body['grants'])}",
    "routine.returned": lambda body: f"back again: {_short(body['name'], 60)}",
    "routine.fired": _fired,
    "macro.kept": lambda body: f"kept as {_short(body['name'], 60)}: {_short(body['text'])}",
    "macro.renamed": lambda body: f"{_short(body['name'], 60)} is called {_short(body['new'], 60)}",
    "macro.phrased": lambda body: f"{_short(body['name'], 60)} is said by: {_short(', '.join(body['phrases']))}",
    "macro.removed": lambda body: f"taken away: {_short(body.get('name') or 'a macro', 60)}",
    "macro.called": lambda body: f"the macro {_short(body['name'], 60)}",
    "client.added": lambda body: f"client added: {_short(body['name'], 60)}",
    "client.removed": lambda body: f"client removed: {_short(body['name'], 60)}; its token opens nothing any more",
    "model.asked": lambda body: (
        f"{_short(body['model'], 60)} at {_short(body['host'], 60)} saw {', '.join(body['seen'])}"
    ),
    "model.replied": lambda body: f"{_short(body['endpoint'], 40)}: {_short(body['code'] or 'an answer', 40)}",
    "run.reviewed": lambda body: _short((body.get("lines") or ["reviewed"])[0]),
    "worker.turn": lambda body: (
        f"turn {body['turn']} of {body['of']}: {_short(body['do'] or 'no action')} {_short(body.get('place', ''), 120)}"
    ),
    "worker.acted": lambda body: f"turn {body['turn']}: {'done' if body['ok'] else 'not done'}",
    "run.replayed": lambda body: (
        "replayed: " + ("as it was then" if body["same"] else ", ".join(body["other"]) or _short(body["standing"]))
    ),
    "worker.refused": lambda body: f"not allowed: {body['do']} {_short(body['place'], 120)} ({_short(body['code'])})",
    "worker.ended": lambda body: (
        f"{_short(body['why'])} after {many(body['turns'], 'turn')} and {many(body['tokens'], 'token')}"
    ),
    "model.proposed": lambda body: (
        f"the {_short(body.get('as') or 'plan', 20)} of the model {_short(body['endpoint'], 40)}"
        if body["used"]
        else f"no plan of the model {_short(body['endpoint'], 40)} that can be used"
    ),
    "model.set": lambda body: f"model set: {_short(body['name'], 40)} at {_short(body['url'])}",
    "model.removed": lambda body: f"model removed: {_short(body['name'], 40)}",
    "model.bound": lambda body: f"{_short(body['role'], 20)}: {_short(' then '.join(body['names']) or 'no model')}",
    "model.tested": lambda body: f"{_short(body['name'], 40)} was measured: forms by {_short(body['way'], 20)}",
    "skill.refused": lambda body: f"not installed: {_short(body['why'])}",
}
"""Every kind of event that the kernel writes."""
