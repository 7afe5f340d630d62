"""What a definition leaves open is asked, and the next sentence answers it; its card outlives a restart."""

from __future__ import annotations

from pathlib import Path

import pytest

from kernel import Ask
from tests.kernel.macros.conftest import Desk
from tests.kernel.routines.conftest import desk_on

pytestmark = pytest.mark.slow

UNSURE = "define cleaning as tidy the big stuff in Downloads"
ASKS = "Before I keep “cleaning” I have to ask: I do not understand “big, stuff”. Shall I do the rest"


@pytest.mark.parametrize("answer", ["yes", "1", "yes, please"])
async def test_the_next_sentence_answers_it(desk: Desk, answer: str) -> None:
    asked = await desk.say(UNSURE)
    assert (asked["resolution"], desk.kernel.macros.every()) == ("clarify", [])
    assert asked["question"]["text"].startswith(ASKS)
    assert asked["question"]["choices"] == ["yes", "no"]
    kept = await desk.say(answer)
    assert kept["resolution"] == "confirmed", kept["answer"]
    (macro,) = desk.kernel.macros.every()
    assert (macro["name"], macro["tools"]) == ("cleaning", ["files.organize"])


async def test_a_german_one_is_asked_about_in_german(desk: Desk) -> None:
    asked = await desk.say("definiere Ordnung als räum das große Zeug in Downloads auf")
    assert asked["answer"].startswith("Bevor ich „Ordnung“ behalte, muss ich fragen: "), asked["answer"]
    kept = await desk.say("ja")
    assert kept["resolution"] == "confirmed", kept["answer"]
    assert [one["name"] for one in desk.kernel.macros.every()] == ["Ordnung"]


async def test_no_keeps_nothing(desk: Desk) -> None:
    await desk.say(UNSURE)
    said = await desk.say("no")
    assert said["resolution"] == "declined", said["answer"]
    assert desk.kernel.macros.every() == []


async def test_another_request_is_no_answer(desk: Desk) -> None:
    await desk.say(UNSURE)
    done = await desk.say("what is 17 * 4")
    assert "68" in done["answer"]
    late = await desk.say("yes")
    assert late["resolution"] == "declined", late["answer"]
    assert desk.kernel.macros.every() == []


async def test_it_is_dropped_in_words_and_by_hand(desk: Desk) -> None:
    await desk.say(UNSURE)
    assert "dropped" in (await desk.say("never mind"))["answer"]
    asked = await desk.say(UNSURE)
    await desk.kernel.cancel(asked["run"])
    assert (await desk.say("yes"))["resolution"] == "declined"
    assert desk.kernel.macros.every() == []


async def test_what_it_leaves_open_is_named_by_its_words(desk: Desk) -> None:
    asked = await desk.say("define cleaning as tidy the big stuff in a folder")
    assert asked["resolution"] == "clarify", asked["answer"]
    assert "(folder: a folder)" in asked["answer"]
    kept = await desk.say("yes")
    (macro,) = desk.kernel.macros.every()
    assert [one["name"] for one in macro["parameters"]] == ["folder"], kept["answer"]


async def test_the_answer_and_the_card_survive_a_restart(tmp_path: Path) -> None:
    async with desk_on(tmp_path) as desk:
        await desk.say(UNSURE)
    async with desk_on(tmp_path) as desk:
        run = await desk.kernel.ask(Ask("yes", conversation="c", cwd=str(desk.home), channel="test"))
        shown = await desk.kernel.settled(run)
        assert (shown["resolution"], shown["stage"]) == ("pending", "macro")
    async with desk_on(tmp_path) as desk:
        await desk.until(lambda: bool(desk.kernel.approvals()))
        (again,) = desk.kernel.approvals()
        assert (again["run"], again["stage"]) == (run, "macro")
        assert again["card"]["macro"]["name"] == "cleaning"
        assert desk.kernel.macros.every() == []
        kept = await desk.answered(run, "once")
        assert kept["resolution"] == "confirmed", kept["answer"]
        assert [one["name"] for one in desk.kernel.macros.every()] == ["cleaning"]


async def test_a_card_whose_name_was_taken_meanwhile_ends(tmp_path: Path) -> None:
    said = "define {name} as show the largest files in Downloads"
    async with desk_on(tmp_path) as desk:
        ask = Ask(said.format(name="big ones"), conversation="c", cwd=str(desk.home), channel="test")
        run = await desk.kernel.ask(ask)
        assert (await desk.kernel.settled(run))["resolution"] == "pending"
        await desk.say(said.format(name="big ones"))
    async with desk_on(tmp_path) as desk:
        ended = await desk.kernel.settled(run)
        assert ended["resolution"] == "failed", ended["answer"]
        assert len(desk.kernel.macros.every()) == 1
