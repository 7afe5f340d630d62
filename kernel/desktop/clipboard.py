"""The clipboard: what text lies on it, and putting some there.

What this stops: an endless clipboard; what is no text.
What it does not: keep what lay there before. Another text takes its place, as with any copy.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress

from kernel.desktop.programs import first_there, lacking, run
from kernel.desktop.session import Kind, session
from kernel.errors import TaskFailed

MOST_BYTES = 1 << 20
_SEEN_WITHIN_S, _PAUSE_S = 2.0, 0.05
_PROGRAMS = "wl-clipboard (Wayland), xclip, xsel (X11)"
_READ = {
    Kind.WAYLAND: (("wl-paste", "--no-newline", "--type", "text"),),
    Kind.X11: (("xclip", "-selection", "clipboard", "-out"), ("xsel", "--clipboard", "--output")),
}
_WRITE = {
    Kind.WAYLAND: (("wl-copy", "--type", "text/plain;charset=utf-8"),),
    Kind.X11: (("xclip", "-selection", "clipboard", "-in"), ("xsel", "--clipboard", "--input")),
}


async def copied(around: Mapping[str, str] | None = None) -> str:
    """Return the text on the clipboard, at most a mebibyte of it; "" where there is none. Raises TaskFailed."""
    here = session(around)
    line = first_there(_READ[here.kind], here.variables)
    if line is None:
        raise lacking("that reads the clipboard", "das die Zwischenablage liest", _PROGRAMS)
    ended = await run(line, here.variables, reads=True, most_bytes=MOST_BYTES)
    return ended.output.decode("utf-8", "replace") if not ended.status or ended.more else ""


async def put_on_clipboard(text: str, around: Mapping[str, str] | None = None) -> None:
    """Put ``text`` on the clipboard. Raises TaskFailed."""
    here, data = session(around), text.encode("utf-8", "replace") or b"\n"
    if len(data) > MOST_BYTES:
        raise TaskFailed(
            "desktop.size", "That is more than the clipboard is given (1 MiB).", hint="Copy a part of it.",
            de="Das ist mehr, als in die Zwischenablage gelegt wird (1 MiB).", de_hint="Kopiere einen Teil davon.",
        )  # fmt: skip
    line = first_there(_WRITE[here.kind], here.variables)
    if line is None:
        raise lacking("that writes to the clipboard", "das in die Zwischenablage schreibt", _PROGRAMS)
    ended = await run(line, here.variables, fed=data)
    if ended.status:
        raise TaskFailed(
            "desktop.clipboard", f"{line[0]} could not reach the clipboard.", subject=line[0],
            hint="Look whether the desktop answers, and ask again.",
            de=f"{line[0]} erreicht die Zwischenablage nicht.",
            de_hint="Sieh nach, ob der Desktop antwortet, und frag noch einmal.",
        )  # fmt: skip
    if here.kind is Kind.X11 and first_there(_READ[here.kind], here.variables):
        await _lies_there(data.decode(), around)


async def _lies_there(text: str, around: Mapping[str, str] | None) -> None:
    """Wait a moment until the text can be pasted: xclip ends before the display has heard of it.

    A clipboard manager may have made something else of it, or whoever reads may hang; that is no fault of the copy.
    """
    with suppress(TaskFailed, TimeoutError):
        async with asyncio.timeout(_SEEN_WITHIN_S):
            while await copied(around) != text:  # noqa: ASYNC110  (it is seen in another process)
                await asyncio.sleep(_PAUSE_S)
