"""Steps: a call that another tool asks for as a step of a plan, and that says what it wants changed.

What this stops: contents that still change when they are read (the step's cell has ended, and its caller never sees
where they lie); links, special files and names that lead out of there; more than fits into an answer.
What it does not: let anything be changed. What a step wants is handed to its caller, which describes it, or does not,
as its own wish; that is held against the caller's rights when the caller has ended, like everything that it describes.
"""

from __future__ import annotations

import base64
import os
import re
import stat
from collections.abc import Mapping, Sequence
from typing import Any

from kernel.calling import refusals
from kernel.dispatching.binding import fit, project
from kernel.dispatching.coercion import coerce
from kernel.mailing.describing import SEND
from kernel.model import FromTask, Outcome
from skills.model import Tool

MOST_BYTES = 16 << 20
"""Of new contents, in all, that a step hands to its caller."""

MOST_CHANGES = 2000

_BLOB = re.compile(r"[0-9]{1,12}")
_KEPT = ("op", "path", "source", "base", "mode", "note", "target", "over")
_LETTER = ("op", "to", "cc", "subject", "text", "in_reply_to", "references")


def in_form(tool: Tool, arguments: Mapping[str, Any], parts: Mapping[str, FromTask], language: str) -> dict[str, Any]:
    """Return ``arguments`` with those of ``parts`` as a plan hands them on. Raises TaskFailed."""
    known = {parameter.name: parameter for parameter in tool.parameters}
    made = dict(arguments)
    for name, reference in parts.items():
        if name in known:  # what is unknown is refused by name later on
            value = project(Outcome(reference.task, True, arguments[name]), reference)
            made[name], _ = coerce(fit(value, known[name]), known[name], language)
    return made


def wanted(tool: Tool, effects: Sequence[Mapping[str, Any]], folder: str | None) -> list[dict[str, Any]]:
    """Return what a step described, with the new contents; its cell has ended. Raises TaskFailed."""
    if len(effects) > MOST_CHANGES:
        raise refusals.too_much(tool)
    changes, left = [], MOST_BYTES
    for effect in effects:
        kept = _LETTER if effect["op"] == SEND else _KEPT
        change = {name: effect[name] for name in kept if effect.get(name) is not None}
        if effect["op"] == SEND:
            change["files"] = []
            for one in _attached(tool, effect):
                content = _content(tool, one, folder, left)
                left -= len(content)
                change["files"].append({"name": one["name"], "content": base64.b64encode(content).decode("ascii")})
        if effect["op"] == "write":
            content = _content(tool, effect, folder, left)
            left -= len(content)
            change["content"] = base64.b64encode(content).decode("ascii")
            change["named"] = f"{os.path.basename(str(folder))}/{effect['blob']}"  # as a later step says that it saw it
            change.setdefault("base", None)
            change.setdefault("mode", None)
        changes.append(change)
    return changes


def seen_after(effects: Sequence[Mapping[str, Any]], folder: str | None) -> list[Mapping[str, Any]]:
    """Return what a step wants as the steps after it see it; ``folder`` is where it wrote, which its caller never sees.

    A letter is nothing that anybody sees before it leaves.
    """
    return [
        {**effect, "blob_path": f"{folder}/{effect['blob']}"} if "blob" in effect else effect
        for effect in effects
        if effect["op"] != SEND
    ]


def _attached(tool: Tool, letter: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    files = letter.get("files") or []
    if not isinstance(files, list) or not all(isinstance(one, Mapping) and "name" in one for one in files):
        raise refusals.described(tool)
    return files


def _content(tool: Tool, effect: Mapping[str, Any], folder: str | None, left: int) -> bytes:
    name = effect.get("blob")
    if folder is None or not isinstance(name, str) or not _BLOB.fullmatch(name):
        raise refusals.described(tool)
    try:
        with os.fdopen(os.open(f"{folder}/{name}", os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as held:
            status = os.fstat(held.fileno())
            if not stat.S_ISREG(status.st_mode) or status.st_nlink != 1:
                raise refusals.described(tool)
            data = held.read(left + 1)
    except OSError as error:
        raise refusals.described(tool) from error
    if len(data) > left:
        raise refusals.too_much(tool)
    return data
