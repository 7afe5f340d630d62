"""Archives that are broken, foreign, newer or hostile change nothing, and say what to do; the control is restored."""

from __future__ import annotations

import hashlib
import json
import os
import stat
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kernel import BadRequest
from kernel.backup.archive import open_archive
from kernel.backup.model import MANIFEST
from kernel.backup.restoring import restore
from tests.kernel.backup.conftest import tree

Bench = Any  # tests/kernel/conftest.py
Body = dict[str, Any]
Members = dict[str, bytes]
Change = Callable[[Body, Members], None]


def _rewritten(source: Path, target: Path, change: Change, infos: Callable[[zipfile.ZipInfo], None]) -> Path:
    """Write an archive that says what ``change`` makes of an honest one; sums are right unless it breaks them."""
    with zipfile.ZipFile(source) as packed:
        members = {name: packed.read(name) for name in packed.namelist()}
    body = json.loads(members.pop(MANIFEST))
    change(body, members)
    with zipfile.ZipFile(target, "w") as packed, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a name twice is what is tried
        for name, data in {**members, MANIFEST: json.dumps(body).encode()}.items():
            info = zipfile.ZipInfo(name.rstrip("\x01"))
            info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, (stat.S_IFREG | 0o600) << 16
            infos(info)
            packed.writestr(info, data)
    return target


def _add(path: str, data: bytes = b"evil", **other: Any) -> Change:
    def change(body: Body, members: Members) -> None:
        members[path] = data
        sum_ = hashlib.sha256(data).hexdigest()
        body["members"].append({"path": path, "size": len(data), "sha256": sum_, "mode": 0o600, "mtime_ns": 0, **other})

    return change


def _set(name: str, value: Any) -> Change:
    def change(body: Body, members: Members) -> None:
        body[name] = value

    return change


def _drop(path: str) -> Change:
    def change(body: Body, members: Members) -> None:
        members.pop(path, None)
        body["members"] = [one for one in body["members"] if one["path"] != path]

    return change


def _flip(body: Body, members: Members) -> None:
    members["data/ledger/ledger.db"] = members["data/ledger/ledger.db"][:-1] + b"\x99"


def _swap_signing_key(body: Body, members: Members) -> None:
    _drop("data/ledger/signing.key")(body, members)
    _add("data/ledger/signing.key", b"k" * 32)(body, members)


def _forged_event(body: Body, members: Members) -> None:
    """Change a byte of the record and its sum in the manifest: the archive is consistent, the ledger is not."""
    data = bytearray(members["data/ledger/ledger.db"])
    at = data.rindex(b"run.created")
    data[at : at + 3] = b"ruN"
    _drop("data/ledger/ledger.db")(body, members)
    _add("data/ledger/ledger.db", bytes(data))(body, members)


def _both(*changes: Change) -> Change:
    def change(body: Body, members: Members) -> None:
        for one in changes:
            one(body, members)

    return change


def _larger(body: Body, members: Members) -> None:
    members["data/ledger/keys.db"] += b"\0" * 1_000_000


def _unlisted(body: Body, members: Members) -> None:
    members["data/own/x.txt"] = b"not in the manifest"


HOSTILE: dict[str, tuple[Change, str]] = {
    "up": (_add("data/own/../../../evil"), "leads out"),
    "absolute": (_add("/etc/evil"), "leads out"),
    "dot": (_add("data/own/./evil"), "leads out"),
    "empty part": (_add("data/own//evil"), "leads out"),
    "nul": (_add("data/own/a\0b"), "."),
    "token": (_add("state/api-token"), "belongs in no backup"),
    "runtime": (_add("run/steward.sock"), "belongs in no backup"),
    "a database's log": (_add("data/ledger/ledger.db-wal"), "belongs in no backup"),
    "book": (_add("data/backups.json"), "belongs in no backup"),
    "staged": (_add("data/transactions/runs/r-1/x"), "belongs in no backup"),
    "long": (_add("data/own/" + "a" * 300), "too long"),
    "file and folder": (_both(_add("data/own/x"), _add("data/own/x/y")), "also a folder"),
    "twice": (_both(_add("data/own/x"), lambda body, _: body["members"].append(body["members"][-1])), "twice"),
    "secrets unsaid": (_add("data/secrets/mail"), "secrets"),
    "no keys": (_drop("data/ledger/keys.db"), "not whole"),
    "other sum": (_flip, "not what was written"),
    "larger": (_larger, "another size"),
    "unlisted": (_unlisted, "not those"),
    "set-id": (_add("data/own/x", mode=0o4755), "manifest is wrong"),
    "negative size": (_add("data/own/x", size=-1), "manifest is wrong"),
    "link of a skill": (_set("links", {"../up": "0" * 64}), "manifest is wrong"),
    "link to elsewhere": (_set("links", {"moon": "../../etc"}), "manifest is wrong"),
    "unknown field": (_set("run_this", "rm"), "manifest is wrong"),
    "newer": (_set("form", 2), "newer Steward"),
    "no form": (_set("form", "1"), "of no Steward"),
    "another key": (_swap_signing_key, "ledger does not"),
    "a forged event": (_forged_event, "ledger does not"),
}


