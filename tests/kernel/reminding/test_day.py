"""Sentences through a whole kernel: what is written down, what rings, what is put off, taken back and asked about."""

from __future__ import annotations

import asyncio
import re
import threading
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kernel import Ask
from kernel.reminding.hushing import hush
from skills import one_import
from skills.schedule import read_schedule
from tests.kernel.conftest import Bench

pytestmark = pytest.mark.slow


def entries(bench: Bench) -> list[Any]:
    path = bench.folders.kept / "timers" / "schedule.json"
    return list(read_schedule(path.read_bytes())) if path.exists() else []


def todo(bench: Bench) -> list[str]:
    path = bench.folders.kept / "tasks" / "todo.txt"
    return path.read_text().splitlines() if path.exists() else []


SET = [
    ("set a timer for 5 minutes", "timer", r"5 minutes"),
    ("stell einen Timer auf 10 Minuten", "timer", r"10 Minuten"),
    ("remind me in 20 minutes to take out the pizza", "reminder", r"take out the pizza"),
    ("erinnere mich morgen um 8 an den Zahnarzt", "reminder", r"morgen um 08:00 Uhr: .*Zahnarzt"),
    ("wake me at 7 every weekday", "alarm", r"every weekday.* at 07:00"),
    ("weck mich morgen um 6:30 Uhr", "alarm", r"morgen um 06:30 Uhr"),
]


async def test_what_is_set_is_kept_without_a_question_and_listed(bench: Bench) -> None:
    for number, (said, kind, words) in enumerate(SET, 1):
        view = await bench.ask(said, yes=False)
        assert view["resolution"] == "executed", (said, view)
        assert re.search(words, view["answer"]), view["answer"]
        assert len(entries(bench)) == number
        assert entries(bench)[-1].about["kind"] == kind
    assert bench.tree().keys() == {"Downloads/big.iso", "Downloads/middle.zip", "Downloads/small.txt"}
    listed = await bench.ask("show my reminders", yes=False)
    assert "pizza" in listed["answer"]
    assert "Zahnarzt" in listed["answer"]
    left = await bench.ask("wie lange läuft der Timer noch?", yes=False)
    assert "Timer für 5 Minuten" in left["answer"]


async def test_what_is_due_rings_is_put_off_and_taken_back(bench: Bench) -> None:
    await bench.ask("set a timer for 1 second", yes=False)
    ledger = bench.kernel._house.ledger
    for _ in range(2000):
        told = list(ledger.events(kinds=("reminder.told",)))
        if told:
            break
        await asyncio.sleep(0.02)
    assert (told[0].body or {})["text"] == "The timer of 1 second is over."
    assert [one["text"] for one in bench.kernel.status()["reminders"]] == ["The timer of 1 second is over."]
    again = await bench.ask("snooze it 10 minutes", yes=False)
    assert "10 minutes" in again["answer"]
    assert again["resolution"] == "executed"
    gone = await bench.ask("cancel the timer", yes=False)
    assert gone["resolution"] == "executed"
    assert entries(bench) == []
    await bench.kernel.undo(None)
    assert len(entries(bench)) == 1


async def test_what_was_missed_is_told_at_the_next_start(bench: Bench) -> None:
    await bench.ask("set a timer for 1 second", yes=False)
    await bench.kernel.close()
    await asyncio.sleep(1.2)
    bench.kernel = await bench.reopen()
    for _ in range(2000):
        told = list(bench.kernel._house.ledger.events(kinds=("reminder.told",)))
        if told:
            break
        await asyncio.sleep(0.02)
    assert len(told) == 1
    assert any(line["name"] == "reminders" for line in await asyncio.to_thread(bench.kernel.doctor))


TASKS = [
    ("add buy milk to my to-do list", "buy milk"),
    ("neue Aufgabe: Bericht schreiben", "Bericht schreiben"),
    ("add eggs to my shopping list", "eggs +shopping"),
    ("setz Batterien auf meine Liste Baumarkt", "Batterien +Baumarkt"),
]


async def test_tasks_are_written_down_told_and_done(bench: Bench) -> None:
    for number, (said, line) in enumerate(TASKS, 1):
        view = await bench.ask(said, yes=False)
        assert view["resolution"] == "executed", (said, view)
        assert len(todo(bench)) == number
        assert todo(bench)[-1].endswith(line), todo(bench)
    shown = await bench.ask("what is on my to-do list?", yes=False)
    assert all(word in shown["answer"] for word in ("buy milk", "Bericht schreiben", "eggs", "Batterien"))
    assert "eggs" in (await bench.ask("show me the shopping list", yes=False))["answer"]
    overdue = await bench.ask("and the overdue ones?", yes=False)
    assert overdue["answer"] == "Nothing is overdue."
    await bench.ask("mark buy milk as done", yes=False)
    assert todo(bench)[0].startswith("x ")
    await bench.ask("neue Aufgabe: Rasen mähen", yes=False)
    done = await bench.ask("hak es ab", yes=False)
    assert done["answer"] == "Erledigt: Rasen mähen."
    assert todo(bench)[-1].startswith("x ")
    await bench.kernel.undo(None)
    await bench.ask("lösch die Aufgabe Rasen mähen", yes=False)
    gone = await bench.ask("lösch die Aufgabe Bericht schreiben", yes=False)
    assert gone["resolution"] == "executed"
    assert len(todo(bench)) == 3
    moved = await bench.ask("move the task eggs to Friday", yes=False)
    assert "due:" in todo(bench)[1], moved["answer"]
    await bench.kernel.undo(None)
    assert "due:" not in todo(bench)[1]


