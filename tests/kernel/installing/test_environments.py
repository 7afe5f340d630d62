"""Skills with Python packages of others: shown, built whole or not at all, run with their own, repaired, let go."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from kernel import Folders, Kernel, load_settings, open_kernel
from kernel.errors import BadRequest
from kernel.installing.environments import Environments
from tests.kernel.conftest import Bench
from tests.skills.environments.wheelwright import lune, skill

pytestmark = pytest.mark.sandbox


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Bench]:
    """A kernel with a mind of its own, whose index is an empty folder."""
    home, index = tmp_path / "home", tmp_path / "index"
    (home / "Downloads").mkdir(parents=True)
    index.mkdir()
    folders = Folders({"HOME": str(home), "STEWARD_HOME": str(tmp_path / "steward")})

    async def start() -> Kernel:
        return await open_kernel(load_settings(encoder=False, package_index=str(index)), folders)

    one = Bench(await start(), home, folders, start)
    yield one
    await one.kernel.close()


def environments(bench: Bench) -> Environments:
    return bench.kernel._house.environments


def built(bench: Bench) -> list[Path]:
    """Return every environment that lies there, also half of one."""
    folder = bench.folders.data / "environments"
    return sorted(folder.iterdir()) if folder.is_dir() else []


async def put(bench: Bench, place: Path) -> dict[str, Any]:
    found = await bench.kernel.rooms.installed.look_at(str(place))
    return await bench.kernel.rooms.installed.install(found["package"])


async def refused(bench: Bench, place: Path, code: str) -> BadRequest:
    """Install what must be refused, and see that nothing of it is left."""
    with pytest.raises(BadRequest) as error:
        await put(bench, place)
    assert error.value.code == code, error.value
    assert error.value.hint
    assert built(bench) == []
    assert "moon" not in {one["id"] for one in bench.kernel.skills()}
    return error.value


async def test_a_skill_answers_with_its_package_and_both_go_together(bench: Bench, tmp_path: Path) -> None:
    ware = skill(tmp_path / "a", lune(tmp_path))
    found = await bench.kernel.rooms.installed.look_at(str(ware))
    (told,) = found["packages"]
    assert (told["name"], told["version"], told["from"]) == ("lune", "1.0", "the package itself")
    assert told["size_bytes"] == (ware / "wheels" / "lune-1.0-py3-none-any.whl").stat().st_size
    assert built(bench) == []  # looking brings nothing
    await bench.kernel.rooms.installed.install(found["package"])
    assert environments(bench).warm() == []
    view = await bench.ask("what phase is the moon in")
    assert (view["resolution"], view["answer"]) == ("executed", "The moon is full."), view
    (place,) = built(bench)
    assert environments(bench).warm() == [place.name]
    assert [one["ok"] for one in await bench.kernel.rooms.installed.verify()] == [True]
    await bench.kernel.rooms.installed.remove("moon")
    assert (built(bench), environments(bench).warm()) == ([], [])
    await bench.kernel.rooms.installed.go_back("moon", "1.0.0")  # its wheels are part of the version
    assert (await bench.ask("how is the moon", conversation="d"))["answer"] == "The moon is full."
