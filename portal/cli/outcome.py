"""What a command ends with: exit codes, the one JSON object, and failures with a code and a hint."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any, NoReturn

from portal.cli.words import homely, visible
from portal.wire import DaemonError

Json = dict[str, Any]

OK, USAGE, FAILED, PENDING, DENIED, DECLINED, CLARIFY, INTERRUPTED = 0, 2, 3, 4, 5, 6, 7, 130

_BY_RESOLUTION = {
    "executed": OK,
    "confirmed": OK,
    "failed": FAILED,
    "rolled_back": FAILED,
    "pending": PENDING,
    "blocked": DENIED,
    "declined": DECLINED,
    "clarify": CLARIFY,
}
_FIX_THE_INPUT = {400, 404, 413, 414}


class Failure(Exception):
    """A command cannot do what was asked. ``code`` is stable, ``hint`` says what to do now."""

    def __init__(self, code: str, message: str, hint: str = "", exit_code: int = FAILED) -> None:
        super().__init__(message)
        self.code = code
        self.hint = hint
        self.exit_code = exit_code


def is_interactive() -> bool:
    """Tell whether a person can be asked: questions go to standard error and are answered on standard input."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


def exit_code_of(view: Mapping[str, Any]) -> int:
    """Return the exit code of a run's resolution. A dry run is thrown away on purpose."""
    if view.get("trial") and view.get("resolution") == "rolled_back" and not view.get("error"):
        return OK
    return _BY_RESOLUTION.get(str(view.get("resolution")), FAILED)


def failure_of(error: DaemonError) -> Failure:
    """Turn the daemon's refusal into a command's failure."""
    refused = error.status == 403 or error.code.endswith(".denied")
    code = DENIED if refused else USAGE if error.status in _FIX_THE_INPUT else FAILED
    return Failure(error.code, str(error), error.hint, code)


def run_object(view: Mapping[str, Any]) -> Json:
    """Return a run's view with every key that the contract promises."""
    empty: Json = {"run": "", "conversation": "", "resolution": "failed", "answer": "", "result": None}
    empty |= {"question": None, "plan": None, "effects": [], "marks": [], "events": [], "error": None}
    empty |= {"cost": {}, "terms": {}, "review": None, "turns": []}
    return empty | dict(view)


def failure_object(failure: Failure, conversation: str | None = None) -> Json:
    """Return a failure in the shape of a run, for programs that read one object whatever happens."""
    answer = " ".join(part for part in (str(failure), failure.hint) if part)
    resolution = "blocked" if failure.exit_code == DENIED else "failed"
    error = {"code": failure.code, "message": str(failure), "hint": failure.hint}
    return run_object({"conversation": conversation or "", "resolution": resolution, "answer": answer, "error": error})


def emit(value: Json) -> None:
    """Write the one JSON object of ``--json``: one line, ASCII, so that any locale and any file name survive."""
    sys.stdout.write(json.dumps(value, separators=(", ", ": ")) + "\n")
    sys.stdout.flush()


def say(text: str = "") -> None:
    """Write a line for a person, on standard error."""
    sys.stderr.write(_encodable(text, sys.stderr.encoding) + "\n")
    sys.stderr.flush()


def tell(text: str) -> None:
    """Write the answer for a person, on standard output."""
    tell_as_is(visible(text))


def tell_as_is(text: str) -> None:
    """Write what was made visible before, on standard output."""
    sys.stdout.write(_encodable(text, sys.stdout.encoding) + "\n")
    sys.stdout.flush()


def complain(failure: Failure) -> None:
    """Say on standard error what went wrong and what to do now."""
    say(f"steward: {homely(visible(str(failure)))}")
    if failure.hint:
        say(f"  → {homely(visible(failure.hint))}")


def refuse(message: str, hint: str = "") -> NoReturn:
    """End with a usage error."""
    raise Failure("usage", message, hint, USAGE)


def _encodable(text: str, encoding: str | None) -> str:
    encoding = encoding or "ascii"
    return text.encode(encoding, "backslashreplace").decode(encoding)
