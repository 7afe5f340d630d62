"""Each slip is found, at its line, with what to do; what is right is left alone."""

from __future__ import annotations

import re
import shutil
from functools import cache
from pathlib import Path

import pytest

from skills.authoring import Finding, Severity, lint, new_skill
from skills.contents import BUILTIN

BUILTINS = sorted(path.parent for path in BUILTIN.glob("*/steward.toml"))


@pytest.fixture
def moon(tmp_path: Path) -> Path:
    new_skill("moon", tmp_path)
    return tmp_path / "moon"


def spoil(folder: Path, file: str, old: str, new: str) -> None:
    path = folder / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def line_with(folder: Path, file: str, words: str) -> int:
    lines = (folder / file).read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if words in line)


def codes(folder: Path) -> set[str]:
    return {one.code for one in lint(folder)}


# file, what stands there, what comes in its place, the code, words of the line that it is said of
SLIPS = [
    ("SKILL.md", "name: moon", "name: sun", "instructions.name", "name: sun"),
    ("SKILL.md", "description: Keep", "description: x: Keep", "instructions.yaml", "description"),
    ("SKILL.md", "Use when someone wants", "Someone wants", "instructions.when", "description"),
    ("SKILL.md", "description:", "colour: red\ndescription:", "instructions.key", "colour"),
    ("SKILL.md", "---\nname", "name", "instructions.front", "name"),
    ("steward.toml", 'effect = "idempotent"', 'effect = "sometimes"', "skill.manifest", "sometimes"),
    ("steward.toml", "[tools.add.roles]", "[tools.add.rules]", "skill.manifest", "rules"),
    ("steward.toml", 'version = "0.1.0"', 'version = "0.1"', "skill.manifest", "version"),
    ("steward.toml", 'text = "payload"', 'words = "payload"', "skill.manifest", "words = "),
    ("steward.toml", "{text:water the roses}", "{txt:water the roses}", "skill.manifest", "txt"),
    ("steward.toml", "{text:the gate code is 4711}", "the gate code is 4711", "examples.value", "4711"),
    ("steward.toml", '"to find the page" =', '"to find a page" =', "skill.manifest", "to find a page"),
    ("steward.toml", 'effect = "idempotent"', 'effect = "pure"', "effect.pure", '"fs.create"'),
    ("steward.toml", "[tools.add.roles]", '[words.kind]\nred = { en = ["red"] }\n[tools.add.roles]', "words.unused",
     "words.kind"),
    ("steward.toml", '"fs.read", scope = "~/Moon/**"', '"fs.read", scope = "~/**"', "rights.wide", '"~/**"'),
    ("steward.toml", 'action = "fs.read"', 'action = "fs.delete"', "rights.unneeded", "to find"),
    ("steward.toml", 'action = "fs.read"', 'action = "net.connect"', "rights.unneeded", "to find"),
    ("skill.py", "def add(", "def add(:", "skill.syntax", "def add("),
    ("skill.py", "text: what to write.", "txt: what to write.", "skill.signature", "def add("),
    ("skill.py", "from dataclasses", "import random\nfrom dataclasses", "code.random", "import random"),
    ("skill.py", "from dataclasses", "import requests\nfrom dataclasses", "code.network", "import requests"),
    ("skill.py", "    line = ", "    ctx.fetch('https://example.org')\n    line = ", "rights.missing", "ctx.fetch"),
    ("skill.py", "    line = ", "    ctx.run(['ls'])\n    line = ", "rights.missing", "ctx.run"),
    ("skill.py", "    line = ", "    ctx.delete(PAGE)\n    line = ", "rights.missing", "ctx.delete"),
    ("skill.py", "    line = ", "    ctx.step('calc.sum')\n    line = ", "rights.missing", "ctx.step"),
    ("skill.py", "    line = ", "    ctx.schedule([])\n    line = ", "rights.missing", "ctx.schedule"),
    ("steward.toml", "title = ", 'reminds = "to say when it is full"\ntitle = ', "rights.unneeded", "reminds = "),
]  # fmt: skip


