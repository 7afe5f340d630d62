"""``./steward routines``: every command, its JSON, its exit code, its card in a terminal, and names that are none."""

from __future__ import annotations

import re

import pytest

from tests.portal.asked import PROMISED, RULE, RULE_DE
from tests.portal.conftest import Installation
from tests.portal.terminal import Terminal

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("downloaded", "no_routine_left")]

NAME = "show-largest-files-downloads"
STYLE = re.compile(r"\x1b\[\d+m")


def kept(running: Installation) -> None:
    """Keep a rule, as a script does."""
    waits = running.steward("ask", RULE, "--json").json
    done = running.steward("approve", waits["run"], "--json")
    assert (done.code, done.json["resolution"]) == (0, "confirmed"), done.err


def test_where_there_is_none_the_list_says_how_one_is_made_and_that_sentence_makes_one(running: Installation) -> None:
    none = running.steward("routines")
    assert none.code == 0
    assert f'./steward ask "{RULE}"' in none.out
    assert running.steward("routines", "--json").json == {"routines": []}
    assert running.steward("routines", "list", "--json").json == {"routines": []}
    kept(running)
    assert running.steward("routines", "--json").json["routines"][0]["name"] == NAME


def test_without_a_terminal_a_rule_waits_and_the_list_of_what_waits_says_what_would_be_kept(
    running: Installation,
) -> None:
    asked = running.steward("ask", RULE)
    assert asked.code == 4
    assert "Waits for your yes to a routine; nothing is kept yet." in asked.out + asked.err
    waiting = running.steward("approve").out
    assert "when: every day at 18:00" in waiting
    assert "files wants to read everything in ~/Downloads" in waiting


@pytest.mark.parametrize(("rule", "ask", "parts", "yes", "said"), [
    (RULE, "Keep it, and allow it that for good?",
     ("This will be done by itself from now on", "when: every day at 18:00", "first: ", "for good, for itself alone",
      "files wants to read everything in ~/Downloads"), "y\n", "Kept as"),
    (RULE_DE, "Behalten, und das auf Dauer erlauben?",
     ("Das geschieht von nun an von selbst", "wann: jeden Tag um 18:00", "zuerst: ", "auf Dauer, für sich allein"),
     "j\n", "Behalten als"),
])  # fmt: skip
def test_its_card_in_a_terminal_says_when_what_and_with_which_rights(
    running: Installation, rule: str, ask: str, parts: tuple[str, ...], yes: str, said: str
) -> None:
    terminal = Terminal(running, "ask", rule)
    shown = " ".join(STYLE.sub("", terminal.read(ask)).replace("│", " ").split())
    for part in parts:
        assert part in shown, (part, shown)
    terminal.type(yes)
    code, after = terminal.end()
    assert (code, said in after) == (0, True), after
    assert len(running.steward("routines", "--json").json["routines"]) == 1


def test_only_yes_and_no_answer_its_card(running: Installation) -> None:
    terminal = Terminal(running, "ask", RULE)
    terminal.read("Keep it, and allow it that for good?")
    terminal.type("always\n")
    terminal.read("Keep it, and allow it that for good?")
    terminal.type("n\n")
    assert terminal.end()[0] == 5
    assert running.steward("routines", "--json").json == {"routines": []}


def test_one_is_listed_shown_run_put_to_rest_and_taken_away(running: Installation) -> None:
    kept(running)
    line = next(line for line in running.steward("routines").out.splitlines() if line.startswith(NAME))
    for part in ("every day at 18:00", "show me the largest files in Downloads", "not yet"):
        assert part in line, (part, line)
    ran = running.steward("routines", "run", NAME)
    assert (ran.code, "big.iso" in ran.out) == (0, True), ran.err
    as_json = running.steward("routines", "run", NAME, "--json")
    assert (as_json.code, as_json.json["resolution"]) == (0, "executed")
    assert as_json.json.keys() >= PROMISED
    latest = running.steward("routines", "--json").json["routines"][0]["latest"]
    assert (latest["run"], latest["resolution"], latest["waits"]) == (as_json.json["run"], "executed", False)
    shown = running.steward("routines", "show", NAME)
    for part in (RULE, "files.largest", "files may read everything in ~/Downloads", f"{latest['run']} done"):
        assert part in shown.out + shown.err, part
    assert f"routine:{NAME}: show me" in running.steward("runs").out
    assert "rests" in running.steward("routines", "pause", NAME).out
    assert running.steward("routines", "show", NAME, "--json").json["next"] == ""
    again = running.steward("routines", "resume", NAME, "--json").json
    assert (again["paused"], again["next"] != "") == (False, True)
    gone = running.steward("routines", "remove", NAME, "--json").json
    assert (gone["name"], len(gone["revoked"])) == (NAME, 1)
    back = running.steward("undo", "--json")
    assert (back.code, back.json["run"]) == (0, gone["run"])
    assert running.steward("routines", "show", NAME, "--json").json["rights"]
    again = running.steward("routines", "remove", NAME)
    assert "Back again: ./steward undo r-" in again.out + again.err
    log = running.steward("log").out
    for words in (f"kept as {NAME}", f"rests: {NAME}", f"goes on: {NAME}", f"taken away: {NAME}", f"back again: {NAME}",
                  "rights kept for an undo: 1"):  # fmt: skip
        assert words in log


