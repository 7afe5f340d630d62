"""The commands that show and steer the house: daemon, doctor, runs, skills, grants, ledger and log."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from portal.cli import daemon as process
from portal.cli.outcome import FAILED, OK, Failure, Json, emit, say, tell
from portal.cli.words import one_line, short_path, span
from portal.client import Client, is_listening
from portal.locate import Places, find_places


def up(as_json: bool) -> int:
    """Start the daemon."""
    places = find_places()
    started = process.ensure_running(places)
    with Client(places) as client:
        state = client.status()
    if as_json:
        emit({"started": started, **state})
    else:
        tell(
            f"Steward {'is running' if started else 'was running already'}: process {state['pid']}, {state['address']}"
        )
    return OK


def down(as_json: bool) -> int:
    """Stop the daemon."""
    stopped = process.stop(find_places())
    if as_json:
        emit({"stopped": stopped})
    else:
        tell("Steward has ended." if stopped else "Steward was not running.")
    return OK


def status(as_json: bool) -> int:
    """Show the daemon's state; a daemon that does not run is a state, too."""
    places = find_places()
    if not is_listening(places):
        return _shown(
            {"running": False}, as_json, lambda _: tell("Steward is not running. Start it with: ./steward up")
        )
    with Client(places) as client:
        state = client.status()
    return _shown({"running": True, **state}, as_json, _print_status)


def _print_status(state: Mapping[str, Any]) -> None:
    tell(f"Steward runs as process {state.get('pid')} since {span(float(state.get('uptime_s') or 0))}.")
    tell(f"Page      {state.get('address')}  (sign in: ./steward open)")
    note = state.get("level_note")
    tell(f"Level     {state.get('level')}{f'  ({note})' if note else ''}")
    tell(f"Encoder   {state.get('encoder')}")
    known = ("pid", "uptime_s", "address", "level", "level_note", "encoder", "seq")
    for name, value in state.items():
        if name not in known and isinstance(value, int | str) and not isinstance(value, bool):
            tell(f"{name.capitalize():<9} {value}")


def doctor(as_json: bool) -> int:
    """Show each capability, its state and the command that mends it."""
    with _client() as client:
        lines = client.doctor()
    found = {"ok": all(line["ok"] for line in lines), "capabilities": lines}
    return _shown(found, as_json, lambda _: _print_doctor(lines))


def _print_doctor(lines: Iterable[Mapping[str, Any]]) -> None:
    for line in lines:
        tell(f"{'✔' if line['ok'] else '✘'} {line['name']:<16} {one_line(str(line['state']), 160)}")
        if not line["ok"] and line.get("remedy"):
            tell(f"  {'':<16} → {one_line(str(line['remedy']), 300)}")


def open_page(as_json: bool, *, print_only: bool) -> int:
    """Open the page with a one-time link."""
    with _client() as client:
        link = client.login_link()
    if as_json:
        emit(link)
        return OK
    if not print_only and _open_browser(str(link["url"])):
        tell("The page opens in your browser.")
    else:
        tell(str(link["url"]))
        say(f"Open this link within {link['expires_s']:.0f} seconds; it works once.")
    return OK


def _open_browser(url: str) -> bool:
    """Open a page that leads to ``url``: the code must not stand in a process list, which other users can read."""
    import os
    import webbrowser

    if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return False
    file = find_places().runtime / "open.html"
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as page:
        page.write(f'<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url={url}">')
    with contextlib.suppress(webbrowser.Error):
        return webbrowser.open(file.as_uri())
    return False


def runs(as_json: bool, limit: int) -> int:
    """List the latest runs."""
    with _client() as client:
        found = client.runs(limit)
    return _shown({"runs": found}, as_json, lambda _: _print_runs(found))


def _print_runs(found: Iterable[Mapping[str, Any]]) -> None:
    rows = [
        (
            run["run"],
            str(run.get("started_at") or run.get("at") or "")[:16].replace("T", " "),
            "undone" if run.get("undone") else run["resolution"],
            run.get("effects") or "",
            one_line(str(run["text"]), 90),
        )
        for run in found
    ]
    _list(("run", "started (UTC)", "resolution", "changes", "request"), rows, "No runs yet.")
    if any(row[2] == "pending" for row in rows):
        say("Answer a pending run with: ./steward approve RUN")


