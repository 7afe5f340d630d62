"""What was asked, answered and done is found again: by time, by words, after a restart; not once it is forgotten."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import subprocess
import sys
import threading
import time
from datetime import datetime, timedelta
from typing import Any

import pytest

from kernel import Ask, BadRequest, upkeep
from kernel.recalling import looking
from kernel.recalling.recollection import Recollection

Bench = Any  # tests/kernel/conftest.py

NOW = datetime(2026, 3, 11, 10, 0).astimezone()


def _at(bench: Bench, days: float = 0.0) -> None:
    """Let it be so many days ago."""
    bench.kernel._house.clock = lambda: NOW - timedelta(days=days)


@pytest.fixture
async def lived(bench: Bench) -> Bench:
    """A home in which a few things were done: last week, yesterday and today."""
    for place in ("Downloads/logo.png", "Desktop/todo.txt", "Documents/lease.txt", "Archive/old.txt"):
        (bench.home / place).parent.mkdir(parents=True, exist_ok=True)
        (bench.home / place).write_text("x")
    said = [
        (6, "old", "move lease.txt to Archive"),
        (1.1, "y", "make a note called Budget saying 400 for food and drink"),
        (1, "y", "move logo.png to Archive"),
        (0.1, "t", "rename todo.txt to plan.txt"),
    ]
    for days, talk, text in said:
        _at(bench, days)
        assert (await bench.ask(text, conversation=talk))["resolution"] == "confirmed", text
    _at(bench)
    return bench


@pytest.mark.parametrize(
    ("text", "said", "not_said"),
    [
        ("what did I ask you yesterday?", ["called Budget", "move logo.png"], ["todo.txt", "lease"]),
        ("was habe ich dich gestern gefragt?", ["Du hast mich 2 Dinge", "logo.png"], ["todo.txt"]),
        ("when did I last rename something?", ["oday at 07:36", "plan.txt"], ["logo"]),
        ("wann habe ich zuletzt etwas umbenannt?", ["Heute um 07:36", "plan.txt"], ["logo"]),
        ("which file did I move to Archive last week?", ["lease.txt"], ["logo.png"]),
        ("Welche Datei habe ich letzte Woche nach Archive verschoben?", ["lease.txt"], ["logo.png"]),
        ("find the conversation about the budget", ["called Budget", "yesterday at 07:36"], ["logo.png"]),
        ("what did you tell me about the budget?", ["I saved the note"], ["logo.png"]),
        ("what did you do this morning?", ["plan.txt"], ["Budget"]),
        ("what did you tell me about elephants?", ["nothing about “elephants”"], ["Budget"]),
        ("what did I ask you in January?", ["nothing then"], ["Budget"]),
        ("when did I last delete something?", ["have not done that"], ["plan.txt"]),
    ],
)
async def test_a_person_asks_about_the_past(lived: Bench, text: str, said: list[str], not_said: list[str]) -> None:
    view = await lived.ask(text, conversation="q")
    assert view["resolution"] == "executed"
    answer = view["answer"].lower()
    assert [one for one in said if one.lower() not in answer] == []
    assert [one for one in not_said if one.lower() in answer] == []
    runs = [one["run"] for one in view["result"]["recalled"]]
    assert all(run in view["answer"] for run in runs[:3])
    assert all(lived.kernel.view(run) for run in runs)


async def test_only_runs_of_that_time_are_read_whole(lived: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def noted(events: Any) -> Any:
        view = looking_run_view(events)
        read.append(view["text"])
        return view

    looking_run_view = looking.run_view
    monkeypatch.setattr(looking, "run_view", noted)
    await lived.ask("what did I ask you yesterday?", conversation="q")
    assert sorted(read) == ["make a note called Budget saying 400 for food and drink", "move logo.png to Archive"]


async def test_what_was_asked_about_the_past_is_no_past(lived: Bench) -> None:
    """An answer from memory is never found itself, or it would soon be all that is found."""
    for _ in range(3):
        view = await lived.ask("find the conversation about the budget", conversation="q")
        assert [one["text"] for one in view["result"]["recalled"]] == [
            "make a note called Budget saying 400 for food and drink"
        ]
    view = await lived.ask("what did I ask you today?", conversation="q")
    assert len(view["result"]["recalled"]) == 1


async def test_what_memory_says_or_asks_back_is_not_told_to_it(lived: Bench) -> None:
    assert (await lived.ask("remember that Anna Berg keeps the budget", conversation="m"))["resolution"] == "executed"
    await lived.ask("what do you know about Anna Berg?", conversation="m")
    assert (await lived.ask("undo what I did yesterday", conversation="u"))["resolution"] == "clarify"
    texts = [hit["text"] for hit in (await lived.kernel.known.search("Anna Berg budget yesterday"))["hits"]]
    assert not [text for text in texts if "What is known" in text or "fit that" in text or text.startswith("undo")]
    assert [text for text in texts if "called Budget" in text], "the control: the request itself is there"


@pytest.mark.parametrize("reply", ["no", "nein", "never mind", "neither", "nope", "not the note", "cancel", "o"])
async def test_a_refusal_takes_nothing_back(lived: Bench, reply: str) -> None:
    """Also where a card would be answered yes in advance: "no" stands inside of "a note"."""
    assert (await lived.ask("undo what I did yesterday", conversation="u"))["resolution"] == "clarify"
    before = lived.tree()
    view = await lived.ask(reply, conversation="u", yes=True)
    assert view["resolution"] != "confirmed"
    assert lived.tree() == before


@pytest.mark.parametrize(
    ("reply", "gone"), [("the note called Budget", "Budget"), ("the oldest", "Budget"), ("zweite", "Budget")]
)
async def test_a_run_is_picked_by_its_words_or_its_place(lived: Bench, reply: str, gone: str) -> None:
    await lived.ask("undo what I did yesterday", conversation="u")
    assert (await lived.ask(reply, conversation="u", yes=True))["resolution"] == "confirmed"
    assert not (lived.home / f"Notes/{gone}.md").exists()


async def test_requests_speak_of_what_was_done(lived: Bench) -> None:
    """The card and the plan show the real path; several are one question; and a restart changes nothing."""
    view = await lived.ask("move the file I renamed this morning to Documents")
    assert view["resolution"] == "confirmed"
    assert (lived.home / "Documents/plan.txt").exists()
    assert "plan.txt" in str(view["plan"]["tasks"][0]["arguments"])
    view = await lived.ask("open the file I renamed last week")
    assert view["resolution"] == "clarify"
    asked = await lived.ask("move the file I moved to Archive to Desktop", conversation="several")
    assert asked["question"]["choices"] == ["~/Archive/logo.png", "~/Archive/lease.txt"]
    await lived.kernel.close()
    lived.kernel = await lived.reopen()
    _at(lived)
    assert (await lived.ask("the second", conversation="several"))["resolution"] == "confirmed"
    assert (lived.home / "Desktop/lease.txt").exists()
    view = await lived.ask("rename the file I moved yesterday to sign.png", conversation="new")
    assert (lived.home / "Archive/sign.png").exists(), view


async def test_what_is_gone_or_taken_back_is_not_meant(lived: Bench) -> None:
    (lived.home / "Archive/logo.png").unlink()
    view = await lived.ask("rename the file I moved yesterday to sign.png")
    assert view["resolution"] == "clarify"
    assert view["effects"] == []
    await lived.ask("undo what I did this morning", conversation="u")
    view = await lived.ask("delete the file I renamed this morning", conversation="v")
    assert view["resolution"] == "clarify"
    assert (lived.home / "Desktop/todo.txt").exists()


async def test_taking_back_asks_which_and_does_just_that(lived: Bench) -> None:
    asked = await lived.ask("undo what I did yesterday", conversation="u")
    assert asked["resolution"] == "clarify"
    assert len(asked["question"]["choices"]) == 2
    await lived.kernel.close()
    lived.kernel = await lived.reopen()
    _at(lived)
    done = await lived.ask("1", conversation="u", yes=False)
    assert done["resolution"] == "pending"
    assert "logo.png" in str(done["card"])
    assert (await lived.answer(done["run"], "once"))["resolution"] == "confirmed"
    assert (lived.home / "Downloads/logo.png").exists()
    assert (lived.home / "Notes/Budget.md").exists()
    none = await lived.ask("undo what I did yesterday with the photos", conversation="w")
    assert none["resolution"] == "declined"


async def test_a_private_request_is_not_recalled(lived: Bench) -> None:
    run = await lived.kernel.ask(
        Ask("rename plan.txt to wombat.txt", conversation="p", cwd=str(lived.home), yes=True, private=True)
    )
    assert (await lived.kernel.settled(run))["resolution"] == "confirmed"
    assert "wombat" not in (await lived.ask("what did I ask you today?"))["answer"]
    assert "wombat" not in (await lived.ask("when did I last rename something?"))["answer"]
    assert not [hit for hit in (await lived.kernel.known.search("wombat"))["hits"] if "wombat" in hit["text"]]


async def test_a_search_shows_facts_and_turns_in_one_list(lived: Bench) -> None:
    assert (await lived.ask("remember that Anna Berg keeps the budget", conversation="m"))["resolution"] == "executed"
    hits = (await lived.kernel.known.search("budget"))["hits"]
    assert {hit["kind"] for hit in hits} == {"turn", "fact"}
    assert all(abs(sum(hit["reasons"].values()) - hit["score"]) < 0.01 for hit in hits)
    first = next(hit for hit in hits if hit["run"] and hit["speaker"] == "user")
    assert first["after"]["speaker"] == "steward"
    search = lived.kernel.known.search
    assert not [hit for hit in (await search("budget", since="2026-03-12"))["hits"] if hit["kind"] == "turn"]
    assert {hit["speaker"] for hit in (await search("budget", person="steward"))["hits"]} == {"steward"}
    of_anna = (await search("budget", person="Anna"))["hits"]
    assert of_anna
    assert all("Anna" in hit["text"] for hit in of_anna)
    assert {hit["source"] for hit in (await search("budget", source="changes"))["hits"]} == {"changes"}


async def test_what_a_search_opened_is_closed_again(lived: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upkeep, "REST_AFTER_S", 0.05)
    recollection = lived.kernel._house.recollection
    recollection.rest()
    assert (await lived.kernel.known.search("budget"))["hits"]
    deadline = time.monotonic() + 20
    while recollection.is_open:
        assert time.monotonic() < deadline, "nobody else asks, so nobody else would close it"
        await asyncio.sleep(0.01)


async def test_a_search_as_of_a_day_says_what_it_cannot_do(lived: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """It found nothing, always, when it was also to go by a person, a source or a time of saying."""
    await lived.ask("remember that Anna Berg works at Xenon", conversation="m")
    search, graph = lived.kernel.known.search, lived.kernel._house.knowledge.graph()
    (fact,) = (await search("xenon", at="2030-01-01"))["facts"]
    assert fact["object_name"] == "Xenon"
    for limits in ({"person": "Anna"}, {"source": "chat"}, {"since": "2026-01-01"}, {"until": "2030-01-01"}):
        for day in ({"at": "2030-01-01"}, {"as_known": "2030-01-01"}):
            with pytest.raises(BadRequest, match="by its words alone"):
                await search("xenon", **limits, **day)
    monkeypatch.setattr(type(graph), "search", lambda *_: pytest.fail("facts were ranked twice"))
    found = await search("xenon")
    assert [(one["id"], one["object_name"]) for one in found["facts"]] == [(fact["id"], "Xenon")]
    assert fact["id"] in {hit["id"] for hit in found["hits"]}


async def test_what_is_forgotten_is_not_recalled_to_the_last_byte(lived: Bench) -> None:
    await lived.ask("make a note called Zephyrina saying call Zephyrina on Monday", conversation="z")
    assert "Zephyrina" in (await lived.ask("find the conversation about zephyrina", conversation="f"))["answer"]
    seal = (await lived.kernel.known.preview("Zephyrina"))["seal"]
    await lived.kernel.known.forget("Zephyrina", (), seal)
    assert "nothing about" in (await lived.ask("find the conversation about zephyrin", conversation="g"))["answer"]
    await lived.kernel.close()
    folder = lived.kernel._house.recollection.folder
    kept = [path for path in folder.rglob("*") if path.is_file()]
    assert kept
    assert not [path for path in kept if b"zephyrina" in path.read_bytes().lower()]
    lived.kernel = await lived.reopen()


async def test_words_past_their_time_are_not_recalled(lived: Bench) -> None:
    house = lived.kernel._house
    assert (await lived.kernel.known.search("lease"))["hits"]
    run = next(run for run in house.talk.every() if "lease" in lived.kernel.view(run)["text"])
    await asyncio.to_thread(house.ledger.destroy, [event.seq for event in house.ledger.events(run=run)])
    assert house.recollection.drop_forgotten() == 3
    assert not [hit for hit in (await lived.kernel.known.search("lease"))["hits"] if "lease" in hit["text"]]


async def test_lost_files_are_told_again(lived: Bench) -> None:
    recollection: Recollection = lived.kernel._house.recollection
    before = [hit["id"] for hit in (await lived.kernel.known.search("budget"))["hits"]]
    recollection.rest()
    (recollection.folder / "recall.db").write_bytes(b"no database at all" * 500)
    assert [hit["id"] for hit in (await lived.kernel.known.search("budget"))["hits"]] == before


async def test_files_of_an_earlier_form_are_told_again(lived: Bench) -> None:
    """Their labels are those of then: an answer that no tool gave was for anybody to read."""
    recollection: Recollection = lived.kernel._house.recollection
    before = (await lived.kernel.known.search("budget"))["hits"]
    recollection.rest()
    with contextlib.closing(sqlite3.connect(recollection.folder / "recall.db")) as file, file:
        file.execute("UPDATE memory SET label = 'null'")
        file.execute("PRAGMA user_version = 1")
    assert (await lived.kernel.known.search("budget"))["hits"] == before


async def test_a_forget_and_searches_do_not_wait_for_each_other(lived: Bench) -> None:
    """A forget holds the graph and wants recall; a search wants both."""
    house = lived.kernel._house
    await lived.ask("remember that Anna Berg keeps the budget", conversation="m")
    await lived.kernel.known.search("budget")
    graph = house.knowledge.graph()
    stop = threading.Event()

    def purge() -> None:
        while not stop.is_set():
            with graph.held():
                house.recollection.purge((), ())

    other = threading.Thread(target=purge)
    other.start()
    try:
        async with asyncio.timeout(30):
            for _ in range(20):
                await lived.kernel.known.search("budget")
    finally:
        stop.set()
        other.join()


async def test_nothing_is_opened_before_somebody_asks(lived: Bench) -> None:
    assert not lived.kernel._house.recollection.is_open
    assert not lived.kernel._house.recollection.folder.exists()
    await lived.ask("find the conversation about the budget")
    assert lived.kernel._house.recollection.is_open
    lived.kernel._house.recollection.rest()
    assert not lived.kernel._house.recollection.is_open


def test_a_start_imports_neither_recall_nor_numpy() -> None:
    code = "import sys, kernel.daemon; print([m for m in sys.modules if m.startswith(('memory.recall', 'numpy'))])"
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "[]"
