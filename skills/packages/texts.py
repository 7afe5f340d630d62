"""Texts of a package that a person or a planner will read: they are what they look like, short, and about itself.

What this stops: characters that cannot be seen or that turn the direction of reading, a description as long as a
prompt, and text that speaks about another skill's tools ("use mail.send instead of files.find").
What it does not: tell honest words from dishonest ones. A description ranks a tool; it grants it nothing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from skills.model import Skill
from skills.packages.members import shown, unseen
from skills.packages.model import Refused

_MOST = {"description": 1024, "summary": 300, "what a parameter is for": 400, "example": 300, "reason": 300,
         "title": 60, "translation": 400}  # fmt: skip
_ENDINGS = frozenset("txt csv tsv md pdf docx xlsx json ics vcf html png jpg jpeg zip tar toml yaml xml log".split())
"""What makes ``notes.txt`` the name of a file and no tool."""
_TOOL = re.compile(r"\b([a-z][a-z0-9-]{1,62})\.([a-z_][a-z0-9_]{2,62})\b")


def check_texts(skill: Skill, known: Collection[str]) -> None:
    """Raise Refused for the first text that is no honest text about ``skill``. ``known`` are the installed ids."""
    for kind, text in _texts(skill):
        hidden = unseen(text.replace("\n", " ").replace("\t", " "))
        if hidden:
            raise Refused(
                "package.text", f"A {kind} holds the unseen character U+{ord(hidden):04X}: {shown(text)[:80]}"
            )
        if len(text) > _MOST[kind]:
            raise Refused("package.text", f"A {kind} is longer than {_MOST[kind]} characters: {text[:60]} …")
        for other, name in _TOOL.findall(text):
            if other in known and other != skill.id and name not in _ENDINGS:
                raise Refused("package.text", f"A {kind} speaks about {other}.{name}, a tool of another skill.")


def _texts(skill: Skill) -> Iterator[tuple[str, str]]:
    yield "title", skill.title
    yield "description", skill.description
    for tool in skill.tools:
        yield "summary", tool.summary
        yield from (("what a parameter is for", one.doc) for one in tool.parameters)
        yield from (("example", one.text) for one in tool.examples)
        yield from (("reason", one.reason) for one in tool.rights)
        for parameter in tool.parameters:
            yield from (("example", text) for by in parameter.words.values() for some in by.values() for text in some)
    yield from (("translation", text) for texts in skill.says.values() for text in texts.values())
