"""``./steward macros``: every command, its JSON, its exit codes, and names that are none; the same over HTTP."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from portal.wire import DaemonError
from tests.portal.asked import PROMISED
from tests.portal.conftest import Installation
from tests.portal.terminal import Terminal

NAME = "monthly close"
SUM = "what is 17 * 3"
NOTE = "make a note called Errands saying milk"


@pytest.fixture
def no_macro_left(running: Installation) -> Iterator[None]:
    """Leave no macro behind."""
    yield
    with running.client() as client:
        for one in client.macros():
            client.remove_macro(one["name"])


pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("no_macro_left")]


def done(running: Installation, text: str = SUM) -> str:
    """Do something, and return its run."""
    ended = running.steward("ask", text, "--yes", "--json")
    assert ended.code == 0, ended.err
    return str(ended.json["run"])


def test_where_there_is_none_the_list_says_how_one_is_made(running: Installation) -> None:
    none = running.steward("macros")
    assert (none.code, "./steward macros new NAME --run RUN" in none.out) == (0, True)
    assert running.steward("macros", "list", "--json").json == {"macros": []}


def test_one_is_made_listed_shown_run_renamed_said_and_taken_away(running: Installation) -> None:
    made = running.steward("macros", "new", NAME, "--run", done(running))
    assert (made.code, f'./steward macros run "{NAME}"' in made.out + made.err) == (0, True)
    line = next(line for line in running.steward("macros").out.splitlines() if line.startswith(NAME))
    assert SUM in line
    ran = running.steward("macros", "run", NAME)
    assert (ran.code, "51" in ran.out) == (0, True), ran.err
    as_json = running.steward("macros", "run", NAME, "--json").json
    assert as_json.keys() >= PROMISED
    assert (as_json["resolution"], as_json["macro"]) == ("executed", NAME)
    by_words = running.steward("ask", "Monthly close, please!", "--json").json
    assert (by_words["resolution"], by_words["macro"]) == ("executed", NAME)
    assert running.steward("macros", "phrase", NAME, "close the books").code == 0
    assert running.steward("macros", "rename", NAME, "month end").code == 0
    shown = running.steward("macros", "show", "month end")
    for part in (SUM, "close the books", "calc"):
        assert part in shown.out + shown.err, part
    assert running.steward("ask", "close the books", "--json").json["macro"] == "month end"
    assert running.steward("macros", "remove", "month end", "--json").json == {"name": "month end"}
    log = running.steward("log").out
    for words in (f"kept as {NAME}", "is called month end", "is said by: close the books", "taken away: month end"):
        assert words in log, words


def test_what_is_asked_is_given_by_name_or_answered(running: Installation) -> None:
    made = running.steward("macros", "new", "jot down", "--run", done(running, NOTE), "--ask", "title", "--json")
    assert [one["name"] for one in made.json["parameters"]] == ["title"]
    given = running.steward("macros", "run", "jot down", "title=Tuesday", "--yes", "--json").json
    assert given["resolution"] in ("executed", "confirmed"), given
    assert (running.home / "Notes" / "Tuesday.md").is_file()
    asked = running.steward("macros", "run", "jot down", "--json")
    assert (asked.code, asked.json["resolution"]) == (7, "clarify"), asked.out
    terminal = Terminal(running, "macros", "run", "jot down", "--yes")
    terminal.read("title")
    terminal.type("Green ideas\n")
    code, after = terminal.end()
    assert (code, (running.home / "Notes" / "Green ideas.md").is_file()) == (0, True), after


@pytest.mark.parametrize(("command", "arguments"), [
    ("show", ("nope",)), ("run", ("a/b",)), ("rename", ("nope", "other words")), ("phrase", ("nope", "other words")),
    ("remove", ("näh\u202ee",)),
])  # fmt: skip
def test_a_name_that_is_none_is_said_so(running: Installation, command: str, arguments: tuple[str, ...]) -> None:
    plain = running.steward("macros", command, *arguments)
    assert (plain.code, "There is no macro" in plain.err) == (2, True), plain.err
    assert "./steward macros lists them." in plain.err
    assert "\u202e" not in plain.err
    told = running.steward("macros", command, *arguments, "--json")
    assert (told.code, told.json["error"]["code"]) == (2, "macro.unknown")


def test_errors_say_what_to_do_next(running: Installation) -> None:
    run = done(running)
    for arguments, hint in (
        (("new", "undo that", "--run", run), "Choose other words."),
        (("new", NAME, "--run", run, "--ask", "colour"), "What it was told: expression"),
        (("new", NAME, "--run", "r-none"), "./steward runs lists them."),
        (("new", "x" * 61, "--run", run), "60 characters at most"),
    ):
        wrong = running.steward("macros", *arguments)
        assert (wrong.code, hint in wrong.err) == (2, True), (arguments, wrong.err)
    running.steward("macros", "new", NAME, "--run", run)
    wrong = running.steward("macros", "run", NAME, "colour=red")
    assert (wrong.code, "It is told: nothing" in wrong.err) == (2, True), wrong.err
    wrong = running.steward("macros", "run", NAME, "red")
    assert (wrong.code, "KEY=VALUE" in wrong.err) == (2, True), wrong.err


def test_the_same_over_http(running: Installation) -> None:
    run = done(running)
    with running.client() as client:
        assert client.new_macro(NAME, run, [], ["close the books"])["phrases"] == ["close the books"]
        begun = client.run_macro(NAME, {}, conversation=None, cwd="", yes=False)
        assert client.view(begun, wait=True)["macro"] == NAME
        with pytest.raises(DaemonError, match="macro"):
            client.phrase_macro(NAME, "close the books")
        assert client.macro(NAME)["plan"]["tasks"]
        client.remove_macro(NAME)
        assert client.macros() == []


def test_a_definition_shows_its_card_and_is_kept_by_a_yes(running: Installation) -> None:
    waits = running.steward("ask", "define sums as what is 17 * 3", "--json").json
    assert (waits["resolution"], waits["stage"]) == ("pending", "macro")
    assert [task["tool"] for task in waits["card"]["macro"]["plan"]["tasks"]] == ["calc.compute"]
    listed = running.steward("approve").out
    assert "kept as the macro" in listed
    assert running.steward("approve", waits["run"], "--answer", "no").code != 0
    assert running.steward("macros", "list", "--json").json == {"macros": []}
    kept = running.steward("ask", "define sums as what is 17 * 3", "--yes", "--json").json
    assert kept["result"]["macro"]["plan"]["tasks"], kept
    assert "51" in running.steward("ask", "do sums").out


def test_at_a_terminal_a_definition_is_read_before_it_is_kept(running: Installation) -> None:
    running.steward("ask", SUM)  # by then it is awake
    terminal = Terminal(running, "ask", "define sums as what is 17 * 3")
    before = terminal.read("Keep it?")
    for part in ("This will be kept", "what is 17 * 3", "dry run"):
        assert part in before, before
    terminal.type("y\n")
    assert terminal.end()[0] == 0
