"""What manifests teach is kept in a file: the same as when it is built, never out of a damaged or another file."""

from __future__ import annotations

import pickle
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kernel.composition.profiles.profile import Profile
from kernel.composition.profiles.profiling import build_profile
from kernel.context import kept, toolbox
from kernel.context.kept import open_mind
from kernel.context.packing import pack, read_parts, unpack, write_parts
from kernel.context.toolbox import LANGUAGES, Toolbox
from kernel.language.lexicon import Lexicon
from skills import Registry
from skills.contents import BUILTIN
from skills.model import Tool

KEY = bytes(range(32))


@pytest.fixture(autouse=True)
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder beside the code that is empty, so that no test reads or writes the real one."""
    folder = tmp_path / "shipped"
    monkeypatch.setattr(kept, "SHIPPED", folder)
    return folder


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> Registry:
    """The registry with two shipped skills in it."""
    registry = Registry([BUILTIN])
    some = tuple(skill for skill in registry.skills() if skill.id in ("notes", "calc"))
    assert len(some) == 2
    monkeypatch.setattr(registry, "skills", lambda: some)
    monkeypatch.setattr(registry, "tools", lambda: tuple(tool for skill in some for tool in skill.tools))
    return registry


def _must_not_build(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Toolbox, "build", lambda *_: pytest.fail("it was built again"))


def _same(one: tuple[Lexicon, Toolbox], other: tuple[Lexicon, Toolbox]) -> None:
    for name in Lexicon.__dataclass_fields__:
        assert getattr(one[0], name) == getattr(other[0], name), name
    for language in LANGUAGES:
        for tool in other[1].ids:
            assert one[1].profile(tool, language) == other[1].profile(tool, language), tool
        mine, its = one[1].taught(language), other[1].taught(language)
        assert (mine.idf, mine.verbs, mine.choices, mine.carriers) == (its.idf, its.verbs, its.choices, its.carriers)
        asked = (list(one[1].ids), ["note", "notiz", "calculate", "~"], 2.0, frozenset())
        assert mine.examples.nearest(*asked) == its.examples.nearest(*asked)
        assert any(its.examples.nearest(*asked))


def test_what_is_kept_is_what_was_built(few: Registry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built = Lexicon.from_tools(few.tools()), Toolbox.build(few.tools())
    first = open_mind(few, tmp_path / "own")
    _must_not_build(monkeypatch)
    second = open_mind(few, tmp_path / "own")
    _same(first, built)
    _same(second, built)
    assert second[1].profile(few.tools()[0].id, "en").tool is few.tools()[0], "rights are those of the manifest"


def test_profiles_are_made_when_they_are_asked_for(few: Registry, tmp_path: Path) -> None:
    toolbox = open_mind(few, tmp_path / "own")[1]
    assert not len(toolbox.profiles)
    toolbox.profile(toolbox.ids[0], "de")
    assert len(toolbox.profiles) == 1


def test_a_skill_of_ones_own_is_kept_among_ones_own(few: Registry, shipped: Path, tmp_path: Path) -> None:
    open_mind(few, tmp_path / "own")
    before = {path: path.read_bytes() for path in shipped.iterdir()}
    shutil.copytree(BUILTIN / "notes", tmp_path / "skills" / "diary")
    others = Registry([tmp_path / "skills"])
    assert [skill.id for skill in others.skills()] == ["diary"]
    open_mind(others, tmp_path / "own")
    assert [path.name for path in (tmp_path / "own").iterdir()] == ["lessons"]
    assert {path: path.read_bytes() for path in shipped.iterdir()} == before


def test_other_skills_are_learnt_anew(few: Registry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    open_mind(few, tmp_path / "own")
    fewer = few.skills()[:1]
    monkeypatch.setattr(few, "skills", lambda: fewer)
    monkeypatch.setattr(few, "tools", lambda: fewer[0].tools)
    assert open_mind(few, tmp_path / "own")[1].ids == tuple(tool.id for tool in fewer[0].tools)


def test_what_did_not_change_is_not_learnt_again(
    few: Registry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = open_mind(few, tmp_path / "own")[1]
    first, *others = few.tools()
    now = (replace(first, examples=first.examples[2:]), *others)
    lexicon, built, read = Lexicon.from_tools(now), Toolbox.build(now), []

    def reading(tool: Tool, *how: Any) -> Any:
        read.append(tool.id)
        return build_profile(tool, *how)

    monkeypatch.setattr(toolbox, "build_profile", reading)
    again = Toolbox.build(now, before)
    assert read == [first.id] * len(LANGUAGES)
    _same((lexicon, again), (lexicon, built))
    assert again.profile(first.id, "en").tool is now[0]


def test_beside_a_skill_of_ones_own_what_is_kept_of_the_shipped_ones_counts(
    few: Registry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_mind(few, tmp_path / "own")
    shutil.copytree(BUILTIN / "notes", tmp_path / "skills" / "diary")
    (diary,) = Registry([tmp_path / "skills"]).skills()
    both, tools = (*few.skills(), diary), (*few.tools(), *diary.tools)
    monkeypatch.setattr(few, "skills", lambda: both)
    monkeypatch.setattr(few, "tools", lambda: tools)
    lexicon, built, read, packed = Lexicon.from_tools(tools), Toolbox.build(tools), [], []

    def reading(tool: Tool, *how: Any) -> Any:
        read.append(tool.skill)
        return build_profile(tool, *how)

    def packing(value: Any) -> bytes:
        packed.extend([value.tool.skill] if isinstance(value, Profile) else [])
        return pack(value)

    monkeypatch.setattr(toolbox, "build_profile", reading)
    monkeypatch.setattr(kept, "pack", packing)
    found = open_mind(few, tmp_path / "own")
    assert {*read} == {*packed} == {diary.id}
    assert len(read) == len(packed) == len(LANGUAGES) * len(diary.tools)
    _same(found, (lexicon, built))


def test_other_code_learns_anew(few: Registry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = kept._key(few.skills())
    (tmp_path / "kernel" / "language").mkdir(parents=True)
    (tmp_path / "kernel" / "language" / "words.py").write_text("WORDS = ()\n")
    monkeypatch.setattr(kept, "_CODE", tmp_path)
    assert kept._key(few.skills()) != before


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.999])
def test_a_damaged_file_is_never_trusted(few: Registry, shipped: Path, tmp_path: Path, share: float) -> None:
    built = open_mind(few, tmp_path / "own")
    file = shipped / "lessons"
    whole = bytearray(file.read_bytes())
    whole[int(share * len(whole))] ^= 1
    file.write_bytes(whole)
    _same(open_mind(few, tmp_path / "own"), built)
    assert file.read_bytes() != bytes(whole), "it was made anew"


def test_a_file_that_changes_under_a_daemon_is_not_trusted_either(few: Registry, shipped: Path, tmp_path: Path) -> None:
    built = Lexicon.from_tools(few.tools()), Toolbox.build(few.tools())
    open_mind(few, tmp_path / "own")
    opened = open_mind(few, tmp_path / "own")
    file = shipped / "lessons"
    file.write_bytes(file.read_bytes().replace(b"note", b"nope"))
    _same(opened, built)
    file.unlink()
    _same(open_mind(few, tmp_path / "own"), built)


@pytest.mark.parametrize("left", [0, 5, 40, 100, -1])
def test_a_torn_file_is_never_trusted(tmp_path: Path, left: int) -> None:
    file = tmp_path / "some"
    write_parts(file, KEY, {"a": b"one", "b": b"two" * 100})
    parts = read_parts(file, KEY)
    assert parts is not None
    assert (parts.part("a"), parts.part("b")) == (b"one", b"two" * 100)
    assert read_parts(file, KEY[::-1]) is None, "it is bound to what made it"
    file.write_bytes(file.read_bytes()[:left])
    assert read_parts(file, KEY) is None


def test_a_folder_that_cannot_be_written_only_costs_time(few: Registry, shipped: Path, tmp_path: Path) -> None:
    shipped.write_text("in the way")
    assert open_mind(few, tmp_path / "own")[1].ids == tuple(tool.id for tool in few.tools())


def test_where_nobody_may_write_beside_the_code_ones_own_folder_keeps_it(
    few: Registry, shipped: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped.write_text("in the way")
    first = open_mind(few, tmp_path / "own")
    assert [path.name for path in (tmp_path / "own").iterdir()] == ["lessons"]
    _must_not_build(monkeypatch)
    _same(open_mind(few, tmp_path / "own"), first)


def test_what_earlier_versions_left_is_removed(shipped: Path) -> None:
    shipped.mkdir()
    for name in ("vectors-1671a15a.npy", "lessons", "examples-1.vectors"):
        (shipped / name).write_bytes(b"x")
    kept.remove_outdated()
    assert {path.name for path in shipped.iterdir()} == {"lessons", "examples-1.vectors"}


def test_without_any_tool_there_is_nothing_to_keep(tmp_path: Path) -> None:
    assert open_mind(Registry([tmp_path / "none"]), tmp_path / "own")[1].ids == ()
    assert not (tmp_path / "own").exists()


@pytest.mark.parametrize("stranger", [print, Path, shutil.rmtree])
def test_nothing_is_made_of_a_file_but_what_manifests_teach(stranger: object) -> None:
    with pytest.raises(pickle.UnpicklingError):
        unpack(pickle.dumps(stranger), {})
    assert unpack(pack({"a": (1, frozenset("b"))}), {}) == {"a": (1, frozenset("b"))}
