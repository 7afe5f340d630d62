"""Paths that values name, and which of them hold others: against what pathlib says."""

from __future__ import annotations

from itertools import permutations
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernel.paths import holds, homely, is_nested, meet, paths_of, tilded

_PATHS = st.lists(st.sampled_from(["a", "b", "ab", "a b"]), max_size=4).map(lambda parts: "/" + "/".join(parts))


@pytest.mark.parametrize(
    ("value", "expected"),
    [("/h/a.pdf", ["/h/a.pdf"]), ("/h/Archive/", ["/h/Archive"]), ("/", ["/"]), ("and/or", []), (5, []), (None, []),
     ([{"path": "/h/a"}, "/h/b", {"name": "c"}], ["/h/a", "/h/b"])],
)  # fmt: skip
def test_the_paths_of_a_value(value: object, expected: list[str]) -> None:
    assert list(paths_of(value)) == expected


@given(_PATHS, _PATHS)
def test_a_folder_holds_what_lies_below_it(one: str, other: str) -> None:
    assert holds(one, other) == (PurePosixPath(one) in PurePosixPath(other).parents)


@given(st.lists(_PATHS, max_size=5), st.lists(_PATHS, max_size=5))
def test_meeting_and_nesting_are_holding_one_by_one(some: list[str], others: list[str]) -> None:
    assert meet(some, others) == any(a == b or holds(a, b) or holds(b, a) for a in some for b in others)
    assert is_nested(some) == any(holds(a, b) for a, b in permutations(some, 2))


@pytest.mark.parametrize(
    ("text", "said"),
    [("needs fs.read:/h/u/.ssh/id_rsa, and /h/u.", "needs fs.read:~/.ssh/id_rsa, and ~."), ("/h/u", "~"),
     ("/h/user/a, /h/u-2/a, /x/h/u/a, ~/h/u", "/h/user/a, /h/u-2/a, /x/h/u/a, ~/h/u"), ("'/h/u/a b'.", "'~/a b'.")],
)  # fmt: skip
def test_the_home_is_a_tilde_where_a_path_begins_with_it(text: str, said: str) -> None:
    assert tilded(text, "/h/u") == said
    assert tilded(text, "") == tilded(text, "/") == text


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("Put files away (files: /home/ada/a/small.zip)", "Put files away (files: ~/a/small.zip)"),
        ("from /home/ada to /tmp / both", "from ~ to /tmp / both"),
        ("/home/ada/a/ b.pdf", "~/a/\\x20b.pdf"),
        ("no home: /home/adam, /srv/home/ada", "no home: /home/adam, /srv/home/ada"),
        ("a\u202eb /home/ada.", "a\\u{202e}b ~."),
    ],
)
def test_prose_keeps_its_blanks_and_a_path_alone_shows_those_at_its_edges(said: str, written: str) -> None:
    assert homely(said, "/home/ada") == written
