"""Taking back in words: at once where it can mean one run only, else a question that names the run."""

from __future__ import annotations

import os
import re
from typing import Any

import pytest

from kernel import NotNow
from kernel.approval.card import change_view, taken_back
from kernel.itself import undoing
from kernel.remember import run_view
from kernel.remembering.bulk import FEW
from permissions.errors import Conflict
from permissions.model import Change, ChangeKind

Bench = Any  # tests/kernel/conftest.py

NOTE = "save a note called errands {} saying milk"


async def test_the_last_change_of_the_conversation_is_taken_back_at_once(bench: Bench) -> None:
    before = bench.tree()
    made = await bench.ask(NOTE.format("one"))
    view = await bench.ask("undo that", yes=False)
    assert (view["resolution"], view["result"]["undone"]) == ("executed", made["run"])
    assert NOTE.format("one") in view["answer"]
    assert bench.tree() == before


async def test_the_next_one_down_is_asked_about_and_named(bench: Bench) -> None:
    first, _ = await bench.ask(NOTE.format("one")), await bench.ask(NOTE.format("two"))
    await bench.ask("undo", yes=False)
    after_one = bench.tree()
    view = await bench.ask("undo", yes=False)
    assert view["resolution"] == "pending"
    assert bench.tree() == after_one
    assert view["card"]["undo"] == {"run": first["run"], "text": NOTE.format("one")}
    assert NOTE.format("one") in view["card"]["concerns"][0]["subject"]
    assert [change["kind"] for change in view["card"]["changes"] if change["path"].endswith("errands one.md")] == [
        "deleted"
    ]
    refused = await bench.answer(view["run"], "no")
    assert (refused["resolution"], bench.tree()) == ("blocked", after_one)
    again = await bench.ask("undo", yes=False)
    done = await bench.answer(again["run"], "once")
    assert (done["resolution"], done["result"]["undone"]) == ("confirmed", first["run"])
    assert "Notes/errands one.md" not in bench.tree()


async def test_yes_in_advance_answers_the_question(bench: Bench) -> None:
    before = bench.tree()
    await bench.ask(NOTE.format("one"))
    await bench.ask(NOTE.format("two"))
    await bench.ask("undo")
    view = await bench.ask("undo")
    assert view["resolution"] == "confirmed"
    assert bench.tree() == before


async def test_another_conversation_s_change_is_asked_about(bench: Bench) -> None:
    await bench.ask(NOTE.format("one"), conversation="a")
    await bench.ask("what is 2 + 2", conversation="b")
    view = await bench.ask("undo that", yes=False, conversation="b")
    assert view["resolution"] == "pending"
    assert view["card"]["concerns"][0]["why"].endswith("in another conversation")
    assert "Notes/errands one.md" in bench.tree()


async def test_what_only_waits_in_a_conversation_is_nothing_to_take_back(bench: Bench) -> None:
    await bench.ask(NOTE.format("one"), conversation="a")
    waits = await bench.ask(NOTE.format("two"), yes=False, conversation="b")
    view = await bench.ask("undo that", conversation="b")
    assert (view["resolution"], view["error"]["code"]) == ("failed", "undo.waiting")
    assert NOTE.format("two") in view["answer"]
    assert "never mind" in view["answer"]
    assert "Notes/errands one.md" in bench.tree()
    assert (await bench.answer(waits["run"], "once"))["resolution"] == "confirmed"
    done = await bench.ask("undo that", yes=False, conversation="b")
    assert (done["resolution"], done["card"]["undo"]["run"]) == ("pending", waits["run"])


async def test_with_a_card_that_waits_the_change_before_it_is_asked_about(bench: Bench) -> None:
    made = await bench.ask(NOTE.format("one"))
    await bench.ask("delete big.iso", yes=False)
    view = await bench.ask("undo that", yes=False)
    assert (view["resolution"], view["card"]["undo"]["run"]) == ("pending", made["run"])


async def test_a_new_conversation_means_the_last_run_that_had_effects(bench: Bench) -> None:
    await bench.ask(NOTE.format("one"), conversation="a")
    at_once = await bench.ask("mach das rückgängig", yes=False, conversation="b")
    assert at_once["resolution"] == "executed"
    assert "zurückgenommen" in at_once["answer"]
    await bench.ask(NOTE.format("one"), conversation="a")
    made = await bench.ask(NOTE.format("two"), conversation="a")
    await bench.ask("what is 2 + 2", conversation="a")
    last = await bench.ask("undo", yes=False, conversation="c")
    assert (last["resolution"], last["result"]["undone"]) == ("executed", made["run"])
    assert (await bench.ask("undo", yes=False, conversation="d"))["resolution"] == "pending"  # further down


