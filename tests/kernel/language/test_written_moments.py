"""The day and the time of day that are to be written down are those of the moment; "the date" alone may be another."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from kernel.language import Line, tokenize
from kernel.language.written_moments import find_written_moments

NOW = datetime(2026, 3, 11, 10, 5, tzinfo=UTC)


def _moments(text: str, language: str) -> list[tuple[str, str]]:
    line = Line(text, tokenize(text, language), language, NOW)
    return [(line.slice(one.first, one.last), one.value) for one in find_written_moments(line)]


@pytest.mark.parametrize(
    ("text", "language", "words", "moment"),
    [
        ("add the date and time to my note Log", "en", "the date and time", "2026-03-11 10:05"),
        ("put the time and the date at the end of my note Log", "en", "the time and the date", "2026-03-11 10:05"),
        ("write down today's date in my note Log", "en", "today's date", "2026-03-11"),
        ("häng Datum und Uhrzeit an meine Notiz Log an", "de", "Datum und Uhrzeit", "2026-03-11 10:05"),
        ("schreib bitte die aktuelle Uhrzeit in meine Notiz Log", "de", "die aktuelle Uhrzeit", "2026-03-11 10:05"),
        ("häng das heutige Datum unten an die Notiz Log an", "de", "das heutige Datum", "2026-03-11"),
    ],
)
def test_the_moment_is_written_down(text: str, language: str, words: str, moment: str) -> None:
    assert _moments(text, language) == [(words, moment)]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("add the date to my note Log", "en"),
        ("tell me the date and time", "en"),
        ("add “the date and time” to my note Log", "en"),
        ("schreib das Datum in meine Notiz Log", "de"),
        ("nenn mir Datum und Uhrzeit", "de"),
    ],
)
def test_what_is_asked_or_may_be_of_something_else_stays(text: str, language: str) -> None:
    assert _moments(text, language) == []
