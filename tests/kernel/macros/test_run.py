"""A run becomes a macro, and is done by its name or a phrase with nothing interpreted and nothing planned."""

from __future__ import annotations

from pathlib import Path

import pytest

from kernel import Ask
from kernel.errors import BadRequest
from tests.kernel.macros.conftest import by_name, kinds
from tests.kernel.routines.conftest import Desk, desk_on

pytestmark = pytest.mark.slow

COPY = "copy ~/Downloads/small.txt to ~/Backup"
NAME = "monthly close"


async def kept(desk: Desk, text: str = COPY, name: str = NAME, **more: list[str]) -> str:
    """Do something, and make a macro of it; return the run."""
    done = await desk.say(text)
    assert done["resolution"] in ("executed", "confirmed"), done
    await desk.kernel.macros.new(name, done["run"], **more)
    return str(done["run"])


@pytest.mark.parametrize(
    "said", ["monthly close", "Monthly Close!", "could you please monthly-close", "bitte monthly close"]
)
async def test_its_name_runs_it_with_nothing_interpreted_and_nothing_planned(desk: Desk, said: str) -> None:
    await kept(desk)
    (desk.home / "Backup/small.txt").unlink()
    view = await desk.say(said)
    assert view["resolution"] == "confirmed", view["answer"]
    assert (desk.home / "Backup/small.txt").is_file()
    assert view["macro"] == NAME
    assert not {"run.interpreted", "run.recommended"} & set(kinds(desk, view["run"]))
    assert "macro.called" in kinds(desk, view["run"])
    planned = next(one for one in desk.kernel.log(200) if one["run"] == view["run"] and one["kind"] == "run.planned")
    assert planned["body"]["macro"]["name"] == NAME


async def test_a_word_more_or_an_open_question_and_it_is_a_sentence_like_any_other(desk: Desk) -> None:
    await kept(desk)
    more = await desk.say("monthly close of the library")
    assert more["macro"] == ""
    asked = await desk.say("create a note")
    assert asked["resolution"] == "clarify", asked
    answered = await desk.say("monthly close")
    assert answered["macro"] == "", "it is the answer"
    assert answered["answers"] == asked["run"], answered


async def test_it_is_undone_and_stays_over_a_restart(tmp_path: Path) -> None:
    async with desk_on(tmp_path) as first:
        await kept(first)
        (first.home / "Backup/small.txt").unlink()
    async with desk_on(tmp_path) as later:
        view = await by_name(later, NAME)
        assert (later.home / "Backup/small.txt").is_file(), view
        await later.say("undo that")
        assert not (later.home / "Backup/small.txt").exists()


async def test_rights_are_the_persons_own(desk: Desk) -> None:
    await kept(desk)
    (desk.home / "Backup/small.txt").unlink()
    run = await desk.kernel.ask(Ask(NAME, conversation="c", cwd=str(desk.home), channel="test"))
    view = await desk.kernel.settled(run)
    assert view["resolution"] == "pending", "what was allowed once is asked about again"
    await desk.kernel.approve(run, "always")
    assert (await desk.kernel.settled(run))["resolution"] == "confirmed"
    (desk.home / "Backup/small.txt").unlink()
    run = await desk.kernel.ask(Ask(NAME, conversation="c", cwd=str(desk.home), channel="test"))
    assert (await desk.kernel.settled(run))["resolution"] == "executed", "the person's own grants count"


async def test_a_day_in_its_words_is_that_of_the_run(tmp_path: Path) -> None:
    async with desk_on(tmp_path) as first:
        await kept(first, "show me my events today", "the day")
    async with desk_on(tmp_path, "2026-04-02T09:00") as later:
        view = await later.say("the day")
        given = [value for task in view["plan"]["tasks"] for value in task["arguments"].values()]
        assert any("2026-04-02" in str(value) for value in given), given
        whole = later.kernel.macros.whole("the day")
        assert "today" in str(whole["plan"]["tasks"][0]["arguments"])


