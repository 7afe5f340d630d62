"""All that a folder holds: the same request in both languages is the same plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.kernel.planning.conftest import Planner


@pytest.mark.parametrize(
    ("english", "german"),
    [
        ("delete everything in Work", "lösche alles in Work"),
        ("delete everything from Work", "lösche alles aus Work"),
        ("move everything in Music to Archive", "verschiebe alles in Music nach Archive"),
        ("move everything from Music to Archive", "verschiebe alles aus Music nach Archive"),
        ("list everything in Pictures", "liste alles in Pictures auf"),
        ("show everything in Pictures", "zeige alles in Pictures"),
        ("find everything in Pictures", "finde alles in Pictures"),
    ],
)
def test_everything_and_alles_are_the_same(planner: Planner, english: str, german: str) -> None:
    assert planner.shape(planner.say(english)) == planner.shape(planner.say(german))


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("delete everything in Work", "files.contents(folder=~/Work); files.delete(files=<t1>)"),
        ("delete all songs in Music", "files.find(folder=~/Music, kind=audio); files.delete(files=<t1>)"),
    ],
)
def test_what_goes_is_what_the_folder_holds(planner: Planner, sentence: str, expected: str) -> None:
    assert planner.shape(planner.say(sentence)) == expected
