"""For a tool that runs code which nobody trusts, in a process of its own: from here on that process only computes.

What this stops and what it does not stands in ``permissions.confine.computing``. A tool starts a process with
``ctx.run`` or ``subprocess``, and that process calls ``compute_alone`` before it loads the code.
"""

from __future__ import annotations

from collections.abc import Sequence

from permissions.confine import Computing, only_compute
from permissions.errors import WallUnavailable
from skills.sdk.errors import ErrorWords

no_wall = ErrorWords(
    "tool.alone",
    "Code that nobody trusts cannot run here: {place}",
    "Steward needs Linux 5.13 or later with Landlock; ./steward doctor says what is missing.",
    "Code, dem niemand traut, kann hier nicht laufen: {place}",
    "Steward braucht Linux ab 5.13 mit Landlock; ./steward doctor sagt, was fehlt.",
)


def compute_alone(
    readable: Sequence[str] = (), *, address_bytes: int | None = 2 << 30, cpu_s: int = 60, threads: int = 0
) -> None:
    """Confine this process, for good: no files but ``readable`` and system libraries, no network, no new process.

    It must have one thread, and have imported all it needs. It may map ``address_bytes`` (None: any), use ``cpu_s``
    seconds of a processor and start ``threads`` threads. Raises ToolError where that cannot be enforced.
    """
    try:
        only_compute(Computing(tuple(readable), address_bytes, cpu_s, threads))
    except WallUnavailable as error:
        raise no_wall(str(error)) from error
