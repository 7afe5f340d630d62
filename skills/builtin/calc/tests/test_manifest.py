from __future__ import annotations

from pathlib import Path

from skills.loading import load_skill
from skills.model import ValueKind

NAMES = {"compute", "convert", "between", "shift", "weekday"}
FOLDER = Path(__file__).resolve().parent.parent


def test_every_tool_speaks_both_languages() -> None:
    skill = load_skill(FOLDER)
    assert {tool.function for tool in skill.tools} == NAMES
    for tool in skill.tools:
        spoken = [example.language for example in tool.examples]
        assert spoken.count("en") >= 12, tool.id
        assert spoken.count("de") >= 6, tool.id
        marked = {slot.parameter for example in tool.examples for slot in example.slots}
        assert marked == {parameter.name for parameter in tool.parameters}, tool.id
        for parameter in tool.parameters:
            if parameter.type.kind is ValueKind.CHOICE:
                assert all(set(words) >= {"en", "de"} for words in parameter.words.values()), parameter.name
