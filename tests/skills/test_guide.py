"""The worked example of docs/guides/writing-a-skill.md, put together and run."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from skills import Registry
from skills.model import ToolId, ValueKind

GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "writing-a-skill.md"
_FILE = re.compile(r"<!-- file: (\S+) -->\n```\w+\n(.*?)\n```\n", re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = _FILE.findall(GUIDE.read_text(encoding="utf-8"))
    assert len(files) == 4
    for name, text in files:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n", encoding="utf-8")
    return tmp_path


def test_the_example_loads(folder: Path) -> None:
    registry = Registry([folder])
    assert registry.problems() == ()
    write = registry.tool(ToolId("diary.write"))
    assert [(one.name, one.type.kind, one.required) for one in write.parameters] == [
        ("text", ValueKind.TEXT, True),
        ("day", ValueKind.DATE, False),
    ]
    assert set(write.result.fields) == {"day", "text", "file"}


@pytest.mark.slow
def test_the_tests_of_the_example_pass(folder: Path) -> None:
    command = [sys.executable, "-P", "-m", "pytest", "-q", "-p", "no:cacheprovider", str(folder / "diary")]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 passed" in done.stdout


def test_the_guide_names_every_type_of_the_sdk() -> None:
    import skills.sdk

    text = GUIDE.read_text(encoding="utf-8")
    names = set(skills.sdk.__all__) - {"Context", "ToolError", "words"}
    assert [name for name in names if f"`{name}`" not in text] == []
