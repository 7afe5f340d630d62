"""``ask``: a sentence is sent, its run is followed to its end, and what became of it is said."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from portal.cli.changes import ChangeSet, change_lines
from portal.cli.daemon import ensure_running
from portal.cli.marked import say_whose, tell_marked
from portal.cli.outcome import (
    INTERRUPTED,
    USAGE,
    Failure,
    Json,
    emit,
    exit_code_of,
    is_interactive,
    refuse,
    run_object,
    say,
    tell,
)
from portal.cli.phrases import language_of, phrase, stage_of
from portal.cli.reminded import tell_reminders
from portal.cli.reviewed import review_lines
from portal.cli.tried import show_changes
from portal.cli.words import homely, one_line
from portal.client import Client
from portal.locate import find_places
from portal.wire import DaemonError

_BELOW = ("L1", "L2")
"""Levels at which a run that was done is said to have been, card or none."""

_DONE = ("executed", "confirmed")
"""A run that did something: its answer may be what stands in a file, and is shown as it is."""


def ask(
    text: str, conversation: str | None, *, as_json: bool, yes: bool, private: bool = False,
    terms: Mapping[str, str] = MappingProxyType({}),
) -> int:  # fmt: skip
    """Start a run, follow it, and return the exit code of its resolution.

    ``terms`` (``budget``, ``deadline``) are those of the request, and anew of each reply to what it asks back.
    """
    check_text(text)
    conversation = conversation or terminal_conversation()
    places = find_places()
    ensure_running(places)
    with Client(places) as client:
        run = client.ask(text, conversation=conversation, cwd=working_directory(), yes=yes, private=private, **terms)
        view = followed(client, run, follower(client, run))
        if not as_json:
            view = replied(client, run, view, yes=yes, private=private, terms=terms)
        code = close(view, as_json, asked_back=is_interactive())
        if not as_json and is_interactive():
            tell_reminders(client, places.state)
        return code


def replied(
    client: Client, run: str, view: Json, *, yes: bool, private: bool = False,
    terms: Mapping[str, str] = MappingProxyType({}),
) -> Json:  # fmt: skip
    """Let a person answer what a run asks back, until it asks nothing more or they drop it; return the last view."""
    while is_interactive() and view.get("resolution") == "clarify":
        reply = _reply_or_drop(client, run, view)
        if not reply:
            break
        said = view.get("conversation")
        run = client.ask(reply, conversation=said, cwd=working_directory(), yes=yes, private=private, **terms)
        view = followed(client, run, follower(client, run))
    return view


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


# --- following ---------------------------------------------------------------------------------------------------


def follower(
    client: Client, run: str, *, after: int = 0, language: str = "en", plan: Json | None = None
) -> Callable[[], Json]:
    """Choose how to wait: drawing the plan and asking where a person watches, else just waiting."""
    if not is_interactive():
        return lambda: client.view(run, wait=True)
    from portal.cli.follow import Follower

    return Follower(client, run, after=after, language=language, plan=plan).follow


def followed(client: Client, run: str, follow: Callable[[], Json]) -> Json:
    """Follow to the end; Ctrl-C ends the run, and the daemon says what became of it."""
    try:
        return follow()
    except KeyboardInterrupt:
        say("\n" + phrase(language_of(client.view(run)), "cancelling"))
        client.close()
        try:
            client.cancel(run)
        except DaemonError as error:
            if error.code != "run.state":  # it may have ended in this very moment
                raise
        return client.view(run, wait=True) | {"interrupted": True}


def close(view: Json, as_json: bool, *, asked_back: bool) -> int:
    """Print what became of a run and return the exit code."""
    interrupted = bool(view.pop("interrupted", False))
    code = INTERRUPTED if interrupted else exit_code_of(view)
    if as_json:
        emit(run_object(view | ({"answer": _waits(view)} if view.get("resolution") == "pending" else {})))
        return code
    if not (asked_back and view.get("resolution") == "clarify"):
        _print_answer(view)
    _print_hints(view)
    return code


def _waits(view: Json) -> str:
    """Return what a person reads of a run that waits for their answer."""
    return phrase(language_of(view), f"waits.{stage_of(view)}", run=view["run"])


def _print_answer(view: Json) -> None:
    if view.get("resolution") == "pending":
        say(_waits(view))
        return
    if view.get("resolution") not in _DONE:
        if view.get("marks"):
            tell_marked(str(view["answer"]), view["marks"])
            say_whose(view, language_of(view))
        else:
            tell(homely(str(view.get("answer") or "")))
        if view.get("resolution") == "clarify":
            _print_choices(view)
        return
    result = view.get("result")
    tables = (result.get("tables") or ()) if isinstance(result, dict) else ()
    if sys.stdout.isatty() and tables:
        _print_pieces(view, tables)
    else:
        tell_marked(str(view.get("answer") or ""), view.get("marks") or ())
    say_whose(view, language_of(view))


def _print_pieces(view: Json, tables: Sequence[Any]) -> None:
    from portal.cli.answers import pieces
    from portal.cli.screens import show_table

    answer, at = str(view.get("answer") or ""), 0
    for piece in pieces(answer, tables):
        if piece.table is not None:
            show_table(piece.table, language_of(view))
        else:
            at = max(answer.find(piece.text, at), 0)
            tell_marked(piece.text, view.get("marks") or (), at)
            at += len(piece.text)


def _print_choices(view: Json) -> None:
    """List the choices of a question, unless its text names them already."""
    choices = [one_line(str(choice)) for choice in (view.get("question") or {}).get("choices") or ()]
    if not all(choice in str(view.get("answer")) for choice in choices):
        for choice in choices:
            tell(f"  • {homely(choice)}")


def _print_hints(view: Json) -> None:
    language = language_of(view)
    for line in change_lines(ChangeSet.of(view.get("effects")), language, str(view["run"])):
        say("  " + line)
    for line in review_lines(view.get("review")):
        say(f"  {line}")
    if view.get("trial"):
        show_changes(view, language)
    if (level := str(view.get("level") or "")) in _BELOW:
        say(phrase(language, "ran", level=level, words=phrase(language, level)))
    for currency, money in (view.get("cost") or {}).items():
        say(phrase(language, "cost", amount=f"{money / 10**6:.6f}".rstrip("0").rstrip("."), currency=currency))
    if view.get("effects") and "undone" not in (view.get("result") or {}):
        say(phrase(language, "undo.hint", run=view["run"]))
    if view.get("resolution") == "clarify":
        say(phrase(language, "reply.hint", conversation=view["conversation"]))
    hint = (view.get("error") or {}).get("hint")
    if hint and hint not in str(view.get("answer")):
        say(f"  → {one_line(str(hint))}")


def _reply_or_drop(client: Client, run: str, view: Json) -> str:
    """Ctrl-C at a question drops it: what is said next is a new request."""
    try:
        return _reply_to(view)
    except KeyboardInterrupt:
        with contextlib.suppress(DaemonError):
            client.cancel(run)
        raise


def _reply_to(view: Json) -> str:
    from portal.cli.prompt import read_line

    tell(homely(str(view.get("answer") or "")))
    _print_choices(view)
    return read_line("> ")


def checked_terms(budget: str | None, deadline: str | None) -> dict[str, str]:
    """Return the terms that were given; the daemon reads them. Raises Failure on an empty one."""
    given = {name: one for name, one in (("budget", budget), ("deadline", deadline)) if one is not None}
    for name, one in given.items():
        if not one.strip():
            raise Failure(f"request.{name}", f"--{name} is empty.", "Say it as 5ct or 30s, or leave it out.", USAGE)
    return given


def check_text(text: str) -> None:
    if not text.strip():
        raise Failure("request.empty", "The request is empty.", 'Say what to do: ./steward ask "..."', exit_code=2)
    try:
        text.encode()
    except UnicodeEncodeError:
        refuse("The request is not valid UTF-8 text.", "Set a UTF-8 locale, e.g. LANG=C.UTF-8.")


def working_directory() -> str:
    try:
        return os.getcwd()
    except OSError:  # the folder is gone
        return ""
