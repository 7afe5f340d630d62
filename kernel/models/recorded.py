"""What models were asked in a run and what they replied, as the ledger has it: a replay is answered from here.

What this stops: a model, or any host, being asked again. Where a line of questions has one of these, a reply comes out
of the ledger or there is none: what would be asked has to be, letter by letter, what was asked then.
What it does not: hold a reply to anything. It is read as it was read then, by the same reader.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from kernel.models import Models
from kernel.models.asking import Line
from kernel.models.book import Book
from kernel.models.breaker import Breakers
from kernel.models.forms import Misfit, digest_of, value_in
from kernel.models.model import Endpoint, Message, Prompt, Reply, Role, Usage, Way
from kernel.models.wording import failed, failed_at, unfit
from kernel.remembering import bulk
from memory.model import Event

_NO_FORM = frozenset({"", "model.garbage", "model.schema"})
"""How a reply ended that can be read once more: well, or as one of no form."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question of a run with its reply; ``code`` is why there was none. ``messages`` is what was sent."""

    role: str
    endpoint: Endpoint
    digest: str
    messages: tuple[Message, ...]
    code: str = "cancelled"
    text: str = ""
    usage: Usage = field(default_factory=lambda: Usage(0, 0, 0, True))
    ms: int = 0


@dataclass(slots=True)
class Recorded:
    """The questions of one run, in order. ``asked`` are those that were asked once more, ``strange`` what none was.

    ``unasked`` says by role with which code a question ended before it was sent.
    """

    questions: tuple[Question, ...]
    unasked: Mapping[str, str] = field(default_factory=dict)
    asked: list[int] = field(default_factory=list)
    strange: list[tuple[str, Prompt]] = field(default_factory=list)

    def reply(self, endpoint: Endpoint, role: str, prompt: Prompt) -> Reply:
        """Return what was replied to this very question; each time that it was asked then, once. Raises ModelFailed."""
        digest = digest_of(prompt)
        left = [at for at, one in enumerate(self.questions) if one.digest == digest and at not in self.asked]
        found = next((at for at in left if self.questions[at].endpoint.name == endpoint.name), None)
        if found is None and left:  # another endpoint of the role was asked at once: this one was left alone then
            raise failed("model.resting", "as long as then", name=endpoint.name)
        if found is None and self.unasked.get(role) and all(one.role != role for one in self.questions):
            raise failed_at(endpoint, self.unasked[role], "as it was then")
        if found is None:
            self.strange.append((role, prompt))
            raise failed("model.unrecorded", f"no such question of the {role} is recorded", name=endpoint.name)
        self.asked.append(found)
        return _read(self.questions[found], prompt)


def _read(one: Question, prompt: Prompt) -> Reply:
    if one.code not in _NO_FORM:
        code = one.code if one.code.startswith("model.") else "model.timeout"
        raise failed_at(one.endpoint, code, "as it was then")
    try:
        value = None if prompt.schema is None else value_in(one.text, prompt)
    except Misfit as error:
        raise unfit(one.endpoint, error.code, str(error), one.text) from error
    return Reply(one.text, value, one.usage, one.ms, one.endpoint.way, one.endpoint.name)


class RecordedModels(Models):
    """The models of a run as they were: a role is bound to whom it was asked of. Nobody is asked anything.

    ``bound`` are further roles, that something else says were bound. A role that is in neither is bound to nothing.
    """

    def __init__(self, recorded: Recorded, bound: Mapping[Role, Endpoint]) -> None:
        super().__init__(Path(os.devnull))
        self.recorded = recorded
        roles = defaultdict[Role, dict[str, Endpoint]](dict)
        for one in recorded.questions:
            if one.role in set(Role):
                roles[Role(one.role)].setdefault(one.endpoint.name, one.endpoint)
        for role, endpoint in bound.items():
            if not roles[role]:
                roles[role][endpoint.name] = endpoint
        self._roles = {role: tuple(held.values()) for role, held in roles.items()}

    def _bound(self, role: Role) -> tuple[Endpoint, ...]:
        return self._roles.get(role, ())

    def line(self) -> Line:
        """Return a line on which nobody is asked."""
        return Line(Breakers(), recorded=self.recorded)

    def book(self) -> Book:
        """Return the endpoints that were asked then."""
        return Book({one.name: one for held in self._roles.values() for one in held})


def questions_in(events: Iterable[Event], known: Mapping[str, Endpoint]) -> tuple[Question, ...]:
    """Return the questions that ``events`` of a run hold, in order, each with its reply.

    ``known`` are the endpoints that a person has set by now: what of one is not recorded is taken from there.
    """
    found: list[Question] = []
    open_: list[int] = []
    for event in events:
        body = event.body
        if body is None:
            continue
        if event.kind == "model.asked":
            open_.append(len(found))
            found.append(_asked(body, known))
        elif event.kind == "model.replied" and open_:
            at = next((one for one in open_ if _answers(body, found[one])), open_[-1])
            open_.remove(at)
            found[at] = _replied(found[at], body)
    return tuple(found)


def _answers(body: Mapping[str, Any], one: Question) -> bool:
    return body.get("endpoint") == one.endpoint.name and body.get("digest", one.digest) == one.digest


def _asked(body: Mapping[str, Any], known: Mapping[str, Endpoint]) -> Question:
    name, host = str(body.get("endpoint") or ""), str(body.get("host") or "")
    held = known.get(name) or Endpoint(name, "", "")
    url = held.url if held.host == host and held.url else f"http://{host}/v1"
    way = Way(str(body.get("way") or Way.TEXT))
    takes = int(body.get("takes") or held.context_tokens)
    endpoint = replace(held, url=url, model=str(body.get("model") or ""), way=way, context_tokens=takes, secret="")
    messages = tuple(Message(str(one["role"]), str(one["text"])) for one in bulk.kept_in(body, "messages") or ())
    return Question(str(body.get("role") or ""), endpoint, str(body.get("digest") or ""), messages)


def _replied(one: Question, body: Mapping[str, Any]) -> Question:
    said: Mapping[str, Any] = body.get("usage") or {}
    usage = Usage(int(said.get("tokens_in") or 0), int(said.get("tokens_out") or 0), int(said.get("money") or 0),
                  bool(said.get("estimated", True)))  # fmt: skip
    return replace(one, code=str(body.get("code") or ""), text=str(bulk.kept_in(body, "text") or ""), usage=usage,
                   ms=int(body.get("ms") or 0))  # fmt: skip
