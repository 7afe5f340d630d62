"""A forget reaches backups: no byte of one that can be reached holds the name, and no restore brings it back."""

from __future__ import annotations

import asyncio
import os
import shutil
import threading
import zipfile
from pathlib import Path
from typing import Any

import pytest

from kernel import NotNow
from kernel.backup.restoring import restore
from kernel.knowing.stores import mentions_in
from memory import Draft, Ledger
from memory.model import EntityId

Bench = Any  # tests/kernel/conftest.py

NAME = "Walpurga"


async def _lived(bench: Bench) -> list[str]:
    """Do things about somebody, in the ledger, in old contents, in a skill's own list; and some about nobody."""
    (bench.home / "Documents").mkdir(exist_ok=True)
    (bench.home / f"Documents/{NAME.lower()}_lease.txt").write_text(f"Lease of {NAME}.\n")
    runs = []
    for text in (
        f"remember that {NAME} Kern lives in Bonn",
        f"make a note called {NAME} saying call her on Monday",
        f"make a note called plumber saying {NAME} knows one",
        "add milk to the note plumber",
        f"delete Documents/{NAME.lower()}_lease.txt",
        f"add call {NAME} to my tasks",
        "add buy stamps to my tasks",
        "make a note called shopping saying milk and eggs",
        "remember that Bernd lives in Kiel",
    ):
        view = await bench.ask(text)
        if view["resolution"] == "pending":
            view = await bench.answer(view["run"], "once")
        assert view["resolution"] in ("executed", "confirmed"), (text, view["answer"])
        runs.append(view["run"])
    async with asyncio.timeout(60):
        while bench.kernel._house.live:  # noqa: ASYNC110  (nobody tells of it)
            await asyncio.sleep(0.01)
    return runs


async def _forget(bench: Bench) -> dict[str, Any]:
    shown = await bench.kernel.known.preview(NAME)
    done: dict[str, Any] = await bench.kernel.known.forget(NAME, [], shown["seal"])
    return shown | done


def _holding(folder: Path) -> list[str]:
    """Files, by name or content, that hold the name in any case."""
    word = NAME.lower().encode()
    return [str(path) for path in folder.rglob("*") if path.is_file()
            and word in os.fsencode(path.name).lower() + b"\0" + path.read_bytes().lower()]  # fmt: skip


def _readable(folder: Path) -> list[str]:
    """Events of a ledger that can be read and hold the name."""

    def holds(text: str) -> bool:
        return NAME.lower() in text.lower()

    with Ledger.open(folder, read_only=True) as ledger:
        assert ledger.verify().ok
        return [one.kind for one in ledger.events()
                if one.body is not None and mentions_in([dict(one.body), list(one.entities)], holds)]  # fmt: skip


def _unpacked(backup: Path, to: Path) -> Path:
    shutil.rmtree(to, ignore_errors=True)
    with zipfile.ZipFile(backup) as packed:
        packed.extractall(to)
    return to


async def test_a_forget_reaches_a_backup(bench: Bench, tmp_path: Path) -> None:
    await _lived(bench)
    target = tmp_path / "one.backup"
    first = await bench.kernel.rooms.backups.take(str(target))
    out = _unpacked(target, tmp_path / "out")
    assert _holding(out / "data/transactions")  # positive control
    assert _holding(out / "data/own")
    assert len(_readable(out / "data/ledger")) > 5
    done = await _forget(bench)
    assert done["backups"] == [str(target)]
    assert done["backups_stay"] == done["backups_behind"] == []
    assert done["stores"]["backups"] == 1
    out = _unpacked(target, tmp_path / "out")
    assert _holding(out) == []
    assert _readable(out / "data/ledger") == []
    assert not [one for one in tmp_path.iterdir() if "part" in one.name]
    (one,) = bench.kernel.rooms.backups.listed()["backups"]
    assert (one["sha256"] != first["sha256"], one["behind"]) == (True, False)
    assert _holding(bench.home.parent / "steward") == []
    await bench.kernel.close()
    done = restore(target, bench.folders)
    assert set(done.notes) == {"secrets"}
    assert _holding(bench.folders.data) == []
    bench.kernel = await bench.reopen()
    assert "stamps" in (await bench.ask("what are my tasks?"))["answer"]
    assert "Kiel" in (await bench.ask("where does Bernd live?"))["answer"]
    assert _readable(bench.folders.data / "ledger") == []


async def test_a_backup_out_of_reach_is_named_and_brings_no_words_back(bench: Bench, tmp_path: Path) -> None:
    runs = await _lived(bench)
    target, away = tmp_path / "one.backup", tmp_path / "unplugged"
    await bench.kernel.rooms.backups.take(str(target))
    target.rename(away)
    done = await _forget(bench)
    assert done["backups_stay"] == done["backups_behind"] == [str(target)]
    doctor = next(line for line in bench.kernel.doctor() if line["name"] == "backups")
    assert not doctor["ok"]
    assert str(target) in doctor["remedy"]
    away.rename(target)
    await bench.kernel.close()
    done = restore(target, bench.folders)
    assert done.forgotten_again > 5
    assert {"lists", "secrets"} == set(done.notes)  # what lists say may be back: it is said
    assert _readable(bench.folders.data / "ledger") == []
    assert _holding(bench.folders.data / "transactions") == []
    bench.kernel = await bench.reopen()
    assert bench.kernel.verify_ledger()["ok"]
    assert bench.kernel.view(runs[1])["forgotten"]
    assert not bench.kernel.view(runs[7]).get("forgotten")  # what was not about her came back
    await _forget(bench)  # what the lists brought back goes as ever
    assert _holding(bench.folders.data) == []


