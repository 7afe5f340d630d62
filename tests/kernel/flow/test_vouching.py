"""A yes to one value of others is none to another, however alike they begin."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from kernel.approval import vouching
from kernel.flow import Concern
from kernel.model import TaskId
from skills.model import ToolId


def concern(value: str) -> Concern:
    return Concern(TaskId("t1"), ToolId("web.read"), "url", value, "a letter", "url", f"web.read.url={value!r}")


async def test_questions_about_two_values_have_two_seals(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    async def answered(_: Any, request: Any) -> str:
        asked.append(request)
        return "once"

    monkeypatch.setattr(vouching, "any_answer_to", answered)
    run: Any = SimpleNamespace(asking=asyncio.Lock(), vouched=set(), language="en")
    long = "https://a.example/" + "x" * 300
    for value in (f"{long}1", f"{long}2", f"{long}1"):
        assert await vouching.ask_to_vouch(run, [concern(value)]) == ""
    assert len({one["seal"] for one in asked}) == len(asked) == 2
