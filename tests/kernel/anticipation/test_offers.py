"""Offers in a running kernel: what comes again is offered with why now; nothing else is, and nothing is ever done."""

from __future__ import annotations

import pytest

from kernel import Ask, BadRequest
from kernel.anticipation.model import SHOWN
from tests.kernel.anticipation.conftest import Days

pytestmark = pytest.mark.slow

LOOK, THEN = "list Downloads", "show me the largest files in Downloads"
SUM, SUM_DE = "what is 2 + 3?", "was ist 2 + 3?"


async def _habit(days: Days, times: int = 4, first: str = LOOK, then: str = THEN) -> None:
    """Say one after the other, on so many days."""
    for _ in range(times):
        assert await days.say(first, then, after_days=1) == ["confirmed", "confirmed" if then == THEN else "executed"]


async def test_what_always_followed_is_offered_with_why_and_nothing_is_done(days: Days) -> None:
    await _habit(days)
    await days.say(LOOK, after_days=1)
    runs = len(days.kernel.runs(100))
    first, *_ = await days.offered()
    assert first["text"] == THEN
    assert first["source"] == "sequence"
    assert first["why"] == "You asked for this 4 of 4 times after what you asked last."
    assert 0.35 <= first["chance"] <= 1
    assert len(days.kernel.runs(100)) == runs


async def test_an_offer_of_german_words_says_why_in_german(days: Days) -> None:
    await _habit(days, then=SUM_DE)
    await days.say(LOOK, after_days=1)
    first, *_ = await days.offered()
    assert first["text"] == SUM_DE
    assert first["why"].startswith("Darum hast du 4 von 4 Malen")


async def test_what_came_twice_or_was_just_done_is_not_offered_and_there_are_three_at_most(days: Days) -> None:
    await _habit(days, times=2)
    await days.say(LOOK, after_days=1)
    assert await days.offered() == []
    await days.say(THEN)
    await _habit(days, times=2)
    offered = await days.offered()
    assert all(one["text"] != THEN for one in offered)
    assert len(offered) <= 3


async def test_the_same_is_offered_after_a_restart(days: Days) -> None:
    await _habit(days)
    await days.say(LOOK, after_days=1)
    before = await days.offered()
    assert before
    await days.reopen()
    assert await days.offered() == before


async def test_what_is_not_the_persons_own_teaches_nothing(days: Days) -> None:
    for _ in range(4):
        await days.say(LOOK, after_days=1)
        await days.say(THEN, private=True)
    await days.say(LOOK, after_days=1)
    assert all(one["text"] != THEN for one in await days.offered())


async def test_what_was_taken_back_teaches_nothing(days: Days) -> None:
    note = "write a note called milk: buy oat milk"
    for _ in range(4):
        await days.say(LOOK, note, after_days=1)
        await days.kernel.undo(days.last)
    await days.say(LOOK, after_days=1)
    assert all(one["text"] != note for one in await days.offered())


async def test_what_was_forgotten_is_not_offered(days: Days) -> None:
    (days.home / "Downloads" / "Berta.txt").write_text("b")
    asked = "show me Berta.txt in Downloads"
    for _ in range(4):
        await days.say(LOOK, asked, after_days=1)
    await days.say(LOOK, after_days=1)
    assert asked in [one["text"] for one in await days.offered()]
    shown = await days.kernel.known.preview("Berta")
    await days.kernel.known.forget("Berta", [], shown["seal"])
    assert asked not in [one["text"] for one in await days.offered()]
    log = days.kernel.rooms.offers._log
    await days.offered()
    assert days.kernel.rooms.offers._log is log, "the ledger is read anew once, not each time"


async def test_an_offer_that_is_put_away_comes_back_when_the_person_asks_for_it(days: Days) -> None:
    await _habit(days)
    await days.say(LOOK, after_days=1)
    first, *_ = await days.offered(unasked=True)
    await days.kernel.rooms.offers.dismiss(first["key"])
    assert all(one["key"] != first["key"] for one in await days.offered())
    await days.say(THEN)
    await days.say(LOOK, after_days=1)
    assert [one["key"] for one in await days.offered()][:1] == [first["key"]]
    with pytest.raises(BadRequest):
        await days.kernel.rooms.offers.dismiss("no such offer")


async def test_an_offer_that_is_passed_over_fades(days: Days) -> None:
    await _habit(days, times=6)
    chances = []
    for _ in range(4):
        await days.say(LOOK, after_days=1, conversation="d")
        chances += [one["chance"] for one in await days.offered("d", unasked=True) if one["text"] == THEN]
        await days.say(SUM, conversation="d")
    assert 0 < len(chances) < 4, "in the end it is gone"
    assert chances == sorted(chances, reverse=True)


async def test_unasked_offers_keep_to_quiet_hours_and_to_the_budget_of_a_day(days: Days) -> None:
    await _habit(days)
    await days.say(LOOK, after_days=1)
    assert await days.offered(unasked=True)
    assert await days.offered(unasked=True), "what stands there already takes nothing more"
    shown = [one for one in days.kernel._house.ledger.events(kinds=(SHOWN,))]
    assert len(shown) == 1
    days.now = days.now.replace(hour=23)
    await days.say(LOOK)
    assert await days.offered(unasked=True) == []
    assert await days.offered(), "who asks is answered"


async def test_a_source_that_is_off_offers_nothing(days: Days) -> None:
    await _habit(days)
    await days.say(LOOK, after_days=1)
    offers = days.kernel.rooms.offers
    assert (await offers.switch("sequence", on=False))["sequence"] is False
    assert all(one["source"] != "sequence" for one in await days.offered())
    await days.reopen()
    assert all(one["source"] != "sequence" for one in await days.offered())
    await days.kernel.rooms.offers.switch("sequence", on=True)
    assert [one["text"] for one in await days.offered()][:1] == [THEN]
    with pytest.raises(BadRequest):
        await offers.switch("weather", on=False)


async def test_the_time_of_day_tells_what_is_wanted_first(days: Days) -> None:
    for day in range(14):
        days.now = days.now.replace(hour=9, minute=0)
        await days.say(LOOK, after_days=1, conversation=f"morning {day}")
        days.now = days.now.replace(hour=17, minute=0)
        await days.say(SUM, conversation=f"evening {day}")
    days.now = days.now.replace(hour=17, minute=10)
    first, *_ = await days.offered("new")
    assert (first["text"], first["source"]) == (SUM, "time")
    assert "17:00" in first["why"]


async def test_where_something_waits_for_an_answer_nothing_is_offered(days: Days) -> None:
    await _habit(days)
    await days.say(LOOK, after_days=1)
    run = await days.kernel.ask(Ask("write a note called tea: green", conversation="c", cwd=str(days.home)))
    await days.kernel.settle(run)
    assert await days.offered() == []
    await days.kernel.cancel(run)
