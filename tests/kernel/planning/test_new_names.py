"""A new name for a file, with and without its suffix, in both languages."""

from __future__ import annotations

import pytest

from kernel.model import Question
from tests.kernel.planner import Planner


@pytest.mark.parametrize(
    "sentence",
    [
        "benenne a.pdf in attest.pdf um",
        "nenne a.pdf attest.pdf",
        "benenne die Datei a.pdf um in attest.pdf",
        "kannst du a.pdf in attest.pdf umbenennen?",
        "a.pdf soll attest.pdf heißen",
        "rename a.pdf to attest.pdf",
        "rename a.pdf into attest.pdf",
        "please call a.pdf attest.pdf",
    ],
)
def test_a_new_name_may_have_a_suffix(planner: Planner, sentence: str) -> None:
    assert planner.shape(planner.say(sentence)) == "files.rename(file=~/Downloads/a.pdf, name=attest.pdf)"


def test_a_new_name_that_is_another_file_s_is_a_name_all_the_same(planner: Planner) -> None:
    shape = planner.shape(planner.say("benenne a.pdf in b.pdf um"))
    assert shape == "files.rename(file=~/Downloads/a.pdf, name=b.pdf)"


def test_what_is_renamed_must_be_there(planner: Planner) -> None:
    asked = planner.say("rename attest.pdf to a.pdf")
    assert isinstance(asked, Question)
    assert asked.parameter == "file"