async def test_what_a_new_conversation_finds_from_long_ago_is_asked_about(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await bench.ask(NOTE.format("one"), conversation="a")
    monkeypatch.setattr(undoing, "_JUST_NOW_NS", 0)
    view = await bench.ask("undo", yes=False, conversation="b")
    assert (view["resolution"], view["card"]["undo"]["run"]) == ("pending", made["run"])
    concern = view["card"]["concerns"][0]
    assert re.fullmatch(r"takes back what was done today at \d\d:\d\d", concern["why"])
    assert concern["subject"] == NOTE.format("one")
    german = await bench.ask("rückgängig", yes=False, conversation="c")
    assert re.fullmatch(r"nimmt zurück, was heute um \d\d:\d\d getan wurde", german["card"]["concerns"][0]["why"])
    own = await bench.ask("undo", yes=False, conversation="a")  # the last thing of its conversation, however old
    assert own["resolution"] == "executed"


@pytest.mark.parametrize("nothing", ["sing me a song about the sea", "delete nowhere.txt"])
async def test_after_a_request_that_came_to_nothing_undo_is_a_question(bench: Bench, nothing: str) -> None:
    made = await bench.ask(NOTE.format("one"))
    empty = await bench.ask(nothing)
    assert empty["resolution"] in ("declined", "clarify", "failed"), empty["answer"]
    view = await bench.ask("undo", yes=False)
    assert (view["resolution"], view["card"]["undo"]["run"]) == ("pending", made["run"])
    assert " at " in view["card"]["concerns"][0]["why"]


async def test_what_was_taken_back_while_the_question_waited_is_not_taken_back_twice(bench: Bench) -> None:
    made = await bench.ask(NOTE.format("one"), conversation="a")
    await bench.ask("what is 2 + 2", conversation="b")
    view = await bench.ask("undo", yes=False, conversation="b")
    await bench.kernel.undo(made["run"])
    done = await bench.answer(view["run"], "once")
    assert done["resolution"] == "failed"
    assert done["error"]["code"] == "undo.nothing"


async def test_undoable_says_what_would_happen_and_changes_nothing(bench: Bench) -> None:
    with pytest.raises(NotNow):
        bench.kernel.undoable()
    first, second = await bench.ask(NOTE.format("one")), await bench.ask(NOTE.format("two"))
    tree = bench.tree()
    what = bench.kernel.undoable()
    assert (what["run"], what["text"], what["further"]) == (second["run"], NOTE.format("two"), False)
    assert {change["kind"] for change in what["effects"]} == {"deleted"}
    assert bench.tree() == tree
    await bench.kernel.undo(what["run"])
    assert bench.kernel.undoable()["further"]
    assert bench.kernel.undoable(first["run"])["run"] == first["run"]
    with pytest.raises(NotNow):
        bench.kernel.undoable(second["run"])


async def test_the_question_of_a_large_undo_counts_all_of_it(bench: Bench) -> None:
    for number in range(FEW + 10):
        (bench.home / "Downloads" / f"f{number:03}.tmp").write_text("x")
    moved = await bench.ask("copy all files in Downloads to Backup")
    if moved["resolution"] == "pending":
        moved = await bench.answer(moved["run"], "once")
    assert moved["resolution"] == "confirmed", moved["answer"]
    await bench.ask("what is 2 + 2", conversation="b")
    view = await bench.ask("undo", yes=False, conversation="b")
    assert len(view["card"]["changes"]) == len(moved["effects"]) > FEW


def test_what_undoing_does_is_the_mirror_of_a_change() -> None:
    deleted = Change(ChangeKind.DELETED, "/h/a", folder=True, files=3, size_bytes=9)
    assert change_view(taken_back(deleted)) == {
        "path": "/h/a", "kind": "created", "folder": True, "files": 3, "size_bytes": 9,
    }  # fmt: skip


def test_a_view_knows_its_language_from_the_last_word_on_it() -> None:
    assert run_view([])["language"] == ""


async def test_a_question_to_undo_does_not_outlive_its_daemon(bench: Bench) -> None:
    await bench.ask(NOTE.format("one"), conversation="a")
    await bench.ask("what is 2 + 2", conversation="b")
    view = await bench.ask("undo", yes=False, conversation="b")
    await bench.kernel.close()
    bench.kernel = await bench.reopen()
    assert bench.kernel.view(view["run"])["resolution"] == "rolled_back"
    assert "Notes/errands one.md" in bench.tree()
    assert bench.kernel.undoable()["text"] == NOTE.format("one")


async def test_what_cannot_be_taken_back_is_said_in_the_language_of_its_request(bench: Bench) -> None:
    view = await bench.ask("lege eine Notiz Einkauf an: Milch")
    assert view["resolution"] == "confirmed", view["answer"]
    await bench.kernel.undo(view["run"])
    with pytest.raises(NotNow, match="ist schon zurückgenommen"):
        await bench.kernel.undo(view["run"])
    looked = await bench.ask("zeige meine Notizen")
    with pytest.raises(NotNow, match="hat nichts geändert"):
        await bench.kernel.undo(looked["run"])


# --- what cannot be taken back, and what "that" may not mean -------------------------------------------------------


async def test_a_run_whose_things_changed_since_is_not_asked_about(bench: Bench) -> None:
    moved = await bench.ask("move big.iso to Archive")
    renamed = await bench.ask("move big.iso to Backup")
    assert [one["resolution"] for one in (moved, renamed)] == ["confirmed"] * 2, (moved["answer"], renamed["answer"])
    with pytest.raises(NotNow) as refused:
        bench.kernel.undoable(moved["run"])
    assert refused.value.code == "undo.changed"
    assert "~/Archive/big.iso" in str(refused.value)
    assert str(bench.home) not in str(refused.value)
    assert renamed["run"] in refused.value.hint
    assert bench.kernel.undoable(renamed["run"])["run"] == renamed["run"]
    await bench.kernel.undo(renamed["run"])
    await bench.kernel.undo(moved["run"])
    assert "Downloads/big.iso" in bench.tree()


@pytest.mark.parametrize("hidden", [False, True])
async def test_what_somebody_else_changed_since_is_said_in_the_words_of_the_request(bench: Bench, hidden: bool) -> None:
    """Also where the time of the change does not tell, so that only the transaction notices."""
    made = await bench.ask("erstelle eine Notiz namens Zahnarzt mit dem Text morgen anrufen")
    assert made["resolution"] == "confirmed", made["answer"]
    note = next((bench.home / "Notes").iterdir())
    then = note.stat()
    note.write_text("something else")
    if hidden:
        os.utime(note, ns=(then.st_atime_ns, then.st_mtime_ns))
    view = await bench.ask("mach das rückgängig", yes=False)
    assert view["resolution"] == "failed"
    assert "lässt sich jetzt nicht zurücknehmen" in view["answer"]
    assert "~/Notes/" in view["answer"]
    with pytest.raises(Conflict, match="lässt sich jetzt nicht zurücknehmen"):
        await bench.kernel.undo(made["run"])
    assert note.read_text() == "something else"
    said = [event.kind for event in bench.kernel._house.ledger.events(run=made["run"])]
    assert said.count("undo.started") == said.count("undo.refused")  # no start looks for what became of these
    assert said[-1] == "undo.refused" or not hidden


async def test_after_a_step_that_did_not_happen_that_is_asked_about(bench: Bench) -> None:
    made = await bench.ask(NOTE.format("one"))
    refused = await bench.ask(NOTE.format("two"), yes=False)
    await bench.answer(refused["run"], "no")
    view = await bench.ask("undo that", yes=False)
    assert view["resolution"] == "pending"
    assert view["card"]["undo"]["run"] == made["run"]
    assert "Notes/errands one.md" in bench.tree()


async def test_putting_back_after_two_changes_of_one_thing_says_what_stays(bench: Bench) -> None:
    await bench.ask("move big.iso to Archive")
    renamed = await bench.ask("move big.iso to Backup")
    view = await bench.ask("put it back", yes=False)
    assert view["resolution"] == "pending"
    assert view["card"]["undo"]["run"] == renamed["run"]
    assert "move big.iso to Archive" in view["card"]["concerns"][1]["subject"]
    done = await bench.answer(view["run"], "once")
    assert done["resolution"] == "confirmed"
    assert "Archive/big.iso" in bench.tree()
