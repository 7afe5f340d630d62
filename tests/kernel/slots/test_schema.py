"""Arguments from a schema alone, with the shipped weights and without an encoder."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from kernel.slots.schema import Filled, Filler, Slot, Wanted
from kernel.slots.schema.columns import NAMES, WIDTH
from kernel.slots.schema.ranker import Family
from kernel.slots.schema.weights import read, write

NOW = datetime(2026, 3, 11, 10, 0, tzinfo=UTC)
FILLER = Filler()


def _fill(text: str, *slots: Slot, function: str = "") -> dict[str, object]:
    return {one.slot: one.value for one in FILLER.fill(text, slots, NOW, function).arguments}


def _slot(name: str, wanted: Wanted, doc: str = "", **more: object) -> Slot:
    return Slot(name, wanted, doc, required=bool(more.pop("required", True)), **more)  # type: ignore[arg-type]


def test_two_numbers_go_where_their_words_stand() -> None:
    width = _slot("width", Wanted.WHOLE, "The width of the box in centimeters.")
    height = _slot("height", Wanted.WHOLE, "The height of the box in centimeters.")
    said = _fill("make a box with a height of 12 and a width of 30", width, height, function="make_box")
    assert said == {"width": 30, "height": 12}


def test_prepositions_say_which_place_is_which() -> None:
    start, end = _slot("start", Wanted.TEXT, "Where the trip starts."), _slot("end", Wanted.TEXT, "Where it ends.")
    said = _fill("plan a trip from Hamburg to San Sebastian", start, end, function="plan_trip")
    assert said == {"start": "Hamburg", "end": "San Sebastian"}


def test_a_quotation_is_taken_whole_and_nothing_is_read_twice() -> None:
    title = _slot("title", Wanted.TEXT, "The title of the book.")
    author = _slot("author", Wanted.TEXT, "Who wrote it.")
    filled = FILLER.fill("find the book 'The Master and Margarita' by Bulgakov", [title, author], NOW, "find_book")
    said = {one.slot: one.value for one in filled.arguments}
    assert said == {"title": "The Master and Margarita", "author": "Bulgakov"}
    words = [set(range(one.first, one.last)) for one in filled.arguments]
    assert not words[0] & words[1]


def test_choices_and_lists_and_dates_in_the_form_that_is_asked_for() -> None:
    order = _slot("order", Wanted.CHOICE, "How to sort.", choices=("ascending", "descending"))
    values = _slot("values", Wanted.SEVERAL, "The numbers to sort.", items=Wanted.WHOLE)
    assert _fill("sort [3, 1, 2] descending", order, values) == {"order": "descending", "values": [3, 1, 2]}
    day = _slot("date", Wanted.TEXT, "The day, in the format MM-DD-YYYY.")
    assert _fill("show the plan for 3 March 2025", day) == {"date": "03-03-2025"}


def test_what_is_not_said_is_left_out() -> None:
    city = _slot("city", Wanted.TEXT, "The city to look in.")
    rating = _slot("rating", Wanted.NUMBER, "Lowest rating. Default is 3.0.", required=False)
    assert _fill("find a hotel in Lisbon", city, rating, function="find_hotel") == {"city": "Lisbon"}


def test_a_call_with_a_number_left_over_is_less_sure() -> None:
    city = _slot("city", Wanted.TEXT, "The city to look in.")
    plain = FILLER.fill("find a hotel in Lisbon", [city], NOW).confidence
    more = FILLER.fill("find a hotel in Lisbon for 3 people below 120 dollars", [city], NOW).confidence
    assert more < plain


def test_nothing_wanted_is_filled_and_nothing_said_is_no_crash() -> None:
    assert FILLER.fill("do it", [], NOW) == Filled((), 1.0)
    FILLER.fill("", [_slot("city", Wanted.TEXT)], NOW)


def test_weights_come_back_as_they_were_and_those_of_other_features_are_refused(tmp_path: Path) -> None:
    ranker = read()
    assert all(ranker.weights[family].shape == (WIDTH,) for family in Family)
    write(ranker, tmp_path / "weights.json")
    again = read(tmp_path / "weights.json")
    assert all(np.allclose(again.weights[family], ranker.weights[family], atol=1e-4) for family in Family)
    text = (tmp_path / "weights.json").read_text().replace(f'"{NAMES[0]}"', '"something else"')
    (tmp_path / "weights.json").write_text(text)
    with pytest.raises(ValueError, match="other features"):
        read(tmp_path / "weights.json")
