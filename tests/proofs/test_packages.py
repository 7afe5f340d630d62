"""A sample of the proof of packages: hostile ones of every kind of source, honest ones, and updates that want more."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.permissions.egress.conftest import Internet
from tests.proofs.packages.__main__ import ATTACKS, LEAST, Net, made_authority
from tests.proofs.packages.benign import HONEST, LIVELY, bomb
from tests.proofs.packages.contents import unfolds
from tests.proofs.packages.ground import scene
from tests.proofs.packages.places import SERVERS
from tests.proofs.packages.trial import House, asked, quiet, refused, taken
from tests.proofs.packages.updates import UPDATES, WIDER

pytestmark = pytest.mark.skipif(not shutil.which("git"), reason="there is no git here: apt install git")
slow = [pytest.mark.slow, pytest.mark.sandbox]


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[tuple[House, Net]]:
    """A kernel of its own, and a network of this machine's servers."""
    net = Net(Internet(tmp_path), made_authority(tmp_path))
    one = House(tmp_path / "house")
    async with net.internet.until:
        await one.open(net.internet, net.authority.file)
        yield one, net
        await one.kernel.close()


def test_there_are_enough_packages_and_each_has_a_name() -> None:
    for every in (ATTACKS, HONEST, LIVELY, WIDER):
        names = [one.name for one in every]
        assert len(set(names)) == len(names), sorted(name for name in names if names.count(name) > 1)
    assert len(ATTACKS) >= LEAST["of"]
    assert len(HONEST) >= LEAST["benign_of"]


def test_the_bomb_is_one_and_is_not_unfolded() -> None:
    assert unfolds(bomb())
    assert not unfolds("---\na: [x, x]\n---\n")


@pytest.mark.parametrize("mark", [pytest.param(0, marks=slow)])
async def test_hostile_packages_are_refused_and_work_elsewhere(
    house: tuple[House, Net], tmp_path: Path, mark: int
) -> None:
    for number, attack in enumerate([*ATTACKS[mark::12], SERVERS[1], UPDATES[0], UPDATES[2]]):
        found = await refused(house[0], attack, scene(tmp_path / "scenes", number, house[1]))
        assert found.control, found
        assert found.good, found


@pytest.mark.parametrize("mark", [pytest.param(0, marks=slow)])
async def test_honest_packages_are_taken_and_nothing_of_them_runs(
    house: tuple[House, Net], tmp_path: Path, mark: int
) -> None:
    for number, honest in enumerate(HONEST[mark::6]):
        assert (found := await taken(house[0], honest, scene(tmp_path / "scenes", number))).good, found
    for number, lively in enumerate((LIVELY[0], LIVELY[-1]), 100):
        found = await quiet(house[0], lively, scene(tmp_path / "scenes", number))
        assert found.good, found
        assert found.control, found


@pytest.mark.parametrize("mark", [pytest.param(0, marks=slow)])
async def test_updates_that_want_more_are_asked_about(house: tuple[House, Net], tmp_path: Path, mark: int) -> None:
    for number, wider in enumerate(WIDER[mark::7]):
        found = await asked(house[0], wider, scene(tmp_path / "scenes", number))
        assert found.good, found
        assert found.control, found