@pytest.mark.parametrize(
    ("file", "old", "new", "code", "words"), SLIPS, ids=[f"{one[3]}-{one[2][:20]}" for one in SLIPS]
)
def test_a_slip_is_found_at_its_line(moon: Path, file: str, old: str, new: str, code: str, words: str) -> None:
    spoil(moon, file, old, new)
    found = [one for one in lint(moon) if one.code == code]
    assert found, lint(moon)
    assert (found[0].file, found[0].line) == (file, line_with(moon, file, words)), found
    assert all(one.message and one.hint for one in found)


def test_every_key_that_does_not_fit_is_said_at_once(moon: Path) -> None:
    spoil(moon, "steward.toml", 'version = "0.1.0"', 'version = "0.1"')
    spoil(moon, "steward.toml", 'effect = "idempotent"', 'effect = "sometimes"')
    found = [one for one in lint(moon) if one.code == "skill.manifest"]
    assert len({(one.file, one.line) for one in found}) == 2
    assert {one.severity for one in found} == {Severity.ERROR}


def test_what_would_be_refused_as_a_package_is_an_error(moon: Path) -> None:
    (moon / "link").symlink_to("/etc/passwd")
    assert [(one.file, one.severity) for one in lint(moon) if one.code == "package.kind"] == [(".", Severity.ERROR)]


def test_a_name_like_another_skills_is_an_error(tmp_path: Path) -> None:
    for name, known in (("calender", ()), ("f1les", ()), ("mooon", ("moon",))):
        new_skill(name, tmp_path)
        assert [one.severity for one in lint(tmp_path / name, known) if one.code == "package.alike"] == [Severity.ERROR]
    assert "package.alike" not in codes(tmp_path / "mooon")  # where nothing like it is installed


def test_a_tool_without_german_is_a_warning(moon: Path) -> None:
    path = moon / "steward.toml"
    text = path.read_text(encoding="utf-8")
    start, end = text.index("examples.de"), text.index("rights = [")
    path.write_text(text[:start] + text[end:], encoding="utf-8")
    (found,) = [one for one in lint(moon) if one.code == "examples.none"]
    assert (found.severity, "German" in found.message) == (Severity.WARNING, True)


def test_values_that_are_never_marked_are_said(moon: Path) -> None:
    path = moon / "steward.toml"
    path.write_text(re.sub(r"\{text:([^}]*)\}", r"\1", path.read_text(encoding="utf-8")), encoding="utf-8")
    found = lint(moon)
    assert [one for one in found if one.severity is Severity.ERROR] == []
    assert len([one for one in found if one.code == "examples.unmarked"]) == 2  # English and German


def test_a_folder_that_is_none_is_said(tmp_path: Path) -> None:
    (found,) = lint(tmp_path / "nothing")
    assert (found.code, found.severity) == ("skill.folder", Severity.ERROR)


def test_no_tests_is_a_warning(moon: Path) -> None:
    shutil.rmtree(moon / "tests")
    assert "tests.none" in codes(moon)


@cache
def found_in(folder: Path) -> tuple[Finding, ...]:
    """What is found in a skill of Steward, which no test changes."""
    return tuple(lint(folder))


@pytest.mark.parametrize("folder", BUILTINS, ids=lambda path: path.name)
def test_the_skills_of_steward_have_no_error(folder: Path) -> None:
    wrong: list[Finding] = [one for one in found_in(folder) if one.severity is Severity.ERROR]
    assert [one for one in wrong if one.code != "package.compiled"] == []  # pytest may have left compiled files there


@pytest.mark.parametrize("folder", BUILTINS, ids=lambda path: path.name)
def test_what_is_said_of_rights_holds_for_the_skills_of_steward(folder: Path) -> None:
    """Their tools do what their rights say, as their tests show: a finding here would be a false one."""
    found = [one for one in found_in(folder) if one.code in ("rights.missing", "rights.unneeded", "effect.pure")]
    assert [one.message for one in found if "copy may come to ctx.move" not in one.message] == []  # they share a helper
