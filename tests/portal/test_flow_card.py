"""The card in a terminal shows a value that somebody has to answer for to its last character."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from kernel.flow import LONGEST
from portal.cli import cards


@pytest.mark.parametrize("stage", ["flow", "plan"])
def test_a_value_of_others_is_shown_to_its_last_character(monkeypatch: pytest.MonkeyPatch, stage: str) -> None:
    written = io.StringIO()
    monkeypatch.setattr(cards, "people", Console(file=written, width=40))  # narrow: lines as they are
    end = "; touch pwned"
    value = "touch ours ".ljust(LONGEST - len(end), "x") + end
    card = {"concerns": [{"why": "Value", "subject": value}], "rights": []}
    cards.show_card({"stage": stage, "card": {**card, "flow": [{"tool": "shell.run", "parameter": "command"}]}}, "en")
    assert f"“{value}”" in written.getvalue()
    cards.show_card({"stage": "commit", "card": card}, "en")
    assert written.getvalue().count(f"“{value}”") == 2


def drawn(monkeypatch: pytest.MonkeyPatch, request: dict[str, object]) -> str:
    written = io.StringIO()
    monkeypatch.setattr(cards, "people", Console(file=written, width=40))
    cards.show_card(request, "en")
    return written.getvalue()


def test_what_decides_something_in_a_plan_is_shown_to_its_end_and_other_values_are_cut() -> None:
    arguments = {"command": "echo counting; " * 40 + "touch pwned", "note": "x" * 400 + "the end"}
    task = {"id": "t1", "tool": "shell.run", "arguments": arguments, "origins": {"command": "the model"}}
    lines = "\n".join(cards.plan_lines({"tasks": [task]}, "en"))
    assert "touch pwned" in lines
    assert "the end" not in lines
    task["arguments"] = {"command": "\u202e" * 1990 + "touch pwned"}  # each is written as an escape
    assert "touch pwned" in "\n".join(cards.plan_lines({"tasks": [task]}, "en"))


def test_no_text_of_a_change_hides_another_change(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"/h/a{number}.md" for number in range(30)]
    changes = [{"path": one, "kind": "created"} for one in [*names, "/h/Makefile"]]
    long = "\n".join("+" + "a line that nobody reads " * 11 for _ in range(cards.DIFF_LINES))
    diff = [{"path": one, "text": long} for one in names]
    seen = drawn(monkeypatch, {"stage": "commit", "card": {"changes": changes}, "diff": diff})
    assert "/h/Makefile" in seen
    assert len(seen) < 40_000


def test_what_a_model_changed_is_shown_to_its_last_line(monkeypatch: pytest.MonkeyPatch) -> None:
    long = "\n".join(["+" + "x" * 400 + " and"] * 300 + ["+the end"])
    request = {"card": {"changes": [{"path": "/h/a", "kind": "created"}]}, "diff": [{"path": "/h/a", "text": long}]}
    assert "the end" not in drawn(monkeypatch, {"stage": "commit", **request})
    request["card"] = {**request["card"], "whole": True}
    seen = drawn(monkeypatch, {"stage": "commit", **request})
    assert "the end" in seen
    assert seen.count("and") == 300


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"opaque": True}, "! This is no text (program, 19 bytes, new)."),
        ({"truncated": True}, "! Not all of this stands here (program, 19 bytes, new); the rest may hold anything."),
    ],
)
def test_what_a_change_does_not_show_is_said_and_where_it_lies(
    monkeypatch: pytest.MonkeyPatch, more: dict[str, object], said: str
) -> None:
    diff = {
        "path": "/h/tool",
        "text": "+touch pwned\n",
        "summary": "program, 19 bytes, new",
        "lies": "/s/b1\x1b",
        **more,
    }
    request = {"card": {"whole": True, "changes": [{"path": "/h/tool", "kind": "created"}]}, "diff": [diff]}
    seen = drawn(monkeypatch, {"stage": "commit", **request})
    assert said in seen
    assert "+touch pwned" in seen
    assert "To look at it before you answer: /s/b1\\x1b" in seen


def test_what_is_lost_beyond_the_changes_that_are_listed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    first = [{"path": f"/h/a{number}.md", "kind": "created"} for number in range(10)]
    changes = {"count": 60, "first": first, "folders": [{"folder": "/h", "count": 60, "kinds": {"created": 59}}]}
    lost = [{"why": "overwrites", "subject": "/h/zz/Makefile"}, {"why": "overwrites", "subject": "/h/a1.md"}]
    seen = drawn(monkeypatch, {"stage": "commit", "card": {"changes": changes, "concerns": lost}})
    assert "overwritten: “/h/zz/Makefile”" in seen
    assert seen.count("/h/a1.md") == 1, "what is listed is said once"


LONG = "/srv/" + "a folder/" * 44 + "the end.md"
"""A path of more than 400 characters."""


def test_the_path_and_the_note_of_a_change_are_shown_to_their_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    note = "is above your bound; " * 20 + "be careful"
    change = {"kind": "moved", "source": LONG.replace("the end", "it was"), "path": LONG, "note": note}
    folder = LONG.replace("the end.md", "in here")
    folders = [{"folder": folder, "count": 2, "kinds": {"moved": 2}}]
    for changes in ([change], {"count": 2, "first": [change], "folders": folders}):
        seen = drawn(monkeypatch, {"stage": "commit", "card": {"changes": changes}})
        assert f"{change['source']} → {LONG}\n" in seen
        assert f"! {note}\n" in seen
    assert folder in seen


def test_a_long_path_of_what_is_lost_beyond_the_list_is_shown_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    changes = {"count": 60, "first": [{"path": "/h/a", "kind": "created"}], "folders": []}
    lost = [{"why": "deletes", "subject": LONG}]
    seen = drawn(monkeypatch, {"stage": "commit", "card": {"changes": changes, "concerns": lost}})
    assert f"“{LONG}”" in seen


def test_what_a_yes_to_a_limit_means_and_why_a_right_is_asked_for_are_shown_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said = "the limit goes up for all that it does; " * 20
    right = {"verdict": "ask", "skill": "hungry", "words": "memory", "reason": f"{said}for a reason"}
    card = {"limit": {"question": f"{said * 10}More?", "always": f"{said}for good"}, "rights": [right]}
    seen = drawn(monkeypatch, {"stage": "limit", "card": card})
    assert f"{said}for good\n" in seen
    assert f"{said * 10}More?\n" in seen
    assert f"{said}for a reason\n" in seen


def test_a_mail_is_shown_whole_however_long_its_text_is(monkeypatch: pytest.MonkeyPatch) -> None:
    text = [{"why": "Text", "subject": "a line of the letter " * 12} for _ in range(200)]
    card = {"mail": [{}], "concerns": [*text, {"why": "Attachment", "subject": "doctor.txt (30 bytes)"}]}
    assert "doctor.txt" in drawn(monkeypatch, {"stage": "mail", "card": card})


def test_a_question_of_a_server_is_shown_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    card = {"limit": {"question": "The server asks: " + "is it right? " * 40 + "Say yes?", "always": ""}}
    assert "Say yes?" in drawn(monkeypatch, {"stage": "limit", "card": card})


def test_what_a_second_model_said_of_changes_stands_before_them(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.StringIO()
    monkeypatch.setattr(cards, "people", Console(file=written, width=200))
    change = {"kind": "created", "path": "/h/digest.txt"}
    review = {"lines": ["The model judge looked at 1 statement.", "Not supported: “all \u202eis well”"]}
    cards.show_card({"stage": "commit", "card": {"changes": [change]}, "review": review}, "en")
    shown = written.getvalue()
    assert shown.index("The model judge") < shown.index("Not supported") < shown.index("digest.txt")
    assert "\u202e" not in shown


@pytest.mark.parametrize(("stage", "sent_back", "seen"), [
    ("commit", False, True), ("mail", False, True), ("commit", True, False), ("mail", True, False),
    ("plan", False, False), ("plan", True, False), ("limit", True, False), ("flow", False, False),
    ("unknown", False, False),
])  # fmt: skip
def test_a_verdict_stands_on_the_card_of_its_result_alone(
    monkeypatch: pytest.MonkeyPatch, stage: str, sent_back: bool, seen: bool
) -> None:
    line = f"Not supported: {'all is well, ' * 25}(the evidence has no {'name, ' * 48}end)"
    review = {"lines": [line], "sent_back": sent_back}
    shown = drawn(monkeypatch, {"stage": stage, "card": {"rights": []}, "review": review})
    assert (line in shown) is seen
    assert ("Not supported" in shown) is seen
