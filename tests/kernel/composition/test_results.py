"""Data flow between tasks: which result serves which parameter, and which field a person means."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernel.composition.steps.results import Fit, fit, project, value_of
from skills.model import ValueKind, ValueType

K = ValueKind
FILE, FILES = ValueType(K.FILE), ValueType(K.FILE, many=True)
RECORD = ValueType(K.RECORD, fields={"total": ValueType(K.NUMBER), "file": FILE, "size_bytes": ValueType(K.INTEGER)})


@pytest.mark.parametrize(
    ("source", "wanted", "single", "plural", "index"),
    [
        (FILES, FILES, False, True, None),
        (FILE, FILES, True, None, None),
        (FILES, FILE, True, False, 0),
        (FILES, FILE, False, False, None),
        (FILE, ValueType(K.TABLE), True, None, None),
        (ValueType(K.NUMBER), ValueType(K.RECORD), True, None, None),
        (FILES, ValueType(K.TEXT), False, True, None),
    ],
)
def test_what_fits(source: ValueType, wanted: ValueType, single: bool, plural: bool | None, index: int | None) -> None:
    found = fit(source, wanted, single=single, plural=plural)
    assert found is not None
    assert found.index == index


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        (FILE, ValueType(K.FOLDER)),
        (ValueType(K.TEXT), FILE),
        (FILE, ValueType(K.TITLE)),
        (ValueType(K.TABLE), ValueType(K.RECORD)),
        (FILE, ValueType(K.NUMBER)),
    ],
)
def test_what_does_not_fit(source: ValueType, wanted: ValueType) -> None:
    assert fit(source, wanted, single=True) is None


def test_several_things_are_not_one_thing() -> None:
    """ "them" never becomes one of them."""
    assert fit(FILES, FILE, single=False, plural=True) is None


def test_a_record_serves_as_the_one_file_in_it() -> None:
    assert fit(RECORD, FILE, single=True) == Fit(0.7, "file")
    two = ValueType(K.RECORD, fields={"a": FILE, "b": FILE})
    assert fit(two, FILE, single=True) is None


@pytest.mark.parametrize(
    ("word", "field"),
    [("total", "total"), ("totals", "total"), ("size", "size_bytes"), ("Total", "total"), ("tax", "")],
)
def test_a_field_is_found_by_the_word_a_person_says(word: str, field: str) -> None:
    assert project(RECORD, word) == field


def test_a_value_of_an_earlier_run_is_projected() -> None:
    files = [{"path": "/h/a.pdf"}, {"path": "/h/.hidden"}]
    assert value_of(files, Fit(1.0, "name")) == ["a.pdf", ".hidden"]
    assert value_of(files, Fit(1.0, "suffix")) == [".pdf", ""]
    assert value_of(files, Fit(1.0, "", 1)) == {"path": "/h/.hidden"}
    assert value_of(files, Fit(1.0, "", 7)) is None
    assert value_of({"fields": {"total": 3}}, Fit(1.0, "total")) == 3


_TYPES = st.builds(
    ValueType,
    st.sampled_from(list(K)),
    st.booleans(),
    st.just(()),
    st.sampled_from([{}, {"file": FILE}, {"a": RECORD}]),
)


@given(_TYPES, _TYPES, st.booleans(), st.sampled_from([None, True, False]))
def test_a_fit_is_a_score_and_a_field_that_exists(
    source: ValueType, wanted: ValueType, single: bool, plural: bool | None
) -> None:
    found = fit(source, wanted, single=single, plural=plural)
    if found is not None:
        assert 0.0 < found.score <= 1.0
        assert not found.field or found.field in source.fields


def test_fields_side_by_side_are_a_line_for_each_thing() -> None:
    files = [{"path": "/h/a.pdf", "size_bytes": 9_437_184}, {"path": "/h/b.pdf", "size_bytes": 12}]
    assert value_of(files, Fit(1.0, "name, size_bytes")) == ["a.pdf, 9.4 MB", "b.pdf, 12 bytes"]
    assert value_of(files, Fit(1.0, "name, size_bytes", 0), "de") == "a.pdf, 9,4 MB"


def test_what_is_told_of_many_things_is_their_text() -> None:
    event = ValueType(K.RECORD, many=True, fields={"title": ValueType(K.TITLE)})
    agenda = ValueType(K.RECORD, fields={"text": ValueType(K.TEXT), "events": event})
    assert fit(agenda, ValueType(K.TEXT), single=True) == Fit(0.75, "text")
    figure = ValueType(K.RECORD, fields={"text": ValueType(K.TEXT), "value": ValueType(K.NUMBER)})
    assert fit(figure, ValueType(K.TEXT), single=True) == Fit(0.75)
