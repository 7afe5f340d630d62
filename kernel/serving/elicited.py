"""What a server asks the person in the middle of a call, on a card like any other question of a run.

What this stops: a server asking in its own voice: the card says whose words they are; an answer to one question
counting for another; a person being asked what they cannot answer with yes or no, or more than the card shows: that is
declined, and said.
What it does not: hand on words. A yes fills in what the server itself proposes.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import secrets
from collections.abc import Mapping
from typing import Any

from kernel.approval.consent import REFUSALS, any_answer_to
from kernel.run import Run
from skills.mcp.texts import plain, quoted
from skills.model import ToolId

_STAGE = "limit"
"""Shown as a question of a call that is under way; a daemon that stops meanwhile rolls its run back."""

_LONGEST_MESSAGE, _LONGEST_NAME, _LONGEST_VALUE = 300, 40, 80
_LONGEST = 300
"""Characters of a question and all that a yes answers, together: more is no question that one answers in passing."""

_WORDS = {
    "en": ("The server of {tool} asks: “{message}”{filled} Say yes?", " A yes answers: {what}.",
           "It asked this itself, in the middle of the call; its words are not Steward's."),
    "de": ("Der Server von {tool} fragt: „{message}“{filled} Ja sagen?", " Ein Ja antwortet: {what}.",
           "Das fragt er selbst, mitten im Aufruf; es sind nicht die Worte von Steward."),
}  # fmt: skip


async def ask_for_server(run: Run, tool: ToolId, message: str, schema: Mapping[str, Any]) -> dict[str, Any] | None:
    """Ask the person what the server of ``tool`` asks; return the fields of a yes, None for no."""
    content = filled(schema)
    if content is None or not _is_seen_whole(message, content):
        return None
    async with run.asking:
        try:
            answer = await any_answer_to(run, _request(run, tool, message, content))
        except asyncio.CancelledError:  # the call is over, and with it the question
            run.waiting = None
            await asyncio.shield(run.log.say("approval.resolved", None, {"answer": "expired", "stage": _STAGE}, False))
            raise
    return None if answer in REFUSALS else content


def filled(schema: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return what a yes fills into a form: what it proposes, and true where it asks whether. None: it asks for more."""
    properties = schema.get("properties") or {}
    if not isinstance(properties, Mapping) or len(properties) > 20:
        return None
    required = schema.get("required") or []
    content: dict[str, Any] = {}
    for name, one in properties.items():
        if not isinstance(one, Mapping):
            return None
        if isinstance(one.get("default"), str | int | float | bool):
            content[name] = one["default"]
        elif one.get("type") == "boolean":
            content[name] = True
        elif isinstance(one.get("enum"), list) and len(one["enum"]) == 1:
            content[name] = one["enum"][0]
        elif name in required:
            return None
    return content


def _is_seen_whole(message: str, content: Mapping[str, Any]) -> bool:
    """Tell whether the words of the server, and all that a yes would answer, stand on the card to their ends."""
    values = [str(value) for value in content.values()]
    short = len(message) <= _LONGEST_MESSAGE and all(plain(one, _LONGEST_VALUE) == one for one in values)
    names = all(plain(name, _LONGEST_NAME) == name for name in content)  # as it is shown, it is answered
    return short and names and len(message) + sum(map(len, [*values, *content])) + 5 * len(values) <= _LONGEST


def _request(run: Run, tool: ToolId, message: str, content: Mapping[str, Any]) -> dict[str, Any]:
    question, fills, note = _WORDS.get(run.language, _WORDS["en"])
    what = ", ".join(
        f"{plain(name, _LONGEST_NAME)} = {plain(str(value), _LONGEST_VALUE)}" for name, value in content.items()
    )
    said = question.format(
        tool=tool, message=quoted(message, _LONGEST_MESSAGE), filled=fills.format(what=what) if what else ""
    )
    card = {"rights": [], "limit": {"question": said, "always": note, "tool": tool}, "concerns": []}
    return {"stage": _STAGE, "seal": _seal(tool, message, content), "card": card}


def _seal(tool: ToolId, message: str, content: Mapping[str, Any]) -> str:
    """Return what tells this question from every other, also from one in the same words."""
    asked = json.dumps([tool, message, content, secrets.token_hex(16)])
    return f"elicit:{hashlib.sha256(asked.encode()).hexdigest()}"
