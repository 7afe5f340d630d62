"""What is said where the wall is too weak for a skill of others: what helps, and nothing that would not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from kernel.authorize import Circumstances
from kernel.calling.strength import in_words
from kernel.failures import told
from permissions.errors import WallUnavailable
from permissions.model import Action
from skills.model import EffectClass, RightTemplate, Tool
from tests.kernel.calling.test_lending import around, tool

WEAK = WallUnavailable("wall.too_weak", "This call needs the wall at L2, and this machine gives L1: no namespaces.",
                       subject="L2", hint="Run `./steward doctor`.")  # fmt: skip
HOST = RightTemplate(Action.NET_CONNECT, "example.org:443", "to ask")


def hints(of: Tool, below: frozenset[str] = frozenset(), *, shipped: bool = False) -> tuple[str, str]:
    found: Circumstances = around()
    skill = replace(found.skill(of.skill), shipped=shipped)
    found = replace(found, tool=lambda _: of, skill=lambda _: skill, below_l3=below)
    error = in_words(WEAK, of.id, found)
    if error is WEAK:
        return "", ""
    return told(error, "en")[1], told(error, "de")[1]


def test_a_name_is_added_to_those_that_may_have_less() -> None:
    for hint in hints(tool()):
        assert hint.endswith("./steward config set below_l3 hand")
    for hint in hints(tool(), frozenset({"zoo", "ant"})):
        assert hint.endswith('./steward config set below_l3 "ant hand zoo"')


def test_a_name_that_is_one_of_them_is_not_told_again() -> None:
    assert hints(tool(), frozenset({"hand", "zoo"})) == hints(tool(), shipped=True) == ("", "")


@pytest.mark.parametrize(
    ("changes", "trusted"),
    [({"runs_programs": True, "rights": (HOST,)}, False), ({"works_in": ("folder",)}, False),
     ({"works_at": ("~/x",)}, False), ({"runs_programs": True}, True), ({"rights": (HOST,)}, True),
     ({"runs_programs": True, "rights": (HOST,), "effect": EffectClass.PURE}, True)],
)  # fmt: skip
def test_trust_is_named_where_it_helps(changes: dict[str, Any], trusted: bool) -> None:
    one = replace(tool(), **changes)
    assert ["below_l3" in hint for hint in hints(one)] == [trusted, trusted]
    if not trusted:
        assert all(hints(one, frozenset({"hand"}))), "who is trusted already is told what is missing"
