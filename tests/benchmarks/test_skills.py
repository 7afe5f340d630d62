"""The bench of skills counts what it reads, and asks for sentences that are nowhere on the shelf."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks.skills import LEAST, held_out, measure, read_all, rows
from tests.skills.packages.wares import laid

ABOUT = {
    "tides": "Predicts spring tides from the moon. Use when somebody sails at night.",
    "posters": "Lays out posters in the colors of a brand. Use for typography and slides.",
    "forms": "Fills in PDF forms field by field. Use when a form has boxes to tick.",
    "bread": "Bakes bread with sourdough. Plans rising times through the night.",
    "short": "Does one thing.",
}


def _lay(top: Path) -> None:
    for name, text in ABOUT.items():
        laid(top / "a" / name, {"SKILL.md": f"---\nname: {name}\ndescription: {text}\n---\n"})
    laid(top / "b" / "tides", {"SKILL.md": "---\nname: tides\ndescription: A copy. It is not counted twice.\n---\n"})
    laid(top / "b" / "Bad Name", {"SKILL.md": "x"})
    laid(top / "b" / "silent", {"SKILL.md": "---\nname: silent\n---\n"})


def test_files_are_counted_and_what_is_wrong_is_said(tmp_path: Path) -> None:
    _lay(tmp_path)
    told, read = measure(tmp_path, None)
    assert (told["files"], told["skills"], told["asked"]) == (8, 5, 4)
    assert told["load_rate"] == 6 / 8 < LEAST["load_rate"]
    assert told["ms_per_file"] > 0
    assert sorted(one.why for one in read if one.why) == ["no description", "skill.id"]
    assert any("skill.id 1" in line for line in rows(told, read, tmp_path))


def test_what_is_asked_for_stands_nowhere(tmp_path: Path) -> None:
    _lay(tmp_path)
    documents, asked = held_out([one.skill for one in read_all(tmp_path) if one.skill])
    for one in asked:
        assert one.text not in " ".join(text for document in documents for text in document.sentences)
        assert one.text in ABOUT[one.skill]


def test_a_folder_without_skills_is_said(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"no SKILL\.md"):
        measure(tmp_path, None)