def skills(as_json: bool) -> int:
    """List the skills."""
    with _client() as client:
        found = client.skills()
    return _shown({"skills": found}, as_json, lambda _: _print_skills(found))


def _print_skills(found: Iterable[Mapping[str, Any]]) -> None:
    for skill in found:
        name = skill.get("id") or skill.get("skill") or ""
        tell(
            f"{name} {skill.get('version', '')}  {one_line(str(skill.get('description') or skill.get('title') or ''))}"
        )
        for tool in skill.get("tools") or ():
            what = tool if isinstance(tool, str) else f"{tool.get('id', '')}  {tool.get('summary', '')}"
            tell(f"    {one_line(what, 110)}")


def grants(as_json: bool) -> int:
    """List the standing grants."""
    with _client() as client:
        found = client.grants()
    return _shown({"grants": found}, as_json, lambda _: _print_grants(found))


def _print_grants(found: Iterable[Mapping[str, Any]]) -> None:
    rows = [(grant["id"], grant.get("skill", ""), grant.get("right", ""), grant.get("mode", "")) for grant in found]
    _list(("grant", "skill", "right", "holds"), rows, "No standing grants: every right is asked for.")


def grant(skill: str, right: str, as_json: bool) -> int:
    """Give a skill a standing right."""
    with _client() as client:
        given = client.grant(skill, right)
    return _shown({"grant": given}, as_json, lambda _: tell(f"Granted {right} to {skill} as {given}."))


def revoke(grant_id: str, as_json: bool) -> int:
    """Take a standing grant back."""
    with _client() as client:
        client.revoke(grant_id)
    return _shown({"grant": grant_id, "revoked": True}, as_json, lambda _: tell(f"Revoked {grant_id}."))


def verify(as_json: bool) -> int:
    """Check the ledger; a broken one is a failure."""
    try:
        with _client() as client:
            found = client.verify_ledger()
    except Failure:  # a daemon does not start on a broken ledger: look at it without one
        from kernel import inspect_ledger

        found = inspect_ledger()
    _shown(found, as_json, _print_verification)
    return OK if found.get("ok") else FAILED


def _print_verification(found: Mapping[str, Any]) -> None:
    if found.get("ok"):
        tell(f"The ledger is whole: {found.get('events', 0)} events, each linked to the one before.")
        return
    tell("The ledger is NOT whole:")
    for problem in found.get("problems") or ():
        where = problem if isinstance(problem, str) else f"event {problem.get('seq')}: {problem.get('reason')}"
        tell(f"  {one_line(where, 300)}")


def log(as_json: bool, limit: int, *, daemon: bool) -> int:
    """Show the newest events, or the daemon's own log."""
    if daemon:
        lines = process.log_tail(find_places(), limit)
        return _shown({"lines": lines}, as_json, lambda _: tell("\n".join(lines)))
    with _client() as client:
        events = client.log(limit)
    return _shown({"events": events}, as_json, lambda _: _print_log(events))


def _print_log(events: Iterable[Mapping[str, Any]]) -> None:
    for event in events:
        where = " ".join(str(event[name]) for name in ("run", "task") if event.get(name))
        tell(f"{event['seq']:>6} {str(event['at'])[:19]} {event['kind']:<20} {where:<14} {_gist(event.get('body'))}")


def _gist(body: Any) -> str:
    if not isinstance(body, dict):
        return "(forgotten)" if body is None else one_line(str(body), 100)
    for name in ("text", "answer", "message", "question", "tool", "seal"):
        if body.get(name):
            return one_line(short_path(str(body[name])), 100)
    return ""


# --- shared ------------------------------------------------------------------------------------------------------


def _client() -> Client:
    places: Places = find_places()
    process.ensure_running(places)
    return Client(places)


def _shown(value: Json, as_json: bool, show: Callable[[Json], Any]) -> int:
    if as_json:
        emit(value)
    else:
        show(value)
    return OK


def _list(columns: tuple[str, ...], rows: list[tuple[Any, ...]], nothing: str) -> None:
    if not rows:
        tell(nothing)
        return
    from portal.cli.screens import list_table

    list_table(columns, rows)
