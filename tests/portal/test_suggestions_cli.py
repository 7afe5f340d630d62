"""Suggestions at the doors: ``./steward suggestions`` and its JSON, and what is none."""

from __future__ import annotations

import pytest

from tests.portal.conftest import Installation

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("downloaded")]


def test_where_nothing_came_again_the_list_says_so(running: Installation) -> None:
    assert running.steward("suggestions", "--json").json == {"suggestions": []}
    said = running.steward("suggestions", "list")
    assert said.code == 0
    assert "Nothing is suggested now" in said.out + said.err


@pytest.mark.parametrize(
    "words",
    [
        ("show", "nothing"), ("accept", "nothing", "--name", "monthly close"), ("snooze", "nothing", "--days", "3"),
        ("never", "nothing"), ("edit", "nothing", "--without", "1", "--ask", "1.folder"),
    ],
)  # fmt: skip
def test_what_is_no_suggestion_is_refused(running: Installation, words: tuple[str, ...]) -> None:
    done = running.steward("suggestions", *words, "--json")
    assert done.code != 0
    assert "There is no suggestion nothing" in done.out + done.err
