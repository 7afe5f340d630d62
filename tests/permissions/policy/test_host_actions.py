"""Rights on the machine and on the desktop: what a scope of theirs may be, and what one covers."""

from __future__ import annotations

import pytest

from permissions.errors import BadScope
from permissions.model import Action, Right
from permissions.policy import covers, parse_right
from permissions.policy.scopes import checked


@pytest.mark.parametrize(
    ("action", "scope"),
    [
        (Action.SYSTEM_READ, "memory"),
        (Action.SYSTEM_STOP, "Web Content"),
        (Action.SYSTEM_STOP, "(sd-pam)"),
        (Action.SYSTEM_STOP, "bücherwurm"),
        (Action.DESKTOP_OPEN, "/home/u/a file (2).pdf"),
        (Action.DESKTOP_OPEN, "https://example.org/a?b=c#d"),
        (Action.DESKTOP_OPEN, "http://bücher.example:8080"),
        (Action.DESKTOP_USE, "clipboard.read"),
    ],
)
def test_a_scope_that_can_be_shown_is_taken(action: Action, scope: str) -> None:
    assert checked(Right(action, scope)).scope == scope


@pytest.mark.parametrize(
    ("action", "scope"),
    [
        (Action.SYSTEM_READ, "../etc"),
        (Action.SYSTEM_STOP, "fire\u202efox"),
        (Action.SYSTEM_STOP, " firefox"),
        (Action.SYSTEM_STOP, "x" * 200),
        (Action.DESKTOP_OPEN, "notes/a.pdf"),
        (Action.DESKTOP_OPEN, "/home/u/../root/a"),
        (Action.DESKTOP_OPEN, "file:///etc/passwd"),
        (Action.DESKTOP_OPEN, "javascript:alert(1)"),
        (Action.DESKTOP_OPEN, "https://example.org/a b"),
        (Action.DESKTOP_OPEN, "https://example.org\\@evil.example/"),
        (Action.DESKTOP_OPEN, "https://example.org/\u202egnp"),
        (Action.DESKTOP_OPEN, "https:///etc"),
    ],
)
def test_a_scope_that_would_deceive_is_refused(action: Action, scope: str) -> None:
    with pytest.raises(BadScope):
        checked(Right(action, scope))


def test_one_fact_is_not_another_and_a_tree_is_no_scope() -> None:
    assert covers(Right(Action.SYSTEM_READ, "memory"), Right(Action.SYSTEM_READ, "memory"))
    assert not covers(Right(Action.SYSTEM_READ, "memory"), Right(Action.SYSTEM_READ, "programs"))
    assert not covers(Right(Action.DESKTOP_OPEN, "/home/u"), Right(Action.DESKTOP_OPEN, "/home/u/a.pdf"))
    with pytest.raises(BadScope):
        checked(Right(Action.DESKTOP_OPEN, "/home/u", True))


def test_a_person_can_write_them() -> None:
    assert parse_right("system.read:memory", "/home/u") == Right(Action.SYSTEM_READ, "memory")
