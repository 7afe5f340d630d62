"""A call of an MCP server's tool through our cell, beside the protocol's own client; cold starts; idle memory.

python -m tests.benchmarks.mcp

Both sides talk to the same server, made with the protocol's library, and call the same tool, taking turns.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters

from kernel.opening import SERVERS
from kernel.serving.warm import Serving
from kernel.serving.wishes import Asked, checked
from permissions import Cells
from permissions.model import CellSpec, Limits
from skills.loading import load_skill
from skills.mcp.writing import written
from skills.model import Call, Skill, ToolId
from tests.benchmarks.machine import daemon, median, publish, quantile, result, rss_mb
from tests.kernel.serving.conftest import Rack

LIMITS = {"warm_p50_ratio": 1.3, "idle_mb_50_configured": 0.0}
WARM_UP, ROUNDS, COLD = 20, 300, 5
CONFIGURED, LOOKED_AT_S = 50, 3.0
_SERVER = Path(__file__).parents[1] / "kernel" / "serving" / "modern.py"
_OF_A_SERVER = ("skills.mcp", _SERVER.name)
"""What stands on the command lines of a server's worker and of the server itself."""


class Ours:
    """A server in our cell, called as the kernel calls it once a call was authorized."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.serving = Serving(lambda: Cells(SERVERS), root / "pictures", str(root / "home"))
        self.skill: Skill

    async def add(self, name: str = "modern") -> None:
        """Start the server once, and keep what it lists as a skill."""
        rack = Rack(self.root, self.serving)
        wish, _ = checked(Asked(name, command(self.root)), str(rack.home))
        written(self.root / "skills" / name, wish, await rack.listing(wish), "1.0.0")
        self.skill = load_skill(self.root / "skills" / name)

    async def double(self, number: int) -> Any:
        """Call the tool."""
        tool = next(one for one in self.skill.tools if one.function == "double")
        home = str(self.root / "home")
        call = Call(ToolId(tool.id), self.skill.folder, tool.function, {"number": number}, "en", home, home,
                    "2026-11-23T08:00:00+00:00", "UTC", 0)  # fmt: skip
        spec = CellSpec((f"{home}/modern.py",), limits=Limits(wall_s=60.0))
        ran = await self.serving.call(self.skill, tool, call, spec, lambda _part, _text: None, lambda _: None)
        assert ran.result.error is None, ran.result
        return ran.result.value

    async def rest(self) -> None:
        """End the server; the worker stays."""
        self.serving.recheck()
        while self.serving.running():  # noqa: ASYNC110  (its end is seen in another process)
            await asyncio.sleep(0.01)


def command(root: Path) -> list[str]:
    """Return how the server is started."""
    return [sys.executable, "-P", str(root / "home" / "modern.py")]


@asynccontextmanager
async def bare(root: Path) -> AsyncIterator[Client]:
    """The protocol's own client."""
    first, *rest = command(root)
    async with Client(StdioServerParameters(command=first, args=rest)) as client:
        yield client


async def warm(root: Path) -> tuple[list[float], list[float]]:
    """Return milliseconds of a warm call: ours, and those of the bare client, taken by turns."""
    ours, own, theirs = Ours(root), [], []
    await ours.add()
    try:
        await ours.double(0)
        _see_it_run()
        async with bare(root) as client:
            for number in range(WARM_UP + ROUNDS):
                began = time.perf_counter()
                assert await ours.double(number) == 2 * number
                between = time.perf_counter()
                await client.call_tool("double", {"number": number})
                ended = time.perf_counter()
                if number >= WARM_UP:
                    own.append((between - began) * 1000)
                    theirs.append((ended - between) * 1000)
    finally:
        await ours.serving.close()
    return own, theirs


def _see_it_run() -> None:
    """The control of idle memory: a server that runs below this process is seen, and so is its worker."""
    lines = [_line(pid) for pid in _below(os.getpid())]
    if not all(any(word in line for line in lines) for word in _OF_A_SERVER):
        raise SystemExit("A server runs and is not seen: its idle memory would be 0 whatever it is.")


