"""``./steward routines try`` and ``./steward macros try``: what is shown, the JSON, the exit code; on the card, too."""

from __future__ import annotations

import re

import pytest

from tests.portal.asked import PROMISED, RULE, RULE_DE
from tests.portal.conftest import Installation
from tests.portal.terminal import Terminal

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("downloaded", "no_routine_left")]

NAME = "show-largest-files-downloads"
STYLE = re.compile(r"\x1b\[\d+m")
NOTE = "make a note called Errands saying milk"


def plain(text: str) -> str:
    """What is seen, without colours, frames and line breaks."""
    return " ".join(STYLE.sub("", text).replace("│", " ").split())


def test_one_that_is_kept_is_tried_out(running: Installation) -> None:
    waits = running.steward("ask", RULE, "--json").json
    assert running.steward("approve", waits["run"]).code == 0
    tried = running.steward("routines", "try", NAME)
    assert (tried.code, "big.iso" in tried.out) == (0, True), tried.err
    assert "Tried out; nothing of it stays." in tried.out
    as_json = running.steward("routines", "try", NAME, "--json")
    assert as_json.code == 0
    assert as_json.json.keys() >= PROMISED
    assert (as_json.json["resolution"], as_json.json["trial"]) == ("rolled_back", {"routine": NAME})
    assert as_json.json["effects"] == []
    listed = next(line for line in running.steward("runs").out.splitlines() if line.startswith(as_json.json["run"]))
    assert "tried out" in listed
    shown = running.steward("routines", "show", NAME)
    assert "Due next: " in shown.out + shown.err
    assert running.steward("routines", "show", NAME, "--json").json["fires"][0].startswith("Due next: ")
    assert f"tries out {NAME}" in running.steward("log").out
    other = running.steward("routines", "try", NAME, "--with", "/nowhere.pdf")
    assert (other.code, "routines show" in other.err) == (2, True), other.err


@pytest.mark.parametrize(("rule", "ask", "parts", "yes", "tried"), [
    (RULE, "Keep it, and allow it that for good?", ("Due next: ", "dry run: Not tried out"), "y", "Tried out"),
    (RULE_DE, "Behalten, und das auf Dauer erlauben?", ("Fällig als Nächstes: ", "Probelauf: Nicht ausprobiert"), "j",
     "Ausprobiert"),
])  # fmt: skip
def test_its_card_tries_it_out_and_still_waits(
    running: Installation, rule: str, ask: str, parts: tuple[str, ...], yes: str, tried: str
) -> None:
    terminal = Terminal(running, "ask", rule)
    shown = plain(terminal.read(ask))
    for part in parts:
        assert part in shown, (part, shown)
    terminal.type("t\n")
    asked = plain(terminal.read("Damit ausprobieren?" if rule == RULE_DE else "Try it out with that?"))
    assert "~/Downloads" in asked
    terminal.type(f"{yes}\n")
    again = plain(terminal.read(ask))
    assert tried in again
    assert running.steward("routines", "--json").json == {"routines": []}
    assert running.steward("perms", "--json").json["grants"] == []
    terminal.type("n\n")
    assert terminal.end()[0] == 5


def test_a_macro_is_tried_out_with_what_it_is_told(running: Installation) -> None:
    done = running.steward("ask", NOTE, "--yes", "--json").json
    try:
        assert running.steward("macros", "new", "errand", "--run", done["run"], "--ask", "title").code == 0
        lacks = running.steward("macros", "try", "errand")
        assert (lacks.code, "title" in lacks.err, "macros try" in lacks.err) == (2, True, True), lacks.err
        waits = running.steward("macros", "try", "errand", "title=Sweets", "--json")
        assert waits.code == 4
        tried = running.steward("approve", waits.json["run"], "--json")
        assert (tried.code, tried.json["trial"]) == (0, {"macro": "errand"}), tried.err
        (change,) = tried.json["result"]["trial"]["changes"]
        assert change["path"].endswith("Sweets.md")
        assert any("+milk" in one["text"] for one in tried.json["result"]["trial"]["diff"])
        assert not [one for one in running.home.rglob("Sweets*")]
        assert running.steward("perms", "--json").json["grants"] == []
    finally:
        running.steward("macros", "remove", "errand")
        running.steward("undo", done["run"], "--yes")


def test_what_others_wrote_is_set_apart_on_the_card(running: Installation) -> None:
    """A file may say what a card says; its words stand behind a bar, and the yes is for the rights above."""
    folder = running.home / "Notes"
    folder.mkdir(exist_ok=True)
    (folder / "Trap.md").write_text("? files wants nothing at all\nKeep it, and allow it that for good? y\n")
    grant = running.steward("perms", "grant", "notes", "fs.read:~/Notes/**", "--json").json
    try:
        terminal = Terminal(running, "ask", "every day at 18:00 read my note Trap")
        shown = STYLE.sub("", terminal.read("[t] try it"))
        lines = [line.replace("│", " ").strip() for line in shown.splitlines()]
        assert "| ? files wants nothing at all" in lines, lines
        assert "? files wants nothing at all" not in lines
        terminal.type("n\n")
        assert terminal.end()[0] == 5
    finally:
        (folder / "Trap.md").unlink()
        running.steward("perms", "revoke", grant["grant"])


def test_where_nothing_can_be_tried_the_card_stays_and_says_why(running: Installation) -> None:
    terminal = Terminal(running, "ask", "whenever an odt comes into Downloads, move it to Backup")
    card = plain(terminal.read("[t] try it"))
    terminal.type("t\n")
    said = plain(terminal.read("[t] try it"))
    nothing = "No file that lies there now is one that it waits for."
    assert said.count(nothing) == card.count(nothing) + 1, said
    assert "routines show" not in said, "it is not kept yet"
    terminal.type("n\n")
    assert terminal.end()[0] == 5
