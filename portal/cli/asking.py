"""``ask``, ``approve`` and ``undo``: the commands that start something and follow it to its end."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from portal.cli.daemon import ensure_running
from portal.cli.outcome import (
    DENIED,
    FAILED,
    INTERRUPTED,
    OK,
    Failure,
    Json,
    emit,
    exit_code_of,
    refuse,
    run_object,
    say,
    tell,
)
from portal.cli.words import change_line, one_line
from portal.client import Client, DaemonError
from portal.locate import find_places

SHOWN_CHANGES = 20
ANSWERS = ("once", "run", "always", "no")


def is_interactive() -> bool:
    """Tell whether a person can be asked: questions go to standard error and are answered on standard input."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


def ask(text: str, conversation: str | None, *, as_json: bool, yes: bool) -> int:
    """Start a run, follow it, and return the exit code of its resolution."""
    _check_text(text)
    conversation = conversation or terminal_conversation()
    places = find_places()
    ensure_running(places)
    with Client(places) as client:
        run = client.ask(text, conversation=conversation, cwd=_working_directory(), yes=yes)
        view = _followed(client, run, _follower(client, run, yes=yes))
        while not as_json and is_interactive() and view.get("resolution") == "clarify":
            reply = _reply_to(view)
            if not reply:
                break
            run = client.ask(reply, conversation=view.get("conversation"), cwd=_working_directory(), yes=yes)
            view = _followed(client, run, _follower(client, run, yes=yes))
        return _close(view, as_json, asked_back=is_interactive())


def terminal_conversation() -> str | None:
    """Return the conversation of this terminal, so that a follow-up typed in it follows up; None where there is none.

    A terminal is its session: the leader's process id and start time (man 5 proc, stat field 22). Where the leader is
    gone or lives outside this process namespace (a container's first shell), the shell that called stands for it.
    """
    if not is_interactive():
        return None
    for process in (os.getsid(0), os.getppid()):
        with contextlib.suppress(OSError, IndexError):
            started = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[19]
            return f"t-{process}-{started}"
    return None


def approve(run: str, answer: str | None, *, as_json: bool) -> int:
    """Answer a run that waits, then follow it. Without a terminal the command itself is the yes."""
    if answer is not None and answer not in ANSWERS:
        refuse(f"{answer!r} is no answer.", "One of: " + ", ".join(ANSWERS))
    places = find_places()
    ensure_running(places)
    with Client(places) as client:
        waiting = next((entry for entry in client.approvals() if entry["run"] == run), None)
        if waiting is None:
            return _not_waiting(client.view(run), as_json)
        if answer is None and is_interactive():
            from portal.cli.follow import answer_card

            answer = answer_card(waiting)
        after = max((int(event["seq"]) for event in client.view(run)["events"]), default=0)
        client.approve(run, answer or "once", waiting.get("seal") or "")
        view = _followed(client, run, _follower(client, run, yes=False, after=after))
        return _close(view, as_json, asked_back=False)


def undo(run: str | None, *, as_json: bool, yes: bool) -> int:
    """Take a run back. In a terminal the changes are shown and asked about first."""
    places = find_places()
    ensure_running(places)
    with Client(places) as client:
        if not yes and not as_json and is_interactive() and not _undo_confirmed(client, run):
            raise Failure("undo.refused", "Nothing was taken back.", exit_code=DENIED)
        taken = client.undo(run)
    if as_json:
        emit(run_object({"resolution": "executed", **taken}))
        return OK
    tell(str(taken.get("answer", "")))
    for change in taken.get("effects", ()):
        say("  " + change_line(change))
    return OK


# --- following ---------------------------------------------------------------------------------------------------


def _follower(client: Client, run: str, *, yes: bool, after: int = 0) -> Callable[[], Json]:
    """Choose how to wait: drawing the plan and asking where a person watches, else just waiting."""
    if not is_interactive():
        return lambda: client.view(run, wait=True)
    from portal.cli.follow import Follower

    return Follower(client, run, yes=yes, after=after).follow


