"""The commands that show and steer the house: daemon, doctor, skills and ledger."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from portal.cli import daemon as process
from portal.cli.outcome import FAILED, OK, Failure, Json, emit, say, tell
from portal.cli.words import many, one_line, size, span
from portal.client import Client
from portal.locate import Places, find_places
from portal.wire import is_listening


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
        return shown({"running": False}, as_json, lambda _: tell("Steward is not running. Start it with: ./steward up"))
    with Client(places) as client:
        state = client.status()
    return shown({"running": True, **state}, as_json, _print_status)


def _print_status(state: Mapping[str, Any]) -> None:
    tell(f"Steward runs as process {state.get('pid')} since {span(float(state.get('uptime_s') or 0))}.")
    tell(f"Page      {state.get('address')}  (sign in: ./steward open)")
    note = state.get("level_note")
    tell(f"Level     {state.get('level')}{f'  ({note})' if note else ''}")
    tell(f"Wall      {one_line(str(state.get('wall_test') or ''), 200)}")
    tell(f"Encoder   {state.get('encoder')}")
    if sizes := state.get("sizes"):
        tell(f"Kept      {sizes_words(sizes)}")
    if undo := state.get("undo"):
        tell(f"Undo      {_undo_words(undo)}")
    for one in state.get("half_done") or ():
        tell(f"Waits     {one_line(str(one['message']), 300)}\n          → {one_line(str(one['hint']), 300)}")
    known = ("pid", "uptime_s", "address", "level", "level_note", "wall_test", "encoder", "seq")
    for name, value in state.items():
        if name not in known and isinstance(value, int | str) and not isinstance(value, bool):
            tell(f"{name.capitalize():<9} {value}")


def _undo_words(undo: Mapping[str, Any]) -> str:
    """Say how many runs can be taken back, and what bounds that."""
    runs = many(undo["runs"], "run")
    kept = f"{size(undo['size_bytes'])} of {size(undo['most_bytes'])}, for {undo['keep_days']:g} days"
    return f"{runs}, {kept}  (undo_quota_gib, undo_keep_days: ./steward config show)"


def sizes_words(sizes: Mapping[str, Any]) -> str:
    """Say what is kept on disk."""
    named = {
        "ledger_bytes": "ledger",
        "known_bytes": "knowledge",
        "recall_bytes": "recall",
        "undo_bytes": "for undo",
        "staged_bytes": "staged",
    }
    return ", ".join(f"{words} {size(sizes.get(name))}" for name, words in named.items())


def doctor(as_json: bool) -> int:
    """Show each capability, its state and the command that mends it."""
    with connected() as client:
        lines = client.doctor()
    found = {"ok": all(line["ok"] for line in lines), "capabilities": lines}
    return shown(found, as_json, lambda _: _print_doctor(lines))


def _print_doctor(lines: Iterable[Mapping[str, Any]]) -> None:
    for line in lines:
        tell(f"{'✔' if line['ok'] else '✘'} {line['name']:<16} {one_line(str(line['state']), 160)}")
        if not line["ok"] and line.get("remedy"):
            tell(f"  {'':<16} → {one_line(str(line['remedy']), 300)}")


def open_page(as_json: bool, *, print_only: bool) -> int:
    """Open the page with a one-time link."""
    with connected() as client:
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


def verify(as_json: bool) -> int:
    """Check the ledger; a broken one is a failure."""
    try:
        with connected() as client:
            found = client.verify_ledger()
    except Failure:  # a daemon does not start on a broken ledger: look at it without one
        from kernel import inspect_ledger

        found = inspect_ledger()
    shown(found, as_json, _print_verification)
    return OK if found.get("ok") else FAILED


def _print_verification(found: Mapping[str, Any]) -> None:
    if found.get("ok"):
        tell(f"The ledger is whole: {found.get('events', 0)} events, each linked to the one before.")
        return
    tell("The ledger is NOT whole:")
    for problem in found.get("problems") or ():
        where = problem if isinstance(problem, str) else f"event {problem.get('seq')}: {problem.get('reason')}"
        tell(f"  {one_line(where, 300)}")


# --- shared ------------------------------------------------------------------------------------------------------


def connected() -> Client:
    """Return a client of the daemon, started where none runs."""
    places: Places = find_places()
    process.ensure_running(places)
    return Client(places)


def shown(value: Json, as_json: bool, show: Callable[[Json], Any]) -> int:
    """Print ``value`` for a program, or let ``show`` print it for a person."""
    if as_json:
        emit(value)
    else:
        show(value)
    return OK


def list_rows(columns: tuple[str, ...], rows: list[tuple[Any, ...]], nothing: str) -> None:
    """Print rows in columns, or ``nothing`` where there are none."""
    if not rows:
        tell(nothing)
        return
    from portal.cli.screens import list_table

    list_table(columns, rows)
