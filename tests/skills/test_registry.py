from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from skills import Registry, UnknownTool, contents, loading
from skills.contents import BUILTIN, content_hash
from skills.errors import BadSkill
from skills.loading import load_skill
from skills.manifest import read_instructions
from skills.model import EffectClass, ParamRole, SkillId, ToolId

_SKILL = "---\nname: demo\ndescription: Does demos.\n---\n\n# Demo\n"
_TOML = """version = "1.0.0"
title = "Demo"

[words.colour]
red = { en = ["red", "crimson"], de = ["rot"] }

[tools.paint]
effect = "idempotent"
examples.en = ["paint {file:a.txt} {colour:red}"]
examples.de = ["streiche {file:a.txt} {colour:rot}"]
rights = [
  { action = "fs.read", scope = "{file}", reason = "to look" },
  { action = "fs.create", scope = "{file:folder}/**", reason = "to paint" },
]
limits = { wall_s = 5, memory_mib = 128 }
[tools.paint.roles]
file = "sink"
"""
_CODE = '''from __future__ import annotations
from typing import Literal
from skills.sdk import Context, File

def paint(ctx: Context, file: File, colour: Literal["red", "dark_blue"] = "red") -> File:
    """Paint a file.

    Args:
        file: which.
        colour: how.
    """
    ctx.say("Painted.")
    return file
'''


def _skill(folder: Path, name: str = "demo", **files: str) -> Path:
    made = folder / name
    made.mkdir(parents=True)
    for file, text in {"SKILL.md": _SKILL, "steward.toml": _TOML, "skill.py": _CODE, **files}.items():
        (made / file).write_text(text)
    return made


def test_a_skill_is_read_whole(tmp_path: Path) -> None:
    folder = _skill(tmp_path)
    skill = load_skill(folder)
    (tool,) = skill.tools
    assert (skill.id, skill.version, skill.title, skill.description) == ("demo", "1.0.0", "Demo", "Does demos.")
    assert not skill.shipped
    assert (tool.id, tool.effect, tool.summary) == ("demo.paint", EffectClass.IDEMPOTENT, "Paint a file.")
    assert (tool.limits.wall_s, tool.limits.memory_bytes) == (5.0, 128 << 20)
    assert tool.parameter("file").role is ParamRole.SINK
    assert tool.parameter("colour").words == {
        "red": {"en": ("red", "crimson"), "de": ("rot",)},
        "dark_blue": {"en": ("dark blue",)},
    }
    assert [(example.language, example.text) for example in tool.examples] == [
        ("en", "paint a.txt red"),
        ("de", "streiche a.txt rot"),
    ]
    assert [right.scope for right in tool.rights] == ["{file}", "{file:folder}/**"]


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ('title = "Demo"', 'title = "Demo"\nsurprise = 1', 3, "surprise"),
        ('effect = "idempotent"', 'effect = "maybe"', 8, "effect"),
        ('effect = "idempotent"', 'effect = "idempotent"\namends = { draw = { file = "file" } }', 9, "no tool draw"),
        ('effect = "idempotent"', 'effect = "idempotent"\namends = { paint = { fiel = "file" } }', 9, "parameter fiel"),
        ('effect = "idempotent"', 'effect = "idempotent"\namends = { paint = { file = "fiel" } }', 9, "parameter fiel"),
        ('effect = "idempotent"', 'effect = "idempotent"\nfound = ["fiel"]', 9, "parameter fiel"),
        ('effect = "idempotent"', 'effect = "idempotent"\nfound = ["file"]', 9, "no optional file"),
        ('version = "1.0.0"', 'version = "one"', 1, "version"),
        ('action = "fs.read"', 'action = "fs.eat"', 12, "action"),
        ('scope = "{file}"', 'scope = "{fiel}"', 12, r"names \{fiel\}"),
        ('scope = "{file}"', 'scope = "file"', 12, "is not a path"),
        ('scope = "{file}"', 'scope = "{file}/{colour}"', 12, "two parameters"),
        ('action = "fs.read", scope = "{file}"', 'action = "skill.call", scope = "notes"', 12, "is not a tool"),
        ('action = "fs.read", scope = "{file}"', 'action = "skill.call", scope = "{file}"', 12, "is not a tool"),
        ('action = "fs.read", scope = "{file}"', 'action = "skill.call", scope = "*"', 12, "is not a tool"),
        ("{file:a.txt} {colour:red}", "{fiel:a.txt}", 9, "names fiel"),
        ("{file:a.txt} {colour:red}", "{file:a.txt", 9, "brace"),
        ("tools.paint", "tools.sing", 7, "no tool sing"),
        ('file = "sink"', 'fiel = "sink"', 17, "no parameter fiel"),
        ('file = "sink"', 'file = "sunk"', 17, "roles"),
        ('file = "sink"', '[tools.paint.words.colour]\nblue = { en = ["blue"] }', 18, "not a choice of colour"),
        ('file = "sink"', '[tools.paint.words.file]\na = { en = ["a"] }', 17, "not a choice"),
        ('title = "Demo"', "title = ", 2, "not valid TOML"),
        ('title = "Demo"', 'title = "Demo"\n[says.de]\n"to lok" = "um zu sehen"', 4, "says 'to lok' nowhere"),
    ],
)
def test_what_is_wrong_in_a_manifest_is_named_with_its_line(
    tmp_path: Path, old: str, new: str, line: int, words: str
) -> None:
    assert old in _TOML
    folder = _skill(tmp_path, **{"steward.toml": _TOML.replace(old, new)})
    with pytest.raises(BadSkill, match=words) as caught:
        load_skill(folder)
    assert f"steward.toml:{line}: " in str(caught.value) or f"line {line}" in str(caught.value)
    assert caught.value.hint


