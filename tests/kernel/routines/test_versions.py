"""What a routine was: listed, and gone back to, in words and by its number."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from kernel.errors import UnknownRun
from tests.kernel.routines.conftest import Desk, desk_on

pytestmark = pytest.mark.slow

RULE = "every day at 9:00 show me the largest files in Downloads"
RULE_DE = "jeden Tag um 9 Uhr zeig mir die größten Dateien in Downloads"


async def three(desk: Desk, rule: str = RULE) -> str:
    """Keep a rule and change it twice; return its name."""
    for words in (rule, "change the routine {} to 18:00", "change the routine {} to 20:00"):
        name = next((one["name"] for one in desk.kernel.routines.every()), "")
        said = await desk.say(words.format(name))
        assert said["resolution"] in ("confirmed", "executed"), said["answer"]
    return str(desk.kernel.routines.every()[0]["name"])


async def test_each_version_is_listed_with_since_when_and_by_which_words(desk: Desk) -> None:
    name = await three(desk)
    found = desk.kernel.routines.versions(name)
    assert [(one["version"], one["when"][-5:], one["now"]) for one in found] == [
        (1, "09:00", False), (2, "18:00", False), (3, "20:00", True),
    ]  # fmt: skip
    assert [one["words"] for one in found] == [
        RULE, f"change the routine {name} to 18:00", f"change the routine {name} to 20:00",
    ]  # fmt: skip
    assert all(one["since"].startswith("2026-03-11T10:0") for one in found)
    assert desk.kernel.routines.whole(name)["trigger"]["kind"] == "recurring"


@pytest.mark.parametrize(("rule", "words"), [
    (RULE, "change the routine {} back to version 1"), (RULE, "set the routine {} to version 1"),
    (RULE_DE, "ändere die Routine {} zurück auf Version 1"), (RULE_DE, "setz die Routine {} auf Version 1 zurück"),
])  # fmt: skip
async def test_one_goes_back_in_words_and_that_is_taken_back(desk: Desk, rule: str, words: str) -> None:
    name = await three(desk, rule)
    said = await desk.say(words.format(name))
    assert said["resolution"] == "confirmed", said["answer"]
    view = desk.kernel.routines.view(name)
    assert (view["when"][-5:], view["version"]) == ("09:00", 4)
    await desk.say("undo that")
    view = desk.kernel.routines.view(name)
    assert (view["when"][-5:], view["version"]) == ("20:00", 3)


@pytest.mark.parametrize("rule", [RULE, RULE_DE])
async def test_by_its_number_it_waits_for_a_yes_and_a_no_changes_nothing(tmp_path: Path, rule: str) -> None:
    async with desk_on(tmp_path) as desk:
        name = await three(desk, rule)
        run = await desk.kernel.routines.back(name, 2)
        view = await desk.kernel.settled(run)
        assert (view["resolution"], view["card"]["routine"]["when"][-5:]) == ("pending", "18:00")
        await desk.kernel.approve(run, "no")
        assert desk.kernel.routines.view(name)["version"] == 3
        run = await desk.kernel.routines.back(name, 2)
        await desk.kernel.settled(run)
        await desk.kernel.approve(run, "once")
        assert (await desk.kernel.settled(run))["resolution"] == "confirmed"
    async with desk_on(tmp_path) as desk:
        assert desk.kernel.routines.view(name)["when"][-5:] == "18:00"
        assert [one["version"] for one in desk.kernel.routines.versions(name)] == [1, 2, 3, 4]
        ran = await desk.kernel.routines.run(name)
        assert (await desk.kernel.settled(ran))["resolution"] == "executed"
        await desk.kernel.undo(run)
        assert desk.kernel.routines.view(name)["when"][-5:] == "20:00"


@pytest.mark.parametrize("number", [3, 4, 99])
async def test_to_what_it_is_or_never_was_nothing_goes_back(desk: Desk, number: int) -> None:
    name = await three(desk)
    view = await desk.kernel.settled(await desk.kernel.routines.back(name, number))
    assert (view["resolution"], view["error"]["code"]) == ("declined", "routine.version")
    assert desk.kernel.routines.view(name)["version"] == 3
    with pytest.raises(UnknownRun):
        await desk.kernel.routines.back("nothing-of-that-name", 1)


async def test_words_that_are_past_their_time_go_and_the_versions_stay(tmp_path: Path) -> None:
    async with desk_on(tmp_path) as desk:
        name = await three(desk)
        await desk.kernel.retention.set(1)
        await desk.until(lambda: not desk.kernel._house.live)
        assert desk.kernel.retention.apply(time.time_ns() + 9 * 86_400 * 10**9)
    async with desk_on(tmp_path) as desk:
        found = desk.kernel.routines.versions(name)
        assert [(one["when"][-5:], one["words"]) for one in found] == [("09:00", ""), ("18:00", ""), ("20:00", "")]
