"""What is known of a guess and of a whole call, that both decide, and that lessons teach it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import numpy.typing as npt
import pytest

from kernel.language import Line, tokenize
from kernel.slots.schema import Filler, Slot, Wanted
from kernel.slots.schema.calls import WHOLE, Call, calls
from kernel.slots.schema.columns import AT
from kernel.slots.schema.features import Table, tables
from kernel.slots.schema.training import Lesson, fit
from kernel.slots.schema.weights import read

NOW = datetime(2026, 3, 11, 10, 0, tzinfo=UTC)
SIDES = [Slot(f"side{at}", Wanted.WHOLE, "The length of a side.", True) for at in (1, 2)]
CITY = Slot("city", Wanted.TEXT, "The city to look in.", True)


def _tables(text: str, slots: Sequence[Slot], function: str = "do.it") -> list[Table]:
    return tables(Line(text, tokenize(text, "en"), "en", NOW), slots, None, function)


def _values(found: Sequence[Table], call: Call) -> list[object]:
    return [table.guesses[at].value for table, at in zip(found, call.chosen, strict=True)]


def _call(text: str, slots: Sequence[Slot], values: list[object]) -> dict[str, float]:
    """The figures of the call that gives these values."""
    found = _tables(text, slots)
    made = calls(found, [np.zeros(len(table.guesses)) for table in found])
    call = next(one for one in made if _values(found, one) == values)
    return dict(zip(WHOLE, call.figures.tolist(), strict=True))


def _feature(name: str, text: str, value: object, slot: Slot, *others: Slot) -> float:
    table = _tables(text, [slot, *others])[0]
    at = next(at for at, guess in enumerate(table.guesses) if guess.value == value)
    return float(table.rows[at, AT[name]])


def test_a_call_knows_what_it_leaves_unread_and_turns_round() -> None:
    text = "a triangle with the sides 7 and 9, or 4"
    assert _call(text, SIDES, [7, 9])["numbers_left"] == 1
    assert _call(text, SIDES, [7, 9])["turned_twins"] == _call(text, SIDES, [7, 9])["turned"] == 0
    assert _call(text, SIDES, [9, 7])["turned_twins"] == _call(text, SIDES, [9, 7])["turned"] == 1
    quoted = "show 'The Long Road' in Rome"
    assert _call(quoted, [CITY], ["Rome"])["quotes_left"] == 1
    assert _call(quoted, [CITY], ["The Long Road"])["quotes_left"] == 0
    assert _call(quoted, [CITY], ["The Long Road"])["names_left"] == 1
    assert _call(quoted, [CITY], ["Road"])["inside_quotes"] == _call(quoted, [CITY], ["Road"])["cut"] == 1
    assert _call(quoted, [CITY], ["Rome"])["words_left"] > _call(quoted, [CITY], ["The Long Road"])["words_left"]
    assert _call("a city called Rome", [CITY], ["Rome"])["words_left"] == pytest.approx(1 / 3)


def test_no_call_reads_two_values_from_one_word() -> None:
    found = _tables("a triangle with the sides 7 and 9", SIDES)
    made = calls(found, [np.zeros(len(table.guesses)) for table in found])
    assert {tuple(map(str, _values(found, one))) for one in made} == {("7", "9"), ("9", "7")}


@pytest.mark.parametrize("values", [[7, 9], [9, 7]])
def test_the_weights_of_whole_calls_decide(values: list[object]) -> None:
    whole = np.zeros(len(WHOLE))
    whole[WHOLE.index("turned_twins")] = -1.0 if values == [7, 9] else 1.0
    found = _tables("a triangle with the sides 7 and 9", SIDES)
    filled = replace(read(), whole=whole).fill(found)
    assert [one.value for one in filled.arguments] == values


def test_an_argument_is_not_sure_for_being_the_only_guess() -> None:
    (only,) = Filler().fill("find a hotel", [CITY], NOW, "find_hotel").arguments
    (city,) = Filler().fill("find a hotel in Lisbon", [CITY], NOW, "find_hotel").arguments
    assert only.probability < 0.5 < city.probability


def test_what_a_call_leaves_unread_makes_it_less_sure_of_the_same_arguments() -> None:
    ranker = read()
    best = ranker.choose(_tables("find a hotel in Lisbon", [CITY], "find_hotel"))
    figures = best.call.figures.copy()
    figures[WHOLE.index("numbers_left")] += 1
    less = replace(best, call=replace(best.call, figures=figures))
    sure = ranker.trust.arguments(best.figures)
    assert ranker.trust.confidence(sure, less) < ranker.trust.confidence(sure, best)


def test_a_guess_is_held_against_what_the_schema_says() -> None:
    weight, price = (
        Slot("weight", Wanted.WHOLE, "In kilograms.", True),
        Slot("price", Wanted.WHOLE, "In dollars.", True),
    )
    text = "a box with a weight of 7 and a price of $9"
    assert _feature("nearest_name", text, 7, weight, price) == 1
    assert _feature("nearest_name", text, 9, weight, price) == 0
    assert _feature("unit_misfit", text, 9, weight, price) == 1
    assert _feature("unit_misfit", text, 9, price, weight) == 0
    day = Slot("date", Wanted.TEXT, "The day (mm/dd/yyyy).", True)
    assert _feature("formed", "the plan for 4 May 2025", "05/04/2025", day) == 1
    assert _feature("misformed", "the plan for 4 May 2025", "plan", day) == 1
    several = Slot("cities", Wanted.SEVERAL, "The cities, e.g. Rome, Oslo, Bern.", True)
    assert _feature("holes", "from Rome by train to Oslo", ["Rome", "Oslo"], several) == 1
    assert _feature("holes", "from Rome and Oslo", ["Rome", "Oslo"], several) == 0


def test_an_encoder_sees_each_value_and_the_words_around_it() -> None:
    asked: list[str] = []

    def encode(texts: list[str]) -> npt.NDArray[np.float32]:
        asked.extend(texts)
        return np.ones((len(texts), 1), np.float32)

    line = Line("a hotel in Rome", tokenize("a hotel in Rome", "en"), "en", NOW)
    (table,) = tables(line, [CITY], encode)
    rome = next(at for at, guess in enumerate(table.guesses) if guess.value == "Rome")
    assert {"Rome", "a hotel in", "city: The city to look in."} <= set(asked)
    assert table.rows[rome, AT["cosine"]] == table.rows[rome, AT["context"]] == 1


def test_names_are_taken_whole_without_the_word_of_the_slot() -> None:
    museum = Slot("museum", Wanted.TEXT, "The museum to visit.", True)
    assert _feature("whole_name", "visit the Museum of Art", "Museum of Art", Slot("place", Wanted.TEXT, "", True)) == 1
    assert _feature("whole_name", "show the item Id B1004", "B1004", Slot("id", Wanted.TEXT, "", True)) == 1
    assert _feature("cuts_name", "a flight to New York now", "York", museum) == 1
    assert _feature("inside_name", "walk to Big Museum", "Big Museum", museum) == 0


def test_a_slot_that_the_sentence_does_not_speak_of_is_likelier_left_out() -> None:
    rating = Slot("rating", Wanted.NUMBER, "The lowest rating.", False)
    assert _feature("unspoken", "find a hotel", None, rating) == 1
    assert _feature("unspoken", "find a hotel with a good rating", None, rating) == 0


def test_lessons_teach_values_and_how_sure_to_be() -> None:
    slots = [Slot("rooms", Wanted.WHOLE, "", True), Slot("beds", Wanted.WHOLE, "", True)]
    lessons = []
    for at in range(3, 13):
        for text, possible in (
            (f"book {at} rooms and {at + 20} beds", True),
            (f"book {at + 20} beds and {at} rooms", True),
            (f"book {at} rooms and {at + 20} beds beside {at + 40} others", False),
        ):
            found = _tables(text, slots)
            right = [
                np.array([guess.value == value for guess in table.guesses])
                for table, value in zip(found, (at, at + 20), strict=True)
            ]
            lessons.append(Lesson(text, found, right, possible))
    ranker = fit(lessons)
    plain = ranker.fill(_tables("book 90 beds and 80 rooms", slots))
    more = ranker.fill(_tables("book 80 rooms and 90 beds beside 70 others", slots))
    assert [one.value for one in plain.arguments] == [one.value for one in more.arguments] == [80, 90]
    assert more.confidence < 0.5 < plain.confidence