def _followed(client: Client, run: str, follow: Callable[[], Json]) -> Json:
    """Follow to the end; Ctrl-C ends the run, and the daemon says what became of it."""
    try:
        return follow()
    except KeyboardInterrupt:
        say("\nCancelling …")
        client.close()
        try:
            client.cancel(run)
        except DaemonError as error:
            if error.code != "run.state":  # it may have ended in this very moment
                raise
        return client.view(run, wait=True) | {"interrupted": True}


def _close(view: Json, as_json: bool, *, asked_back: bool) -> int:
    """Print what became of a run and return the exit code."""
    interrupted = bool(view.pop("interrupted", False))
    code = INTERRUPTED if interrupted else exit_code_of(view)
    if as_json:
        emit(run_object(view))
        return code
    if not (asked_back and view.get("resolution") == "clarify"):
        _print_answer(view)
    _print_hints(view)
    return code


def _print_answer(view: Json) -> None:
    if view.get("resolution") == "pending":
        say(_waiting_words(view))
        return
    tell(str(view.get("answer") or ""))
    result = view.get("result")
    for table in (result.get("tables") or ()) if isinstance(result, dict) else ():
        _print_table(table)
    if view.get("resolution") == "clarify":
        _print_choices(view)


def _print_choices(view: Json) -> None:
    """List the choices of a question, unless its text names them already."""
    choices = [one_line(str(choice)) for choice in (view.get("question") or {}).get("choices") or ()]
    if not all(choice in str(view.get("answer")) for choice in choices):
        for choice in choices:
            tell(f"  • {choice}")


def _print_table(table: Any) -> None:
    if sys.stdout.isatty():
        from portal.cli.screens import show_table

        show_table(table)


def _print_hints(view: Json) -> None:
    effects = view.get("effects") or ()
    for change in effects[:SHOWN_CHANGES]:
        say("  " + change_line(change))
    if len(effects) > SHOWN_CHANGES:
        say(f"  … and {len(effects) - SHOWN_CHANGES} more")
    if effects and "undone" not in (view.get("result") or {}):
        say(f"Take it back with: ./steward undo {view['run']}")
    if view.get("resolution") == "clarify":
        say(f'Answer with: ./steward ask --conversation {view["conversation"]} "..."')
    hint = (view.get("error") or {}).get("hint")
    if hint and hint not in str(view.get("answer")):
        say(f"  → {one_line(str(hint))}")


def _waiting_words(view: Json) -> str:
    what = "rights" if view.get("stage") == "plan" else "changes"
    return f"Waits for an answer about its {what}; nothing has changed. Go on with: ./steward approve {view['run']}"


def _reply_to(view: Json) -> str:
    from portal.cli.prompt import read_line

    tell(str(view.get("answer") or ""))
    _print_choices(view)
    return read_line("> ")


def _not_waiting(view: Json, as_json: bool) -> int:
    """Say that there is nothing to answer; a program gets the run as it is."""
    message = f"The run {view['run']} does not wait for an answer; it is {view.get('resolution')}."
    if not as_json:
        raise Failure("run.state", message, "./steward runs shows which do.")
    say(message)
    emit(run_object(view))
    return FAILED


def _undo_confirmed(client: Client, run: str | None) -> bool:
    from portal.cli.prompt import confirm

    chosen = run or next((entry["run"] for entry in client.runs(200) if entry["effects"] and not entry["undone"]), None)
    if chosen is None:
        return True  # the daemon says that there is nothing
    view = client.view(chosen)
    say(f"Take back “{one_line(str(view['text']))}”:")
    for change in view["effects"]:
        say("  " + change_line(change))
    return confirm("Take it back? [y/n] ")


def _check_text(text: str) -> None:
    if not text.strip():
        raise Failure("request.empty", "The request is empty.", 'Say what to do: ./steward ask "..."', exit_code=2)
    try:
        text.encode()
    except UnicodeEncodeError:
        refuse("The request is not valid UTF-8 text.", "Set a UTF-8 locale, e.g. LANG=C.UTF-8.")


def _working_directory() -> str:
    try:
        return os.getcwd()
    except OSError:  # the folder is gone
        return ""
