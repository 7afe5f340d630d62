from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skills.examples import parse_example
from skills.model import ExampleSlot

_WORDS = st.text(st.characters(blacklist_characters="{}", blacklist_categories=["Cs"]), min_size=1, max_size=8).filter(
    str.strip
)


def test_values_are_marked_by_offsets() -> None:
    example = parse_example("show the {count:three} files in {folder:~/Down loads}!", "en")
    assert example.text == "show the three files in ~/Down loads!"
    assert example.slots == (ExampleSlot("count", 9, 14), ExampleSlot("folder", 24, 36))


@given(st.lists(st.tuples(_WORDS, _WORDS), min_size=1, max_size=5))
def test_every_slot_holds_the_words_that_were_marked(parts: list[tuple[str, str]]) -> None:
    markup = "".join(f"{plain}{{p{number}:{words}}}" for number, (plain, words) in enumerate(parts))
    example = parse_example(markup, "en")
    found = [(slot.parameter, example.text[slot.start : slot.end]) for slot in example.slots]
    assert found == [(f"p{number}", words.strip()) for number, (_, words) in enumerate(parts)]


@pytest.mark.parametrize("markup", ["", "  ", "a { b", "a } b", "{x}", "{x:}", "{x: }", "{X:a}", "{a:b{c:d}}"])
def test_malformed_marks_are_refused(markup: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_example(markup, "en")
