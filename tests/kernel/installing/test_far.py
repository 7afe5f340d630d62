"""Repositories and indexes of the network: over https alone, through the daemon, to the one host that was named."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from kernel import Folders, Kernel, load_settings, open_kernel
from kernel.errors import BadRequest
from permissions import Cells
from tests.kernel.conftest import Bench
from tests.kernel.installing.git_server import serving
from tests.permissions.egress.conftest import Authority, Internet, authority, internet, moving, saying
from tests.proofs.packages.ground import git, repository
from tests.skills.packages.wares import GOOD

__all__ = ["authority", "internet"]

HOST = "code.test"
pytestmark = [
    pytest.mark.sandbox, pytest.mark.skipif(not shutil.which("git"), reason="there is no git here: apt install git")
]  # fmt: skip


async def _bench(tmp_path: Path, internet: Internet, ca_file: Path | None) -> AsyncIterator[Bench]:
    folders = Folders({"HOME": str(tmp_path / "home"), "STEWARD_HOME": str(tmp_path / "steward")})
    (tmp_path / "home").mkdir()

    async def start() -> Kernel:
        return await open_kernel(load_settings(encoder=False, ca_file=ca_file), folders)

    one = Bench(await start(), tmp_path / "home", folders, start)
    one.kernel._house.cells = Cells(
        [sys.executable, "-P", "-m", "skills.worker"], network=internet.egress(ca_file=ca_file)
    )
    yield one
    await one.kernel.close()


@pytest.fixture
async def bench(tmp_path: Path, internet: Internet, authority: Authority) -> AsyncIterator[Bench]:
    """A kernel that believes the authority of the test, as a person's own."""
    async for one in _bench(tmp_path, internet, authority.file):
        yield one


@pytest.fixture
async def doubting(tmp_path: Path, internet: Internet) -> AsyncIterator[Bench]:
    """A kernel that believes the machine's authorities alone."""
    async for one in _bench(tmp_path, internet, None):
        yield one


async def served(tmp_path: Path, internet: Internet, authority: Authority, heard: list[str]) -> tuple[str, Path]:
    """Serve a repository; return its address without its last part, and where it lies."""
    place = repository(tmp_path / "served", GOOD)
    port = await internet.server(serving(tmp_path / "served", heard), name=HOST, ssl=authority.context(HOST))
    return f"https://{HOST}:{port}", place


async def test_a_repository_of_the_network_is_cloned_in_a_cell(
    bench: Bench, tmp_path: Path, internet: Internet, authority: Authority
) -> None:
    heard: list[str] = []
    host, place = await served(tmp_path, internet, authority, heard)
    git(place, "tag", "v1")
    commit = git(place, "rev-parse", "HEAD")
    for source in (f"git+{host}/moon@v1", f"git:{host}/moon", f"git+{host}/moon@{commit}"):
        found = await bench.kernel.rooms.installed.look_at(source)
        assert (found["skill"], found["commit"]) == ("moon", commit)
    assert any("git-upload-pack" in line for line in heard)


async def test_who_vouches_for_nobody_is_not_believed(
    doubting: Bench, tmp_path: Path, internet: Internet, authority: Authority
) -> None:
    host, _ = await served(tmp_path, internet, authority, [])
    with pytest.raises(BadRequest, match=r"(?i)certificate"):
        await doubting.kernel.rooms.installed.look_at(f"git+{host}/moon")


async def test_a_clone_reaches_its_own_host_alone(
    bench: Bench, tmp_path: Path, internet: Internet, authority: Authority
) -> None:
    heard: list[str] = []
    host, _ = await served(tmp_path, internet, authority, heard)
    mover = await internet.server(moving(f"{host}/moon/info/refs?service=git-upload-pack"), name="other.test",
                                  ssl=authority.context("other.test"))  # fmt: skip
    with pytest.raises(BadRequest, match="did not work"):
        await bench.kernel.rooms.installed.look_at(f"git+https://other.test:{mover}/moon")
    assert heard == []
    inside = await internet.server(
        serving(tmp_path / "served", heard), at="127.0.0.1", ssl=authority.context("home.test")
    )
    internet.names["home.test"] = [["127.0.0.1"]]
    with pytest.raises(BadRequest, match="did not work"):
        await bench.kernel.rooms.installed.look_at(f"git+https://home.test:{inside}/moon")
    assert heard == []


async def test_an_index_of_the_network_leads_to_a_repository(
    bench: Bench, tmp_path: Path, internet: Internet, authority: Authority
) -> None:
    host, place = await served(tmp_path, internet, authority, [])
    listing = json.dumps({"skills": {"moon": f"git+{host}/moon", "sun": str(place), "old": "http://code.test/x.zip"}})
    port = await internet.server(saying(listing), name="index.test", ssl=authority.context("index.test"))
    index = f"index:https://index.test:{port}/skills.json"
    assert (await bench.kernel.rooms.installed.look_at(f"{index}#moon"))["commit"] == git(place, "rev-parse", "HEAD")
    for name in ("sun", "old", "mars"):
        with pytest.raises(BadRequest):
            await bench.kernel.rooms.installed.look_at(f"{index}#{name}")
