from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from skills.builtin.calc import skill
from skills.builtin.calc.zones import zones_of
from skills.sdk import Query, ToolError
from skills.sdk.testing import PracticeHome

WINTER = datetime(2025, 1, 14, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("place", "zone"),
    [
        ("Tokyo", "Asia/Tokyo"), ("tokio", "Asia/Tokyo"), ("new york", "America/New_York"), ("NYC", "America/New_York"),
        ("Peking", "Asia/Shanghai"), ("Sidney", "Australia/Sydney"), ("Moskau", "Europe/Moscow"),
        ("Japan", "Asia/Tokyo"),
        ("Österreich", "Europe/Vienna"), ("the UK", "Europe/London"), ("San Francisco", "America/Los_Angeles"),
        ("Zürich", "Europe/Zurich"), ("der Schweiz", "Europe/Zurich"), ("Kapstadt", "Africa/Johannesburg"),
    ],
)  # fmt: skip
def test_a_place_is_known_by_what_people_call_it(place: str, zone: str) -> None:
    assert list(zones_of(place, WINTER).values()) == [zone]


@pytest.mark.parametrize(
    ("country", "first", "others"),
    [
        ("the USA", "New York", {"Denver", "Los Angeles"}),
        ("Australien", "Sydney", {"Perth"}),
        ("Russia", "Moscow", {"Vladivostok"}),
        ("Canada", "Toronto", {"Vancouver"}),
        ("Mexico", "Mexico City", {"Cancun"}),
    ],
)
def test_a_country_has_a_zone_for_each_time_that_it_is_there(country: str, first: str, others: set[str]) -> None:
    named = list(zones_of(country, WINTER))
    assert named[0] == first
    assert others < set(named)


def test_a_country_of_one_time_is_told_as_it_was_said() -> None:
    assert zones_of("Germany", WINTER) == {"Germany": "Europe/Berlin"}
    assert zones_of("Atlantis", WINTER) == {}


@pytest.mark.parametrize(
    ("language", "place", "said"),
    [
        ("en", "London", "It is 12:00 in London."),
        ("en", "Tokyo", "It is 21:00 in Tokyo."),
        ("en", "Auckland", "It is 01:00 on Saturday in Auckland."),
        ("de", "Auckland", "Es ist 01:00 Uhr am Samstag in Auckland."),
        ("en", "Monterey", "It is 06:00 in Monterrey."),  # another place: that it was guessed is seen
        ("en", "Spain", "It is 13:00 in Madrid and 12:00 in Canary."),
    ],
)
def test_the_clock_elsewhere(tmp_path: Path, language: str, place: str, said: str) -> None:
    home = PracticeHome(tmp_path)
    home.language = language
    assert home.do(skill.clock, pure=True, place=Query(place)).answer == said


def test_times_that_are_not_told_are_counted(tmp_path: Path) -> None:
    assert "and 5 more." in PracticeHome(tmp_path).do(skill.clock, pure=True, place=Query("Russia")).answer


def test_a_place_that_nobody_knows_is_said(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="no city or country called “Atlantis”"):
        PracticeHome(tmp_path).do(skill.clock, pure=True, place=Query("Atlantis"))