def test_a_broken_skill_stops_no_other(tmp_path: Path) -> None:
    _skill(tmp_path, "alpha")
    _skill(tmp_path, "beta", **{"skill.py": "def ("})
    _skill(tmp_path, "gamma")
    (tmp_path / "not-a-skill").mkdir()
    (tmp_path / "loose.txt").write_text("x")
    registry = Registry([tmp_path, tmp_path / "missing"])
    assert [skill.id for skill in registry.skills()] == ["alpha", "gamma"]
    assert [tool.id for tool in registry.tools()] == ["alpha.paint", "gamma.paint"]
    (problem,) = registry.problems()
    assert problem.folder.endswith("beta")
    assert "skill.py:1" in str(problem)


@pytest.mark.parametrize(
    "name", ["kernel", "gpu-skills", "models", "json", "os", "Bad", "x", "9lives", "a_b", "a" * 64, "calendar"]
)
def test_ids_that_would_shadow_something_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadSkill) as caught:
        load_skill(_skill(tmp_path, name))
    assert caught.value.code == "skill.id"


def test_of_two_skills_with_one_id_the_first_counts(tmp_path: Path) -> None:
    first, second = _skill(tmp_path / "one"), _skill(tmp_path / "two")
    registry = Registry([first.parent, second.parent])
    assert [skill.folder for skill in registry.skills()] == [str(first)]
    assert registry.problems()[0].code == "skill.twice"


def test_a_skill_of_instructions_alone_has_no_tools(tmp_path: Path) -> None:
    folder = tmp_path / "advice"
    folder.mkdir()
    (folder / "SKILL.md").write_text("Talk kindly.\n")
    skill = load_skill(folder)
    assert (skill.tools, skill.description, skill.title) == ((), "Talk kindly.", "advice")


@pytest.mark.parametrize(
    ("text", "name", "description"),
    [
        ("---\nname: x\ndescription: Use when: asked\n---\nBody", "x", "Use when: asked"),
        ('---\nname: "x"\ndescription: >\n  Two\n  lines\n---\n', "x", "Two lines"),
        ("\ufeff---\r\nname: x\r\ndescription: d\r\n---\r\nBody", "x", "d"),
        ("# Title\n\nFirst words.\n\nMore.", "demo", "First words."),
        ("---\n- a list\n---\nBody text", "demo", "Body text"),
    ],
)
def test_instructions_are_read_leniently(tmp_path: Path, text: str, name: str, description: str) -> None:
    folder = tmp_path / "demo"
    folder.mkdir()
    (folder / "SKILL.md").write_bytes(text.encode())
    found = read_instructions(folder)
    assert (found.name, found.description) == (name, description)


def test_the_hash_changes_with_any_file_and_nothing_else(tmp_path: Path) -> None:
    folder = _skill(tmp_path)
    before = content_hash(folder)
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "skill.pyc").write_bytes(b"x")
    (folder / "skill.py").touch()
    assert content_hash(folder) == before
    (folder / "extra.txt").write_text("")
    assert content_hash(folder) != before
    (folder / "extra.txt").unlink()
    (folder / "skill.py").rename(folder / "skill2.py")
    assert content_hash(folder) != before


def test_links_in_a_skill_are_refused(tmp_path: Path) -> None:
    folder = _skill(tmp_path)
    (folder / "data").symlink_to("/etc/passwd")
    with pytest.raises(BadSkill, match="is a link"):
        load_skill(folder)


def test_what_is_not_installed_is_unknown(tmp_path: Path) -> None:
    registry = Registry([_skill(tmp_path).parent])
    assert registry.tool(ToolId("demo.paint")).skill == registry.skill(SkillId("demo")).id
    with pytest.raises(UnknownTool, match=r"demo\.sing is installed") as caught:
        registry.tool(ToolId("demo.sing"))
    assert "demo.paint" in caught.value.hint
    with pytest.raises(UnknownTool):
        registry.skill(SkillId("none"))