async def test_what_is_asked_for_is_one_question_and_its_answer_goes_on(desk: Desk) -> None:
    await kept(desk, asked=["files"])
    view = await desk.say(NAME)
    assert view["resolution"] == "clarify", view
    done = await desk.say("~/Downloads/big.iso")
    assert done["resolution"] in ("executed", "confirmed"), done
    assert (desk.home / "Backup/big.iso").is_file()
    assert done["macro"] == NAME


async def test_values_are_given_by_name_and_held_against_their_kind(desk: Desk) -> None:
    await kept(desk, asked=["files"])
    done = await by_name(desk, NAME, files="~/Downloads/big.iso")
    assert (desk.home / "Backup/big.iso").is_file(), done
    for wrong in ("~/Downloads/none.iso", "", 7):
        with pytest.raises(BadRequest):
            await by_name(desk, NAME, files=wrong)
    with pytest.raises(BadRequest, match="not told any"):
        await by_name(desk, NAME, other="x")


async def test_it_teaches_the_planner_nothing(desk: Desk) -> None:
    await kept(desk)
    (desk.home / "Backup/small.txt").unlink()
    await desk.say(NAME)
    await desk.kernel.macros.remove(NAME)
    assert (await desk.say(NAME))["resolution"] in ("declined", "clarify")


async def test_renamed_it_is_said_by_its_new_name_and_phrases(desk: Desk) -> None:
    await kept(desk)
    await desk.kernel.macros.rename(NAME, "Monatsabschluss")
    await desk.kernel.macros.phrase("Monatsabschluss", "räum den Monat auf")
    assert [one["name"] for one in desk.kernel.macros.every()] == ["Monatsabschluss"]
    for said in ("monatsabschluss", "Räum den Monat auf, bitte!"):
        (desk.home / "Backup/small.txt").unlink()
        assert (await desk.say(said))["macro"] == "Monatsabschluss"
    assert (await desk.say(NAME))["macro"] == ""


@pytest.mark.parametrize(
    "taken",
    [
        "undo that", "hello", "what can you do?", "mach das rückgängig", "what did I ask you yesterday?", "yes", "3",
        "the first one", "show me the largest files in Downloads", "remember that my sister is Anna", "forget that",
    ],
)  # fmt: skip
async def test_words_that_mean_something_already_are_no_phrase(desk: Desk, taken: str) -> None:
    await kept(desk)
    with pytest.raises(BadRequest):
        await desk.kernel.macros.phrase(NAME, taken)
    assert desk.kernel.macros.whole(NAME)["phrases"] == []


async def test_no_two_are_said_alike(desk: Desk) -> None:
    run = await kept(desk)
    with pytest.raises(BadRequest):
        await desk.kernel.macros.new("Monthly-Close", run)
    await desk.kernel.macros.new("backup of mine", run)
    with pytest.raises(BadRequest):
        await desk.kernel.macros.phrase("backup of mine", "please monthly close")


async def test_what_did_not_end_well_becomes_none(desk: Desk) -> None:
    refused = await desk.say(COPY, answer="no")
    undone = await desk.say(COPY)
    await desk.say("undo that")
    private = await desk.say(COPY, private=True)
    for run in (refused, undone, private):
        with pytest.raises(BadRequest):
            await desk.kernel.macros.new(NAME, run["run"])


@pytest.mark.parametrize(("said", "name"), [
    ("save that as a macro called monthly close", "monthly close"),
    ("Speicher das als Makro Monatsabschluss", "Monatsabschluss"),
    ("Merk dir das bitte als Makro „Monatsabschluss“", "Monatsabschluss"),
])  # fmt: skip
async def test_it_is_kept_by_saying_so_and_undone_like_anything(desk: Desk, said: str, name: str) -> None:
    await desk.say(COPY)
    kept_now = await desk.say(said)
    assert kept_now["resolution"] == "executed", kept_now
    assert [one["name"] for one in desk.kernel.macros.every()] == [name]
    await desk.say("undo that")
    assert desk.kernel.macros.every() == []
    assert (desk.home / "Backup/small.txt").is_file()
