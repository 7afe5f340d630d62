"""A new skill is one that loads, of which nothing can be said against, and whose tests pass."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from skills import BadSkill, Registry
from skills.authoring import lint, new_skill
from skills.model import ToolId


@pytest.mark.parametrize("name", ["moon", "moon-phases", "a2", "x-1-y"])
def test_nothing_is_wrong_with_a_new_skill(tmp_path: Path, name: str) -> None:
    files = new_skill(name, tmp_path)
    assert sorted(path.relative_to(tmp_path / name).as_posix() for path in files) == sorted(
        ["SKILL.md", "skill.py", "steward.toml", f"tests/test_{name.replace('-', '_')}.py"]
    )
    assert [one.to_json() for one in lint(tmp_path / name)] == []
    registry = Registry([tmp_path])
    assert registry.problems() == ()
    tool = registry.tool(ToolId(f"{name}.add"))
    assert {one.language for one in tool.examples} == {"en", "de"}
    assert {slot.parameter for one in tool.examples for slot in one.slots} == {"text"}


@pytest.mark.slow
def test_its_tests_pass_by_themselves(tmp_path: Path) -> None:
    new_skill("moon-phases", tmp_path)
    own = ["-p", "no:cacheprovider", "--basetemp", str(tmp_path / "own"), "-o", "faulthandler_timeout=60"]
    command = [sys.executable, "-P", "-m", "pytest", "-q", *own, str(tmp_path / "moon-phases")]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False, timeout=100)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "3 passed" in done.stdout


@pytest.mark.parametrize(
    "name",
    ["Moon", "moon phases", "moon_phases", "1moon", "m", "", "kernel", "json", "moon-", "moon--phase", "../moon"],
)
def test_a_name_that_cannot_be_is_refused_with_a_next_step(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadSkill) as refused:
        new_skill(name, tmp_path)
    assert refused.value.code == "skill.id"
    assert refused.value.hint
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_written_over(tmp_path: Path) -> None:
    new_skill("moon", tmp_path)
    (tmp_path / "moon" / "skill.py").write_text("mine")
    with pytest.raises(BadSkill, match="already something") as refused:
        new_skill("moon", tmp_path)
    assert "--in" in refused.value.hint
    assert (tmp_path / "moon" / "skill.py").read_text() == "mine"
