"""Routines that are changed in words: with their name, their rights and an undo kept."""

from __future__ import annotations

import pytest

from kernel import Ask
from tests.kernel.routines.conftest import Desk

pytestmark = pytest.mark.slow

RULE = "every weekday at eight show me the largest files in Downloads"
RULE_DAILY = "every day at 9:00 show me the largest files in Downloads"
RULE_DAILY_DE = "jeden Tag um 9 Uhr zeig mir die größten Dateien in Downloads"
RULE_DE = "jeden Montag um 8 Uhr zeig mir die größten Dateien in Downloads"


@pytest.mark.parametrize(("rule", "words", "when"), [
    (RULE, "make it nine", "every working day at 09:00"),
    (RULE, "no, every Friday at 17:00", "every Friday at 17:00"),
    (RULE, "half past nine instead", "every working day at 09:30"),
    (RULE_DE, "lieber um neun", "jeden Montag um 09:00"),
    (RULE_DE, "mach es dienstags", "jeden Dienstag um 08:00"),
    (RULE_DE, "nein, jeden Freitag um 17 Uhr", "jeden Freitag um 17:00"),
])  # fmt: skip
async def test_just_after_it_was_kept(desk: Desk, rule: str, words: str, when: str) -> None:
    await desk.say(rule)
    (before,) = desk.kernel.routines.every()
    said = await desk.say(words)
    assert said["resolution"] in ("confirmed", "executed"), said["answer"]
    (routine,) = desk.kernel.routines.every()
    assert (routine["name"], routine["when"], routine["said"]) == (before["name"], when, before["said"])
    undone = await desk.say("undo that")
    assert undone["resolution"] == "executed"
    assert [one["when"] for one in desk.kernel.routines.every()] == [before["when"]]


FILES = "whenever an iso lands in Downloads, copy it to Backup"
FILES_DE = "immer wenn eine iso in Downloads landet, kopier sie nach Backup"


@pytest.mark.parametrize(("rule", "words", "limit"), [
    (FILES, "make it at most five times a day", "at most 5 times a day"),
    (FILES, "change the routine {} to at most five times a day", "at most 5 times a day"),
    (FILES_DE, "mach höchstens fünfmal am Tag draus", "höchstens 5-mal am Tag"),
    (FILES_DE, "höchstens fünfmal am Tag", "höchstens 5-mal am Tag"),
    (FILES, "only on Mondays", "only on Monday"), (FILES_DE, "nur montags", "nur am Montag"),
    (FILES, "not on Sundays", "only on Monday, Tuesday, Wednesday, Thursday, Friday and Saturday"),
])  # fmt: skip
async def test_what_keeps_it_still_is_changed_and_stands_on_the_card(
    desk: Desk, rule: str, words: str, limit: str
) -> None:
    await desk.say(rule)
    (before,) = desk.kernel.routines.every()
    asked = Ask(words.format(before["name"]), conversation="c", cwd=str(desk.home), channel="test")
    run = await desk.kernel.ask(asked)
    card = (await desk.kernel.settled(run))["card"]
    assert card["routine"]["limits"] == [limit]
    await desk.kernel.approve(run, "once")
    assert limit in (await desk.kernel.settled(run))["answer"]
    (routine,) = desk.kernel.routines.every()
    assert (routine["when"], routine["limits"], routine["said"]) == (before["when"], [limit], before["said"])
    await desk.say("undo that")
    assert desk.kernel.routines.every()[0]["limits"] == []


@pytest.mark.parametrize(("rule", "words", "when"), [
    (RULE_DAILY, "only on Mondays", "every Monday at 09:00"),
    (RULE_DAILY, "but not at the weekend", "every working day at 09:00"),
    (RULE_DAILY_DE, "nur montags", "jeden Montag um 09:00"),
    (RULE_DAILY_DE, "aber nicht am Wochenende", "jeden Werktag um 09:00"),
    (RULE_DAILY_DE, "ändere die Routine {} auf nicht am Wochenende", "jeden Werktag um 09:00"),
])  # fmt: skip
async def test_the_days_of_a_rule_of_the_clock_are_part_of_its_times(
    desk: Desk, rule: str, words: str, when: str
) -> None:
    await desk.say(rule)
    (before,) = desk.kernel.routines.every()
    said = await desk.say(words.format(before["name"]))
    assert said["resolution"] in ("confirmed", "executed"), said["answer"]
    (routine,) = desk.kernel.routines.every()
    assert (routine["when"], routine["name"]) == (when, before["name"])


