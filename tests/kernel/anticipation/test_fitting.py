"""What a sentence that a person has begun to type may become: their own, of what they ask for again and again."""

from __future__ import annotations

import pytest

from kernel import Ask, BadRequest
from tests.kernel.anticipation.conftest import Days

pytestmark = pytest.mark.slow

LOOK, LARGEST, SUM = "list Downloads", "show me the largest files in Downloads", "what is 2 + 3?"


async def _usual(days: Days, *texts: str, times: int = 4) -> None:
    """Say each on so many days, in a conversation of its own."""
    for at in range(times):
        for text in texts:
            await days.say(text, conversation=f"{at}-{text}", after_days=0.3)


async def test_what_was_begun_becomes_what_holds_all_of_its_words(days: Days) -> None:
    await _usual(days, LOOK, LARGEST, SUM)
    assert [one["text"] for one in await days.fitting("the largest fi", "new")] == [LARGEST]
    assert [one["text"] for one in await days.fitting("what is", "new")] == [SUM]
    assert [one["text"] for one in await days.fitting("largest mails", "new")] == []
    assert await days.fitting("la", "new") == [], "two letters say nothing"
    assert await days.fitting(LARGEST, "new") == [], "nothing is left to be said"
    assert await days.fitting("largest " * 1000, "new") == []


async def test_it_says_that_the_words_are_why_and_does_nothing(days: Days) -> None:
    await _usual(days, LOOK, LARGEST, SUM)
    runs = len(days.kernel.runs(100))
    first, *_ = await days.fitting("largest", "new")
    assert first["source"] == "words"
    assert first["why"] == "You asked for this 4 times in words like these."
    assert first["chance"] > 0.35
    assert len(days.kernel.runs(100)) == runs


async def test_it_takes_no_attention_fades_by_nothing_and_leaves_no_letter(days: Days) -> None:
    await _usual(days, LOOK, LARGEST, SUM)
    before = days.kernel._house.ledger.head()[0]
    left = (await days.kernel.rooms.offers.now("new"))["attention_left"]
    chances = {(await days.fitting("largest files", "new"))[0]["chance"] for _ in range(6)}
    assert len(chances) == 1
    assert (await days.kernel.rooms.offers.now("new"))["attention_left"] == left
    written = {event.kind for event in days.kernel._house.ledger.events(after=before)}
    assert written <= {"wall.tested"}, "which is written by itself, at any time"


async def test_what_is_learnt_meanwhile_is_known_and_what_was_forgotten_is_not(days: Days) -> None:
    await _usual(days, SUM)
    (days.home / "Downloads" / "Berta.txt").write_text("b")
    asked = "show me Berta.txt in Downloads"
    assert await days.fitting("show me Ber", "new") == []
    await _usual(days, asked, times=3)
    assert [one["text"] for one in await days.fitting("show me Ber", "new")] == [asked]
    shown = await days.kernel.known.preview("Berta")
    await days.kernel.known.forget("Berta", [], shown["seal"])
    assert await days.fitting("show me Ber", "new") == []


async def test_the_source_can_be_turned_off_and_one_that_was_put_away_stays_away(days: Days) -> None:
    await _usual(days, LOOK, LARGEST, SUM)
    offers = days.kernel.rooms.offers
    await offers.switch("words", on=False)
    assert await days.fitting("largest files", "new") == []
    await offers.switch("words", on=True)
    first, *_ = await days.fitting("largest files", "new")
    await offers.dismiss(first["key"])
    assert await days.fitting("largest files", "new") == []
    with pytest.raises(BadRequest):
        await offers.switch_ahead("words", on=False)


async def test_nothing_is_offered_while_a_card_waits(days: Days) -> None:
    await _usual(days, LOOK, LARGEST, SUM)
    assert await days.fitting("largest files", "new")
    run = await days.kernel.ask(Ask("delete small.txt in Downloads", conversation="new", cwd=str(days.home)))
    await days.kernel.settle(run)
    assert await days.fitting("largest files", "new") == []
    await days.kernel.cancel(run)
