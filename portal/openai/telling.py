"""What a run comes to, as a chat completion: whole, or in the parts of a stream."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from portal.mcp.answering import LONGEST_TEXT, sound
from portal.mcp.following import View
from portal.openai.reading import MODEL

NO_USAGE = {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}
"""Steward counts no tokens for a request: whatever a model took part in it is not what the program would pay for."""


def models() -> View:
    """Return the list of models: there is one."""
    return {"object": "list", "data": [model()]}


def model() -> View:
    """Return the one model."""
    return {"id": MODEL, "object": "model", "created": 0, "owned_by": MODEL}


def answer_of(view: View) -> str:
    """Return what the program is told of a run, as far as it has come."""
    error = view.get("error") or {}
    parts = [str(view.get("answer") or error.get("message") or "")]
    if view["resolution"] == "pending":
        run = view["run"]
        parts.append(f"This waits for the person: run {run}. It is allowed in Steward's page or with ./steward "
                     f"approve {run}, and not here.")  # fmt: skip
    said: str = sound("\n".join(part for part in parts if part) or str(view["resolution"]))
    return said if len(said) <= LONGEST_TEXT else said[:LONGEST_TEXT] + "\n… (cut)"


@dataclass(frozen=True, slots=True)
class Completion:
    """The answer to one request. ``steward`` is said besides: the run, its conversation, what it came to."""

    run: str
    made_at_s: int = field(default_factory=lambda: int(time.time()))

    def whole(self, view: View) -> View:
        """Return the answer as one object."""
        message = {"role": "assistant", "content": answer_of(view), "refusal": None}
        choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
        return self._named("chat.completion") | {"choices": [choice], "usage": NO_USAGE, "steward": _besides(view)}

    def begun(self) -> View:
        """Return the first part: who speaks."""
        return self._part({"role": "assistant", "content": ""})

    def progress(self, what: str) -> View:
        """Return a part that says what goes on, and nothing of the answer."""
        return self._part({}) | {"steward": {"progress": sound(what)}}

    def ended(self, view: View, *, usage: bool) -> Iterator[View]:
        """Yield the answer line by line, and its end."""
        for line in answer_of(view).splitlines(keepends=True):
            yield self._part({"content": line})
        yield self._part({}, "stop") | {"steward": _besides(view)}
        if usage:
            yield self._named("chat.completion.chunk") | {"choices": [], "usage": NO_USAGE}

    def _part(self, delta: View, reason: str | None = None) -> View:
        choice = {"index": 0, "delta": delta, "finish_reason": reason, "logprobs": None}
        return self._named("chat.completion.chunk") | {"choices": [choice]}

    def _named(self, kind: str) -> View:
        return {"id": f"chatcmpl-{self.run}", "object": kind, "created": self.made_at_s, "model": MODEL}


def _besides(view: View) -> View:
    found: View = sound({name: view.get(name) for name in ("run", "conversation", "resolution", "question")})
    return found
