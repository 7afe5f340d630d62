"""Offers at the doors: ``./steward offers`` and its JSON, its sources, and one that is put away."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.portal.conftest import Installation

pytestmark = pytest.mark.slow

LOOK, THEN, HOURS = "what is 40 + 1?", "what is 40 + 2?", "how many hours are 3 days?"
AHEAD = ("sequence", "time", "files", "calendar")
SOURCES = (*AHEAD, "words")


@pytest.fixture
def used(running: Installation) -> Iterator[None]:
    """A person who always asks one thing after the other, and has just asked the first; every source is on."""
    for at in range(4):
        for text in (LOOK, THEN):
            done = running.steward("ask", text, "--json", "--conversation", f"c-{at}")
            assert done.code == 0, done.err
    yield
    for source in SOURCES:
        running.steward("offers", "on", source)


def test_where_nothing_came_again_the_list_says_so(running: Installation) -> None:
    found = running.steward("offers", "list", "--json").json
    assert (found["offers"], found["sources"]) == ([], dict.fromkeys(SOURCES, True))
    said = running.steward("offers")
    assert (said.code, "Nothing is offered now" in said.out) == (0, True)


def test_a_source_is_turned_off_and_on_and_what_is_none_is_refused(running: Installation) -> None:
    off = running.steward("offers", "off", "time", "--json")
    assert (off.code, off.json["sources"]["time"]) == (0, False)
    assert "Turned off: time" in running.steward("offers").out + running.steward("offers").err
    assert running.steward("offers", "on", "time", "--json").json["sources"]["time"] is True
    assert running.steward("offers", "off", "weather").code != 0
    for key in ("nothing", "a/b"):
        wrong = running.steward("offers", "dismiss", key)
        assert (wrong.code, "./steward offers lists them." in wrong.err) == (2, True), wrong.err


@pytest.mark.usefixtures("used")
def test_what_comes_again_is_listed_with_why_now_and_put_away(running: Installation) -> None:
    found = running.steward("offers", "--json").json["offers"]
    assert found, "the first of both is what a new conversation begins with"
    assert {"key", "text", "language", "tools", "chance", "source", "why"} == set(found[0])
    said = running.steward("offers")
    assert found[0]["text"] in said.out
    assert found[0]["why"] in said.out + said.err
    assert running.steward("offers", "dismiss", found[0]["key"]).code == 0
    left = running.steward("offers", "--json").json["offers"]
    assert found[0]["key"] not in [one["key"] for one in left]


def test_what_was_made_ahead_is_listed_and_turned_off_for_a_source(running: Installation) -> None:
    found = running.steward("offers", "ahead", "--json").json
    assert found["sources"] == dict.fromkeys(AHEAD, True)
    assert {"ahead", "cpu_s", "cpu_left_s", "sources"} == set(found)
    said = running.steward("offers", "ahead")
    assert (said.code, "Left of this hour" in said.out + said.err) == (0, True)
    off = running.steward("offers", "ahead", "off", "files", "--json")
    assert (off.code, off.json["sources"]["files"]) == (0, False)
    said = running.steward("offers", "ahead")
    assert "./steward offers ahead on files" in said.out + said.err
    assert running.steward("offers", "list", "--json").json["sources"]["files"] is True, "it is offered all the same"
    assert running.steward("offers", "ahead", "on", "files", "--json").json["sources"]["files"] is True
    assert running.steward("offers", "ahead", "off", "weather").code != 0


@pytest.mark.usefixtures("used")
def test_what_a_sentence_may_become_is_listed_and_where_it_becomes_nothing_that_is_said(running: Installation) -> None:
    for at in range(4):
        assert running.steward("ask", HOURS, "--json", "--conversation", f"h-{at}").code == 0
    found = running.steward("offers", "list", "--typed", "how many ho", "--json").json
    assert [one["text"] for one in found["offers"]] == [HOURS]
    assert found["sources"]["words"] is True
    said = running.steward("offers", "--typed", "write a poem")
    assert (said.code, "nothing begins like that" in said.out) == (0, True), said.err
    assert running.steward("offers", "off", "words").code == 0
    said = running.steward("offers", "--typed", "how many ho")
    assert HOURS not in said.out
    assert "Turned off: words" in said.out + said.err
