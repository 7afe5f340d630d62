"""``transformers serve`` with a tiny model of random weights: the kernel stays right where its model is noise."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from kernel.models.asking import load_wire
from tests.kernel.agents.conftest import ASKED, bodies, lay
from tests.kernel.conftest import Bench, opened
from tests.kernel.prompting.test_whole import LOST

_NEEDED = ("transformers", "torch", "accelerate", "openai")
_MISSING = [name for name in _NEEDED if importlib.util.find_spec(name) is None]

pytestmark = [
    pytest.mark.embed, pytest.mark.slow, pytest.mark.sandbox,
    pytest.mark.skipif(bool(_MISSING), reason=f"needs {', '.join(_MISSING)}: make test-all installs it"),
]  # fmt: skip

_STARTS_S = 120.0


@pytest.fixture(scope="module")
def noise(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """A server with a model of random weights: its address and the model's name."""
    folder = tmp_path_factory.mktemp("noise")
    environ = {**os.environ, "HF_HUB_OFFLINE": "1", "CUDA_VISIBLE_DEVICES": ""}
    subprocess.run([sys.executable, "-m", "tests.kernel.models.noise_child", str(folder)], check=True, env=environ)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    program = Path(sys.executable).with_name("transformers")
    command = [str(program), "serve", str(folder), "--host", "127.0.0.1", "--port", str(port), "--device", "cpu"]
    log = folder / "server.log"
    with log.open("wb") as out:
        server = subprocess.Popen(command, env=environ, stdout=out, stderr=out, start_new_session=True)
    try:
        _wait_for(f"http://127.0.0.1:{port}/v1/models", server, log)
        yield f"http://127.0.0.1:{port}/v1", str(folder)
    finally:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()


def _wait_for(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + _STARTS_S
    while time.monotonic() < deadline:
        assert server.poll() is None, log.read_text()
        try:
            urllib.request.urlopen(url, timeout=5).close()
        except OSError:
            time.sleep(0.2)
        else:
            return
    pytest.fail(log.read_text())


@asynccontextmanager
async def bound(root: Path, noise: tuple[str, str], *roles: str) -> AsyncIterator[Bench]:
    """A kernel whose ``roles`` are bound to it, and that may show it everything."""
    url, model = noise
    lines = [f'url = "{url}"', f"model = {json.dumps(model)}", "context_tokens = 30000", 'way = "text"']
    book = "\n".join(["[endpoints.noise]", *lines, "[roles]", ""])

    def write(folders: Any) -> None:
        folders.make()
        (folders.config / "models.toml").write_text(book + "\n".join(f'{role} = "noise"' for role in roles) + "\n")
        (folders.config / "models.toml").chmod(0o600)
        lay(folders)

    async with opened(root, write) as bench:
        await asyncio.to_thread(load_wire)
        for one in ("files", "results", "facts"):
            await bench.kernel.grant("models", f"model.see:{one}@{url.split('/')[2]}")
        yield bench
        assert bench.kernel._house.ledger.verify().ok
        assert not bench.kernel._house.accounts.budgets.reserved, "what was reserved is settled"


async def test_a_planner_that_is_noise_plans_nothing(tmp_path: Path, noise: tuple[str, str]) -> None:
    async with bound(tmp_path, noise, "planner") as bench:
        before = bench.tree()
        found = await bench.ask(LOST)
        assert found["resolution"] in ("declined", "clarify"), found["answer"]
        assert "noise" in found["answer"]
        said = bodies(bench, found["run"], "model.replied")
        assert said, "it was asked, and answered"
        assert all(one["usage"]["tokens_out"] for one in said), said
        assert {one["code"] for one in said} <= {"", "model.garbage", "model.form", "model.too_long"}, said
        assert bench.tree() == before
        assert (await bench.ask("what is 3 plus 4?"))["resolution"] == "executed"


async def test_a_worker_that_is_noise_does_nothing(tmp_path: Path, noise: tuple[str, str]) -> None:
    async with bound(tmp_path, noise, "worker") as bench:
        before = bench.tree()
        card = await bench.ask(ASKED, yes=False)
        assert card["stage"] == "plan", card["answer"]
        ended = await bench.answer(card["run"], "once")
        assert bodies(bench, ended["run"], "model.replied"), "it was asked, and answered"
        assert ended["resolution"] in ("failed", "blocked", "rolled_back"), (ended["resolution"], ended["answer"])
        assert bench.tree() == before


async def test_its_measure_finds_that_it_holds_to_nothing(tmp_path: Path, noise: tuple[str, str]) -> None:
    async with bound(tmp_path, noise, "planner") as bench:
        found = await bench.kernel.rooms.models.test("noise")
        assert found["reachable"], found
        assert found["way"] in (None, "text"), found
        assert found["way"] or "noise" in found["problem"], found
        assert (found["schema"][0], found["tools"][0], found["words"][0]) == (0, 0, 0), found
