"""Forgetting is complete: no byte under STEWARD_HOME, no readable event and nothing in the trash holds the name."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import pytest

from kernel import BadRequest, NotNow
from kernel.knowing.apart import Sought
from kernel.knowing.own_folders import kept_about
from kernel.knowing.stores import mentions_in
from memory import Ledger

Bench = Any  # tests/kernel/conftest.py

NAME = "Walpurga"


def _bytes(folder: Path) -> dict[str, bytes]:
    return {
        str(path): os.fsencode(path.name) + b"\0" + path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def _holding(folder: Path, word: str = NAME) -> list[str]:
    """Files, by name or content, that hold the word in any case."""
    return [path for path, content in _bytes(folder).items() if word.lower().encode() in content.lower()]


def _events(bench: Bench, word: str = NAME) -> list[str]:
    """Events of the ledger that can be read and hold the word."""

    def holds(text: str) -> bool:
        return word.lower() in text.lower()

    return [
        f"{event.seq} {event.kind}"
        for event in bench.kernel._house.ledger.events()
        if event.body is not None and mentions_in([dict(event.body), list(event.entities)], holds)
    ]


async def _shown(bench: Bench, *who: Any) -> dict[str, Any]:
    """Return what forgetting would reach when all is written down: whom a request was about is, after its end."""
    async with asyncio.timeout(60):
        while bench.kernel._house.live:  # noqa: ASYNC110  (nobody tells of it)
            await asyncio.sleep(0.01)
    found: dict[str, Any] = await bench.kernel.known.preview(*who)
    return found


async def _lived(bench: Bench) -> None:
    """Many runs about somebody: told, asked, files made, changed, deleted, moved; and some about nobody."""
    docs = bench.home / "Documents"
    docs.mkdir()
    (docs / f"{NAME.lower()}_lease.txt").write_text(f"Lease of {NAME}.\n")
    (docs / "todo.txt").write_text(f"Call {NAME} back.\nbuy milk\n")
    (docs / "other.txt").write_text("nothing of note\n")
    for text in (
        f"remember that {NAME} Kern works at Xenon since March 2024",
        f"remember that {NAME} Kern lives in Bonn",
        f"remember that the keys are with {NAME}s neighbour",
        f"what do you know about {NAME}?",
        f"make a note called {NAME} saying call her on Monday",
        f"make a note called plumber saying {NAME} knows one",
        "add milk to the note plumber",
        f"delete Documents/{NAME.lower()}_lease.txt",
        "delete Documents/other.txt",
        "delete the note plumber",
        "make a note called shopping saying milk and eggs",
        "what is 2 + 3?",
        "remember that Bernd lives in Kiel",
    ):
        view = await bench.ask(text)
        if view["resolution"] == "pending":
            view = await bench.answer(view["run"], "once")
        assert view["resolution"] in ("executed", "confirmed"), (text, view["answer"])


async def test_after_a_forget_nothing_holds_the_name(bench: Bench) -> None:
    await _lived(bench)
    log = bench.folders.state / "daemon.log"
    log.write_text(f"started\n{NAME.lower()}_lease.txt waits for its disk\nended\n")
    steward, trash = bench.home.parent / "steward", bench.home / ".local/share/Trash"
    assert _holding(steward)  # positive control: transactions and graph hold it in the clear
    assert any("preimages" in path or "journal" in path for path in _holding(steward))
    assert len(_events(bench)) > 20
    assert len(_holding(trash)) >= 2
    view = await bench.ask(f"forget what you know about {NAME}", yes=True)
    assert view["resolution"] == "pending"  # always asked, whatever was consented to
    assert NAME in str(view["card"])
    view = await bench.answer(view["run"], "once")
    assert view["resolution"] == "confirmed", view
    assert NAME not in view["answer"]
    for _ in range(20):
        if not _holding(steward):
            break
        await asyncio.sleep(0.1)
    assert _holding(steward) == []
    assert _events(bench) == []
    assert _holding(trash) == []
    assert log.read_text() == "started\nended\n"
    await bench.kernel.close()
    assert _holding(steward) == []
    bench.kernel = await bench.reopen()
    assert _events(bench) == []
    assert bench.kernel.verify_ledger()["ok"]
    assert "Nobody" in (await bench.ask(f"what do you know about {NAME[:4]}xx?"))["answer"]
    assert (trash / "files/other.txt").exists()  # what was not about her stays
    assert "Kiel" in (await bench.ask("where does Bernd live?"))["answer"]
    assert (bench.home / f"Notes/{NAME}.md").exists()  # the person's own files are theirs


async def test_a_forgotten_run_is_shown_as_forgotten_and_cannot_be_undone(bench: Bench) -> None:
    view = await bench.ask(f"make a note called {NAME} saying call her on Monday")
    asked = await bench.ask(f"forget everything about {NAME}")
    await bench.answer(asked["run"], "once")
    assert view["resolution"] == "confirmed"
    gone = bench.kernel.view(view["run"])
    assert gone["forgotten"]
    assert not gone["text"]
    assert not gone["answer"]
    assert next(line for line in bench.kernel.runs() if line["run"] == view["run"])["forgotten"]
    with pytest.raises(NotNow):
        await bench.kernel.undo(view["run"])


async def test_what_was_forgotten_is_not_said_to_be_past_its_time(bench: Bench) -> None:
    said = (f"make a note called {NAME} saying call her on Monday", f"remember that {NAME} lives in Bonn")
    runs = [await bench.ask(text) for text in said]
    assert all(bench.kernel.undoable(one["run"]) for one in runs), runs
    shown = await _shown(bench, NAME)
    await bench.kernel.known.forget(NAME, [], shown["seal"])
    for one in runs:
        with pytest.raises(NotNow, match="was forgotten") as told:
            bench.kernel.undoable(one["run"])
        assert (told.value.code, "undo_keep_days" in told.value.hint) == ("undo.forgotten", False)


async def test_a_no_forgets_nothing(bench: Bench) -> None:
    await bench.ask(f"remember that {NAME} lives in Bonn")
    asked = await bench.ask(f"vergiss alles, was du über {NAME} weißt")
    assert "endgültig" in str(asked["card"])
    view = await bench.answer(asked["run"], "no")
    assert view["resolution"] == "blocked"
    assert "Bonn" in (await bench.ask(f"where does {NAME} live?"))["answer"]


async def test_nobody_known_is_nobody_to_forget(bench: Bench) -> None:
    view = await bench.ask(f"forget everything about {NAME}")
    assert view["resolution"] == "executed"
    assert "Nothing is known" in view["answer"]
    with pytest.raises(BadRequest) as refused:
        await _shown(bench, "Nobody At All")
    assert refused.value.code == "memory.unknown"


async def test_a_run_that_is_not_over_is_waited_for(bench: Bench) -> None:
    await bench.ask(f"remember that {NAME} lives in Bonn")
    waits = await bench.ask(f"make a note called {NAME} saying call her on Monday", yes=False)
    assert waits["resolution"] == "pending"
    view = await bench.ask(f"forget everything about {NAME}")
    assert view["resolution"] == "failed"
    assert waits["run"] in view["answer"]
    await bench.kernel.cancel(waits["run"])


async def test_what_was_shown_is_what_is_forgotten(bench: Bench) -> None:
    await bench.ask(f"remember that {NAME} lives in Bonn")
    shown = await _shown(bench, NAME)
    await bench.ask(f"remember that {NAME} works at Xenon")
    with pytest.raises(BadRequest) as refused:
        await bench.kernel.known.forget(NAME, [], shown["seal"])
    assert refused.value.code == "memory.seal"
    shown = await _shown(bench, NAME)
    done = await bench.kernel.known.forget(NAME, [], shown["seal"])
    assert done["facts"] == 2
    assert _events(bench) == []


async def test_who_is_called_alike_stays_and_is_named(bench: Bench) -> None:
    await bench.ask(f"remember that {NAME} Brandt lives in Bonn")
    await bench.ask(f"remember that {NAME} Stern lives in Kiel")
    shown = await _shown(bench, f"{NAME} Brandt")
    assert shown["kept"] == [f"{NAME} Stern"]
    assert shown["words"] == [f"{NAME} Brandt"]  # the first name is hers, too
    await bench.kernel.known.forget(f"{NAME} Brandt", [], shown["seal"])
    assert "Kiel" in (await bench.ask(f"where does {NAME} live?"))["answer"]
    assert _events(bench, "Brandt") == []


async def test_a_deny_stays_and_a_grant_goes(bench: Bench) -> None:
    await bench.kernel.grant("files", f"fs.read:~/{NAME}/**")
    await bench.kernel.rights.deny("files", f"fs.write:~/{NAME}/**", "")
    await bench.ask(f"remember that {NAME} lives in Bonn")
    shown = await _shown(bench, NAME)
    assert NAME in shown["stays"][0]
    await bench.kernel.known.forget(NAME, [], shown["seal"])
    assert bench.kernel.perms() == []
    assert len(bench.kernel.rights.show()["denies"]) == 1
    await bench.kernel.close()
    bench.kernel = await bench.reopen()
    assert bench.kernel.perms() == []
    assert len(bench.kernel.rights.show()["denies"]) == 1


async def test_a_forget_that_was_cut_short_is_finished_at_the_next_start(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    await bench.ask(f"remember that {NAME} lives in Bonn")
    await bench.ask(f"make a note called {NAME} saying call her on Monday")
    shown = await _shown(bench, NAME)
    real = Ledger.destroy

    def dies(self: Ledger, seqs: Any) -> int:
        raise OSError(5, "the disk is gone")

    monkeypatch.setattr(Ledger, "destroy", dies)
    with pytest.raises(OSError, match="disk"):
        await bench.kernel.known.forget(NAME, [], shown["seal"])
    monkeypatch.setattr(Ledger, "destroy", real)
    assert _events(bench)
    await bench.kernel.close()
    bench.kernel = await bench.reopen()
    await asyncio.to_thread(bench.kernel._house.knowledge.finish_forgetting)
    assert _events(bench) == []


async def test_a_place_in_the_trash_that_has_another_thing_by_now_is_left(bench: Bench) -> None:
    (bench.home / "Documents").mkdir()
    for name in ("first", "second"):
        (bench.home / f"Documents/{NAME}_{name}.txt").write_text("x")
        view = await bench.ask(f"delete Documents/{NAME}_{name}.txt")
        assert view["resolution"] == "confirmed", view["answer"]
    trash = bench.home / ".local/share/Trash"
    info = trash / f"info/{NAME}_first.txt.trashinfo"
    info.write_text(f"[Trash Info]\nPath=/elsewhere/{NAME}.txt\nDeletionDate=2026-01-01T00:00:00\n")
    shown = await _shown(bench, NAME)
    await bench.kernel.known.forget(NAME, [], shown["seal"])
    assert sorted(path.name for path in (trash / "files").iterdir()) == [f"{NAME}_first.txt"]


async def test_a_further_name_is_looked_for_when_it_is_said(bench: Bench) -> None:
    await bench.ask("remember that Ida Kernberg lives in Bonn")
    await bench.ask(f"what do you know about {NAME}?")
    shown = await _shown(bench, "Ida Kernberg")
    assert not [run for run in shown["runs"] if NAME in bench.kernel.view(run)["text"]]
    shown = await _shown(bench, "Ida Kernberg", [NAME])
    assert NAME in shown["words"]
    await bench.kernel.known.forget("Ida Kernberg", [NAME], shown["seal"])
    assert _events(bench) == _events(bench, "Kernberg") == []


async def test_what_skills_keep_for_themselves_is_forgotten_too_and_shown_before(bench: Bench) -> None:
    for text in (
        f"add call {NAME} to my tasks",
        "add buy milk to my tasks",
        f"remind me tomorrow at 8 to call {NAME}",
        "remind me tomorrow at 9 to water the ferns",
    ):
        assert (await bench.ask(text, yes=False))["resolution"] == "executed", text
    own = bench.folders.kept
    strange = own / "tasks" / "index.json"
    strange.write_text(f'["{NAME}"]')
    tasks, clock = own / "tasks" / "todo.txt", own / "timers" / "schedule.json"
    assert NAME in tasks.read_text()
    assert NAME in clock.read_text()  # the controls
    view = await bench.ask(f"forget everything about {NAME}")
    concerns = {one["why"]: one["subject"] for one in view["card"]["concerns"]}
    assert view["resolution"] == "pending"
    assert "tasks 1, timers 1" in concerns.values()
    assert "own/tasks/index.json" in concerns.values(), "what nobody can take out is named"
    assert NAME in tasks.read_text(), "nothing goes before the yes"
    view = await bench.answer(view["run"], "once")
    assert view["resolution"] == "confirmed"
    assert view["answer"].endswith("Of what skills keep, 2 went with it.")
    assert NAME not in tasks.read_text() + clock.read_text()
    assert "buy milk" in tasks.read_text()
    assert "ferns" in clock.read_text()
    listed = await bench.ask("what are my reminders?", yes=False)
    assert "ferns" in listed["answer"], "the skill reads what is left"
    assert [path for path in _holding(bench.home.parent / "steward") if path != str(strange)] == []


async def test_a_task_alone_is_enough_to_forget_and_one_that_came_meanwhile_is_shown_again(bench: Bench) -> None:
    tasks = bench.folders.kept / "tasks" / "todo.txt"
    tasks.parent.mkdir(parents=True)
    tasks.write_text(f"call {NAME}\nbuy milk +{NAME}_Kern\nbuy bread\n")
    shown = await _shown(bench, NAME)
    assert (shown["own"], shown["own_stays"]) == ({"tasks": 2}, [])
    tasks.write_text(f"{tasks.read_text()}write to {NAME}\n")
    with pytest.raises(BadRequest, match="not what was shown"):
        await bench.kernel.known.forget(NAME, [], shown["seal"])
    assert NAME in tasks.read_text()
    shown = await _shown(bench, NAME)
    done = await bench.kernel.known.forget(NAME, [], shown["seal"])
    assert (done["stores"]["own"], tasks.read_text()) == (3, "buy bread\n")
    assert tasks.stat().st_mode & 0o777 == 0o600


def test_what_only_its_skill_can_take_out_is_named_however_it_stands_there(tmp_path: Path) -> None:
    places = {
        "plants/escaped.json": json.dumps({"from": "Jörg"}),
        "plants/plain.json": json.dumps({"from": "Jörg"}, ensure_ascii=False),
        "plants/letters_to_Jörg/first.bin": "dear you",
        "plants/Jörg.txt": "a fern\nfor Jörg\n",
        "plants/other.json": json.dumps({"from": "Jürg"}),
        "jörg/ferns.txt": "a skill may be called like a person",
    }
    for place, text in places.items():
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_text(text)
    (tmp_path / "plants/dangling").symlink_to(tmp_path / "nowhere")
    kept = kept_about(tmp_path, ("Jörg",))
    assert kept.counts == (("plants", 1),)
    assert kept.stays == tuple(sorted(f"own/{place}" for place in list(places)[:4]))


@pytest.mark.parametrize("name", ["Home", "Calc", "Kind"])
async def test_only_the_requests_that_had_a_name_go_with_it(bench: Bench, name: str) -> None:
    """Somebody called like the folder that the home is in, like a skill, like a key of every record."""
    assert bench.home.name == "home"
    (bench.home / "Documents").mkdir(exist_ok=True)
    (bench.home / "Documents" / "plan.txt").write_text("nothing of note\n")
    others = [await bench.ask(text) for text in (
        "what is 2 + 3?", "make a note called shopping saying milk", "what are the largest files in Documents",
    )]  # fmt: skip
    assert {one["resolution"] for one in others} <= {"executed", "confirmed"}, others
    about = [await bench.ask(text) for text in (
        f"remember that {name} Kernberg lives in Bonn", f"make a note called list saying {name} Kernberg knows it",
    )]  # fmt: skip
    (bench.home / "Documents" / f"{name} Kernberg.txt").write_text("a lease\n")
    about.append(await bench.ask("list the files in Documents"))
    assert {one["resolution"] for one in about} <= {"executed", "confirmed"}, about
    shown = await _shown(bench, f"{name} Kernberg", [name])
    assert name in shown["words"]
    await bench.kernel.known.forget(f"{name} Kernberg", [name], shown["seal"])
    forgotten = {line["run"]: line["forgotten"] for line in bench.kernel.runs()}
    assert [forgotten[one["run"]] for one in others] == [False, False, False]
    assert [forgotten[one["run"]] for one in about] == [True, True, True], "the control"


def test_a_path_below_the_home_counts_from_there_on() -> None:
    looks = Sought(["Anna"], ["/home/anna"], ["anna.find"])
    for text in ("/home/anna", "/home/anna/Documents/a.txt", "read /home/anna/x and /home/anna", "anna.find"):
        assert not looks.in_text(text), text
    for text in (
        "/home/anna/Anna.txt",
        "/home/annabel and Anna",
        "/mnt/home/anna",
        "Anna",
        "/home/anna-old/x",
        "anna.find x",
    ):
        assert looks.in_text(text), text