def test_the_shipped_skills_load_and_teach_enough() -> None:
    registry = Registry([BUILTIN])
    assert registry.problems() == ()
    assert {"files", "notes", "documents", "data", "calc"} <= {skill.id for skill in registry.skills()}
    assert all(skill.shipped and skill.description and skill.version for skill in registry.skills())
    for tool in registry.tools():
        languages = [example.language for example in tool.examples]
        assert languages.count("en") >= 12, tool.id
        assert languages.count("de") >= 6, tool.id
        assert len({example.text for example in tool.examples}) == len(tool.examples), tool.id


def test_every_parameter_is_shown_in_some_example() -> None:
    registry = Registry([BUILTIN])
    for tool in registry.tools():
        shown = {slot.parameter for example in tool.examples for slot in example.slots}
        assert {one.name for one in tool.parameters if one.required} <= shown, tool.id


def test_choice_words_in_examples_are_words_of_that_choice() -> None:
    registry = Registry([BUILTIN / ".." / "builtin"])
    for tool in (tool for tool in registry.tools() if tool.skill in ("files", "notes")):
        for example in tool.examples:
            for slot in example.slots:
                choices = tool.parameter(slot.parameter).type.choices  # what is left out is said as what is wanted
                words = [one.words for one in tool.parameters if one.type.choices == choices and one.words]
                texts = (texts.get(example.language, ()) for one in words for texts in one.values())
                spoken = {text.casefold() for some in texts for text in some}
                said = example.text[slot.start : slot.end].casefold()
                assert not words or said in spoken, (tool.id, example.text, said)


def test_an_edit_on_disk_is_noticed(tmp_path: Path) -> None:
    folder = tmp_path / "calc"
    shutil.copytree(BUILTIN / "calc", folder, ignore=shutil.ignore_patterns("__pycache__"))
    registry = Registry([tmp_path])
    registry.check_unchanged(SkillId("calc"))
    (folder / "skill.py").write_text((folder / "skill.py").read_text() + "\n# edited\n")
    with pytest.raises(BadSkill) as changed:
        registry.check_unchanged(SkillId("calc"))
    assert (changed.value.code, bool(changed.value.hint)) == ("skill.changed", True)


def test_what_is_being_written_counts_before_what_is_installed_and_goes_again(tmp_path: Path) -> None:
    from skills.authoring import new_skill
    from skills.model import SkillId

    for place in ("installed", "written"):
        new_skill("moon", tmp_path / place)
    manifest = tmp_path / "written" / "moon" / "steward.toml"
    manifest.write_text(manifest.read_text().replace('version = "0.1.0"', 'version = "0.2.0"'))
    registry, moon = Registry([tmp_path / "installed"]), SkillId("moon")
    assert (registry.skill(moon).version, registry.guest("moon")) == ("0.1.0", None)
    registry.receive(moon, tmp_path / "written" / "moon")
    registry.renew()
    assert (registry.skill(moon).version, registry.problems()) == ("0.2.0", ())
    assert registry.guest("moon") == registry.skill(moon)
    registry.part_with(moon)
    registry.renew()
    assert (registry.skill(moon).version, registry.guest("moon")) == ("0.1.0", None)


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a skill that counts as one of Steward's."""
    monkeypatch.setattr(contents, "SHIPPED", (tmp_path,))
    monkeypatch.setattr(loading, "_shipped", {})
    return _skill(tmp_path)


def _retitled(folder: Path, title: str) -> None:
    """Change a manifest by one word of the same length, at the same time."""
    place = folder / "steward.toml"
    stat = place.stat()
    place.write_text(_TOML.replace('"Demo"', f'"{title}"'))
    os.utime(place, ns=(stat.st_atime_ns, stat.st_mtime_ns))


def test_what_comes_with_steward_is_read_again_when_it_changed_and_only_then(shipped: Path) -> None:
    first = load_skill(shipped)
    assert load_skill(shipped) is first
    _retitled(shipped, "Omed")
    second = load_skill(shipped)
    assert (second.title, second.hash) == ("Omed", content_hash(shipped))
    (shipped / "skill.py").write_text("def (")
    with pytest.raises(BadSkill):
        load_skill(shipped)
    (shipped / "skill.py").write_text(_CODE)
    assert load_skill(shipped) is second


def test_what_changes_while_it_is_read_is_read_again(shipped: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = loading.read_manifest
    changing = ["Omed"]

    def meanwhile(folder: Path) -> object:
        manifest = read(folder)
        if changing:
            _retitled(folder, changing.pop())
        return manifest

    monkeypatch.setattr(loading, "read_manifest", meanwhile)
    assert load_skill(shipped).title == "Demo"
    assert load_skill(shipped).title == "Omed"


def test_what_others_wrote_is_read_each_time(tmp_path: Path) -> None:
    folder = _skill(tmp_path)
    assert load_skill(folder) is not load_skill(folder)
