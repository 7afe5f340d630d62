"""Words that are put behind the names of files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.kernel.planner import Planner


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        ("append copy to the names of the pdfs in Downloads", "copy"),
        ("häng alt an die Namen der PDFs in Downloads an", "alt"),
        ("häng alt hinten an die Namen der PDFs in Downloads an", "alt"),
    ],
)
def test_what_is_appended_stands_at_the_end_of_the_names(planner: Planner, sentence: str, text: str) -> None:
    expected = f"files.find(folder=~/Downloads, kind=pdf); files.add_to_names(files=<t1>, text={text}, where=end)"
    assert planner.shape(planner.say(sentence)) == expected
