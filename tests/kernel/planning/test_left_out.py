"""What is left out of many things where a tool takes it, and folders that a word other than their name describes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kernel.language.excepting import exception_before
from kernel.model import Plan

if TYPE_CHECKING:
    from tests.kernel.planner import Planner


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (
            "delete everything except the pdfs in Downloads",
            "files.find(folder=~/Downloads, not_kind=['pdf']); files.delete(files=<t1>)",
        ),
        (
            "delete everything in Downloads, except the pdfs",
            "files.find(folder=~/Downloads, not_kind=['pdf']); files.delete(files=<t1>)",
        ),
        (
            "move all files except the pictures from Downloads to Documents",
            "files.find(folder=~/Downloads, not_kind=['image']); files.move(files=<t1>, to=~/Documents)",
        ),
        (
            "lösch alles in Downloads außer den Bildern",
            "files.find(folder=~/Downloads, not_kind=['image']); files.delete(files=<t1>)",
        ),
        (
            "list all files in Downloads except pdfs and images",
            "files.find(folder=~/Downloads, not_kind=['pdf', 'image'])",
        ),
        (
            "zeig alle Dateien in Downloads außer PDFs und Bildern",
            "files.find(folder=~/Downloads, not_kind=['pdf', 'image'])",
        ),
        (
            "find pdfs in Downloads without invoice in the name",
            "files.find(folder=~/Downloads, kind=pdf, not_name=invoice)",
        ),
    ],
)
def test_what_is_excepted_is_left_out(planner: Planner, sentence: str, expected: str) -> None:
    assert planner.shape(planner.say(sentence)) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "delete everything except the pdfs",  # of what?
        "delete old.zip except the pdfs",  # one thing has no exceptions
        "delete everything in Downloads except from last week",
        "move everything in Downloads except to Archive",
    ],
)
def test_an_exception_that_nothing_takes_stops_the_request(planner: Planner, sentence: str) -> None:
    assert not isinstance(planner.say(sentence), Plan)


@pytest.mark.parametrize(
    ("text", "at", "begins"),
    [
        ("delete everything except for all the pdfs", 6, 2),
        ("lösch alles außer den Bildern", 4, 2),
        ("delete everything in the folder", 4, None),
        ("pdfs", 0, None),
    ],
)
def test_an_exception_begins_at_its_word(planner: Planner, text: str, at: int, begins: int | None) -> None:
    assert exception_before(planner.intent(text).tokens, at) == begins


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("remove the empty folders", "files.empty_folders(); files.delete_folder(folders=<t1>)"),
        (
            "delete all empty folders in Projects",
            "files.empty_folders(folder=~/Projects); files.delete_folder(folders=<t1>)",
        ),
        (
            "lösche alle leeren Ordner in Projects",
            "files.empty_folders(folder=~/Projects); files.delete_folder(folders=<t1>)",
        ),
        ("delete the duplicates in Downloads", "files.duplicates(folder=~/Downloads); files.delete(files=<t1>)"),
        (
            "rename all photos in Pictures to trip 1, trip 2 and so on",
            "files.find(folder=~/Pictures, kind=image); files.number_names(files=<t1>, name=trip 1, trip 2)",
        ),
        ("rename setup.exe to installer", "files.rename(file=~/Downloads/setup.exe, name=installer)"),
    ],
)
def test_things_are_described_by_what_is_found(planner: Planner, sentence: str, expected: str) -> None:
    assert planner.shape(planner.say(sentence)) == expected


@pytest.mark.parametrize(
    "sentence", ["empty my downloads folder", "leere den Ordner Downloads", "empty the folder Work"]
)
def test_to_empty_a_folder_is_not_to_look_for_empty_ones(planner: Planner, sentence: str) -> None:
    assert not isinstance(planner.say(sentence), Plan)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("wie viel Platz braucht der Ordner Dokumente", "files.usage(folder=~/Documents)"),
        ("was liegt auf dem Schreibtisch", "files.contents(folder=~/Desktop)"),
        ("lösche Bilder aus Dokumente", "files.find(folder=~/Documents, kind=image); files.delete(files=<t1>)"),
        ("verschieb old.zip nach Bilder", "files.move(files=['~/Downloads/old.zip'], to=~/Pictures)"),
        ("make a folder called receipts in documents", "files.make_folder(folder=~/Documents, name=receipts)"),
    ],
)
def test_the_folders_of_every_home_are_known_in_german(planner: Planner, sentence: str, expected: str) -> None:
    assert planner.shape(planner.say(sentence)) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (
            "show me all expenses over 50 euros",
            "data.filter(condition={'column': '', 'op': '>', 'value': '50'}, table=~/Finance/expenses.csv)",
        ),
        ("give me the top 3 expenses", "data.sort(count=3, order=descending, table=~/Finance/expenses.csv)"),
        ("what's the total of my expenses", "data.total(measure=sum, table=~/Finance/expenses.csv)"),
    ],
)
def test_of_a_table_the_column_with_amounts_is_meant(planner: Planner, sentence: str, expected: str) -> None:
    assert planner.shape(planner.say(sentence)) == expected
