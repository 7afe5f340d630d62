"""Wheels of an index on the network: over https, through the daemon, from the index's own host, by their sums alone."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from kernel import Folders, Kernel, load_settings, open_kernel
from kernel.authoring.locking import locked as lock
from kernel.config import Settings
from kernel.errors import BadRequest
from permissions import Cells
from skills.loading import load_skill
from tests.kernel.conftest import Bench
from tests.permissions.egress.conftest import Authority, Handler, Internet, authority, internet, read_head
from tests.skills.environments.wheelwright import digest, lune, skill, wheel

__all__ = ["authority", "internet"]

HOST = "index.test"
pytestmark = pytest.mark.sandbox


def shelf(pages: Mapping[str, bytes], heard: list[str]) -> Handler:
    """Return a server of these pages; a page of an index is HTML."""

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        path = (await read_head(reader)).split(" ")[1]
        heard.append(path)
        found = pages.get(path)
        kind = "text/html" if path.endswith("/") else "application/octet-stream"
        head = f"HTTP/1.1 {'200 OK' if found is not None else '404 Not Found'}\r\ncontent-type: {kind}\r\n"
        head += f"content-length: {len(found or b'')}\r\nconnection: close\r\n\r\n"
        writer.write(head.encode() + (found or b""))
        await writer.drain()

    return handle


def page(*wheels: Path, at: str = "/files/") -> bytes:
    """Return the page of a package, as PEP 503 has it."""
    links = (f'<a href="{at}{one.name}#sha256={digest(one)}">{one.name}</a>' for one in wheels)
    return f"<!DOCTYPE html><html><body>{''.join(links)}</body></html>".encode()


class Far:
    """An index on the network, and a kernel whose index it is."""

    def __init__(self, bench: Bench, pages: dict[str, bytes], heard: list[str], settings: Settings) -> None:
        self.bench, self.pages, self.heard, self.settings = bench, pages, heard, settings

    async def put(self, place: Path) -> dict[str, Any]:
        """Look at a skill, and install it."""
        found = await self.bench.kernel.rooms.installed.look_at(str(place))
        return found | await self.bench.kernel.rooms.installed.install(found["package"])


@pytest.fixture
async def far(tmp_path: Path, internet: Internet, authority: Authority) -> AsyncIterator[Far]:
    home, pages, heard = tmp_path / "home", dict[str, bytes](), list[str]()
    home.mkdir()
    port = await internet.server(shelf(pages, heard), name=HOST, ssl=authority.context(HOST))
    settings = load_settings(
        encoder=False, ca_file=authority.file, package_index=f"https://{HOST}:{port}/simple"
    )  # fmt: skip
    folders = Folders({"HOME": str(home), "STEWARD_HOME": str(tmp_path / "steward")})

    async def start() -> Kernel:
        return await open_kernel(settings, folders)

    one = Bench(await start(), home, folders, start)
    one.kernel._house.cells = Cells(
        [sys.executable, "-P", "-m", "skills.worker"], network=internet.egress(ca_file=authority.file)
    )
    yield Far(one, pages, heard, settings)
    await one.kernel.close()


async def test_a_wheel_is_fetched_after_the_yes_and_not_before(far: Far, tmp_path: Path) -> None:
    made = lune(tmp_path)
    far.pages.update({"/simple/lune/": page(made), f"/files/{made.name}": made.read_bytes()})
    found = await far.bench.kernel.rooms.installed.look_at(str(skill(tmp_path / "a", made, brings=False)))
    (told,) = found["packages"]
    assert (told["fetched"], told["size_bytes"], told["from"].startswith(HOST)) == (True, None, True)
    assert far.heard == []
    await far.bench.kernel.rooms.installed.install(found["package"])
    assert far.heard == ["/simple/lune/", f"/files/{made.name}"]
    assert (await far.bench.ask("how is the moon"))["answer"] == "The moon is full."


async def test_of_a_package_with_very_many_files_the_last_is_found(far: Far, tmp_path: Path) -> None:
    made = lune(tmp_path)
    older = "".join(f'<a href="/files/lune-0.{number}-py3-none-any.whl">old</a>' for number in range(6000)).encode()
    far.pages.update({"/simple/lune/": older + page(made), f"/files/{made.name}": made.read_bytes()})
    await far.put(skill(tmp_path / "a", made, brings=False))
    assert (await far.bench.ask("how is the moon"))["answer"] == "The moon is full."


async def test_other_bytes_other_hosts_and_an_index_that_is_away_are_refused(
    far: Far, tmp_path: Path, internet: Internet, authority: Authority
) -> None:
    made, other = lune(tmp_path), lune(tmp_path / "other", look="of cheese")
    ware, heard = skill(tmp_path / "a", made, brings=False), list[str]()
    elsewhere = await internet.server(shelf({f"/{made.name}": made.read_bytes()}, heard), name="other.test",
                                      ssl=authority.context("other.test"))  # fmt: skip
    cases: list[tuple[dict[str, bytes], str]] = [
        ({}, "environment.missing"),
        ({"/simple/lune/": page(other)}, "environment.hash"),
        ({"/simple/lune/": page(made), f"/files/{made.name}": other.read_bytes()}, "environment.hash"),
        ({"/simple/lune/": page(made)}, "environment.index"),  # it is listed, and not there
        ({"/simple/lune/": page(made, at=f"https://other.test:{elsewhere}/")}, "environment.host"),
        ({"/simple/lune/": b'{"files": 5}'}, "environment.index"),
        ({"/simple/lune/": json.dumps({"files": [{"filename": "lune-1.0.tar.gz", "url": "x"}]}).encode()},
         "environment.source"),
    ]  # fmt: skip
    for pages, code in cases:
        far.pages.clear()
        far.pages.update(pages)
        with pytest.raises(BadRequest) as error:
            await far.put(ware)
        assert (error.value.code, bool(error.value.hint)) == (code, True), error.value
    assert heard == []
    internet.names.pop(HOST)
    with pytest.raises(BadRequest):
        await far.put(ware)
    assert list((far.bench.folders.data / "environments").iterdir()) == []


async def test_a_lock_is_made_by_pip_in_a_cell_with_the_sums_of_every_machine(far: Far, tmp_path: Path) -> None:
    mare = wheel(tmp_path, "mare", {"mare.py": ""})
    made = wheel(tmp_path, "lune", {"lune/__init__.py": ""}, "1.5")
    windows = wheel(tmp_path, "lune", {"lune/__init__.py": ""}, "1.5", "cp311-cp311-win_amd64")
    older = lune(tmp_path, "1.0")
    for name, wheels in {"lune": (older, made, windows), "mare": (mare,)}.items():
        far.pages[f"/simple/{name}/"] = page(*wheels)
        far.pages.update({f"/files/{one.name}": one.read_bytes() for one in wheels})
    ware = skill(tmp_path / "a", older, brings=False)
    manifest = (ware / "steward.toml").read_text()
    (ware / "steward.toml").write_text(manifest.replace('"lune >= 1"', '"lune >= 1", "mare"'))
    done = await lock(ware, far.settings, far.bench.kernel._house.cells)
    assert [(one["name"], one["version"], one["files"]) for one in done["packages"]] == [
        ("lune", "1.5", 2), ("mare", "1.0", 1)
    ]  # fmt: skip
    (pin, _) = load_skill(ware).packages
    assert set(pin.hashes) == {digest(made), digest(windows)}
    before = (ware / "requirements.lock").read_bytes()
    (ware / "steward.toml").write_text(manifest.replace('"lune >= 1"', '"lune >= 9"'))
    with pytest.raises(BadRequest) as error:
        await lock(ware, far.settings, far.bench.kernel._house.cells)
    assert error.value.code == "environment.resolve", error.value
    assert (ware / "requirements.lock").read_bytes() == before
    assert sorted(one.name for one in ware.iterdir() if one.name.startswith(".")) == []
