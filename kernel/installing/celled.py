"""Work on hostile bytes, in a cell that sees them alone: archives, repositories, wheels, pages of an index."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from permissions import Cells
from permissions.model import CellSpec, Limits
from skills.model import Call, ToolId
from skills.packages import Refused


async def in_cell(
    cells: Cells,
    code: Path,
    function: str,
    arguments: Mapping[str, Any],
    room: Path,
    limits: Limits,
    *,
    reads: Sequence[str] = (),
    urls: Sequence[str] = (),
    programs: bool = False,
) -> Any:
    """Call ``function`` of the skill of ours in ``code`` where nothing else of the person's is, and return its value.

    ``room`` is all that it can write to, the hosts of ``urls`` all that it can reach. Raises Refused.
    """
    from skills import Runner  # and all that reads skills and values: no start waits for it

    hosts = tuple(dict.fromkeys(filter(None, map(_host, urls))))
    relays = programs and bool(hosts)
    spec = CellSpec((str(code), *reads), (str(room),), limits=limits, runs_programs=programs, hosts=hosts,
                    relays=relays, changes_hosts=relays)  # fmt: skip
    call = Call(
        tool=ToolId(f"packages.{function}"), folder=str(code), function=function, arguments=arguments, language="en",
        home=str(room), cwd=str(room), now=datetime.now(UTC).isoformat(), timezone="UTC", seed=0, staging=str(room),
        programs=programs,
    )  # fmt: skip
    ran = await Runner(cells).run(call, spec)
    if (error := ran.result.error) is not None:
        kind = error["code"] if error["code"].startswith(("environment.", "package.")) else "package.refused"
        raise Refused(kind, error["message"], hint=error.get("hint", ""))
    return ran.result.value


async def own_authority(file: Path | None) -> str:
    """Return the certificate authority of the person's own, as PEM; "" where none is set. Raises Refused."""
    try:
        return await asyncio.to_thread(file.read_text, encoding="utf-8") if file else ""
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "it is no PEM text"
        raise Refused("authority.file", f"{file}, which the setting ca_file names, cannot be read: {why}.",
                      hint="./steward config set ca_file FILE") from error  # fmt: skip


def _host(url: str) -> str:
    place = urlsplit(url)
    return f"{place.hostname}:{place.port or 443}" if place.hostname else ""
