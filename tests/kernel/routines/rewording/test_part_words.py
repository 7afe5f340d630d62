"""What a person calls the parts of an event or a mail."""

from __future__ import annotations

import pytest

from kernel.opening import BUILTIN
from kernel.routines.rewording.part_words import heading_of, part_of
from skills import Registry
from skills.model import Tool


@pytest.mark.parametrize(
    ("kind", "noun", "part"),
    [
        ("event", "Ort", "place"), ("event", "location", "place"), ("event", "Teilnehmer", "people"),
        ("event", "subject", ""), ("mail", "Betreff", "subject"), ("mail", "Anhang", "attachments"),
        ("mail", "place", ""), ("file", "Ort", ""), ("", "place", ""),
    ],
)  # fmt: skip
def test_a_noun_means_a_part_of_its_kind_and_of_no_other(kind: str, noun: str, part: str) -> None:
    assert part_of(kind, noun) == part


@pytest.mark.parametrize("kind", ["event", "mail"])
def test_every_part_is_one_that_the_tool_tells(kind: str) -> None:
    tools: list[Tool] = [tool for skill in Registry([BUILTIN]).skills() for tool in skill.tools]
    (tool,) = [one for one in tools if one.brings == kind]
    nouns = "place people title subject sender text attachments start end day address".split()
    told = {part for noun in nouns if (part := part_of(kind, noun))}
    assert told <= tool.result.fields.keys()
    assert heading_of(kind, "en").removeprefix("its ") in tool.result.fields