async def test_what_a_restore_kept_beside_forgets_too(bench: Bench, tmp_path: Path) -> None:
    target = tmp_path / "one.backup"
    await bench.ask("make a note called early saying good morning")
    await bench.kernel.rooms.backups.take(str(target))
    await _lived(bench)
    await bench.kernel.close()
    restore(target, bench.folders)
    assert _holding(bench.folders.state)  # the old state
    bench.kernel = await bench.reopen()
    await bench.ask(f"remember that {NAME} lives in Bonn")
    async with asyncio.timeout(60):
        while bench.kernel._house.live:  # noqa: ASYNC110  (nobody tells of it)
            await asyncio.sleep(0.01)
    done = await _forget(bench)
    assert any("before-" in one for one in done["backups"])
    assert _holding(bench.folders.state) == []
    (aside,) = bench.folders.state.glob("before-*")
    assert _readable(aside / "data/ledger") == []


async def test_an_older_backup_after_a_restore_of_another(bench: Bench, tmp_path: Path) -> None:
    """What was forgotten stays known through a restore of a backup that never had it."""
    early, late, away = (tmp_path / name for name in ("early", "late", "away"))
    await bench.ask("make a note called early saying good morning")
    await bench.kernel.rooms.backups.take(str(early))
    await _lived(bench)
    await bench.kernel.rooms.backups.take(str(late))
    late.rename(away)
    await _forget(bench)
    await bench.kernel.close()
    restore(early, bench.folders)
    bench.kernel = await bench.reopen()
    await bench.kernel.close()
    done = restore(away, bench.folders)
    assert done.forgotten_again > 5
    assert _readable(bench.folders.data / "ledger") == []
    bench.kernel = await bench.reopen()
    assert bench.kernel.verify_ledger()["ok"]


async def test_a_file_in_the_place_of_a_backup_is_left_alone(bench: Bench, tmp_path: Path) -> None:
    await _lived(bench)
    target = tmp_path / "one.backup"
    await bench.kernel.rooms.backups.take(str(target))
    target.write_text(f"a letter to {NAME}")
    done = await _forget(bench)
    assert target.read_text() == f"a letter to {NAME}"
    assert done["backups_behind"] == [str(target)]


async def test_a_sentence_tells_what_was_not_reached(bench: Bench, tmp_path: Path) -> None:
    await _lived(bench)
    target = tmp_path / "one.backup"
    await bench.kernel.rooms.backups.take(str(target))
    target.unlink()
    asked = await bench.ask(f"vergiss alles, was du über {NAME} weißt")
    assert "nicht erreichbar" in str(asked["card"])
    view = await bench.answer(asked["run"], "once")
    assert str(target) in view["answer"]
    assert NAME not in view["answer"]


async def test_a_damaged_state_beside_stops_no_forget_and_is_named(bench: Bench, tmp_path: Path) -> None:
    target = tmp_path / "one.backup"
    await bench.kernel.rooms.backups.take(str(target))
    await _lived(bench)
    await bench.kernel.close()
    record = bench.folders.data / "ledger/ledger.db"
    record.write_bytes(b"damaged" * 1000)  # why somebody restores
    done = restore(target, bench.folders)
    assert "forgets" in done.notes
    bench.kernel = await bench.reopen()
    await bench.ask(f"remember that {NAME} lives in Bonn")
    async with asyncio.timeout(60):
        while bench.kernel._house.live:  # noqa: ASYNC110  (nobody tells of it)
            await asyncio.sleep(0.01)
    done = await _forget(bench)
    assert done["backups_behind"] == [done_beside(bench)]
    assert _readable(bench.folders.data / "ledger") == []


def done_beside(bench: Bench) -> str:
    """Return the one state that lies beside."""
    (aside,) = bench.folders.state.glob("before-*")
    return str(aside)


async def test_a_forget_waits_for_a_backup_that_is_being_written(bench: Bench, tmp_path: Path) -> None:
    await _lived(bench)
    target = tmp_path / "one.backup"
    backups = bench.kernel.rooms.backups
    held, go_on = threading.Event(), threading.Event()
    tell = backups._tell

    def slow(progress: Any) -> None:
        tell(progress)
        held.set()
        go_on.wait(60)

    backups._tell = slow  # its moment is taken, its file is not there yet
    taking = asyncio.create_task(backups.take(str(target)))
    await asyncio.to_thread(held.wait, 60)
    shown = await bench.kernel.known.preview(NAME)
    forgetting = asyncio.create_task(bench.kernel.known.forget(NAME, [], shown["seal"]))
    async with asyncio.timeout(60):
        while _readable(bench.folders.data / "ledger") not in ([], ["entity.forgetting"]):  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    assert not forgetting.done()
    go_on.set()
    await taking
    await forgetting
    out = _unpacked(target, tmp_path / "out")
    assert _holding(out) == []
    assert _readable(out / "data/ledger") == []


async def test_no_backup_of_the_middle_of_a_forget(bench: Bench, tmp_path: Path) -> None:
    await _lived(bench)
    ledger = bench.kernel._house.ledger
    order = {"token": "forget:1", "ids": [], "gone": [], "words": [NAME]}
    ledger.append(Draft("entity.forgetting", order, entities=(EntityId("forget:1"),)))
    with pytest.raises(NotNow, match="forgetting at this moment"):
        await bench.kernel.rooms.backups.take(str(tmp_path / "one.backup"))
    assert list(tmp_path.glob("*.backup*")) == []
    ledger.forget(EntityId("forget:1"))
    await bench.kernel.rooms.backups.take(str(tmp_path / "one.backup"))
