"""A routine in a model's words: its card and ``routines show`` say them, whose they are, and what is not yours."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console

from portal.cli import cards
from portal.cli.routines import _print_whole

WORDED = {"words": "when the battery falls below 12 percent, list", "model": "near", "unsaid": ["battery", "falls"]}


def whole(worded: dict[str, Any] | None) -> dict[str, Any]:
    return {
        "name": "hogs", "text": "Laptop under 12 per cent? Give me a list.", "said": "list", "language": "en",
        "when": "when the battery falls below 12 %", "limits": [], "answers": [], "version": 1, "broken": "",
        "fires": [], "unread": [], "paused": False,
        "clock": False, "next": "", "latest": None, "missed": False, "last_run": "",
        "rights": [], "node": "routine:hogs", "plan": {"tasks": []}, "worded": worded,
    }  # fmt: skip


def drawn(monkeypatch: pytest.MonkeyPatch, card: dict[str, Any], language: str) -> str:
    written = io.StringIO()
    monkeypatch.setattr(cards, "people", Console(file=written, width=40))
    cards.show_card({"stage": "routine", "card": card}, language)
    return " ".join(written.getvalue().split())


@pytest.mark.parametrize(
    ("language", "parts"),
    [
        ("en", ("The model near made this plan", f"in its words: {WORDED['words']}", "not yours: battery, falls")),
        ("de", ("hat das Modell near gemacht", f"seine Worte: {WORDED['words']}", "nicht deine: battery, falls")),
    ],
)
def test_the_card_says_the_words_of_the_model(
    monkeypatch: pytest.MonkeyPatch, language: str, parts: tuple[str, ...]
) -> None:
    seen = drawn(monkeypatch, {"routine": whole(WORDED), "model": "near"}, language)
    for part in parts:
        assert part in seen
    own = drawn(monkeypatch, {"routine": whole(None)}, language)
    assert all(part not in own for part in parts)


def test_show_says_them_and_whose_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    _print_whole(whole(WORDED))
    seen = " ".join("".join(capsys.readouterr()).split())
    for part in ("Laptop under 12 per cent?", "model near", WORDED["words"], "not yours battery, falls"):
        assert part in seen
    _print_whole(whole({**WORDED, "unsaid": []}))
    assert "not yours" not in "".join(capsys.readouterr())
    _print_whole(whole(None))
    assert "model" not in "".join(capsys.readouterr())
