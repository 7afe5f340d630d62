"""An update of Steward: what was granted to a skill that ships with it goes on where the skill wants nothing more."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import pytest

import kernel.opening
import kernel.upkeep
import skills.contents
from kernel import Folders, Kernel, load_settings, open_kernel
from kernel.installing.renewed import NOTED, RENEWED, noted
from tests.kernel.conftest import Bench

pytestmark = [pytest.mark.slow, pytest.mark.sandbox]

ASKED = "count the words of todo.txt"
LETTERS = '{ action = "fs.read", scope = "~/Letters/**", reason = "to read them, too" }'


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Skills that ship with Steward, in a folder that may be changed as an update changes it."""
    folder = tmp_path / "shipped"
    shutil.copytree(skills.contents.BUILTIN / "documents", folder / "documents")
    monkeypatch.setattr(skills.contents, "SHIPPED", (folder,))
    monkeypatch.setattr(kernel.opening, "BUILTIN", folder)
    monkeypatch.setattr(kernel.opening, "KERNELS", tmp_path / "none")
    return folder / "documents"


@pytest.fixture
async def bench(tmp_path: Path, shipped: Path) -> AsyncIterator[Bench]:
    home = tmp_path / "home"
    home.mkdir()
    (home / "todo.txt").write_text("buy bread and milk\n")
    folders = Folders({"HOME": str(home), "STEWARD_HOME": str(tmp_path / "steward")})

    async def start() -> Kernel:
        return await open_kernel(load_settings(encoder=False), folders)

    one = Bench(await start(), home, folders, start)
    yield one
    await one.kernel.close()


def said(bench: Bench, kind: str) -> list[Mapping[str, Any]]:
    return [one.body or {} for one in bench.kernel._house.ledger.events(kinds=(kind,))]


async def granted(bench: Bench) -> dict[str, Any]:
    """Give "always" to what reads a document, and let it be known what the skill may do."""
    waiting = await bench.ask(ASKED, yes=False)
    assert waiting["resolution"] == "pending", waiting["answer"]
    done = await bench.answer(waiting["run"], "always")
    assert done["resolution"] == "confirmed", done["error"]
    noted(bench.kernel._house)
    return done


async def updated(bench: Bench) -> None:
    await bench.kernel.close()
    bench.kernel = await bench.reopen()


def another_byte(shipped: Path) -> None:
    with (shipped / "skill.py").open("a") as file:
        file.write("\n# another version\n")


async def test_an_update_that_wants_nothing_more_asks_nothing_anew(bench: Bench, shipped: Path) -> None:
    await granted(bench)
    before = bench.kernel.perms()
    another_byte(shipped)
    await updated(bench)
    again = await bench.ask(ASKED, yes=False)
    assert again["resolution"] == "executed", again["answer"]
    after = bench.kernel.perms()
    assert [one["right"] for one in after] == [one["right"] for one in before]
    assert not {one["id"] for one in after} & {one["id"] for one in before}, "moved, not doubled"
    assert "Steward was updated" in after[0]["why"]
    (body,) = said(bench, RENEWED)
    assert (body["skill"], body["kept"], body["wants_more"]) == ("documents", len(before), [])


async def test_control_where_nothing_is_carried_over_the_same_update_asks(
    bench: Bench, shipped: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nothing(_: object) -> None: ...

    await granted(bench)
    another_byte(shipped)
    monkeypatch.setattr(kernel.upkeep, "carried_over", nothing)
    await updated(bench)
    assert (await bench.ask(ASKED, yes=False))["resolution"] == "pending"


@pytest.mark.parametrize("change", ["right", "effect"])
async def test_an_update_that_wants_more_asks_anew_and_says_what(bench: Bench, shipped: Path, change: str) -> None:
    await granted(bench)
    manifest = (shipped / "steward.toml").read_text()
    right = "rights = [{ action"
    if change == "right":
        manifest = manifest.replace(right, f"rights = [{LETTERS}, {right.removeprefix('rights = [')}")
    else:
        manifest = manifest.replace('effect = "pure"', 'effect = "once"')
    (shipped / "steward.toml").write_text(manifest)
    await updated(bench)
    waiting = await bench.ask(ASKED, yes=False)
    assert waiting["resolution"] == "pending"
    (body,) = said(bench, RENEWED)
    assert body["kept"] == 0
    assert body["wants_more"]
    assert bench.kernel.perms() == [], "they have ended"
    await updated(bench)
    assert len(said(bench, RENEWED)) == 1, "said once"


async def test_what_was_revoked_of_a_wider_version_does_not_come_back_with_a_narrow_one(
    bench: Bench, shipped: Path
) -> None:
    """What was granted to the first version ends with the wider second; a third that wants as little asks anew."""
    await granted(bench)
    narrow = (shipped / "steward.toml").read_text()
    (shipped / "steward.toml").write_text(narrow.replace('effect = "pure"', 'effect = "once"'))
    await updated(bench)
    noted(bench.kernel._house)
    waiting = await bench.ask(ASKED, yes=False)
    await bench.answer(waiting["run"], "always")
    for one in bench.kernel.perms():
        await bench.kernel.revoke(one["id"])
    (shipped / "steward.toml").write_text(narrow)
    another_byte(shipped)
    await updated(bench)
    assert bench.kernel.perms() == []
    assert (await bench.ask(ASKED, yes=False))["resolution"] == "pending"


async def test_grants_of_a_content_that_nobody_knows_end_once(
    bench: Bench, shipped: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are of before contents were noted: else every start would look at all manifests for their sake."""
    monkeypatch.setattr(kernel.upkeep, "noted", lambda _: None)
    await updated(bench)
    waiting = await bench.ask(ASKED, yes=False)
    await bench.answer(waiting["run"], "always")
    another_byte(shipped)
    await updated(bench)
    assert bench.kernel.perms() == []
    assert (await bench.ask(ASKED, yes=False))["resolution"] == "pending"
    (body,) = said(bench, RENEWED)
    assert (body["known"], body["kept"]) == (False, 0)


async def test_what_was_revoked_does_not_live_on_in_the_bytes_of_before(bench: Bench, shipped: Path) -> None:
    """After an update and a revocation, the version before is put back: its old grants are gone, too."""
    await granted(bench)
    before = (shipped / "skill.py").read_bytes()
    another_byte(shipped)
    await updated(bench)
    noted(bench.kernel._house)
    for one in bench.kernel.perms():
        await bench.kernel.revoke(one["id"])
    (shipped / "skill.py").write_bytes(before)
    await updated(bench)
    assert bench.kernel.perms() == []
    assert (await bench.ask(ASKED, yes=False))["resolution"] == "pending"


async def test_the_version_before_gets_them_back_with_the_bytes(bench: Bench, shipped: Path) -> None:
    await granted(bench)
    before = (shipped / "skill.py").read_bytes()
    another_byte(shipped)
    await updated(bench)
    noted(bench.kernel._house)
    (shipped / "skill.py").write_bytes(before)
    await updated(bench)
    assert (await bench.ask(ASKED, yes=False))["resolution"] == "executed"
    assert len(said(bench, NOTED)) == 2, "each content once"
