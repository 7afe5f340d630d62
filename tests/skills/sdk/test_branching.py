"""A tool goes through what a step found, leaves out by name what cannot be done, and says what it did not do."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from skills.branches import MOST_ITEMS
from skills.sdk import Called, Context, ToolError


def context(language: str = "en", **decided: Any) -> Context:
    def calls(tool: str, arguments: Any, *, step: bool = False) -> Called:
        assert (tool, step) == ("holds", True)
        return Called(decided["holds"], decided["found"])

    return Context(home="/home/u", now=datetime(2025, 3, 14, tzinfo=UTC), language=language, calls=calls)


def went_through(ctx: Context, values: Any, bad: dict[Any, ToolError]) -> list[Any]:
    done = []
    for item in ctx.items(Called(values, "")):
        try:
            if item.value in bad:
                raise bad[item.value]
        except ToolError as error:
            ctx.leave_out(error)
            continue
        done.append(item.value)
    return done


def test_every_item_comes_once_and_what_fails_is_left_out_by_name() -> None:
    ctx = context()
    assert went_through(ctx, ["a", "b", "c"], {"b": ToolError("b has no total.")}) == ["a", "c"]
    assert ctx.told().answer == "Left out: 1 of 3.\n  b has no total."
    assert went_through(context(), "alone", {}) == ["alone"]


def test_nothing_is_said_to_be_nothing() -> None:
    ctx = context("de")
    assert went_through(ctx, [], {}) == []
    assert ctx.told().answer == "Es gab nichts, wofür etwas zu tun war."


def test_all_that_fail_are_an_error_and_so_is_what_is_about_more_than_an_item() -> None:
    with pytest.raises(ToolError, match="no total"):
        went_through(context(), ["a"], {"a": ToolError("a has no total.")})
    with pytest.raises(ToolError, match="may not"):
        went_through(context(), ["a", "b"], {"a": ToolError("It may not.", code="call.right")})
    with pytest.raises(ToolError, match="one by one"):
        went_through(context(), list(range(MOST_ITEMS + 1)), {})


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Not done: only if step 1 finds more than 3; it is 2."),
        ("de", "Nicht getan: nur wenn Schritt 1 mehr als 3 findet; es ist 2."),
    ],
)
def test_what_does_not_hold_is_said(language: str, said: str) -> None:
    words = {"en": "step 1 finds more than 3", "de": "Schritt 1 mehr als 3 findet"}
    ctx = context(language, holds=False, found="2")
    assert not ctx.holds(Called([1, 2], ""), "count", ">", 3, **words)
    assert ctx.told().answer == said
    ctx = context(language, holds=True, found="4")
    assert ctx.holds(Called([1], ""), "count", ">", 3, **words)
    assert ctx.told().answer == ""
