"""Texts of a package that a person or a planner will read: they are what they look like, short, and about itself.

What this stops: characters that cannot be seen or that turn the direction of reading, in what is shown and in the files
that are read later (instructions by a model, source by a person); a description as long as a prompt; text that speaks
about another skill's tools ("use mail.send instead of files.find"); the title of another skill.
What it does not: tell honest words from dishonest ones. A description ranks a tool; it grants it nothing.
Source: CVE-2021-42574 (source that reads otherwise than it runs), Unicode TR36.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from pathlib import Path

from skills.model import Skill
from skills.packages.members import shown, unseen
from skills.packages.model import Refused
from skills.packages.powers import server_of

_MOST = {"description": 1400, "summary": 300, "what a parameter is for": 400, "example": 300, "reason": 300,
         "scope": 500,
         "command of a server": 4000, "title": 60, "translation": 400}  # fmt: skip
_ENDINGS = frozenset("txt csv tsv md pdf docx xlsx json ics vcf html png jpg jpeg zip tar toml yaml xml log".split())
"""What makes ``notes.txt`` the name of a file and no tool."""
_JOINED = re.compile("(?<=[\u2600-\u27bf\ufe0f\U0001f000-\U0001faff])\u200d(?=[\u2600-\u27bf\U0001f000-\U0001faff])")
"""A joiner between two pictures, which makes one of them."""
_ALWAYS = frozenset(".md .txt .py .sh .js .ts .toml .json .yaml .yml".split())
"""What is read as text even where a byte of it is none."""
_TURNING = re.compile(
    "[\0-\x08\x0b\x0e-\x1f\x7f\x80-\x84\x86-\x9f\u061c\u200b\u202a-\u202e\u2060-\u2064\u2066-\u2069"
    "\U000e0000-\U000e007f\U000e0100-\U000e01ef]"
)
"""What no text of a file needs: control, the marks that turn reading around, and the letters that nobody sees."""
_TOOL = re.compile(r"\b(?=([a-z][a-z0-9-]{1,62})\.([a-z_][a-z0-9_]{2,62})\b(?!\.[a-z0-9]))")
_ADDRESS = re.compile(r"\b[a-z][a-z0-9+.-]*://[^\s<>()\"']+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+", re.IGNORECASE)
"""An address of the web or of mail: what stands in it is no name of a tool."""


def check_texts(skill: Skill, known: Collection[str], tools: Collection[str] | None = None) -> None:
    """Raise Refused for the first text that is no honest text about ``skill``. ``known`` are the installed ids.

    ``tools`` are the ids of their tools; without them, whatever looks like a tool of a known skill is taken for one.
    """
    for kind, text in _texts(skill):
        hidden = unseen(_JOINED.sub("", text).replace("\n", " ").replace("\t", " "))
        if hidden:
            raise Refused(
                "package.text", f"A {kind} holds the unseen character U+{ord(hidden):04X}: {shown(text)[:80]}"
            )
        if len(text) > _MOST[kind]:
            raise Refused("package.text", f"A {kind} is longer than {_MOST[kind]} characters: {text[:60]} …")
        for other, name in _named(
            "" if kind in ("scope", "command of a server") else text
        ):  # a right to call another tool names it
            if other in known and other != skill.id and (tools is None or f"{other}.{name}" in tools):
                raise Refused("package.text", f"A {kind} speaks about {other}.{name}, a tool of another skill.")


def _named(text: str) -> list[tuple[str, str]]:
    """Return what looks like the id of a tool and is no address, no host and no file."""
    return [(skill, name) for skill, name in _TOOL.findall(_ADDRESS.sub(" ", text)) if name not in _ENDINGS]


def check_files(folder: Path) -> None:
    """Raise Refused for the first text file in ``folder`` that does not read as it is written."""
    for path in sorted(folder.rglob("*")):
        found = _TURNING.search(_text_in(path)) if path.is_file() else None
        if found:
            name, line = shown(path.relative_to(folder).as_posix()), found.string.count("\n", 0, found.start()) + 1
            message = (
                f"{name}:{line} holds the unseen character U+{ord(found[0]):04X}: it does not read as it is written."
            )
            raise Refused("package.text", message, subject=shown(folder.name))


def _text_in(path: Path) -> str:
    """Return the text of a file, whatever it is called; "" where it holds none."""
    data = path.read_bytes()
    if b"\0" in data and path.suffix.lower() not in _ALWAYS:
        return ""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("utf-8", "replace") if path.suffix.lower() in _ALWAYS else ""


def _texts(skill: Skill) -> Iterator[tuple[str, str]]:
    yield "title", skill.title
    yield "description", skill.description
    for tool in skill.tools:
        yield "summary", tool.summary
        yield from (("what a parameter is for", one.doc) for one in tool.parameters)
        yield from (("example", one.text) for one in tool.examples)
        yield from (
            (kind, text) for one in tool.rights for kind, text in (("reason", one.reason), ("scope", one.scope))
        )
        for parameter in tool.parameters:
            yield from (("example", text) for by in parameter.words.values() for some in by.values() for text in some)
    server = server_of(skill)
    if server is not None:
        yield "command of a server", " ".join(server.command)
        yield from (("scope", one) for one in (*server.programs, *server.reads, *server.writes, server.url))
    yield from (("translation", text) for texts in skill.says.values() for text in texts.values())
