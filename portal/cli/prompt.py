"""Asking a person in a terminal.

What this stops: a keystroke typed before the question counting as its answer (input is flushed first), an answer taken
from a pipe (no terminal means no), a question that hides part of itself (its text is made visible and cut before).
What this does not: another program that writes into the user's own terminal.
"""

from __future__ import annotations

import contextlib
import select
import sys

from portal.cli.outcome import say
from portal.cli.phrases import phrase

TRIES = 3
LOOK_AGAIN_S = 0.2
_CARD = {
    "y": "once", "yes": "once", "once": "once", "j": "once", "ja": "once",
    "r": "run", "run": "run", "a": "always", "always": "always",
    "immer": "always", "einmal": "once", "n": "no", "no": "no", "nein": "no",
    "t": "try", "try": "try", "try it": "try", "ausprobieren": "try", "probier es aus": "try",
}  # fmt: skip
_UNKNOWN = {"d": "done", "done": "done", "s": "once", "n": "no", "no": "no", "nein": "no"}
"""Of a mail of which nobody knows whether it was sent: there a bare yes would say two things."""

_OFFERED = {
    "commit": ("once", "no"),
    "mail": ("once", "no"),
    "flow": ("once", "no"),
    "unknown": ("done", "once", "no"),
    "macro": ("once", "no"),
    "routine": ("once", "no", "try"),
    "trial": ("once", "no"),
}


def ask_card(stage: str, language: str) -> str:
    """Ask for the answer to a card: once, run, always, no, done or try. Whatever is not clearly a yes is a no.

    ``stage`` is ``plan``, ``limit``, ``commit``, ``mail``, ``flow``, ``macro``, ``routine``, ``trial`` or ``unknown``.
    """
    for _ in range(TRIES):
        line = read_line(phrase(language, f"ask.{stage}"), flush=True, at_end="n")
        answer = (_UNKNOWN if stage == "unknown" else _CARD).get(line.strip().lower())
        if answer in _OFFERED.get(stage, ("once", "run", "always", "no")):
            return str(answer)
        say(phrase(language, "letters"))
    return "no"


def confirm(prompt: str) -> bool:
    """Ask a yes-or-no question; no without a terminal."""
    return read_line(prompt, flush=True, at_end="n").strip().lower() in {"y", "yes", "j", "ja"}


def read_line(prompt: str, *, flush: bool = False, at_end: str = "") -> str:
    """Read one line from the terminal; ``at_end`` when there is none or it is closed."""
    if not sys.stdin.isatty():
        return at_end
    if flush:
        _flush()
    sys.stderr.write(prompt)
    sys.stderr.flush()
    while not select.select([sys.stdin], [], [], LOOK_AGAIN_S)[0]:
        pass  # an interrupt that came just before the read would otherwise wait for the next key
    line = sys.stdin.readline()
    return line.strip() if line else at_end


def _flush() -> None:
    import termios

    with contextlib.suppress(termios.error, OSError):
        termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
