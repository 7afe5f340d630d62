"""A request for one moment to come is kept for it and not done now; what takes that time itself stays what it is."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from kernel import Ask
from kernel.language import Line, tokenize
from kernel.routines import Elapsed, Once
from kernel.routines.hearing.when.coming import coming
from tests.kernel.routines.conftest import Desk

LATER: list[tuple[str, str]] = [
    ("tomorrow at 9 move old.txt to Downloads", "12 March 2026 at 09:00"),
    ("in two hours move old.txt to Downloads", "11 March 2026 at 12:00"),
    ("tomorrow at 9 show me the largest files", "12 March 2026 at 09:00"),
    ("tomorrow at 9:00 copy old.txt to Downloads", "12 March 2026 at 09:00"),
    ("once on 3 December at 9 list the files in Downloads", "3 December 2026 at 09:00"),
    ("on Friday at 17:00 copy old.txt to Downloads", "13 March 2026 at 17:00"),
    ("at 5 pm today copy old.txt to Downloads", "11 March 2026 at 17:00"),
    ("copy old.txt to Downloads at 5 pm", "11 March 2026 at 17:00"),
    ("tonight at ten move old.txt to Downloads", "11 March 2026 at 22:00"),
    ("tonight at one copy old.txt to Downloads", "12 March 2026 at 01:00"),
    ("copy old.txt to Downloads two hours from now", "11 March 2026 at 12:00"),
    ("can you copy old.txt to Downloads in 20 minutes?", "11 March 2026 at 10:20"),
    ("tomorrow evening at eight tell me what 17*4 is", "12 March 2026 at 20:00"),
    ("just once, tomorrow at 9 show me my tasks", "12 March 2026 at 09:00"),
    ("morgen um neun zeig mir die größten Dateien", "12. März 2026 um 09:00"),
    ("in zwei Stunden kopier old.txt nach Downloads", "11. März 2026 um 12:00"),
    ("heute Abend um zehn lösch old.txt", "11. März 2026 um 22:00"),
    ("verschieb morgen um neun old.txt nach Downloads", "12. März 2026 um 09:00"),
    ("kopier old.txt am Samstag um acht nach Downloads", "14. März 2026 um 08:00"),
    ("Freitagabend um acht kopier old.txt nach Downloads", "13. März 2026 um 20:00"),
    ("um 9 Uhr kopier old.txt nach Downloads", "12. März 2026 um 09:00"),
    ("morgen früh um sieben sag mir wie viele Dateien in Downloads sind", "12. März 2026 um 07:00"),
]
ASKED = [
    ("tomorrow at 9 show me my tasks", "when it is to be done"),
    ("show me the photos on Friday at 5 pm", "when it is to be done"),
    ("tomorrow copy old.txt to Downloads", "At what time of day"),
    ("heute Abend kopier old.txt nach Downloads", "Um wie viel Uhr"),
    ("remind me once, on 2 January 2026 at 9 am, to renew my passport", "Which day do you mean"),
]
NOW_OR_THEIRS = [
    "tomorrow at 9 remind me to call Anna",
    "remind me in two hours to move old.txt to Downloads",
    "remind me tomorrow at 9 about the laundry and put take out the trash on my list",
    "erinner mich morgen um 9 an die Wäsche und setz Müll rausbringen auf die Aufgabenliste",
    "in zwei Stunden erinner mich an den Kuchen",
    "meeting with Anna tomorrow at 9",
    "add a meeting with Anna tomorrow at 9",
    "move the meeting with Anna to tomorrow at 9",
    "what do I have tomorrow at 9?",
    "was habe ich morgen um neun?",
    "am I free tomorrow at 9?",
    "show me my appointments on Friday at 17:00",
    "tell me what is in my calendar tomorrow at 9",
    "add buy milk to my tasks for tomorrow at 9",
    "wake me up tomorrow at 7",
    "stell den Wecker auf morgen um sieben",
    "set a timer for 20 minutes",
    'write "see you tomorrow at 9" into my note Log',
    "send Anna a mail that I come tomorrow at 9",
    "schick Anna eine Mail, dass ich morgen um neun komme",
    "remember that Anna comes tomorrow at 9",
    "I go running tomorrow at 9",
    "what day is it in two weeks?",
    "show me the mails from yesterday at 9",
    "the files from last Friday at 17:00",
    "which files did I change on Friday at 17:00",
    "today at 8 copy old.txt to Downloads",
    "show me the files I changed this morning",
    "move old.txt to Downloads and remind me tomorrow at 9 to call Anna",
    "copy old.txt to Downloads, so that I have it at hand tomorrow",
    "Kopiere old.txt nach Downloads, ich nehme ihn morgen mit zur Steuerberaterin.",
    "what is 80 multiplied by 0.12",
]  # fmt: skip


async def said(desk: Desk, text: str) -> dict[str, object]:
    """Say a sentence in a talk of its own and allow nothing; return how it stood before that."""
    run = await desk.kernel.ask(Ask(text, conversation=text, cwd=str(desk.home / "Backup"), channel="test"))
    view = await desk.kernel.settled(run)
    if view["resolution"] == "pending":
        await desk.kernel.approve(run, "no")
        await desk.kernel.settled(run)
    return view


async def test_what_is_for_a_moment_to_come_is_kept_for_it(desk: Desk) -> None:
    wrong = dict[str, object]()
    for text, when in LATER:
        view = await said(desk, text)
        if view["stage"] != "routine" or not str(view["card"]["routine"]["when"]).endswith(when):  # type: ignore[index]
            wrong[text] = view["answer"] or view["card"]
    assert not wrong
    assert (desk.home / "Backup/old.txt").exists()


async def test_where_the_moment_may_be_a_part_of_what_is_meant_it_is_asked(desk: Desk) -> None:
    for text, asked in ASKED:
        view = await said(desk, text)
        assert view["resolution"] == ("declined" if "when it is" in asked else "clarify"), text
        assert view["error"]["code"] == "routine.unclear"  # type: ignore[index]
        assert asked in str(view["answer"]), text


async def test_what_has_its_own_time_or_none_to_come_is_no_rule(desk: Desk) -> None:
    for text in NOW_OR_THEIRS:
        view = await said(desk, text)
        assert view["stage"] != "routine", text
        assert "routine.unclear" not in str(view["error"]), text


async def test_a_time_of_day_that_was_asked_for_is_taken(desk: Desk) -> None:
    await desk.say("tomorrow copy old.txt to Downloads")
    view = await desk.say("at nine")
    assert view["resolution"] == "confirmed"
    assert "once, on 12 March 2026 at 09:00" in view["answer"]
    assert not (desk.home / "Downloads/old.txt").exists()


async def test_it_is_done_when_its_moment_has_come(desk: Desk) -> None:
    assert (await desk.say("tomorrow at 9 copy Backup/old.txt to Downloads"))["resolution"] == "confirmed"
    assert not (desk.home / "Downloads/old.txt").exists()
    desk.clock.set("2026-03-12T09:00:01")
    await desk.kernel.routines.pause((await keeps_another(desk))["name"])  # has the keeper look at the clock
    await desk.until((desk.home / "Downloads/old.txt").exists)


async def keeps_another(desk: Desk) -> dict[str, str]:
    view = await desk.say("every day at 20:00 tell me what 3 * 4 is")
    return dict(view["result"]["routine"])


@pytest.mark.parametrize(
    ("at", "begins"), [("2026-10-25T01:30", 0), ("2026-10-25T02:30", 1)], ids=["before", "in the hour that comes twice"]
)
def test_a_length_is_real_time_where_an_hour_comes_twice(at: str, begins: int) -> None:
    now = datetime.fromisoformat(at).replace(tzinfo=ZoneInfo("Europe/Berlin"))
    text = "in one hour show me the largest files"
    found = coming(Line(text, tokenize(text, "en"), "en", now))
    assert found is not None
    assert isinstance(found.heard.trigger, Elapsed if begins else Once)
