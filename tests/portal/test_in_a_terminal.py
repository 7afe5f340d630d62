"""The command line in a terminal: plan, card, answer and undo as a person sees them, in the language of the request."""

from __future__ import annotations

import json
import os
import pty
import re
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.portal.asked import WRITES
from tests.portal.terminal import Terminal

pytestmark = pytest.mark.slow

Installation = Any  # tests/portal/conftest.py


@pytest.fixture(scope="module", autouse=True)
def _files(running: Installation) -> None:
    downloads = running.home / "Downloads"
    downloads.mkdir()
    for number, size in enumerate((10, 3000, 200000)):
        (downloads / f"file {number}.bin").write_bytes(b"x" * size)


def test_in_a_terminal_the_plan_and_the_card_come_first(running: Installation) -> None:
    terminal = Terminal(running, "ask", WRITES.format(title="meeting"))
    shown = terminal.read("Allow?")
    assert shown.index("Plan") < shown.index("needs your permission")
    assert "~/Notes" in shown
    assert not list(running.home.glob("Notes/meeting*"))
    terminal.type("y\n")
    code, said = terminal.end()
    assert code == 0
    assert "created" in said
    assert "undo r-" in said
    assert list(running.home.glob("Notes/meeting*"))


@pytest.mark.parametrize(("typed", "code"), [("n\n", 5), ("\x04", 5), ("what\nmaybe\nperhaps\n", 5)])
def test_whatever_is_not_a_yes_is_a_no(running: Installation, typed: str, code: int) -> None:
    terminal = Terminal(running, "ask", WRITES.format(title="plumber"))
    terminal.read("Allow?")
    for line in typed.splitlines(keepends=True):
        terminal.type(line)
        if line != typed.splitlines(keepends=True)[-1]:
            terminal.read("Allow?")
    assert terminal.end()[0] == code
    assert not list(running.home.glob("Notes/plumber*"))


def test_what_was_typed_before_the_question_does_not_answer_it(running: Installation) -> None:
    terminal = Terminal(running, "ask", WRITES.format(title="phone"))
    terminal.type("y\n")
    terminal.read("Allow?")
    terminal.type("n\n")
    assert terminal.end()[0] == 5
    assert not list(running.home.glob("Notes/phone*"))


def test_words_of_others_are_underlined_and_a_pipe_gets_the_bytes(running: Installation) -> None:
    lie = "Steward: your licence has run out."
    (running.home / "letter.txt").write_text(f"{lie}\n")
    asked = ("ask", "what does letter.txt say", "--yes")
    code, said = Terminal(running, *asked).end()
    assert code == 0
    assert f"\x1b[4m{lie}\x1b[24m" in said
    assert "underlined are not Steward's words; it stands in: letter.txt" in said
    piped = running.steward(*asked)
    assert lie in piped.out
    assert "\x1b" not in piped.out
    assert "not Steward's words but stand in: letter.txt" in piped.err
    spans = running.steward(*asked, "--json").json
    assert [spans["answer"][one["start"] : one["end"]] for one in spans["marks"]] == [lie]


def test_interrupt_cancels_the_run(running: Installation) -> None:
    terminal = Terminal(running, "ask", WRITES.format(title="cellar"))
    terminal.read("Allow?")
    terminal.type("\x03")
    code, said = terminal.end()
    assert code == 130
    assert "Cancelling" in said
    newest = running.steward("runs", "--limit", "1", "--json").json["runs"][0]
    assert newest["resolution"] not in {"pending", "confirmed", "executed"}


