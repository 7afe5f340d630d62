"""A fresh skill understands its own examples beside all others, also once its folder is there."""

from __future__ import annotations

from pathlib import Path

import pytest

from kernel.context.mind import Mind
from kernel.context.toolbox import Toolbox
from kernel.language.lexicon import Lexicon
from skills.authoring.scaffold import new_skill
from skills.loading import load_skill
from skills.model import Tool
from tests.kernel.homes import furnish
from tests.kernel.planner import FILES, FOLDERS, Planner

_POINTING = frozenset({"it", "das"})  # what was found before, and here nothing was


@pytest.mark.parametrize("there", [False, True], ids=["new", "used"])
@pytest.mark.parametrize("name", ["moon", "kudu", "heron", "garden-book"])
def test_a_fresh_skill_understands_each_of_its_examples(
    tools: tuple[Tool, ...], tmp_path: Path, name: str, there: bool
) -> None:
    new_skill(name, tmp_path)
    skill = load_skill(tmp_path / name)
    every = (*tools, *skill.tools)
    title = skill.title
    home = furnish(tmp_path / "home", [*FOLDERS, *FILES, *([f"{title}/{title}.md"] if there else [])])
    planner = Planner.knowing(Mind(Lexicon.from_tools(every), Toolbox.build(every)), home)
    (add,) = skill.tools
    for example in add.examples:
        said = example.text[example.slots[0].start : example.slots[0].end]
        if said not in _POINTING:
            assert planner.shape(planner.whole(example.text)) == f"{add.id}(text={said})", example.text
