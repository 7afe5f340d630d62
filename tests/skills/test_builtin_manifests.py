"""The built-in skills' manifests: the tools that are there, and examples for all of them in both languages."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from skills.loading import load_skill
from skills.model import Parameter, Tool, ValueKind

BUILTIN = Path(__file__).parents[2] / "skills" / "builtin"
TOOLS = {
    "calc": "compute convert tax tip clock between shift weekday",
    "data": "describe show sheet filter pick tally sort group total join plot convert save append enter",
    "documents": "text search summary pages value file_away totals facts",
    "files": "find largest contents usage largest_folders move copy rename delete organize make_folder move_folder "
    "copy_folder delete_folder rename_folder duplicates empty_folders number_names replace_in_names add_to_names",
    "shell": "run",
    "system": "disks memory load hungriest programs running battery network uptime versions temperatures slow stop",
    "web": "read find links download save",
    "texts": "join",
    "desktop": "open_file open_folder browse paste copy screenshot notify",
}


def _words_of(tool: Tool, parameter: Parameter) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """The words of a choice; of one that is left out ("except the {not_kind:pdfs}") those of what it is left out of."""
    same = (one for one in tool.parameters if one.type.choices == parameter.type.choices and any(one.words.values()))
    return next(same, parameter).words


@pytest.mark.parametrize("name", sorted(TOOLS))
def test_every_tool_speaks_both_languages(name: str) -> None:
    skill = load_skill(BUILTIN / name)
    assert {tool.function for tool in skill.tools} == set(TOOLS[name].split())
    for tool in skill.tools:
        spoken = [example.language for example in tool.examples]
        assert spoken.count("en") >= 12, tool.id
        assert spoken.count("de") >= 6, tool.id
        marked = {slot.parameter for example in tool.examples for slot in example.slots}
        earlier = {"x"} if tool.id == "calc.compute" else set()  # the number of an earlier step is never said
        assert marked == {parameter.name for parameter in tool.parameters} - earlier, tool.id
        for parameter in tool.parameters:
            if parameter.type.kind is ValueKind.CHOICE:
                said = _words_of(tool, parameter)
                assert all(set(words) >= {"en", "de"} for words in said.values()), parameter.name


@pytest.mark.parametrize("folder", sorted(BUILTIN.iterdir()), ids=lambda folder: folder.name)
def test_what_a_person_reads_is_there_in_german(folder: Path) -> None:
    skill = load_skill(folder)
    assert skill.named("de") != skill.title
    assert skill.named("fr") == skill.title
    for tool in skill.tools:
        asked = (parameter.doc for parameter in tool.parameters if parameter.required)
        for text in (tool.summary, *(right.reason for right in tool.rights), *asked):
            assert tool.said(text, "de") != text, (tool.id, text)
            assert tool.said(text, "en") == text