async def cold(root: Path) -> tuple[list[float], list[float]]:
    """Return milliseconds from nothing to the first result: a server in our cell (the worker runs), and a bare one."""
    ours, own, theirs = Ours(root), [], []
    await ours.add()
    try:
        for number in range(COLD):
            await ours.rest()
            began = time.perf_counter()
            await ours.double(number)
            own.append((time.perf_counter() - began) * 1000)
            began = time.perf_counter()
            async with bare(root) as client:
                await client.call_tool("double", {"number": number})
                theirs.append((time.perf_counter() - began) * 1000)
    finally:
        await ours.serving.close()
    return own, theirs


def idle_mb(root: Path) -> float:
    """Return the most memory (MB, 1e6) of servers and their worker below a daemon that has very many and calls none.

    It is looked at from the start on, while the daemon learns what their tools mean and answers a request.
    """
    with daemon(root) as one:
        transport = httpx.HTTPTransport(uds=str(one.socket))
        with httpx.Client(transport=transport, base_url="http://steward", timeout=60) as client:
            known = client.get("/api/v1/mcp/servers").raise_for_status().json()["servers"]
            if len(known) != CONFIGURED:
                raise SystemExit(f"The daemon knows {len(known)} servers and should know {CONFIGURED}.")
            asked = client.post("/api/v1/runs", json={"text": "what can you do?"}).raise_for_status().json()["run"]
            most, answered, until = 0.0, False, time.monotonic() + LOOKED_AT_S
            while not answered or time.monotonic() < until:
                most = max(most, sum(rss_mb(pid) for pid in _below(one.pid) if _is_of_a_server(pid)))
                answered = client.get(f"/api/v1/runs/{asked}").raise_for_status().json()["resolution"] != "pending"
                time.sleep(0.05)
        return most


def _is_of_a_server(pid: int) -> bool:
    with suppress(OSError):  # it has ended meanwhile
        return any(word in _line(pid) for word in _OF_A_SERVER)
    return False


def _below(pid: int) -> list[int]:
    found: list[int] = []
    with suppress(OSError):  # it has ended meanwhile
        for task in Path(f"/proc/{pid}/task").iterdir():
            found += map(int, (task / "children").read_text().split())
    return found + [inner for one in found for inner in _below(one)]


def _line(pid: int) -> str:
    return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")


def configure(root: Path, source: Path) -> None:
    """Lay very many servers into an installation, as copies of one that was reviewed."""
    for place in (root / "steward", root / "steward" / "data"):
        place.mkdir(mode=0o700)
    for number in range(CONFIGURED):
        shutil.copytree(source, root / "steward" / "data" / "skills" / f"server-{number}")


def main() -> int:
    """Measure, publish, and close with one RESULT line."""
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch)
        (root / "home").mkdir()
        shutil.copy(_SERVER, root / "home" / "modern.py")
        own, theirs = asyncio.run(warm(root))
        started, bare_started = asyncio.run(cold(root))
        configure(root, root / "skills" / "modern")
        idle = idle_mb(root)
    figures = {
        "warm_p50_ratio": round(median(own) / median(theirs), 2), "warm_p50_ms": round(median(own), 2),
        "bare_p50_ms": round(median(theirs), 2), "cold_ms": round(median(started), 0),
        "bare_cold_ms": round(median(bare_started), 0), "idle_mb_50_configured": round(idle, 1),
    }  # fmt: skip
    rows = [
        "A tool of an MCP server, made with the protocol's own library: called through our cell (arguments typed and",
        "held to the schema, the result checked), and by that library's client; the same server, by turns.", "",
        "| | ours | bare client |", "|---|---|---|",
        f"| warm call, p50 ms | {median(own):.2f} | {median(theirs):.2f} |",
        f"| warm call, p95 ms | {quantile(own, 0.95):.2f} | {quantile(theirs, 0.95):.2f} |",
        f"| from nothing to the first result, median ms | {median(started):.0f} | {median(bare_started):.0f} |", "",
        f"{CONFIGURED} servers that nobody calls: {idle:.1f} MB in processes of theirs (bound 0).",
    ]  # fmt: skip
    publish("bench-mcp", "MCP servers", rows, figures)
    return result("bench-mcp", figures, LIMITS)


if __name__ == "__main__":
    sys.exit(main())