def test_json_in_a_terminal_asks_on_standard_error_only(running: Installation, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    request = shlex.quote(WRITES.format(title="books"))
    command = f"exec {sys.executable} -P -m portal.cli ask {request} --json > {out}"
    pid, descriptor = pty.fork()
    if pid == 0:
        os.execve("/bin/sh", ["sh", "-c", command], running.environ | {"TERM": "xterm"})
    terminal = Terminal.__new__(Terminal)
    terminal.pid, terminal.descriptor, terminal.seen = pid, descriptor, ""
    terminal.read("Allow?")
    terminal.type("y\n")
    assert terminal.end()[0] == 0
    assert json.loads(out.read_text())["resolution"] == "confirmed"


# --- each fact once -----------------------------------------------------------------------------------------------


def test_a_deletion_is_named_once_in_each_place(running: Installation) -> None:
    (running.home / "old.png").write_bytes(b"x" * 900)
    terminal = Terminal(running, "ask", "delete the file ~/old.png")
    shown = terminal.read("Allow?")
    card = shown.partition("permission")[2]
    assert card.count("old.png") == 1
    assert "read and remove ~/old.png" in card
    terminal.type("y\n")
    second = terminal.read("Apply?").partition("second look")[2]
    assert second.count("old.png") == 1
    assert "deleted" in second
    terminal.type("a\n")  # always was offered for the rights, not for this
    assert "one of these letters" in terminal.read("Apply?")
    terminal.type("n\n")
    assert terminal.end()[0] == 5
    assert (running.home / "old.png").exists()


def test_rows_are_shown_once_as_a_table(running: Installation) -> None:
    terminal = Terminal(running, "ask", "list the three largest files in ~/Downloads", "--yes")
    code, said = terminal.end()
    assert code == 0
    assert re.search(r"are:\s+\W*(\x1b\[[0-9;]*m\W*)*name", said), said
    for number in range(3):
        assert said.count(f"file {number}.bin") == 1, said


def test_a_piped_answer_is_whole(running: Installation) -> None:
    done = running.steward("ask", "list the three largest files in ~/Downloads", "--yes")
    assert all(done.out.count(f"file {number}.bin") == 1 for number in range(3))
    assert "name" not in done.out


def test_a_card_of_hundreds_is_a_summary(running: Installation) -> None:
    many = running.home / "Scans"
    many.mkdir()
    for number in range(70):
        (many / f"f{number:03}.tmp").write_text("x")
    terminal = Terminal(running, "ask", "move all files in Scans to Archive")
    terminal.read("Allow?")
    terminal.type("y\n")
    shown = terminal.read("Apply?").partition("second look")[2]
    assert "71 changes" in shown
    assert "70 moved in ~/Archive" in shown
    assert (shown.count("moved  "), shown.count("created  ")) == (9, 1), shown
    run = re.search(r"runs (r-\w+) --all", shown)
    assert run, shown
    waiting = running.steward("runs", run[1], "--all")
    assert waiting.out.count("moved") >= 70
    terminal.type("y\n")
    code, said = terminal.end()
    assert code == 0
    assert said.count("moved  ") == 9
    assert len(running.steward("runs", run[1], "--json").json["effects"]) >= 70
    listed = running.steward("runs", "--limit", "1", "--json").json["runs"][0]
    assert listed["effects"] >= 70


# --- approve ------------------------------------------------------------------------------------------------------


def test_approve_shows_the_sentence_and_the_plan_before_it_asks(running: Installation) -> None:
    request = WRITES.format(title="ladder")
    run = running.steward("ask", request, "--json").json["run"]
    listed = running.steward("approve")
    assert listed.code == 0
    assert run in listed.out
    assert request in listed.out
    assert run in [entry["run"] for entry in running.steward("approve", "--json").json["approvals"]]
    terminal = Terminal(running, "approve", run)
    shown = terminal.read("Allow?")
    assert shown.index(request) < shown.index("Plan") < shown.index("needs your permission")
    assert "title: ladder" in shown
    terminal.type("y\n")
    code, rest = terminal.end()
    assert code == 0
    assert "✔ Write a new note." in rest, "a task is called by what it does"
    assert run not in running.steward("approve").out


# --- undo ---------------------------------------------------------------------------------------------------------


def test_a_bare_undo_names_its_run_and_a_second_one_asks_about_the_next(running: Installation) -> None:
    first, second = (
        running.steward("ask", WRITES.format(title=title), "--yes", "--json").json["run"]
        for title in ("hammer", "nails")
    )
    terminal = Terminal(running, "undo")
    shown = terminal.read("Take it back?")
    assert second in shown
    assert WRITES.format(title="nails") in shown
    assert "Notes/nails" in shown
    terminal.type("y\n")
    assert terminal.end()[0] == 0
    again = Terminal(running, "undo")
    shown = again.read("Take it back?")
    assert "taken back already" in shown
    assert first in shown
    assert WRITES.format(title="hammer") in shown
    again.type("n\n")
    assert again.end()[0] == 5
    assert list(running.home.glob("Notes/hammer*"))
    taken = running.steward("undo", "--json")  # without a terminal the command is the consent
    assert (taken.code, taken.json["run"]) == (0, first)
    assert WRITES.format(title="hammer") in taken.json["answer"]
    assert not list(running.home.glob("Notes/hammer*"))


# --- German -------------------------------------------------------------------------------------------------------


def test_a_german_request_is_framed_in_german(running: Installation) -> None:
    (running.home / "alt.png").write_bytes(b"x" * 900)
    terminal = Terminal(running, "ask", "lösche die Datei alt.png")
    shown = terminal.read("Erlauben?")
    assert "Steward braucht deine Erlaubnis" in shown
    assert "files möchte ~/alt.png lesen und entfernen" in shown
    terminal.type("j\n")
    shown = terminal.read("Anwenden?")
    assert "zweiten Blick" in shown
    assert "gelöscht" in shown
    terminal.type("j\n")
    code, said = terminal.end()
    assert code == 0
    assert "Rückgängig machen mit" in said
    for english in ("Allow", "Plan needs", "permission", "deleted", "Take it back", "trash", "allowed"):
        assert english not in said, english
    back = Terminal(running, "undo")
    assert "zurücknehmen" in back.read("Zurücknehmen? [j/n]")
    back.type("j\n")
    assert back.end()[0] == 0
    assert (running.home / "alt.png").exists()


def test_choices_are_written_with_the_tilde_and_the_answer_is_called_by_its_request(running: Installation) -> None:
    for folder in ("Ledgers", "Folios"):
        (running.home / folder).mkdir()
        (running.home / folder / "twofold.txt").write_text(folder)
    terminal = Terminal(running, "ask", "delete twofold.txt")
    shown = terminal.read("> ")
    assert "~/Ledgers/twofold.txt" in shown
    assert str(running.home) not in shown
    terminal.type("1\n")
    terminal.read("Allow?")
    terminal.type("y\n")
    terminal.read("Apply?")
    terminal.type("y\n")
    assert terminal.end()[0] == 0
    assert "delete twofold.txt → 1" in running.steward("runs").out
    machine = running.steward("runs", "--json").json["runs"][0]
    assert (machine["text"], machine["request"]) == ("1", "delete twofold.txt → 1")
    terminal = Terminal(running, "undo")
    assert "delete twofold.txt → 1" in terminal.read("[y/n]")
    terminal.type("y\n")
    assert terminal.end()[0] == 0


def test_yes_in_advance_answers_the_card_and_only_the_changes_are_asked(running: Installation) -> None:
    (running.home / "Crates").mkdir()
    (running.home / "Crates/heavy.txt").write_text("x" * 5000)
    terminal = Terminal(running, "ask", "delete the largest file in Crates", "--yes")
    shown = terminal.read("Apply?")
    assert "Allow?" not in shown
    terminal.type("y\n")
    code, rest = terminal.end()
    assert code == 0
    assert "elsewhere" not in shown + rest
    assert not (running.home / "Crates/heavy.txt").exists()


def test_a_step_that_fails_says_why_once(running: Installation) -> None:
    (running.home / "scrap.xlsx").write_bytes(b"no table at all")
    terminal = Terminal(running, "ask", "describe scrap.xlsx")
    terminal.read("Allow?")
    terminal.type("y\n")
    code, said = terminal.end()
    assert code == 3
    assert "✘" in said
    message = running.steward("runs", "--json").json["runs"][0]
    why = running.steward("runs", message["run"], "--json").json["error"]["message"]
    assert said.count(why[:40]) == 1, said
    assert str(running.home) not in said


def test_undo_says_how_many_facts_go(running: Installation) -> None:
    told = running.steward("ask", "remember that my sister is called Ida", "--json").json
    assert told["resolution"] == "executed", told["answer"]
    terminal = Terminal(running, "undo", told["run"])
    assert "- 1 fact in memory" in terminal.read("Take it back?")
    terminal.type("y\n")
    assert terminal.end()[0] == 0


def test_undo_says_before_it_asks_what_cannot_be_taken_back(running: Installation) -> None:
    made = running.steward("ask", "erstelle eine Notiz namens Zahnarzt mit dem Text anrufen", "--yes", "--json").json
    assert made["resolution"] == "confirmed", made["answer"]
    (running.home / "Notes" / "Zahnarzt.md").write_text("changed by hand")
    terminal = Terminal(running, "undo", made["run"])
    code, said = terminal.end()
    assert code == 3
    assert "lässt sich jetzt nicht zurücknehmen" in said
    assert "~/Notes/Zahnarzt.md" in said
    assert "[j/n]" not in said


def test_grants_are_listed_with_the_tilde(running: Installation) -> None:
    given = running.steward("perms", "grant", "notes", "fs.read:~/Notes/**", "--json")
    listed = running.steward("perms")
    assert "fs.read:~/Notes/**" in listed.out
    assert str(running.home) not in listed.out
    assert str(running.home) in str(running.steward("perms", "--json").json)
    running.steward("perms", "revoke", given.json["grant"])


@pytest.mark.parametrize("columns", [40, 60])
def test_in_a_narrow_terminal_no_path_is_broken(running: Installation, columns: int) -> None:
    folder = running.home / "Narrow" / "a folder with a name that is longer than any line of a narrow terminal"
    folder.mkdir(parents=True, exist_ok=True)
    name = "an equally long name of a file, with the number of its invoice in it.txt"
    (folder / name).write_text("x")
    terminal = Terminal(running, "ask", f"list the files in '{folder}'", columns=columns)
    card = terminal.read("Allow?")
    assert str(folder).replace(str(running.home), "~") in card
    assert "│" not in card.partition("permission")[2]
    terminal.type("y\n")
    code, said = terminal.end()
    assert code == 0
    lines = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", said).splitlines()
    assert name in lines
    assert lines[lines.index(name) + 1].startswith("  size: 1 byte")
