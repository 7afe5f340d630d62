"""What a sentence may say for a slot: every value in the form and the unit that its schema asks for."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernel.language import Line, tokenize
from kernel.slots.schema import Filler, Slot, Wanted
from kernel.slots.schema.guesses import guesses
from kernel.slots.schema.texts import date_form, whole_names
from kernel.slots.schema.words import listed, wants_comma

NOW = datetime(2026, 3, 11, 10, 0, tzinfo=UTC)
FILLER = Filler()


def _line(text: str) -> Line:
    return Line(text, tokenize(text, "en"), "en", NOW)


def _values(text: str, name: str, wanted: Wanted, doc: str = "", **more: object) -> list[object]:
    slot = Slot(name, wanted, doc, required=True, **more)  # type: ignore[arg-type]
    return [guess.value for guess in guesses(_line(text), slot) if guess.source != "none"]


@pytest.mark.parametrize(
    ("text", "name", "doc", "value"),
    [
        ("a coil of 20 mH", "inductance", "The inductance in henries (H).", 0.02),
        ("run for 3 km", "distance", "The distance in meters.", 3000),
        ("a beam of 2 ft 6 inches", "length", "The length in inches.", 30),
        ("remind me in two weeks", "days", "How long from now.", 14),
        ("plan the next week", "days", "How many days.", 7),
        ("a charge of 3.2e-9", "charge", "The charge.", 3.2e-9),
        ("a mass of 5.9 x 10^24", "mass", "The mass.", 5.9e24),
        ("water at 280K", "temperature", "In kelvin.", 280),
        ("raise $3M", "amount", "How much money.", 3_000_000),
    ],
)
def test_numbers_are_given_in_the_unit_that_is_wanted(text: str, name: str, doc: str, value: float) -> None:
    assert value in [pytest.approx(one) for one in _values(text, name, Wanted.NUMBER, doc)]


def test_what_is_counted_is_a_whole_number_too() -> None:
    assert 12 in _values("music of the 12th century", "century", Wanted.WHOLE)
    assert 1 in _values("the forecast for the coming month", "months", Wanted.WHOLE)
    assert [4, 5, 6] in _values("clean the 4th, 5th and 6th floors", "floors", Wanted.SEVERAL, items=Wanted.WHOLE)


def test_a_sign_before_a_number_is_read() -> None:
    assert _values("it was -5 degrees and then minus 7", "degrees", Wanted.WHOLE) == [-5, -7]
    assert _values("raise $3M", "amount", Wanted.WHOLE) == [3_000_000]


def test_the_exponent_of_a_unit_is_no_number() -> None:
    assert _values("it slows down by 4 m/s^2", "rate", Wanted.WHOLE) == [4]


@pytest.mark.parametrize(
    ("doc", "value"),
    [
        ("The day, in the format MM-DD-YYYY.", "05-04-2025"),
        ("The day (year/month/day).", "2025/05/04"),
        ("The month of the date, as mm-yyyy.", "05-2025"),
    ],
)
def test_days_take_the_form_that_is_described(doc: str, value: str) -> None:
    assert value in _values("what was on 4 May 2025?", "date", Wanted.TEXT, doc)


def test_choices_are_found_by_their_words_their_beginning_and_what_is_said_of_them() -> None:
    order = "'asc' for ascending or 'up' means rising."
    assert "asc" in _values("sort it in ascending order", "order", Wanted.TEXT, order)
    assert "up" in _values("show the rising ones", "order", Wanted.TEXT, order)
    line, slot = _line("a sugar-free cake"), Slot("diet", Wanted.CHOICE, "", True, ("Sugar Free", "Vegan"))
    found = {guess.value: guess.last for guess in guesses(line, slot) if guess.source == "choice"}
    assert found["Sugar Free"] > 0
    assert found["Vegan"] == 0
    line, slot = _line("count the carbs"), Slot("what", Wanted.CHOICE, "", True, ("carbohydrates", "calories"))
    assert [guess.value for guess in guesses(line, slot) if guess.last] == ["carbohydrates"]


def test_no_text_cuts_what_is_written_in_one() -> None:
    values = _values("play a chord of F# with Sword+ and 2021-2022", "key", Wanted.TEXT)
    assert {"F#", "Sword+", "2021-2022"} <= set(values)
    assert not {"F", "Sword", "2022"} & set(values)


def test_what_no_number_and_no_list_can_hold_is_no_crash() -> None:
    assert set(_values("a charge of 1e9999 or 2e99999999", "charge", Wanted.WHOLE)) == {1, 2}
    assert _values("a charge of 2e-299", "charge", Wanted.NUMBER) == [2e-299]
    several = _values("the table [[{[]: 1}]]", "table", Wanted.SEVERAL, items=Wanted.SEVERAL)
    assert not any(isinstance(one, list) and isinstance(one[0], list) for one in several)


def test_formulas_and_what_follows_a_name_are_texts() -> None:
    assert "4y^3 - 2y + 7" in _values("integrate 4y^3 - 2y + 7 please", "expression", Wanted.TEXT, "What to integrate.")
    assert {"The Cure", "Paris"} <= set(_values("songs of The Cure on a Paris-bound train", "words", Wanted.TEXT))
    assert "go to bed at nine" in _values("a todo with content go to bed at nine", "content", Wanted.TEXT)


def test_two_names_with_a_preposition_between_them_are_two() -> None:
    line = _line("the way from New Delhi to San Diego")
    assert [line.slice(*span) for span in whole_names(line)] == ["New Delhi", "San Diego"]


def test_lists_hold_codes_numbers_apart_and_lists() -> None:
    numbers = {"items": Wanted.NUMBER}
    assert ["K1", "K2", "K3"] in _values("check K1, K2 and K3", "codes", Wanted.SEVERAL)
    apart = _values("the left has a weight of 0.4 and the right has 0.9", "weights", Wanted.SEVERAL, **numbers)
    assert [0.4, 0.9] in apart
    assert _values("plan the next week", "weeks", Wanted.SEVERAL, items=Wanted.WHOLE) == []
    colours = _values("a red shoe or a blue hat", "colours", Wanted.SEVERAL, choices=("red", "blue"))
    assert [one for one in (["red", "blue"], ["red"], ["blue"]) if one not in colours] == []
    table = _values("test the table [[1, 2], [3, 4]]", "table", Wanted.SEVERAL, items=Wanted.SEVERAL)
    assert [[1, 2], [3, 4]] in table


def test_a_place_with_a_comma_is_one_example_and_a_form_is_a_pattern() -> None:
    place = Slot("place", Wanted.TEXT, "The city and state, e.g. Salem, OR", True)
    assert wants_comma(place)
    assert listed(place) == ()
    assert not wants_comma(Slot("kind", Wanted.TEXT, "The kind of food, e.g. Thai, Greek", True))
    form = date_form(Slot("day", Wanted.TEXT, "The day (mm/dd/yyyy).", True))
    assert form is not None
    assert form.fullmatch("05/04/2025")
    assert not form.fullmatch("4 May 2025")


def test_numbered_slots_are_filled_in_their_order() -> None:
    slots = [Slot(f"side{at}", Wanted.WHOLE, "The length of a side.", True) for at in (1, 2, 3)]
    filled = FILLER.fill("a triangle with the sides 7, 9 and 4", slots, NOW, "triangle.area")
    assert [one.value for one in filled.arguments] == [7, 9, 4]


_WORDS = st.sampled_from(
    "from to 5 3rd 'a' A The , . - ^ % $ next week and B12 [1, 2] Anna's ascending 1e-3 km/h x10 ( ) : of".split()
)
_SLOTS = st.builds(
    Slot,
    st.sampled_from(["order", "date", "days", "side1", "function", ""]),
    st.sampled_from(list(Wanted)),
    st.sampled_from(["", "'asc' for ascending.", "In meters, e.g. 'A, B'.", "mm/dd/yyyy"]),
    st.booleans(),
    st.sampled_from([(), ("asc", "desc"), ("Week Long", "")]),
    st.sampled_from([Wanted.TEXT, Wanted.WHOLE, Wanted.SEVERAL]),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(_WORDS, max_size=12).map(" ".join), st.lists(_SLOTS, max_size=4, unique_by=lambda slot: slot.name))
def test_any_sentence_and_any_schema_give_probabilities_and_values_of_words_apart(text: str, slots: list[Slot]) -> None:
    filled = FILLER.fill(text, slots, NOW, "do.it")
    assert 0 <= filled.confidence <= 1
    assert all(0 <= one.probability <= 1 for one in filled.arguments)
    words = [at for one in filled.arguments for at in range(one.first, one.last)]
    assert len(words) == len(set(words))
