"""The tests of a skill in a cell: they pass as they should, and a tool that takes more than its rights is caught."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kernel.authoring.testing import practised
from kernel.errors import BadRequest
from skills.authoring import new_skill

pytestmark = [pytest.mark.sandbox, pytest.mark.slow]


@pytest.fixture
def moon(tmp_path: Path) -> Path:
    new_skill("moon", tmp_path / "skills")
    return tmp_path / "skills" / "moon"


def change(folder: Path, file: str, old: str, new: str) -> None:
    text = (folder / file).read_text(encoding="utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new), encoding="utf-8")


def more_tests(folder: Path, body: str) -> None:
    path = folder / "tests" / "test_moon.py"
    path.write_text(f"{path.read_text(encoding='utf-8')}\n\n{body}\n", encoding="utf-8")


def outcomes(report: dict[str, Any]) -> dict[str, str]:
    return {one["test"].partition("::")[2]: one["outcome"] for one in report["tests"]}


async def test_a_new_skill_passes_and_its_rights_are_used(moon: Path) -> None:
    report = await practised(moon)
    assert report["passed"], report["output"]
    assert list(outcomes(report).values()) == ["passed"] * 3
    assert report["level"] in ("L3", "L2")
    used = {one["right"].partition(":")[0]: one["used"] for one in report["rights"]}
    assert used == {"fs.read": True, "fs.create": True, "fs.write": True}
    assert report["uncalled"] == []


async def test_a_right_that_no_test_uses_is_said(moon: Path) -> None:
    right = '{ action = "fs.delete", scope = "~/Moon/**", reason = "to find the page" },\n]\n[tools.add.roles]'
    change(moon, "steward.toml", "]\n[tools.add.roles]", right)
    report = await practised(moon)
    assert report["passed"], report["output"]
    assert [one["right"] for one in report["rights"] if not one["used"]] == ["fs.delete:~/Moon/**"]


READS = """
def test_it_reads_elsewhere(tmp_path: Path) -> None:
    home = PracticeHome(tmp_path)
    home.add("Private/diary.txt", "SECRET")
    home.do(skill.add, text="x")
"""
BY_CONTEXT = '    ctx.say(ctx.read_text("~/Private/diary.txt"))\n    line = '
BY_PATH = '    from pathlib import Path\n    ctx.say(Path(ctx.home, "Private/diary.txt").read_text())\n    line = '


@pytest.mark.parametrize("way", [BY_CONTEXT, BY_PATH], ids=["context", "path"])
async def test_what_it_has_no_right_to_cannot_be_read(moon: Path, way: str) -> None:
    change(moon, "skill.py", "    line = ", way)
    more_tests(moon, READS)
    report = await practised(moon)
    assert outcomes(report)["test_it_reads_elsewhere"] == "failed"
    assert "SECRET" not in report["output"].replace('"SECRET"', "")


async def test_and_with_the_right_it_can(moon: Path) -> None:
    """The control: the same code and test, with the right in the manifest."""
    change(moon, "skill.py", "    line = ", BY_PATH)
    change(moon, "skill.py", "    ctx.append(", "    ctx.exists('~/Private/diary.txt')\n    ctx.append(")
    right = '{ action = "fs.read", scope = "~/Private/**", reason = "to find the page" },\n]\n[tools.add.roles]'
    change(moon, "steward.toml", "]\n[tools.add.roles]", right)
    more_tests(moon, READS)
    assert outcomes(await practised(moon))["test_it_reads_elsewhere"] == "passed"


async def test_what_it_has_no_right_to_cannot_be_described(moon: Path) -> None:
    change(moon, "skill.py", "    ctx.append(", '    ctx.write("~/Elsewhere/x.txt", line)\n    ctx.append(')
    report = await practised(moon)
    assert not report["passed"]
    assert "which the plan did not ask for" in report["output"]


async def test_the_practice_home_cannot_be_written_to_past_the_context(moon: Path) -> None:
    way = "    from pathlib import Path\n    Path(ctx.home, 'Moon').mkdir(exist_ok=True)\n    ctx.append("
    change(moon, "skill.py", "    ctx.append(", way)
    report = await practised(moon)
    assert not report["passed"]
    assert "Permission denied" in report["output"]


async def test_nothing_of_the_person_is_there(moon: Path, tmp_path: Path) -> None:
    diary = tmp_path / "diary.txt"
    diary.write_text("SECRET")
    assert diary.read_text() == "SECRET"  # the control: here it can be read
    more_tests(moon, f"def test_look() -> None:\n    assert Path({str(diary)!r}).read_text() == 'SECRET'")
    assert outcomes(await practised(moon))["test_look"] == "failed"


async def test_there_is_no_network(moon: Path) -> None:
    more_tests(moon, "def test_call() -> None:\n    import socket\n    socket.create_connection(('127.0.0.1', 9))")
    report = await practised(moon)
    assert outcomes(report)["test_call"] == "failed"
    assert "ConnectionRefused" not in report["output"]


@pytest.mark.parametrize(
    ("spoilt", "code"), [("tests", "practice.empty"), ("steward.toml", "skill.manifest"), ("all", "skill.folder")]
)
async def test_what_cannot_be_tested_is_said_with_a_next_step(moon: Path, spoilt: str, code: str) -> None:
    match spoilt:
        case "tests":
            (moon / "tests" / "test_moon.py").unlink()
        case "steward.toml":
            change(moon, "steward.toml", 'version = "0.1.0"', 'version = "one"')
        case _:
            moon = moon.parent / "nothing"
    with pytest.raises(BadRequest) as refused:
        await practised(moon)
    assert (refused.value.code, bool(refused.value.hint)) == (code, True)


async def test_a_test_file_that_cannot_be_read_fails(moon: Path) -> None:
    (moon / "tests" / "test_more.py").write_text("import nothing_of_that_name\n")
    report = await practised(moon)
    assert not report["passed"]
    assert any("nothing_of_that_name" in one["why"] for one in report["tests"])
