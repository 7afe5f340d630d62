"""The past: like requests lead to their tools, refused ones away from them, in any language and without an encoder."""

from __future__ import annotations

import pytest

from kernel.ranking import Experience, Moment, Past, Question, Request
from kernel.ranking.habits import Habits
from kernel.ranking.model import Floats
from kernel.ranking.past import COLUMNS
from tests.kernel.ranking.conftest import by_subject

WEATHER = [Request(text, ("sky",)) for text in ("will it rain", "weather tomorrow", "forecast please", "umbrella?")]
CARS = [Request(text, ("cars",)) for text in ("buy a car", "a vehicle to drive", "motor for my car", "drive me")]


def _asked(text: str) -> Question:
    return Question(text, by_subject([text])[0])


def test_every_column_speaks_for_the_tool_of_like_requests() -> None:
    past = Past([*WEATHER, *CARS], by_subject)
    columns = past.columns(("sky", "cars", "unknown"), _asked("rain forecast for tomorrow"), Moment())
    assert set(columns) == set(COLUMNS)
    for name in ("near", "alike", "said", "centroid", "learnt"):
        assert columns[name][0] > columns[name][1] >= columns[name][2] - 1e-6, name
    assert columns["near"][2] == 0.0


def test_without_vectors_windows_of_characters_still_find_it() -> None:
    past = Past([Request("überweise die Miete", ("bank",)), Request("gieße die Blumen", ("garden",))])
    columns = past.columns(("bank", "garden"), Question("Überweisung der Miete"), Moment())
    assert columns["alike"][0] > columns["alike"][1]
    assert past.likely(Question("Miete überweisen"), 1) == ["bank"]


def test_a_text_is_compared_once_and_what_was_asked_before_changes_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    past, compared = Past([*WEATHER, *CARS]), []
    compare = Past._compared

    def noted(own: Past, text: str) -> Floats:
        compared.extend([text] if own is past else [])
        return compare(own, text)

    monkeypatch.setattr(Past, "_compared", noted)
    for text in ("rain tomorrow", "drive a car", "rain tomorrow"):
        anew, asked = Past([*WEATHER, *CARS]), Question(text)
        assert past.likely(asked, 2) == anew.likely(asked, 2)
        own, expected = (one.columns(("sky", "cars"), asked, Moment())["alike"] for one in (past, anew))
        assert own.tolist() == expected.tolist()
    assert compared == ["rain tomorrow", "drive a car", "rain tomorrow"]


def test_what_was_refused_speaks_against_its_tool() -> None:
    past = Past([*WEATHER, Request("rain on my car", ("cars",), accepted=False)], by_subject)
    columns = past.columns(("sky", "cars"), _asked("rain on my car"), Moment())
    assert columns["against"][1] > 0.9
    assert columns["near"][1] == 0.0
    assert columns["reliable"][1] < 0.0 < columns["reliable"][0]


def test_an_empty_past_adds_no_reason() -> None:
    assert Experience().reasons(("a", "b"), _asked("rain")) == {"a": {}, "b": {}}
    assert Past().likely(_asked("rain"), 5) == []
    assert Past().nearest(_asked("rain")) == 0.0


def test_what_is_given_from_outside_becomes_a_reason() -> None:
    known = Experience(moment=Moment(linked={"a": 0.5}, granted={"b": 1.0}))
    assert known.reasons(("a", "b"), _asked("x")) == {"a": {"linked": 0.5}, "b": {"granted": 1.0}}


def test_habits_count_what_is_usual() -> None:
    day = 86_400.0
    log = [Request("a", ("old",), at_s=0.0, hour=9.0) for _ in range(4)]
    log += [Request("b", ("new",), at_s=200 * day, hour=21.0, conversation="c") for _ in range(4)]
    habits = Habits(log)
    old, new, none = habits.prior(("old", "new", "none"), 200 * day)
    assert new > old > none == 0.0
    assert habits.hour(("old", "new"), 8.5)[0] > habits.hour(("old", "new"), 8.5)[1]
    assert habits.hour(("old",), -1.0) == [0.0]
    assert habits.reliable(("none",)) == [0.0]


def test_what_followed_before_is_expected_again() -> None:
    """Witten-Bell: after "find" came "copy" three times and "zip" once; after nothing known the shares of all."""
    lines = [("find", "copy"), ("find", "copy"), ("find", "copy"), ("find", "zip")]
    log = [Request("x", (tool,), conversation=str(n)) for n, line in enumerate(lines) for tool in line]
    habits = Habits(log)
    copy, zipped, find = habits.follows(("copy", "zip", "find"), ("find",))
    assert copy > zipped > find > 0.0
    assert copy + zipped + find == pytest.approx(1.0)
    unknown = habits.follows(("copy", "zip", "find"), ("never",))
    assert sum(unknown) == pytest.approx(1.0)


def test_only_what_is_new_is_encoded() -> None:
    asked: list[str] = []

    def counting(texts: list[str]) -> Floats:
        asked.extend(texts)
        return by_subject(texts)

    first = Past(WEATHER, counting)
    asked.clear()
    second = Past([*WEATHER[1:], *CARS, CARS[0]], counting, earlier=first)
    assert asked == [one.text for one in CARS]
    whole = Past([*WEATHER[1:], *CARS, CARS[0]], by_subject)
    said = _asked("rain in my car"), Moment()
    for name, values in second.columns(("sky", "cars"), *said).items():
        assert values == pytest.approx(whole.columns(("sky", "cars"), *said)[name]), name