async def _nothing_changes(bench: Bench, evil: Path, why: str) -> None:
    await bench.kernel.close()
    root = bench.home.parent
    before, links = tree(root), [path for path in root.rglob("*") if path.is_symlink()]
    with pytest.raises(BadRequest, match=why) as told:
        restore(evil, bench.folders)
    assert told.value.hint
    after = tree(root)
    assert {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)} <= {
        "steward/data/backups.lock"
    }
    assert [path for path in root.rglob("*") if path.is_symlink()] == links
    assert not list(bench.folders.state.glob("before-*"))


async def test_hostile_archives_change_nothing(taken: Path, bench: Bench, tmp_path: Path) -> None:
    for number, (change, why) in enumerate(HOSTILE.values()):
        evil = _rewritten(taken, tmp_path / f"evil{number}", change, lambda _: None)
        await _nothing_changes(bench, evil, why)
    control = _rewritten(taken, tmp_path / "control", _add("data/own/tasks/extra.txt", b"more\n"), lambda _: None)
    restore(control, bench.folders)
    assert (bench.folders.kept / "tasks/extra.txt").read_bytes() == b"more\n"
    bench.kernel = await bench.reopen()
    assert bench.kernel.verify_ledger()["ok"]


async def test_links_and_odd_packing_are_refused(taken: Path, bench: Bench, tmp_path: Path) -> None:
    def link(info: zipfile.ZipInfo) -> None:
        if info.filename == "data/own/x":
            info.external_attr = (stat.S_IFLNK | 0o777) << 16

    def odd(info: zipfile.ZipInfo) -> None:
        if info.filename == "data/own/x":
            info.compress_type = zipfile.ZIP_BZIP2

    for number, (infos, why) in enumerate(((link, "a link"), (odd, "packed in a way"))):
        evil = _rewritten(taken, tmp_path / f"evil{number}", _add("data/own/x", b"/etc/passwd"), infos)
        await _nothing_changes(bench, evil, why)


async def test_a_name_twice_in_the_directory_is_refused(taken: Path, bench: Bench, tmp_path: Path) -> None:
    def twice(body: Body, members: Members) -> None:
        members["data/ledger/keys.db\x01"] = b"another"

    evil = _rewritten(taken, tmp_path / "evil", twice, lambda _: None)
    await _nothing_changes(bench, evil, "a name twice")


@pytest.mark.parametrize("part", [0.1, 0.5, 0.9, 0.999])
async def test_a_backup_that_is_cut_short(taken: Path, bench: Bench, tmp_path: Path, part: float) -> None:
    data = taken.read_bytes()
    cut = tmp_path / "cut"
    cut.write_bytes(data[: int(len(data) * part)])
    await _nothing_changes(bench, cut, "damaged")


async def test_a_flipped_bit_anywhere_is_noticed(taken: Path, bench: Bench, tmp_path: Path) -> None:
    data = taken.read_bytes()
    with zipfile.ZipFile(taken) as packed:
        infos = packed.infolist()
    places = [info.header_offset + 30 + len(info.filename) + info.compress_size // 2 for info in infos
              if info.compress_size]  # fmt: skip
    for at in places[:: max(1, len(places) // 25)]:
        flipped = bytearray(data)
        flipped[at] ^= 0x40
        bad = tmp_path / "bad"
        bad.write_bytes(flipped)
        with pytest.raises(BadRequest), open_archive(bad) as archive:
            archive.check(lambda _: None)
    with open_archive(taken) as archive:  # control
        archive.check(lambda _: None)


async def test_foreign_files(bench: Bench, tmp_path: Path) -> None:
    text, other, folder, link = (tmp_path / name for name in ("text", "other.zip", "folder", "link"))
    text.write_text("a letter")
    with zipfile.ZipFile(other, "w") as packed:
        packed.writestr("hello.txt", "hello")
    folder.mkdir()
    link.symlink_to(text)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (text, other, folder, link, pipe, tmp_path / "none", Path("/dev/null")):
        with pytest.raises(BadRequest, match="cannot be restored") as told:
            restore(path, bench.folders)
        assert told.value.code == "backup.foreign"
        assert told.value.hint
