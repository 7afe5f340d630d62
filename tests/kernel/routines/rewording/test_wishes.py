"""Who wants to be told is told by a notice; every other wish stays what was said."""

from __future__ import annotations

import pytest

from kernel.routines.rewording.wishes import plainly

SHOW = {"en": "show me a notification that says “{}”", "de": "zeig mir eine Benachrichtigung mit dem Text „{}“"}


@pytest.mark.parametrize(("said", "language", "text"), [
    ("notify me", "en", "it came"), ("please let me know.", "en", "it came"), ("sag mir Bescheid", "de", "it came"),
    ("let me know straight away", "en", "it came"), ("give me a notification", "en", "it came"),
    ("sag mir sofort Bescheid", "de", "it came"), ("gib mir gleich eine Meldung", "de", "it came"),
    ("gib Bescheid", "de", "it came"), ("benachrichtige mich bitte", "de", "it came"),
    ("tell me to plug it in", "en", "plug it in"), ("remind me that rent is due", "en", "rent is due"),
    ("erinnere mich ans Laden", "de", "Laden"), ("sag mir bitte, dass ich lüften soll", "de", "ich lüften soll"),
])  # fmt: skip
def test_a_wish_to_be_told_is_a_notice(said: str, language: str, text: str) -> None:
    assert plainly(said, language, "it came") == SHOW[language].format(text)


def test_behind_something_else_too() -> None:
    assert (
        plainly("move it to Backup and notify me", "en", "it came")
        == f"move it to Backup and {SHOW['en'].format('it came')}"
    )
    assert plainly("kopier es nach Backup und sag mir Bescheid", "de", "x").startswith(
        "kopier es nach Backup und zeig mir"
    )


@pytest.mark.parametrize(("said", "language"), [
    ("tell me straight away what it says", "en"), ("gib mir die Meldungen", "de"),
    ("tell me what it says", "en"), ("tell me the total", "en"), ("sag mir, was drinsteht", "de"),
    ("move it to Backup and Documents", "en"), ("show me my tasks", "en"), ("préviens-moi", "fr"),
])  # fmt: skip
def test_every_other_wish_stays(said: str, language: str) -> None:
    assert plainly(said, language, "it came") == said


def test_quotation_marks_in_it_end_nothing() -> None:
    assert plainly("notify me", "en", "a file “x” came").count("“") == 1
