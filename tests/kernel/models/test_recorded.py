"""Replies out of the ledger: each to the very question of then, in order and once, and none to any other."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from kernel.errors import ModelFailed
from kernel.models.forms import digest_of
from kernel.models.model import Endpoint, Message, Prompt, Role
from kernel.models.recorded import Recorded, RecordedModels, questions_in
from memory.model import Event
from tests.kernel.models.server import GOOD, SCHEMA, VALUE

NEAR, FAR = (Endpoint(name, f"http://{name}:1/v1", "m") for name in ("near", "far"))
PROMPT = Prompt((Message("user", "velm or trosk?"),), SCHEMA)
OTHER = replace(PROMPT, messages=(Message("user", "velm or trosk, please?"),))


def event(kind: str, **body: Any) -> Event:
    return Event(1, 0, kind, "r-1", None, body, None, "")


def asked(prompt: Prompt = PROMPT, name: str = "near", **more: Any) -> Event:
    messages = [{"role": one.role, "text": one.text} for one in prompt.messages]
    body = {"role": "planner", "endpoint": name, "host": f"{name}:1", "model": "m", "way": "text"}
    return event("model.asked", **body, digest=digest_of(prompt), messages=messages, **more)


def replied(text: str = GOOD, name: str = "near", code: str = "", **more: Any) -> Event:
    usage = {"tokens_in": 7, "tokens_out": 3, "money": 5, "estimated": False}
    return event("model.replied", endpoint=name, code=code, text=text, usage=usage, ms=12, **more)


def recorded(*events: Event, **more: Any) -> Recorded:
    return Recorded(questions_in(events, {"near": replace(NEAR, context_tokens=999, secret="model-near")}), **more)


def test_the_reply_of_then_is_given_once_for_each_time_that_it_was_asked() -> None:
    said = recorded(asked(takes=4096), replied(), asked(), replied('{"answer": "trosk"}'))
    first, second = said.reply(NEAR, Role.PLANNER, PROMPT), said.reply(NEAR, Role.PLANNER, PROMPT)
    assert (first.value, second.value) == (VALUE, {"answer": "trosk"})
    assert (first.usage.tokens_in, first.usage.money, first.ms, first.endpoint) == (7, 5, 12, "near")
    assert [one.endpoint.context_tokens for one in said.questions] == [4096, 999]
    assert {one.endpoint.secret for one in said.questions} == {""}
    assert not said.strange
    with pytest.raises(ModelFailed, match="would be asked what it was not asked then") as third:
        said.reply(NEAR, Role.PLANNER, PROMPT)
    assert third.value.code == "model.unrecorded"
    assert said.strange == [(Role.PLANNER, PROMPT)]


@pytest.mark.parametrize(
    "other", [OTHER, replace(PROMPT, schema={"type": "object"}), replace(PROMPT, messages=PROMPT.messages * 2)]
)
def test_any_other_question_has_no_answer(other: Prompt) -> None:
    said = recorded(asked(), replied())
    with pytest.raises(ModelFailed) as none:
        said.reply(NEAR, Role.PLANNER, other)
    assert none.value.code == "model.unrecorded"
    assert said.reply(NEAR, Role.PLANNER, PROMPT).value == VALUE, "the control"


def test_replies_that_came_at_the_same_time_go_to_their_own_questions() -> None:
    said = recorded(asked(), asked(OTHER), replied('{"answer": "trosk"}', digest=digest_of(OTHER)),
                    replied(digest=digest_of(PROMPT)))  # fmt: skip
    assert said.reply(NEAR, Role.PLANNER, OTHER).value == {"answer": "trosk"}
    assert said.reply(NEAR, Role.PLANNER, PROMPT).value == VALUE


@pytest.mark.parametrize(
    ("reply", "code", "text"),
    [
        (replied("", code="model.unreachable"), "model.unreachable", ""),
        (replied("no form", code="model.garbage"), "model.garbage", "no form"),
        (replied('{"answer": "x"}', code="model.schema"), "model.schema", '{"answer": "x"}'),
        (replied("", code="cancelled"), "model.timeout", ""),
    ],
)
def test_what_failed_then_fails_as_then(reply: Event, code: str, text: str) -> None:
    with pytest.raises(ModelFailed) as failed:
        recorded(asked(), reply).reply(NEAR, Role.PLANNER, PROMPT)
    assert (failed.value.code, failed.value.said) == (code, text)


def test_an_endpoint_that_was_left_alone_is_left_alone() -> None:
    said = recorded(asked(name="far"), replied(name="far"))
    with pytest.raises(ModelFailed) as resting:
        said.reply(NEAR, Role.PLANNER, PROMPT)
    assert resting.value.code == "model.resting"
    assert said.reply(FAR, Role.PLANNER, PROMPT).endpoint == "far"


def test_a_question_that_was_never_sent_ends_as_it_did() -> None:
    said = Recorded((), {"planner": "model.budget"})
    with pytest.raises(ModelFailed) as budget:
        said.reply(NEAR, Role.PLANNER, PROMPT)
    assert budget.value.code == "model.budget"
    assert not said.strange


def test_a_role_is_bound_to_whom_it_was_asked_of_and_else_to_nobody() -> None:
    models = RecordedModels(recorded(asked(), replied(), asked(name="far"), replied(name="far")), {Role.WORKER: FAR})
    assert models.names(*Role) == ("near", "far")
    assert models.endpoint(Role.WORKER) == FAR
    assert models.endpoint(Role.REVIEWER) is None
    assert set(models.book().endpoints) == {"near", "far"}
    assert models.line().recorded is models.recorded
