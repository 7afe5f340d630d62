"""What happened: the list of runs, one run in full, and the events of the ledger."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from portal.cli import daemon as process
from portal.cli.changes import ChangeSet, change_lines, told_in_line
from portal.cli.events import told
from portal.cli.house import connected, list_rows, shown
from portal.cli.marked import say_whose, tell_marked
from portal.cli.outcome import OK, emit, run_object, say, tell
from portal.cli.phrases import CATALOGUE, language_of, origins, phrase, stage_of
from portal.cli.reviewed import review_lines
from portal.cli.words import moment, one_line, short_path, size, span
from portal.locate import find_places

_CALLS = 20
"""So many calls of a tool are listed below its task."""


def runs(as_json: bool, limit: int) -> int:
    """List the latest runs."""
    with connected() as client:
        found = client.runs(limit)
    return shown({"runs": found}, as_json, lambda _: _print_runs(found))


def _print_runs(found: Iterable[Mapping[str, Any]]) -> None:
    entries = list(found)
    rows = [
        (
            run["run"],
            moment(run.get("started_at")),
            ending(run),
            _whose(run) + (one_line(str(run.get("request") or run["text"]), 90) or _wordless(run)),
            _deeds(run),
        )
        for run in entries
    ]
    list_rows(("run", "started (UTC)", "ended", "request", "what it did"), rows, "No runs yet.")
    if any(run.get("half_done") for run in entries):
        say("What waits for its disk: ./steward doctor")
    if any(run["resolution"] == "pending" and not run.get("half_done") for run in entries):
        say("Answer what waits with: ./steward approve RUN")


def _whose(run: Mapping[str, Any]) -> str:
    """Say before a request in whose name it was made, where that is not the person: ``routine:NAME``, ``mcp:NAME``."""
    return f"{one_line(str(run['client']), 60)}: " if run.get("client") else ""


def _wordless(run: Mapping[str, Any]) -> str:
    """Say what stands for words that were forgotten, or were private and have been let go of."""
    return "(forgotten)" if run.get("forgotten") else "(private)" if run.get("private") else ""


def ending(run: Mapping[str, Any], language: str = "en") -> str:
    """Say how a run ended or stands."""
    refused = run.get("refused") or (run.get("error") or {}).get("code") == "approval.refused"
    key = "undone" if run.get("undone") else "refused" if refused else str(run["resolution"])
    key = "tried" if run.get("trial") and key == "rolled_back" else "half_done" if run.get("half_done") else key
    return phrase(language, key) if key in CATALOGUE["en"] else key


def _deeds(run: Mapping[str, Any]) -> str:
    """Say what a run changed; of one that changed nothing, which tools it used."""
    count, first = int(run.get("effects") or 0), run.get("changed") or ()
    if not count:
        return one_line(", ".join(str(tool) for tool in run.get("tools") or ()), 60)
    done = one_line(told_in_line(first[0]), 70) if first else ""
    return f"{done} (+{count - 1})" if count > 1 else done


def show(run: str, as_json: bool, *, everything: bool) -> int:
    """Show one run: its sentence, how it ended, its plan, its answer and what it changed."""
    with connected() as client:
        view = client.view(run)
    if as_json:
        emit(run_object(view))
        return OK
    _print_run(view, everything=everything)
    return OK


def _print_run(view: Mapping[str, Any], *, everything: bool) -> None:
    language = language_of(view)
    tell(f"{view['run']}  {moment(view.get('started_at'))}  {ending(view)}")
    said = one_line(str(view.get("request") or view["text"]), 500) or _wordless(view)
    tell(phrase(language, "asked", text=said))
    plan = view.get("plan") or {}
    made = {name: plan.get(name) for name in ("model", "worker", "worker_host")}
    for line in origins({"client": view.get("client"), **made}, language):
        tell(line)
    for number, task in enumerate(plan.get("tasks") or (), 1):
        _print_task(number, task, view, everything=everything)
    if view.get("answer"):
        tell_marked(str(view["answer"]), view.get("marks") or ())
        say_whose(view, language)
    for line in review_lines(view.get("review")):
        tell(f"  {line}")
    changes = view.get("effects") or (view.get("card") or {}).get("changes")
    for line in change_lines(ChangeSet.of(changes), language, str(view["run"]), everything=everything):
        tell("  " + line)
    if half_done := view.get("half_done"):
        tell(f"{half_done['message']}\n  → {half_done['hint']}")
    elif view["resolution"] == "pending":
        say(phrase(language, f"waits.{stage_of(view)}", run=view["run"]))
    elif view.get("effects") and not view.get("undone"):
        say(phrase(language, "undo.hint", run=view["run"]))


def _print_task(number: int, task: Mapping[str, Any], view: Mapping[str, Any], *, everything: bool) -> None:
    """Show a task: its values, what a model did in it turn by turn, and the calls that its tool asked for."""
    language = language_of(view)
    values = ", ".join(
        f"{(task.get('labels') or {}).get(name, name)}: {one_line(short_path(str(value)), 80)}"
        for name, value in task["arguments"].items()
    )
    tell(f"  {number} {one_line(str(task['title']), 100)}  {task['tool']}({values})")
    for turn in (one for one in view.get("turns") or () if one["task"] == task["id"]):
        tell(f"    {one_line(str(turn['text']), 200)}")
    calls = [call for call in view.get("calls") or () if str(call["call"]).startswith(f"{task['id']}.")]
    for call in calls if everything else calls[:_CALLS]:
        tell(call_line(call, language))
    if len(calls) > _CALLS and not everything:
        tell("    " + phrase(language, "call.more", count=len(calls) - _CALLS, run=view["run"]))
    for name, origin in (task.get("origins") or {}).items():
        tell(f"    {one_line(str((task.get('labels') or {}).get(name, name)), 60)} ← {one_line(str(origin), 120)}")


def call_line(call: Mapping[str, Any], language: str) -> str:
    """Say one call that a tool asked for, below its caller: what became of it, how long it took, what it needed."""
    depth = str(call["call"]).count(".")
    key = {"running": "call.running", "done": "call.done"}.get(str(call["state"]))
    ended = phrase(language, key) if key else str(call.get("message") or "")
    took = span(float(call["wall_ms"]) / 1000) if call.get("wall_ms") else ""
    needed = size(call["peak_bytes"]) if call.get("peak_bytes") else ""
    facts = ", ".join(one for one in (one_line(ended, 200), took, needed) if one)
    return f"  {'  ' * depth}↳ {one_line(str(call.get('tool') or '?'), 80)}: {facts}"


def log(as_json: bool, limit: int, *, daemon: bool) -> int:
    """Show the newest events, or the daemon's own log."""
    if daemon:
        lines = process.log_tail(find_places(), limit)
        return shown({"lines": lines}, as_json, lambda _: tell("\n".join(lines)))
    with connected() as client:
        events = client.log(limit)
    return shown({"events": events}, as_json, lambda _: _print_log(events))


def _print_log(events: Iterable[Mapping[str, Any]]) -> None:
    for event in events:
        where = " ".join(str(event[name]) for name in ("run", "task") if event.get(name))
        words = told(str(event["kind"]), event.get("body"))
        tell(f"{event['seq']:>6} {str(event['at'])[:19]} {where:<16} {event['kind']:<18} {words}")
