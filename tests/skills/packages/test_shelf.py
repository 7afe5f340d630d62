"""Versions stay whole, one counts, and what a person edited is never written over."""

from __future__ import annotations

from pathlib import Path

import pytest

from skills import Registry
from skills.errors import BadSkill
from skills.packages import Origin, Refused, Shelf, opened
from tests.skills.packages.wares import GOOD, laid


def ware(tmp_path: Path, version: str) -> Path:
    files = {**GOOD, "steward.toml": GOOD["steward.toml"].replace("1.0.0", version)}
    return laid(tmp_path / version / "moon", files)


def in_use(data: Path) -> str:
    return Registry([data / "skills"]).skill("moon").version  # type: ignore[arg-type]


def test_versions_are_put_used_and_removed(tmp_path: Path) -> None:
    data = tmp_path / "data"
    shelf = Shelf(data)
    first, second = (
        shelf.put(opened(ware(tmp_path, one), ()), Origin(f"folder:{one}"), 1.0) for one in ("1.0.0", "2.0.0")
    )
    assert (in_use(data), shelf.versions("moon")) == ("2.0.0", (first, second))
    shelf.use(first)
    assert (in_use(data), shelf.in_use("moon")) == ("1.0.0", first)
    assert (data / "skills.lock.json").stat().st_mode & 0o777 == 0o600
    again = Shelf(data)  # read back from disk
    assert (again.in_use("moon"), again.versions("moon")) == (first, (first, second))
    again.pin("moon", True)
    again.remove("moon")
    assert Registry([data / "skills"]).skills() == ()
    assert not Shelf(data).is_pinned("moon")
    Shelf(data).use(second)
    assert in_use(data) == "2.0.0"


def test_the_registry_binds_grants_to_what_was_installed(tmp_path: Path) -> None:
    data = tmp_path / "data"
    entry = Shelf(data).put(opened(ware(tmp_path, "1.0.0"), ()), Origin("x"), 1.0)
    skill = Registry([data / "skills"]).skill("moon")  # type: ignore[arg-type]
    assert skill.hash == entry.digest
    assert Path(skill.folder) == Shelf(data).folder_of(entry).resolve()


def test_what_was_edited_is_kept_and_said(tmp_path: Path) -> None:
    data = tmp_path / "data"
    shelf = Shelf(data)
    first = shelf.put(opened(ware(tmp_path, "1.0.0"), ()), Origin("x"), 1.0)
    edited = shelf.folder_of(first) / "skill.py"
    edited.write_text(edited.read_text() + "# mine\n")
    assert shelf.changed(first)
    second = shelf.put(opened(ware(tmp_path, "2.0.0"), ()), Origin("x"), 2.0)
    assert edited.read_text().endswith("# mine\n")
    with pytest.raises(BadSkill, match="not what was installed"):
        shelf.use(first)
    shelf.put(opened(ware(tmp_path, "1.0.0"), ()), Origin("x"), 3.0)
    assert not shelf.changed(first)
    kept = list((data / "skill-versions").glob(f"{first.digest}.edited-*/moon/skill.py"))
    assert [one.read_text().endswith("# mine\n") for one in kept] == [True]
    assert not shelf.changed(second)


def test_a_folder_of_ones_own_is_never_replaced(tmp_path: Path) -> None:
    data = tmp_path / "data"
    laid(data / "skills" / "moon")
    with pytest.raises(Refused, match="folder of your own"):
        Shelf(data).put(opened(ware(tmp_path, "2.0.0"), ()), Origin("x"), 1.0)
    assert in_use(data) == "1.0.0"


def test_a_lock_file_that_is_broken_stops_nothing_silently(tmp_path: Path) -> None:
    (tmp_path / "skills.lock.json").write_text("{")
    with pytest.raises(BadSkill, match="cannot be read"):
        Shelf(tmp_path)


def test_an_edited_version_is_a_problem_also_after_a_restart(tmp_path: Path) -> None:
    data = tmp_path / "data"
    shelf = Shelf(data)
    entry = shelf.put(opened(ware(tmp_path, "1.0.0"), ()), Origin("x"), 1.0)
    laid(data / "skills" / "stars")
    (shelf.folder_of(entry) / "skill.py").write_text(GOOD["skill.py"] + "# mine\n")
    registry = Registry([data / "skills"])
    assert [one.id for one in registry.skills()] == ["stars"]
    assert [one.code for one in registry.problems()] == ["skill.changed"]
    assert not shelf.is_whole(entry)


def test_the_same_bytes_under_two_names_are_two_skills(tmp_path: Path) -> None:
    data = tmp_path / "data"
    shelf = Shelf(data)
    for name in ("moon", "lunar"):
        shelf.put(opened(laid(tmp_path / name), ()), Origin("x"), 1.0)
    assert {one.id for one in Registry([data / "skills"]).skills()} == {"moon", "lunar"}


def test_a_link_of_ones_own_is_neither_replaced_nor_removed(tmp_path: Path) -> None:
    data = tmp_path / "data"
    shelf = Shelf(data)
    entry = shelf.put(opened(ware(tmp_path, "1.0.0"), ()), Origin("x"), 1.0)
    shelf.remove("moon")
    (data / "skills" / "moon").symlink_to(laid(tmp_path / "src" / "moon"))
    for work in (lambda: shelf.use(entry), lambda: shelf.remove("moon")):
        with pytest.raises(Refused, match="your own"):
            work()
    assert (data / "skills" / "moon").resolve() == tmp_path / "src" / "moon"
    assert shelf.in_use("moon") is None
