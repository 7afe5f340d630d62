"""A backup is one whole moment in one private file, and comes back as it was."""

from __future__ import annotations

import asyncio
import json
import os
import stat
import zipfile
from pathlib import Path
from typing import Any

import pytest

from kernel import BadRequest, Folders, KernelError, NotNow, load_settings, open_kernel
from kernel.backup.model import MANIFEST
from kernel.backup.restoring import examine, restore
from memory import Ledger
from permissions.errors import PermissionsError
from tests.kernel.backup.conftest import lived, tree

Bench = Any  # tests/kernel/conftest.py


def _ledger_of(backup: Path, to: Path) -> Path:
    with zipfile.ZipFile(backup) as packed:
        for name in packed.namelist():
            if name.startswith("data/ledger/"):
                packed.extract(name, to)
    return to / "data" / "ledger"


async def _settled(bench: Bench) -> None:
    async with asyncio.timeout(60):
        while bench.kernel._house.live:  # noqa: ASYNC110  (nobody tells of it)
            await asyncio.sleep(0.01)


async def test_a_backup_comes_back_as_it_was(bench: Bench, tmp_path: Path) -> None:
    runs = await lived(bench)
    backups = bench.kernel.rooms.backups
    await bench.kernel.rooms.mail.put_secret("wifi", "xyzzy-plugh", ())
    target = tmp_path / "one.backup"
    done = await backups.take(str(target))
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert done["left_out"] == []
    assert b"xyzzy-plugh" not in target.read_bytes()
    with zipfile.ZipFile(target) as packed:
        assert not [name for name in packed.namelist() if "secrets" in name]
        assert not [name for name in packed.namelist() if name.startswith(("data/graph", "data/recall", "data/habits"))]
    assert backups.listed()["backups"][0]["path"] == str(target)
    doctor = next(line for line in bench.kernel.doctor() if line["name"] == "backups")
    assert "today" in doctor["state"]

    later = await bench.ask("make a note called later saying after the backup")
    (bench.folders.config / "config.toml").write_text("attention = 1\n")
    (bench.folders.kept / "tasks").mkdir(exist_ok=True)
    await bench.kernel.close()
    before = tree(bench.folders.data)
    done = restore(target, bench.folders)
    assert done.forgotten_again == 0
    assert set(done.notes) == {"secrets"}  # written here, under this home; no passwords in it
    aside = Path(done.kept_beside)
    assert aside.parent == bench.folders.state
    kept = tree(aside / "data")
    assert {name for name in before if name not in kept} <= {"backups.lock"}
    assert (aside / "data/secrets/wifi").exists()
    assert not (bench.folders.data / "secrets/wifi").exists()
    assert (bench.folders.config / "config.toml").read_text() == "attention = 5\n"

    bench.kernel = await bench.reopen()
    assert bench.kernel.verify_ledger()["ok"]
    assert later["run"] not in [one["run"] for one in bench.kernel.runs()]
    assert {*runs.values()} <= {one["run"] for one in bench.kernel.runs()}
    assert "stamps" in (await bench.ask("what are my tasks?"))["answer"]
    assert "Kiel" in (await bench.ask("where does Bernd live?"))["answer"]
    note = bench.home / "Notes/shopping.md"
    assert "bread" in note.read_text()
    await bench.kernel.undo(runs["more"])  # the old content came with the backup
    assert "bread" not in note.read_text()
    assert "milk" in note.read_text()
    assert (bench.home / "Notes/later.md").exists()  # the person's own files are theirs


async def test_with_secrets_they_come_along(bench: Bench, tmp_path: Path) -> None:
    await bench.kernel.rooms.mail.put_secret("wifi", "xyzzy-plugh", ())
    target = tmp_path / "one.backup"
    await bench.kernel.rooms.backups.take(str(target), secrets=True)
    await bench.kernel.rooms.mail.remove_secret("wifi")
    await bench.kernel.close()
    done = restore(target, bench.folders)
    assert done.notes == ()
    file = bench.folders.data / "secrets/wifi"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    bench.kernel = await bench.reopen()
    assert bench.kernel._house.post.vault.take("wifi") == "xyzzy-plugh"


async def test_backups_while_requests_go_on_are_each_one_moment(bench: Bench, tmp_path: Path) -> None:
    stop = asyncio.Event()
    asked: list[str] = []

    async def keep_asking() -> None:
        while not stop.is_set():
            view = await bench.ask(f"make a note called thing {len(asked)} saying hello")
            assert view["resolution"] == "confirmed", view["answer"]
            asked.append(view["run"])

    asking = asyncio.create_task(keep_asking())
    heads = []
    for number in range(6):
        target = tmp_path / f"{number}.backup"
        while len(asked) <= number:
            await asyncio.sleep(0.005)
            assert not asking.done(), asking.result()
        done = await bench.kernel.rooms.backups.take(str(target))
        with Ledger.open(_ledger_of(target, tmp_path / f"out{number}"), read_only=True) as ledger:
            found = ledger.verify()
            assert found.ok, found.problems
            assert found.events == done["events"]
            committed = {one.run for one in ledger.events(kinds=("commit.done",))}
        with zipfile.ZipFile(target) as packed:
            journals = {Path(name).name for name in packed.namelist() if "/journal/done/" in name}
        assert committed <= journals  # what is said to be done can be taken back
        heads.append(done["events"])
    stop.set()
    await asking
    assert heads == sorted(set(heads)), heads  # each is of a later moment: requests did go on
    assert len(asked) >= 6
    await bench.kernel.close()
    restore(tmp_path / "3.backup", bench.folders)
    bench.kernel = await bench.reopen()
    assert bench.kernel.verify_ledger()["ok"]
    assert all(one["resolution"] != "pending" for one in bench.kernel.runs(50)), bench.kernel.runs(50)


