"""``gathers`` in a manifest: one text of several and nothing else, and only of a skill that comes with Steward."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from skills.contents import BUILTIN
from skills.errors import BadSkill
from skills.loading import load_skill


def _theirs(folder: Path, file: str = "skill.py", old: str = "", new: str = "") -> Path:
    """The skill that ships, as if somebody else had written it, with other words in one file."""
    copied = shutil.copytree(BUILTIN / "texts", folder / "scraps", ignore=shutil.ignore_patterns("tests"))
    text = (copied / file).read_text()
    assert old in text
    (copied / file).write_text(text.replace(old, new))
    return copied


def test_several_results_go_through_the_tool_that_ships() -> None:
    assert [tool.id for tool in load_skill(BUILTIN / "texts").tools if tool.gathers] == ["texts.join"]


def test_nothing_is_handed_unasked_to_a_tool_of_somebody_else(tmp_path: Path) -> None:
    (tool,) = load_skill(_theirs(tmp_path)).tools
    assert not tool.gathers


@pytest.mark.parametrize(
    ("file", "old", "new", "why"),
    [
        ("steward.toml", 'effect = "pure"', 'effect = "idempotent"', "wants to do more"),
        ("steward.toml", "gathers = true",
         'gathers = true\nrights = [{ action = "fs.read", scope = "~/Notes/**", reason = "to look" }]',
         "wants to do more"),
        ("skill.py", "second: Text,", "second: int,", "does not make one text of texts"),
        ("skill.py", "second: Text,", "second: list[Text],", "does not make one text of texts"),
        ("skill.py", ") -> Text:", ") -> list[Text]:", "does not make one text of texts"),
    ],
    ids=["changes", "reads", "number", "list", "gives-several"],
)  # fmt: skip
def test_what_does_anything_else_is_refused(tmp_path: Path, file: str, old: str, new: str, why: str) -> None:
    with pytest.raises(BadSkill, match=why) as caught:
        load_skill(_theirs(tmp_path, file, old, new))
    assert caught.value.hint
