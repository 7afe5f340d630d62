"""Where a command begins and ends: one place that turns every way of ending into an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from portal.cli.outcome import FAILED, INTERRUPTED, OK, USAGE, Failure, complain, emit, failure_object, failure_of
from portal.locate import Unsafe
from portal.wire import DaemonError


def main() -> NoReturn:
    """Run the command line of this process and exit."""
    code = run(sys.argv[1:])
    try:
        sys.stdout.flush()
    except BrokenPipeError:  # the reader went away; nothing is left to say to it
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    sys.exit(code)


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code. Never raises, never prints a traceback."""
    given = list(arguments)
    as_json = "--json" in given[: given.index("--") if "--" in given else None]
    try:
        return _dispatch(given or ["--help"])
    except BrokenPipeError:  # the reader of our output went away
        return OK
    except (Exception, KeyboardInterrupt) as error:
        failure = _failure(error)
        if as_json:
            emit(failure_object(failure, _conversation(given)))
        complain(failure)
        return failure.exit_code


def _conversation(given: list[str]) -> str:
    """Find the conversation that the caller named, for the answer to a command that did not get far."""
    for word, following in zip(given, [*given[1:], ""], strict=True):
        if word in {"--conversation", "-c"}:
            return following
        if word.startswith("--conversation="):
            return word.partition("=")[2]
    return os.environ.get("STEWARD_CONVERSATION", "")


def _failure(error: BaseException) -> Failure:
    match error:
        case Failure():
            return error
        case DaemonError():
            return failure_of(error)
        case Unsafe():
            return Failure("folder.unsafe", str(error), error.hint)
        case KeyboardInterrupt():
            return Failure("interrupted", "Interrupted.", exit_code=INTERRUPTED)
        case _:
            return _unforeseen(error)


def _dispatch(arguments: list[str]) -> int:
    import typer

    from portal.cli.commands import app
    from portal.cli.narrowing import narrowed

    try:
        command = typer.main.get_command(narrowed(app, arguments[0]))
        code = command(args=arguments, prog_name="steward", standalone_mode=False)
    except typer.Exit as done:
        return done.exit_code
    except typer.Abort:
        raise KeyboardInterrupt from None
    except Exception as error:
        usage = getattr(error, "format_message", None)  # typer's and click's own errors, whichever typer uses
        if usage is None:
            raise
        path = getattr(getattr(error, "ctx", None), "command_path", None) or "steward"
        raise Failure("usage", str(usage()) or "Say what to do.", f"./{path} --help", USAGE) from error
    return code if isinstance(code, int) else OK


def _unforeseen(error: BaseException) -> Failure:
    if os.environ.get("STEWARD_DEBUG"):
        import traceback

        traceback.print_exception(error, file=sys.stderr)
    hint = "Set STEWARD_DEBUG=1 to see where, and please report it."
    return Failure("internal", f"The command failed inside itself ({type(error).__name__}: {error}).", hint, FAILED)
