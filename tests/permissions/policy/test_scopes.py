"""Scopes: what covers what, and what is no scope at all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from permissions.errors import BadScope
from permissions.model import Action, Right
from permissions.policy.scopes import checked, covers, holds_path, parse_right

NAMES = st.sampled_from(["a", "b", "a-private", "ü", "x y", "..."])
PATHS = st.lists(NAMES, max_size=4).map(lambda parts: "/" + "/".join(parts))
RIGHTS = st.builds(
    Right,
    st.sampled_from([Action.FS_READ, Action.FS_WRITE]),
    PATHS.map(lambda p: p if p == "/" else p.rstrip("/")),
    st.booleans(),
)


@given(RIGHTS, RIGHTS)
def test_covering_means_every_path_of_one_is_a_path_of_the_other(wide: Right, narrow: Right) -> None:
    """The oracle: enumerate the small universe of paths instead of comparing components."""

    def holds(right: Right, path: str) -> bool:
        if path == right.scope:
            return True
        return right.tree and (right.scope == "/" or path.startswith(right.scope + "/"))

    names = ["a", "b", "a-private", "ü", "x y", "...", "zz"]
    universe = {"/", narrow.scope, wide.scope} | {f"{narrow.scope.rstrip('/')}/{name}" for name in names}
    expected = wide.action is narrow.action and all(holds(wide, p) for p in universe if holds(narrow, p))
    assert covers(wide, narrow) == expected


@given(RIGHTS, RIGHTS, RIGHTS)
def test_covering_is_a_partial_order(a: Right, b: Right, c: Right) -> None:
    assert covers(a, a)
    if covers(a, b) and covers(b, c):
        assert covers(a, c)
    if covers(a, b) and covers(b, a):
        assert (a.scope, a.action) == (b.scope, b.action)
    assert holds_path(a.scope, b.scope) == covers(Right(b.action, a.scope, True), b)


@pytest.mark.parametrize(
    "scope",
    ["relative", "/a/../b", "/a/", "//a", "/a/./b", "", "/a\0b", "~", "C:\\"],
)
def test_malformed_paths_are_refused(scope: str) -> None:
    with pytest.raises(BadScope):
        checked(Right(Action.FS_READ, scope))


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("fs.read:~/Downloads/**", Right(Action.FS_READ, "/home/u/Downloads", True)),
        ("fs.read:~/Downloads/", Right(Action.FS_READ, "/home/u/Downloads", True)),
        ("fs.write:~/a b.txt", Right(Action.FS_WRITE, "/home/u/a b.txt")),
        ("fs.read:~", Right(Action.FS_READ, "/home/u")),
        ("fs.read:/**", Right(Action.FS_READ, "/", True)),
        ("net.connect:example.org:443", Right(Action.NET_CONNECT, "example.org:443")),
        ("skill.call:notes", Right(Action.SKILL_CALL, "notes")),
    ],
)
def test_a_right_is_read_as_a_person_types_it(text: str, right: Right) -> None:
    assert parse_right(text, "/home/u") == right


@pytest.mark.parametrize(
    "text",
    [
        "",
        "read:~/x",
        "fs.read",
        "fs.read:",
        "fs.read:../x",
        "net.connect:host",
        "net.connect:host:port:1",
        "skill.call:../x",
    ],
)
def test_what_is_no_right_is_refused_with_a_next_step(text: str) -> None:
    with pytest.raises(BadScope):
        parse_right(text, "/home/u")
