"""What a skill of instructions alone can have done: to be followed, and the actions of whoever follows it.

Such a skill brings no code. Following it is a tool of its own all the same (``SKILL.follow``), so that what it may do
stands on a card like everything; and each action (``SKILL.read`` ...) is one, whose code is ours (``skills/hands``). No
request is planned with any of them by the words of a sentence: they are found by id alone.
"""

from __future__ import annotations

import functools
import re
from dataclasses import replace
from enum import StrEnum
from pathlib import Path

from skills.loading import load_skill
from skills.manifest import read_instructions
from skills.model import (
    EffectClass,
    Parameter,
    ParamRole,
    RightTemplate,
    Skill,
    Tool,
    ToolId,
    ValueKind,
    ValueType,
)

HANDS = Path(__file__).resolve().parent / "hands"

FOLLOW = "follow"


class Wish(StrEnum):
    """What a skill's ``allowed-tools`` says that its instructions need, beyond reading."""

    WRITE = "write"
    RUN = "run"


_WISHES = {"write": Wish.WRITE, "edit": Wish.WRITE, "multiedit": Wish.WRITE, "bash": Wish.RUN, "shell": Wish.RUN,
           "run": Wish.RUN}  # fmt: skip
_NAME = re.compile(r"([^\s,()\[\]\"']+)(?:\([^)]*\)?)?")
"""A whole name: the tool of a server that ends in one of ours (``mcp__files__write``) is another one."""

_TO_READ = "the instructions are followed on what lies there"
_TO_WRITE = "the instructions may want it; you see the changes before they count"
_TO_RUN = "the instructions may want commands run there, which may change anything in it; you see it before it counts"
_SUMMARY = "Let a model follow the instructions of this skill."
_SAYS = {
    "de": {
        _SUMMARY: "Ein Modell der Anleitung dieser Fähigkeit folgen lassen.",
        _TO_READ: "die Anleitung wird auf das angewandt, was dort liegt",
        _TO_WRITE: "die Anleitung verlangt es vielleicht; du siehst die Änderungen, bevor sie gelten",
        _TO_RUN: (
            "die Anleitung will dort vielleicht Befehle ausführen, die alles darin ändern können; "
            "du siehst es, bevor es gilt"
        ),
        "what is asked for": "was verlangt ist",
        "files to read": "Dateien zum Lesen",
        "folders to read": "Ordner zum Lesen",
        "folders to write in": "Ordner zum Schreiben",
        "folders to run commands in": "Ordner für Befehle",
    }
}
_TEXT = ValueType(ValueKind.TEXT)
_FILES = ValueType(ValueKind.FILE, many=True, fields={"path": _TEXT})
_FOLDERS = ValueType(ValueKind.FOLDER, many=True)


def wishes_of(skill: Skill) -> frozenset[Wish]:
    """Return what a skill of instructions says that it needs beyond reading. May raise BadSkill."""
    said = _NAME.findall(read_instructions(Path(skill.folder)).allowed)
    return frozenset(_WISHES[one.lower()] for one in said if one.lower() in _WISHES)


def tools_of(skill: Skill) -> tuple[Tool, ...]:
    """Return what can be done by a skill of instructions alone; nothing for one that has tools of its own."""
    if skill.tools:
        return ()
    hands = (
        replace(tool, id=ToolId(f"{skill.id}.{tool.function}"), skill=skill.id, code=str(HANDS)) for tool in _hands()
    )
    return (_follow(skill), *hands)


@functools.cache
def _hands() -> tuple[Tool, ...]:
    return load_skill(HANDS).tools


def _follow(skill: Skill) -> Tool:
    rights = [("fs.read", "{files}", _TO_READ), ("fs.read", "{folders}/**", _TO_READ)]
    rights += [(action, "{writes}/**", _TO_WRITE) for action in ("fs.read", "fs.create", "fs.write")]
    rights += [(action, "{runs}/**", _TO_RUN) for action in ("fs.read", "fs.create", "fs.write", "fs.delete")]
    return Tool(
        id=ToolId(f"{skill.id}.{FOLLOW}"), skill=skill.id, function=FOLLOW, summary=_SUMMARY,
        effect=EffectClass.IDEMPOTENT,  # nothing that it does has left the staging
        parameters=(
            Parameter("request", _TEXT, True, "what is asked for", ParamRole.PAYLOAD),
            Parameter("files", _FILES, False, "files to read"),
            Parameter("folders", _FOLDERS, False, "folders to read"),
            Parameter("writes", _FOLDERS, False, "folders to write in"),
            Parameter("runs", _FOLDERS, False, "folders to run commands in"),
        ),
        result=ValueType(ValueKind.RECORD, fields={"text": _TEXT, "files": _FILES}),
        examples=(), rights=tuple(RightTemplate(*one) for one in rights), says=_SAYS, followed=True,
    )  # fmt: skip
