"""The actions of a worker: a closed set in one form, read strictly; and each as a call of a tool. Pure.

What this stops: anything that is no action of the set, or one that the card does not have; a place with characters that
nobody sees, or that is no path at all.
What it does not: decide whether a place may be read or written. The rights of the call do.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from kernel.model import Argument, Constant
from permissions.labels import Label

_NOBODY_SAID = Label()
LONGEST_PLACE = 1000
MOST_TEXT = 200_000


class Deed(StrEnum):
    """What a worker can do."""

    LOOK = "look"
    READ = "read"
    WRITE = "write"
    RUN = "run"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Act:
    """An action: what is done, where (a whole path), and with which text: a content, a command line, or a result."""

    deed: Deed
    place: str = ""
    text: str = ""
    part: int = 1

    @property
    def key(self) -> str:
        """The same for the same action."""
        return json.dumps([self.deed, self.place, self.text, self.part])

    @property
    def ends(self) -> bool:
        """Whether it is the last one."""
        return self.deed is Deed.DONE


class NoAction(ValueError):
    """What a model answered is no action: its words say why, to the model."""


def form_of(deeds: Sequence[Deed]) -> dict[str, Any]:
    """Return the schema of an action out of ``deeds``; every member is required, null where it does not apply."""
    text = {"type": ["string", "null"]}
    return {
        "type": "object",
        "properties": {"do": {"enum": [str(one) for one in deeds]}, "path": text, "text": text,
                       "part": {"type": ["integer", "null"]}},
        "required": ["do", "path", "text", "part"], "additionalProperties": False,
    }  # fmt: skip


def read_act(value: Any, deeds: Sequence[Deed], home: str, base: str) -> Act:
    """Return what ``value`` wants done; a path is relative to ``base``. Raises NoAction."""
    if not isinstance(value, Mapping):
        raise NoAction("Answer with one JSON object.")
    wanted = value.get("do")
    if not isinstance(wanted, str) or wanted not in deeds:
        raise NoAction(f'"do" must be one of {", ".join(deeds)}.')
    deed = Deed(wanted)
    text = value.get("text")
    if deed in (Deed.WRITE, Deed.RUN, Deed.DONE) and not (
        isinstance(text, str) and (text.strip() or deed is Deed.WRITE)
    ):
        raise NoAction(f'"{deed}" needs a "text".')
    text = text if isinstance(text, str) else ""
    if len(text) > MOST_TEXT or "\0" in text:
        raise NoAction('"text" is too long, or no text.')
    if deed is Deed.DONE:
        return Act(deed, text=text)
    part = value.get("part")
    part = part if isinstance(part, int) and not isinstance(part, bool) and part > 0 else 1
    kept = text if deed in (Deed.WRITE, Deed.RUN) else ""
    return Act(deed, _place(value.get("path"), deed, home, base), kept, part if deed is Deed.READ else 1)


def _place(given: Any, deed: Deed, home: str, base: str) -> str:
    if given in (None, "") and base and deed in (Deed.LOOK, Deed.RUN):
        return base
    if not isinstance(given, str) or not given.strip() or len(given) > LONGEST_PLACE or not given.isprintable():
        raise NoAction(f'"{deed}" needs a "path".')
    path = home + given[1:] if given == "~" or given.startswith("~/") else given
    if not path.startswith("/") and not base:
        raise NoAction('Give the whole "path".')
    return os.path.normpath(os.path.join(base, path))


def arguments_of(act: Act) -> dict[str, Argument]:
    """Return the arguments of the tool that does ``act``: nobody's word, every one."""
    place: Any = {"path": act.place}
    match act.deed:
        case Deed.LOOK:
            given = {"folder": place}
        case Deed.READ:
            given = {"file": place, "part": act.part}
        case Deed.WRITE:
            given = {"place": act.place, "text": act.text}
        case Deed.RUN:
            given = {"folder": place, "command": act.text}
        case Deed.DONE:
            given = {}
    return {name: Constant(value, _NOBODY_SAID) for name, value in given.items()}


def deeds_of(arguments: Mapping[str, Any]) -> tuple[Deed, ...]:
    """Return what may be done with what a card has: places by the parameter of ``SKILL.follow``."""
    found = [Deed.LOOK] if any(arguments.get(one) for one in ("folders", "writes", "runs")) else []
    found += [Deed.READ] if any(arguments.get(one) for one in ("files", "folders", "writes", "runs")) else []
    found += [Deed.WRITE] if arguments.get("writes") or arguments.get("runs") else []
    found += [Deed.RUN] if arguments.get("runs") else []
    return (*found, Deed.DONE)