OTHERS = [
    "remind me 10 minutes before my next meeting",
    "uh note to self the library books are due on friday",
    "remind me what I asked yesterday",
    "remember that Anna likes tea",
    "woran habe ich gestern gearbeitet?",
    "what time is it in Tokyo?",
]


@pytest.mark.parametrize("said", OTHERS)
async def test_what_only_sounds_like_it_sets_nothing(bench: Bench, said: str) -> None:
    await bench.ask(said)
    assert entries(bench) == []
    assert todo(bench) == []


async def test_a_file_that_a_skill_keeps_is_none_that_i_changed(bench: Bench) -> None:
    await bench.ask("set a timer for 5 minutes", yes=False)
    paths = [deed.path for deed in bench.kernel._house.past("c").back()]
    assert paths == []


def test_it_is_a_plain_file_of_stewards(tmp_path: Path) -> None:
    from kernel import Folders

    folders = Folders({"HOME": str(tmp_path), "STEWARD_HOME": str(tmp_path / "s")})
    assert folders.kept == tmp_path / "s" / "data" / "own"


async def test_nobody_waits_while_reminding_is_loaded(bench: Bench) -> None:
    held, let_go = threading.Event(), threading.Event()

    def load_for_long() -> None:
        with one_import:
            held.set()
            let_go.wait(5)

    loading = threading.Thread(target=load_for_long)
    loading.start()
    assert held.wait(5)
    reminding = asyncio.create_task(bench.kernel._house.remind())
    for _ in range(5):
        await asyncio.sleep(0.01)
    assert loading.is_alive()  # else the loop had stood still until the other was done
    let_go.set()
    loading.join()
    reminding.cancel()
    with suppress(asyncio.CancelledError):
        await reminding


def bytes_with(bench: Bench, word: str) -> list[str]:
    """Return every file of the home and of Steward's folders that holds a word, but for the skill's own folder."""
    own = bench.folders.kept / "timers"
    places = [path for top in (bench.home, *bench.folders.own) for path in top.rglob("*")]
    files = [path for path in places if path.is_file() and own not in path.parents]
    return [str(path) for path in files if word.encode() in path.read_bytes()]


async def recorded(bench: Bench, word: str) -> bool:
    """Tell whether the ledger says a word; its payloads are sealed, so their bytes would not show it."""
    events = bench.kernel._house.ledger.events()
    return any(word in repr((one.kind, one.run, one.task, one.body, one.label)) for one in events)


@pytest.mark.parametrize("private", [True, False])
@pytest.mark.parametrize("missed", [False, True])
async def test_of_a_private_reminder_no_word_stays_but_in_the_skills_own_folder(
    bench: Bench, private: bool, missed: bool
) -> None:
    ask = Ask("remind me in 1 second to feed the zebrafinch", cwd=str(bench.home), channel="test", private=private)
    run = await bench.kernel.ask(ask)
    assert (await bench.kernel.settled(run))["resolution"] == "executed"
    if missed:
        await bench.kernel.close()
        await asyncio.sleep(1.2)
        bench.kernel = await bench.reopen()
    for _ in range(2000):
        if told := bench.kernel.status()["reminders"]:
            break
        await asyncio.sleep(0.02)
    assert "zebrafinch" in told[0]["text"], "the person hears it"
    beside = replace(ask, text="set a timer for 50 minutes")  # now its old contents hold the word, too
    await bench.kernel.settled(await bench.kernel.ask(beside))
    await bench.kernel.close()
    bench.kernel = await bench.reopen()
    assert "zebrafinch" in (bench.folders.kept / "timers" / "schedule.json").read_text()
    assert await recorded(bench, "zebrafinch") is not private
    assert (bytes_with(bench, "zebrafinch") != []) is not private, "an open one is kept for its undo"


async def test_what_an_open_request_writes_down_holds_nothing_of_a_private_one_beside_it(bench: Bench) -> None:
    ask = Ask("remind me tomorrow at 8 to feed the zebrafinch", cwd=str(bench.home), channel="test", private=True)
    await bench.kernel.settled(await bench.kernel.ask(ask))
    await bench.ask("remind me tomorrow at 9 to water the ferns", yes=False)
    assert len(entries(bench)) == 2
    bench.kernel = (await bench.kernel.close(), await bench.reopen())[1]
    assert await recorded(bench, "ferns")
    assert not await recorded(bench, "zebrafinch")


@pytest.mark.parametrize("skill", ["timers", "tasks"])
async def test_what_is_denied_while_a_private_change_is_written_down_is_not_done(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, skill: str
) -> None:
    """The control: another skill is denied."""

    async def denied_meanwhile(*given: Any) -> None:
        await hush(*given)
        for action in ("fs.create", "fs.write"):
            await bench.kernel.rights.deny(skill, f"{action}:{bench.folders.kept}/timers/**")

    monkeypatch.setattr("kernel.commit.hush", denied_meanwhile)
    ask = Ask("remind me tomorrow at 8 to feed the cat", cwd=str(bench.home), channel="test", private=True)
    view = await bench.kernel.settled(await bench.kernel.ask(ask))
    assert (view["resolution"], len(entries(bench))) == (("blocked", 0) if skill == "timers" else ("executed", 1))