@pytest.mark.parametrize("words", ["only on Blursdays", "never mind", "not that often", "nur so"])
async def test_what_says_no_limit_changes_nothing(desk: Desk, words: str) -> None:
    await desk.say(FILES)
    await desk.say(words, answer="no")
    assert [one["limits"] for one in desk.kernel.routines.every()] == [[]]


async def test_by_its_name_at_any_time_and_with_what_it_was_granted(desk: Desk) -> None:
    await desk.say(RULE)
    (before,) = desk.kernel.routines.every()
    grants = desk.kernel.routines.whole(before["name"])["rights"]
    await desk.say("what is 3 + 4")
    said = await desk.say(f"change the routine {before['name']} to 18:30")
    assert said["resolution"] in ("confirmed", "executed"), said["answer"]
    whole = desk.kernel.routines.whole(before["name"])
    assert (whole["when"], whole["rights"]) == ("every working day at 18:30", grants)
    german = await desk.say(f"ändere die Routine {before['name']} auf every Friday at 7:15")
    assert german["resolution"] in ("confirmed", "executed"), german["answer"]
    assert desk.kernel.routines.view(before["name"])["when"] == "every Friday at 07:15"


async def test_a_trigger_that_reaches_elsewhere_asks_for_the_rights_there(desk: Desk) -> None:
    (desk.home / "Pictures").mkdir()
    await desk.say("whenever an iso lands in Downloads, move it to Backup")
    run = await desk.say("no, whenever an iso lands in Pictures", answer="no")
    assert run["resolution"] == "blocked"
    assert desk.kernel.routines.every()[0]["when"].endswith("~/Downloads")
    await desk.say("change the routine move-backup to whenever an iso lands in Pictures")
    (routine,) = desk.kernel.routines.every()
    assert routine["when"].endswith("~/Pictures")
    rights = {one["right"] for one in desk.kernel.routines.whole(routine["name"])["rights"]}
    assert any(f"{desk.home}/Pictures/**" in one for one in rights)


@pytest.mark.parametrize("words", ["bananas", "something completely different", "never"])
async def test_what_is_no_change_says_so_and_changes_nothing(desk: Desk, words: str) -> None:
    await desk.say(RULE)
    (before,) = desk.kernel.routines.every()
    said = await desk.say(f"change the routine {before['name']} to {words}")
    assert (said["resolution"], said["error"]["code"]) == ("declined", "routine.unclear")
    assert [one["when"] for one in desk.kernel.routines.every()] == [before["when"]]


async def test_a_request_of_its_own_changes_nothing(desk: Desk) -> None:
    await desk.say(RULE)
    said = await desk.say("no, what is 3 + 4")
    assert "7" in said["answer"]
    assert desk.kernel.routines.every()[0]["when"] == "every working day at 08:00"


async def test_what_was_paused_while_the_card_waited_is_changed_all_the_same(desk: Desk) -> None:
    await desk.say(RULE)
    (before,) = desk.kernel.routines.every()
    words = f"change the routine {before['name']} to 18:30"
    run = await desk.kernel.ask(Ask(words, conversation="c", cwd=str(desk.home), channel="test"))
    assert (await desk.kernel.settled(run))["resolution"] == "pending"
    await desk.kernel.routines.pause(before["name"])
    await desk.kernel.approve(run, "once")
    assert (await desk.kernel.settled(run))["resolution"] == "confirmed"
    (routine,) = desk.kernel.routines.every()
    assert (routine["name"], routine["when"]) == (before["name"], "every working day at 18:30")
