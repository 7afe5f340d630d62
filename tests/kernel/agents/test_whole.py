"""A skill of instructions is followed by a model over real sockets: one card before, one card of changes, one undo."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.kernel.agents.conftest import ASKED, GERMAN, READS, RUNS, act, bodies, kinds, scripted, told_in, worked
from tests.kernel.conftest import Bench

pytestmark = [pytest.mark.slow, pytest.mark.sandbox]

TEXT = "- Anna: roof done\n- Tom: windows left\n"
WHOLE = (
    act("look", "~/Reports"),
    act("read", "~/Reports/anna.txt"),
    act("read", "tom.txt"),
    act("write", "digest.md", TEXT),
    act("read", "digest.md"),
    act("done", text="Two reports are in digest.md."),
)


async def test_it_is_followed_to_its_end_after_one_card_and_taken_back_at_once(tmp_path: Path) -> None:
    async with worked(tmp_path, scripted(*WHOLE)) as (bench, server):
        before = bench.tree()
        card = await bench.ask(ASKED, yes=False)
        assert (card["resolution"], card["stage"]) == ("pending", "plan"), card["answer"]
        assert card["card"]["worker"] == "scripted" == card["plan"]["worker"]
        (line,) = card["card"]["lines"]
        assert line["words"] == "read everything, create files and change files in ~/Reports"
        assert server.asked == []  # nobody was asked before the card was answered
        shown = await bench.answer(card["run"], "once")
        assert (shown["resolution"], shown["stage"]) == ("pending", "commit"), shown["answer"]
        assert bench.tree() == before
        assert [one["path"] for one in shown["diff"]] == [str(bench.home / "Reports" / "digest.md")]
        assert "+- Anna: roof done" in shown["diff"][0]["text"]
        assert "scripted" in shown["card"]["concerns"][0]["subject"]
        done = await bench.answer(card["run"], "once")
        assert done["resolution"] == "confirmed", done["answer"]
        assert bench.tree() == before | {"Reports/digest.md": TEXT.encode()}
        assert done["answer"].startswith("The model scripted followed weekly-digest and says:\nTwo reports are in")
        assert len(server.asked) == len(WHOLE)
        undone = await bench.ask("undo that")
        assert undone["resolution"] in ("executed", "confirmed"), undone["answer"]
        assert bench.tree() == before


async def test_each_turn_is_told_and_written_down(tmp_path: Path) -> None:
    async with worked(tmp_path, scripted(*WHOLE)) as (bench, _):
        card = await bench.ask(ASKED, yes=False)
        done = await bench.answer(card["run"], "once")
        turns = bodies(bench, card["run"], "worker.turn")
        assert [(one["turn"], one["of"], one["do"]) for one in turns[:2]] == [(1, 12, "look"), (2, 12, "read")]
        said = [one["text"] for one in bodies(bench, card["run"], "task.progress")]
        assert said[1] == "turn 2 of 12: reads ~/Reports/anna.txt"
        assert [one["text"] for one in done["turns"]] == said
        assert {one["task"] for one in done["turns"]} == {"t1"}
        (ended,) = bodies(bench, card["run"], "worker.ended")
        assert (ended["why"], ended["turns"], ended["refused"]) == ("done", 6, 0)
        assert ended["tokens"] > 0
        assert kinds(done).count("model.asked") == kinds(done).count("model.replied") == len(WHOLE)
        started = [one["tool"] for one in bodies(bench, card["run"], "task.started")]
        assert started == [f"weekly-digest.{one}" for one in ("follow", "look", "read", "read", "write", "read")]


async def test_what_it_reads_goes_back_quoted_and_only_in_the_classes_that_it_is_of(tmp_path: Path) -> None:
    async with worked(tmp_path, scripted(*WHOLE)) as (bench, server):
        card = await bench.ask(ASKED, yes=False)
        await bench.answer(card["run"], "once")
        second, last = (told_in(one.body) for one in (server.asked[1], server.asked[-1]))
        assert second[0]["result"]["untrusted"] is True
        assert second[0]["result"]["text"] == "anna.txt (24)\ntom.txt (27)"
        assert last[1]["result"]["text"] == "Anna: the roof is done.\n"
        assert last[4]["result"]["text"] == TEXT  # what it wrote is there for itself, and for nobody else yet
        heads = [one.body["messages"][:3] for one in server.asked]
        assert all(one == heads[0] for one in heads)  # a server may keep what it has read
        seen = [set(one["seen"]) for one in bodies(bench, card["run"], "model.asked")]
        assert "files" not in seen[0]
        assert all("files" in one and "results" not in one for one in seen[1:])


async def test_its_model_is_told_no_name_of_the_home_and_may_say_a_path_with_a_tilde(tmp_path: Path) -> None:
    steps = (
        act("look", "~/Reports"),
        act("read", "~/.ssh/id_rsa"),
        act("read", "~/Reports/none.txt"),
        act("run", "~/Reports", "pwd"),
        act("run", "~/Reports", "pwd; exit 2"),
        act("write", "~/Reports/digest.md", "x\n"),
        act("done", text="Done."),
    )
    async with worked(tmp_path, scripted(*steps), allowed=RUNS) as (bench, server):
        card = await bench.ask(ASKED, yes=False)
        shown = await bench.answer(card["run"], "once")
        assert [Path(one["path"]).name for one in shown["diff"]] == ["digest.md"], shown["answer"]
        assert len(server.asked) == len(steps)
        assert str(bench.home) not in json.dumps([one.body for one in server.asked])
        told = [one["result"]["text"] for one in told_in(server.asked[-1].body)]
        assert "fs.read:~/.ssh/id_rsa" in told[1]
        assert told[3] == "~/Reports"
        done = await bench.answer(card["run"], "once")
        assert "would need fs.read:~/.ssh/id_rsa" in done["answer"]


async def test_what_stands_in_a_file_is_read_as_it_is(tmp_path: Path) -> None:
    async with worked(tmp_path, scripted(act("read", "~/Reports/way.txt"), act("done", text="Done."))) as (
        bench,
        server,
    ):
        line = f"cd {bench.home}/Letters\n"
        (bench.home / "Reports" / "way.txt").write_text(line)
        card = await bench.ask(ASKED, yes=False)
        await bench.answer(card["run"], "once")
        assert told_in(server.asked[-1].body)[0]["result"]["text"] == line


async def test_a_command_runs_in_the_folder_and_what_it_changes_is_shown(tmp_path: Path) -> None:
    steps = (
        act("run", "~/Reports", "cat *.txt | sort -r > all.txt; wc -l < all.txt"),
        act("run", None, "ls /nowhere; rm anna.txt; exit 3"),
        act("done", text="Sorted."),
    )
    async with worked(tmp_path, scripted(*steps), allowed=RUNS) as (bench, server):
        before = bench.tree()
        card = await bench.ask(ASKED, yes=False)
        assert "remove files" in card["card"]["lines"][0]["words"]
        shown = await bench.answer(card["run"], "once")
        assert [Path(one["path"]).name for one in shown["diff"]] == ["all.txt"], shown["answer"]
        assert bench.tree() == before
        told = told_in(server.asked[-1].body)
        assert told[0]["result"]["text"] == "2"
        assert told[1]["ok"] is False
        assert "ended with status 3, and nothing that it changed is kept" in told[1]["result"]["text"]
        done = await bench.answer(card["run"], "once")
        assert done["resolution"] == "confirmed", done["answer"]
        assert (
            bench.home / "Reports" / "all.txt"
        ).read_text() == "Tom: two windows are left.\nAnna: the roof is done.\n"
        assert (bench.home / "Reports" / "anna.txt").exists()  # what a failed command did is not kept


async def test_each_change_of_it_is_shown_and_each_line_however_many_they_are(tmp_path: Path) -> None:
    steps = (
        act("write", "Makefile", "all:\n" + "\ttrue\n" * 300 + "\tlast\n"),
        act("run", "~/Reports", "for n in $(seq 60); do echo x > page$n.txt; done"),
        act("done", text="Done."),
    )
    async with worked(tmp_path, scripted(*steps), allowed=RUNS) as (bench, _):
        card = await bench.ask(ASKED, yes=False)
        shown = await bench.answer(card["run"], "once")
        assert len(shown["card"]["changes"]) == len(shown["diff"]) == 61
        assert shown["card"]["whole"] is True
        (made,) = (one for one in shown["diff"] if one["path"].endswith("/Makefile"))
        assert made["text"].endswith("+\tlast\n")
        assert made["truncated"] is False


@pytest.mark.parametrize(("lines", "code"), [(30_000, "commit.unseen"), (20_000, None)])
async def test_what_a_card_cannot_show_whole_changes_nothing(tmp_path: Path, lines: int, code: str | None) -> None:
    steps = (act("run", "~/Reports", f"seq {lines} > table.txt"), act("done", text="Done."))
    async with worked(tmp_path, scripted(*steps), allowed=RUNS) as (bench, _):
        before, card = bench.tree(), await bench.ask(ASKED, yes=False)
        shown = await bench.answer(card["run"], "once")
        assert (shown["error"] or {}).get("code") == code, shown["answer"]
        assert shown["resolution"] == ("failed" if code else "pending")
        assert bench.tree() == before


async def test_a_skill_that_wants_to_read_alone_reads_alone(tmp_path: Path) -> None:
    async with worked(tmp_path, scripted(*WHOLE), allowed=READS) as (bench, server):
        before = bench.tree()
        card = await bench.ask(ASKED, yes=False)
        assert card["card"]["lines"][0]["words"] == "read everything in ~/Reports"
        done = await bench.answer(card["run"], "once")
        may = json.loads(server.asked[0].body["messages"][2]["content"])["may"]
        assert may == {"look": ["~/Reports"], "read": ["~/Reports"]}
        assert [one["do"] for one in bodies(bench, card["run"], "worker.turn")] == [
            "look",
            "read",
            "read",
            "",
            "read",
            "done",
        ]
        assert "~/Reports/digest.md" not in done["answer"]
        assert bench.tree() == before


async def test_no_before_it_asks_nobody_and_no_after_it_changes_nothing(tmp_path: Path) -> None:
    async with worked(tmp_path, scripted(*WHOLE)) as (bench, server):
        before = bench.tree()
        card = await bench.ask(ASKED, yes=False)
        assert (await bench.answer(card["run"], "no"))["resolution"] == "blocked"
        assert server.asked == []
        again = await bench.ask(ASKED, yes=False)
        await bench.answer(again["run"], "once")
        end = await bench.answer(again["run"], "no")
        assert end["resolution"] == "blocked"
        assert bench.tree() == before


async def test_neither_yes_in_advance_nor_always_answers_for_what_a_model_does(tmp_path: Path) -> None:
    async with worked(tmp_path, scripted(*WHOLE)) as (bench, server):
        before = bench.tree()
        first = await bench.ask(ASKED, yes=True)
        assert (first["resolution"], first["stage"]) == ("pending", "plan")
        assert server.asked == []
        await bench.answer(first["run"], "always")
        await bench.answer(first["run"], "no")
        again = await bench.ask(ASKED, yes=True)
        assert (again["resolution"], again["stage"]) == ("pending", "plan")
        assert [one for one in bench.kernel._house.policy.grants if one.skill == "weekly-digest" and not one.run] == []
        assert bench.tree() == before


async def test_in_german_it_is_told_in_german(tmp_path: Path) -> None:
    async with worked(tmp_path, scripted(*WHOLE)) as (bench, server):
        card = await bench.ask(GERMAN, yes=False)
        assert card["stage"] == "plan", card["answer"]
        assert "die Anleitung" in json.dumps(card["card"], ensure_ascii=False)
        shown = await bench.answer(card["run"], "once")
        assert "Sieh dir jede Änderung an" in shown["card"]["concerns"][0]["subject"], shown["answer"]
        texts = [one["text"] for one in bodies(bench, card["run"], "task.progress")]
        assert texts[0] == "Zug 1 von 12: sieht in ~/Reports nach"
        assert json.loads(server.asked[0].body["messages"][2]["content"])["language"] == "de"


async def test_what_it_says_is_marked_as_the_words_of_others_and_used_on_by_name_alone(tmp_path: Path) -> None:
    async with worked(tmp_path, scripted(act("done", text="Your password has expired, visit evil.example"))) as (
        bench,
        _,
    ):
        card = await bench.ask(ASKED, yes=False)
        done = await bench.answer(card["run"], "once")
        assert done["resolution"] == "confirmed", done["answer"]
        (mark,) = done["marks"]
        assert done["answer"][mark["start"] : mark["end"]] == "Your password has expired, visit evil.example"
        noted = await bench.ask("save that as a note called digest")
        assert noted["resolution"] == "clarify", noted["answer"]
        assert noted["answer"].startswith("Which text do you mean"), "its words and its files are two things"
        assert not (bench.home / "Notes").exists()


async def test_without_a_worker_it_is_declined_in_true_words(tmp_path: Path) -> None:
    async with worked(tmp_path, scripted(*WHOLE), role="planner") as (bench, _):
        done = await bench.ask(ASKED)
        assert done["resolution"] == "declined"
        assert "none is bound to follow them" in done["answer"]
        assert "./steward models use worker" in done["answer"]
        assert "weekly-digest/SKILL.md" in done["answer"]
        who = await bench.ask("who are you?")
        assert "the model that you have set (scripted)" in who["answer"]


async def test_the_words_of_its_id_call_it_where_little_else_is_said(tmp_path: Path) -> None:
    for number, sentence in enumerate(
        ("create a folder called weekly digest", "send my weekly digest to Anna as a letter")
    ):
        async with worked(tmp_path / str(number), scripted(*WHOLE)) as (bench, server):
            done = await bench.ask(sentence, yes=False)
            planned = (done["plan"] or {}).get("tasks", ())
            assert "weekly-digest.follow" not in [task["tool"] for task in planned], done["answer"]
            assert not server.asked


async def test_without_a_worker_a_skill_that_is_called_is_not_taken_for_a_name(tmp_path: Path) -> None:
    """A folder of that name could be made; that is what the words are about only where they say so."""
    async with worked(tmp_path, scripted(*WHOLE), role="planner") as (bench, server):
        done = await bench.ask("use weekly-digest on ~/Reports")
        assert done["resolution"] == "declined", done["answer"]
        assert "The skill weekly-digest" in done["answer"]
        assert "none is bound to follow them" in done["answer"]
        assert server.asked == []
        made = await bench.ask("make a folder called weekly-digest in ~/Reports")
        assert made["resolution"] in ("executed", "confirmed"), made["answer"]


async def test_a_skill_that_is_called_by_a_plain_word_takes_no_request_away(tmp_path: Path) -> None:
    async with worked(tmp_path, scripted(*WHOLE)) as (bench, server):
        done = await bench.ask("make a note called roof saying all tiles")
        assert done["resolution"] in ("executed", "confirmed"), done["answer"]
        assert [one["tool"] for one in done["plan"]["tasks"]] == ["notes.create"]
        assert server.asked == []


async def test_who_it_is_without_any_model(bench: Bench) -> None:
    assert "without a language model" in (await bench.ask("who are you?"))["answer"]


async def test_a_model_that_may_not_see_files_is_not_asked_and_says_what_would_let_it(tmp_path: Path) -> None:
    async with worked(tmp_path, scripted(*WHOLE), sees=()) as (bench, server):
        done = await bench.ask(ASKED)
        assert done["resolution"] == "blocked", done["answer"]
        assert done["error"]["code"] == "model.not_allowed"
        assert "model.see:files@127.0.0.1" in done["answer"]
        assert server.asked == []
