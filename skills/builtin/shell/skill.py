"""Run one command line in a folder: what it changes there is shown before it counts, and can be undone."""

from __future__ import annotations

from dataclasses import dataclass

from skills.sdk import Context, ErrorWords, Folder, Ran, Text

_MOST_SAID = 4000
"""Characters of what a command put out that are shown."""
_FAILED = ErrorWords(
    "shell.failed",
    "`{place}` {how}, so nothing was changed.{said}",
    "Correct the command and ask again.",
    "`{place}` {wie}, deshalb wurde nichts geändert.{said}",
    "Verbessere den Befehl und frag noch einmal.",
)


@dataclass(frozen=True, slots=True)
class Done:
    """A command that succeeded: its output."""

    command: str
    output: str


def run(ctx: Context, command: Text, folder: Folder) -> Done:
    """Run a command in a folder.

    Args:
        command: the command line.
        folder: where to run it.
    """
    line, place = command.strip(), ctx.shown(folder)
    ran = ctx.run(["/bin/sh", "-c", line], cwd=folder)
    output = _told(ran)
    if ran.status != 0:
        how, wie = _ended(ran.status)
        raise _FAILED(line, how=how, wie=wie, said=f"\n{output}" if output else "")
    english, german = (f"I ran `{line}` in {place}.", f"Ich habe `{line}` in {place} ausgeführt.")
    shown = f"\n{output}" if output else ""
    ctx.say(english + shown, de=german + shown)
    return Done(line, output)


def _ended(status: int) -> tuple[str, str]:
    if status < 0:
        return f"was ended by signal {-status}", f"wurde durch Signal {-status} beendet"
    return f"ended with status {status}", f"endete mit Status {status}"


def _told(ran: Ran) -> str:
    """Return what the command said; of much only the end."""
    said = "\n".join(text.rstrip() for text in (ran.stdout, ran.stderr) if text.strip())
    return said if len(said) <= _MOST_SAID else f"…{said[-_MOST_SAID:]}"
