"""What the front matter of a skill of instructions says that it needs, and what it does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from skills.following import Wish, wishes_of
from skills.loading import load_skill

BOTH = {Wish.WRITE, Wish.RUN}


@pytest.mark.parametrize(
    ("allowed", "wishes"),
    [
        ("Read", set()),
        ("Read, Write", {Wish.WRITE}),
        ("Read Edit Bash(git status:*)", BOTH),
        ("[Read, MultiEdit]", {Wish.WRITE}),
        ("['Read', \"Shell\"]", {Wish.RUN}),
        ("Bash(make run), Bash(write it)", {Wish.RUN}),
        ("Read(run and write)", set()),
        ("Read(run and write", set()),
        ("mcp__files__write mcp__shell__run", set()),
        ("mcp__files__write, Write", {Wish.WRITE}),
        ("re-run TodoWrite NotebookEdit write_all", set()),
    ],
)
@pytest.mark.parametrize("when", ["a week is over", "when: a week is over"])  # the second is no YAML
def test_a_wish_is_a_whole_name_of_ours(tmp_path: Path, allowed: str, wishes: set[Wish], when: str) -> None:
    folder = tmp_path / "weekly-digest"
    folder.mkdir()
    front = f"name: weekly-digest\ndescription: {when}\nallowed-tools: {allowed}"
    (folder / "SKILL.md").write_text(f"---\n{front}\n---\nDo it.\n")
    assert wishes_of(load_skill(folder)) == wishes