def test_what_was_asked_about_it_is_answered_by_the_next_sentence_and_shown(running: Installation) -> None:
    asked = running.steward("ask", "every friday at nine write in a note called Week")
    hint = re.search(r"Answer with: \./steward ask --conversation (\S+)", asked.out + asked.err)
    assert "Which text do you mean" in asked.out
    assert hint, asked.err
    waits = running.steward("ask", "--conversation", hint[1], "the week is over", "--json").json
    assert running.steward("approve", waits["run"], "--json").json["resolution"] == "confirmed"
    (routine,) = running.steward("routines", "--json").json["routines"]
    assert [one["said"] for one in routine["answers"]] == ["the week is over"]
    assert re.search(r"you said +the week is over", running.steward("routines", "show", routine["name"]).err)


def test_what_it_was_is_listed_and_gone_back_to_and_that_is_taken_back(running: Installation) -> None:
    kept(running)
    assert "routines back" not in running.steward("routines", "history", NAME).err, "it was never anything else"
    waits = running.steward("ask", f"change the routine {NAME} to 7:30", "--json").json
    assert running.steward("approve", waits["run"]).code == 0
    history = running.steward("routines", "history", NAME)
    listed = history.out + history.err
    for part in ("2 (now)", "every day at 07:30", "every day at 18:00", f"change the routine {NAME} to 7:30", "back"):
        assert part in listed, (part, listed)
    assert "./steward routines history" in running.steward("routines", "show", NAME).err
    found = running.steward("routines", "history", NAME, "--json").json["versions"]
    assert [(one["version"], one["now"]) for one in found] == [(1, False), (2, True)]
    shown = running.steward("routines", "show", NAME, "--json").json
    assert (shown["version"], shown["trigger"]["kind"], len(shown["versions"])) == (2, "recurring", 2)
    waits = running.steward("routines", "back", NAME, "1", "--json")
    assert (waits.code, waits.json["resolution"]) == (4, "pending")
    assert running.steward("approve", waits.json["run"], "--json").json["resolution"] == "confirmed"
    again = running.steward("routines", "show", NAME, "--json").json
    assert (again["when"], again["version"]) == ("every day at 18:00", 3)
    assert running.steward("undo", waits.json["run"], "--yes").code == 0
    assert running.steward("routines", "show", NAME, "--json").json["when"] == "every day at 07:30"
    none = running.steward("routines", "back", NAME, "9", "--json")
    assert (none.json["resolution"], none.json["error"]["code"]) == ("declined", "routine.version")


def test_a_run_that_waits_says_which_routine_asks(running: Installation) -> None:
    kept(running)
    (grant,) = running.steward("perms", "--json").json["grants"]
    assert running.steward("perms", "revoke", grant["id"]).code == 0
    waits = running.steward("routines", "run", NAME, "--json")
    assert waits.code == 4
    assert waits.json["run"] in waits.json["answer"], "as a person reads it"
    plain = running.steward("ask", RULE)
    assert running.steward("ask", RULE_DE, "--json").json["answer"].startswith("Wartet auf dein Ja zu einer Routine")
    assert "Waits for your yes to a routine" in plain.out + plain.err
    assert "waits for you" in running.steward("routines").out
    asked = running.steward("approve").out
    assert f"The routine {NAME} needs this; your own permissions do not count for it." in asked
    assert "program" not in asked


def test_what_takes_a_rule_back_is_said_where_it_waits(running: Installation) -> None:
    """It changes no file, so no count of changes says what a yes would do."""
    kept(running)
    assert running.steward("ask", "undo that").code == 4
    waiting = running.steward("approve").out
    assert RULE in waiting
    assert f"(routine:{NAME}): read everything in ~/Downloads" in waiting
    assert "0 changes" not in waiting


@pytest.mark.parametrize(("command", "name"), [
    ("show", "nope"), ("show", ""), ("pause", "a/b"), ("resume", "../status"), ("run", "two words"),
    ("remove", "näh\u202ee"), ("history", "nope"),
])  # fmt: skip
def test_a_name_that_is_none_is_said_so(running: Installation, command: str, name: str) -> None:
    plain = running.steward("routines", command, name)
    assert plain.code == 2, plain.out
    assert "There is no routine" in plain.err
    assert "./steward routines lists them." in plain.err
    assert "\u202e" not in plain.err
    told = running.steward("routines", command, name, "--json")
    assert (told.code, told.json["error"]["code"]) == (2, "routine.unknown")


@pytest.mark.parametrize("arguments", [("show",), ("show", "two", "words"), ("fly",), ("pause", "--now", "x")])
def test_what_is_no_command_is_usage(running: Installation, arguments: tuple[str, ...]) -> None:
    wrong = running.steward("routines", *arguments)
    assert (wrong.code, wrong.out) == (2, "")
    assert "--help" in wrong.err
