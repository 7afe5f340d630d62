"""The guides' code does what the guides say."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

GUIDES = Path(__file__).parents[3] / "docs" / "guides"


def code(guide: str, holding: str) -> str:
    blocks: list[str] = re.findall(r"```python\n(.*?)```", (GUIDES / guide).read_text(), re.DOTALL)
    (found,) = [block for block in blocks if holding in block]
    return found


def test_what_the_guide_puts_and_asks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    exec(code("stores.md", "open_store"), names)
    assert [match.id for match in names["near"]] == ["n1", "n2"]
    assert [match.id for match in names["mine"]] == ["n1"]
    assert [match.id for match in names["allowed"]] == ["n1"]


def test_what_the_guide_recalls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    before = "from pathlib import Path\nfrom memory.graph.model import day_ns\n"
    exec(before + code("memory.md", "Recall.open"), {})
    assert "report by Friday" in capsys.readouterr().out.splitlines()[0]