async def test_a_backup_under_another_home_is_restored_and_says_so(taken: Path, bench: Bench, tmp_path: Path) -> None:
    runs = [one["run"] for one in bench.kernel.runs() if one["resolution"] == "confirmed"]
    (tmp_path / "other/home").mkdir(parents=True)
    other = Folders({"HOME": str(tmp_path / "other/home"), "STEWARD_HOME": str(tmp_path / "other/steward")})
    other.make()
    done = restore(taken, other)
    assert {"home", "unknown", "forgets", "secrets"} == set(done.notes)
    kernel = await open_kernel(load_settings(encoder=False), other)
    try:
        assert kernel.verify_ledger()["ok"]
        assert {*runs} <= {one["run"] for one in kernel.runs()}
        before = bench.tree()
        changed = [run for run in runs if kernel.view(run)["effects"]]
        assert len(changed) >= 2  # the record has it, and nothing to take it back with
        for run in changed:
            with pytest.raises((KernelError, PermissionsError)) as told:  # its files are elsewhere
                await kernel.undo(run)
            assert told.value.hint
        assert bench.tree() == before
        assert list((tmp_path / "other/home").rglob("*.md")) == []
    finally:
        await kernel.close()


async def test_where_no_backup_is_written(bench: Bench, tmp_path: Path) -> None:
    take = bench.kernel.rooms.backups.take
    mine = tmp_path / "thesis.odt"
    mine.write_text("mine")
    with pytest.raises(BadRequest, match="there already"):
        await take(str(mine))
    with pytest.raises(BadRequest, match="no backup of Steward"):
        await take(str(mine), replace=True)
    assert mine.read_text() == "mine"
    own = bench.folders.data, bench.folders.kept
    for wrong, why in (("relative", "whole path"), (str(tmp_path / "no/such"), "no folder"),
                       *((str(one / "x"), "own folders") for one in own)):  # fmt: skip
        with pytest.raises(BadRequest, match=why):
            await take(wrong)
    good = tmp_path / "good"
    first = await take(str(good))
    second = await take(str(good), replace=True)
    assert first["sha256"] != second["sha256"]
    assert len(bench.kernel.rooms.backups.listed()["backups"]) == 1
    link = tmp_path / "link"
    link.symlink_to(good)
    with pytest.raises(BadRequest):
        await take(str(link), replace=True)
    assert link.is_symlink()
    assert sorted(one.name for one in tmp_path.iterdir() if "part" in one.name) == []


async def test_one_at_a_time(bench: Bench, tmp_path: Path) -> None:
    take = bench.kernel.rooms.backups.take
    first = asyncio.create_task(take(str(tmp_path / "a")))
    await asyncio.sleep(0)
    with pytest.raises(NotNow):
        await take(str(tmp_path / "b"))
    await first
    await take(str(tmp_path / "b"))


async def test_a_change_that_is_not_settled_is_settled_first(taken: Path, bench: Bench) -> None:
    await bench.kernel.close()
    journal = bench.folders.data / "transactions/journal/open/r-1"
    journal.write_text("")
    before = tree(bench.folders.data)
    with pytest.raises(NotNow, match="not settled"):
        restore(taken, bench.folders)
    assert tree(bench.folders.data) == before
    journal.unlink()
    restore(taken, bench.folders)
    bench.kernel = await bench.reopen()


async def test_the_manifest_says_what_is_in_it(taken: Path, bench: Bench) -> None:
    found = examine(taken, bench.folders)
    with zipfile.ZipFile(taken) as packed:
        body = json.loads(packed.read(MANIFEST))
        assert len(packed.namelist()) == found["files"] + 1
    assert body["form"] == 1
    assert body["home"] == str(bench.home)
    assert os.path.getsize(taken) > 0


async def test_a_link_of_somebody_is_left_out_and_told(bench: Bench, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "secret.txt").write_text("TOP SECRET")
    (bench.folders.data / "skills").mkdir(exist_ok=True)
    (bench.folders.data / "skills/mine").symlink_to(elsewhere)
    (bench.folders.config / "also.toml").symlink_to(elsewhere / "secret.txt")
    target = tmp_path / "one.backup"
    done = await bench.kernel.rooms.backups.take(str(target))
    assert len(done["left_out"]) == 2, done["left_out"]
    assert any("also.toml" in one for one in done["left_out"])
    with zipfile.ZipFile(target) as packed:
        assert not any(b"TOP SECRET" in packed.read(name) for name in packed.namelist())
    (bench.folders.data / "skills/mine").unlink()
