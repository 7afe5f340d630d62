"""Places and names: what belongs to others, what a name means beside a file, and where a new file goes."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from kernel.context.world import HomeWorld
from kernel.interpret import interpret
from kernel.language import Lexicon
from kernel.model import ConversationId, Intent, Span, Utterance
from skills.model import ValueKind
from tests.kernel.homes import furnish

NOW = datetime(2026, 3, 11, 10, 0, tzinfo=UTC)
LEXICON = Lexicon(verbs=frozenset("find show list save move copy read make create sort".split()))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    names = (
        "Notes/Bird house.md",
        "Papers/gas contract.pdf",
        "Papers/plan.pdf",
        "Old/plan.pdf",
        "Money/rates.csv",
    )
    return furnish(tmp_path / "kim", names)


def read(text: str, home: Path) -> Intent:
    return interpret(Utterance(text, ConversationId("c"), str(home), str(home), NOW), HomeWorld(str(home)), LEXICON)


def spans(text: str, home: Path, kind: ValueKind) -> list[tuple[str, Span]]:
    intent = read(text, home)
    return [
        (intent.text[intent.tokens[span.first].start : intent.tokens[span.last - 1].end], span)
        for span in intent.spans
        if span.kind is kind
    ]


@pytest.mark.parametrize("path", ["/home/other-person/letter.txt", "~other-person/letter.txt", "/srv/x/letter.odt"])
def test_what_lies_with_others_is_never_missing(path: str, home: Path) -> None:
    found = [span for _, span in spans(f"read {path} to me", home, ValueKind.FILE)]
    assert [(span.source, span.confidence >= 0.8) for span in found] == [("path", True)]
    assert found[0].value.startswith("/")
    assert not found[0].value.startswith(str(home))


def test_a_folder_of_others_is_one(home: Path) -> None:
    found = [span for _, span in spans("list /home/other-person/Letters", home, ValueKind.FOLDER)]
    assert [(span.value, span.source) for span in found] == [("/home/other-person/Letters", "path")]
    assert found[0].confidence >= 0.8


def test_what_is_not_in_the_home_stays_missing(home: Path) -> None:
    found = [span for _, span in spans(f"read {home}/Papers/none.pdf", home, ValueKind.FILE)]
    assert {span.source for span in found} == {"missing"}


@pytest.mark.parametrize("text", ["read the bird house note", "read the note bird house", "read bird house please"])
def test_what_is_written_goes_by_its_title(text: str, home: Path) -> None:
    titles = {said: span for said, span in spans(text, home, ValueKind.TITLE) if span.source == "stem"}
    files = {span.value: span for _, span in spans(text, home, ValueKind.FILE)}
    assert set(titles) == {"bird house"}
    assert set(files) == {str(home / "Notes/Bird house.md")}
    assert titles["bird house"].confidence == files[str(home / "Notes/Bird house.md")].confidence


def test_a_file_may_be_looked_for_by_its_name_but_has_no_title(home: Path) -> None:
    assert [said for said, span in spans("where is my gas contract", home, ValueKind.QUERY) if span.source == "stem"]
    assert not [
        said for said, span in spans("where is my gas contract", home, ValueKind.TITLE) if span.source == "stem"
    ]


def test_a_new_file_goes_beside_the_one_that_is_named(home: Path) -> None:
    new = {said: span.value for said, span in spans("sort rates.csv and save it as top.csv", home, ValueKind.NEW_FILE)}
    assert new["top.csv"] == str(home / "Money/top.csv")
    named = {said: span.value for said, span in spans("sort rates.csv, save as Old/t.csv", home, ValueKind.NEW_FILE)}
    assert named["Old/t.csv"] == str(home / "Old/t.csv")
    alone = {said: span.value for said, span in spans("save it as top.csv", home, ValueKind.NEW_FILE)}
    assert alone["top.csv"] == str(home / "top.csv")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("save it as by week.csv", "by week.csv"),
        ("save it under all about bees.csv", "all about bees.csv"),
        ("save it as a new file bees.csv", "bees.csv"),
    ],
)
def test_the_words_after_as_belong_to_the_name(text: str, name: str, home: Path) -> None:
    found = {said: span.confidence for said, span in spans(text, home, ValueKind.NEW_FILE)}
    assert max(found, key=lambda said: found[said]) == name


def test_a_new_folder_in_one_that_is_there_may_have_several_words(home: Path) -> None:
    found = {said for said, _ in spans("copy them to Papers/From Aunt Vera and read it", home, ValueKind.FOLDER)}
    assert "Papers/From Aunt Vera" in found


@pytest.mark.parametrize(
    ("text", "title", "body"),
    [
        ("save a note called bees saying buy a smoker", "bees", "buy a smoker"),
        ("make a note titled bees and wasps: buy a smoker", "bees and wasps", "buy a smoker"),
        ("make a note named bees that says buy a smoker", "bees", "buy a smoker"),
        ("create a note called bees with the text buy a smoker", "bees", "buy a smoker"),
    ],
)
def test_a_title_ends_where_the_text_begins(text: str, title: str, body: str, home: Path) -> None:
    titles = {said: span for said, span in spans(text, home, ValueKind.TITLE) if span.source.startswith("cue")}
    texts = {said: span for said, span in spans(text, home, ValueKind.TEXT) if span.source.startswith("cue")}
    assert titles[title].confidence >= 0.7
    assert texts[body].confidence >= 0.5


def test_a_title_may_end_before_a_known_place(home: Path) -> None:
    assert "Bees 2026" in {said for said, _ in spans("make a folder called Bees 2026 in Papers", home, ValueKind.TITLE)}


def test_words_that_announce_are_in_no_chunk(home: Path) -> None:
    chunks = {
        said
        for text in ("which of them mentions honey", "a note called bees saying hum", "files containing wax")
        for said, span in spans(text, home, ValueKind.QUERY)
        if span.source == "chunk"
    }
    assert {"honey", "bees", "hum", "wax"} <= chunks
    assert not [said for said in chunks if {"mentions", "called", "saying", "containing"} & set(said.split())]


@pytest.mark.parametrize("text", ["which is 3 weeks before 1 May", "ten days ago", "what is 2 months from now"])
def test_a_counted_day_says_that_its_words_may_be_read_alone(text: str, home: Path) -> None:
    counted = [span for _, span in spans(text, home, ValueKind.DATE) if span.source.endswith(".counted")]
    assert len(counted) >= 1
    assert not [span for _, span in spans("on 1 May", home, ValueKind.DATE) if span.source.endswith(".counted")]


def test_a_mere_mention_is_no_sure_condition(home: Path) -> None:
    weak = spans("which of my notes mentions honey", home, ValueKind.CONDITION)
    sure = spans("show the rows of rates.csv where name contains honey", home, ValueKind.CONDITION)
    assert all(span.confidence < 0.5 for _, span in weak)
    assert max(span.confidence for _, span in sure) >= 0.8


@pytest.mark.parametrize(
    ("path", "meant"),
    [
        ("papers/contracts", "Papers/Contracts"),
        ("papers/contracts/2025", "Papers/Contracts/2025"),
        ("papers/Old plans", "Papers/Old plans"),
        ("papers/contracts/new", "Papers/Contracts/new"),
        ("attic/old", "attic/old"),
    ],
)
def test_a_written_path_goes_by_what_is_there_whatever_its_capitals(path: str, meant: str, home: Path) -> None:
    furnish(home, ["Papers/Contracts/2025/", "Contracts/"])
    found = {span.value for _, span in spans(f'list "{path}"', home, ValueKind.FOLDER)}
    assert str(home / meant) in found
    assert str(home / path) not in found or path == meant


def test_two_folders_that_differ_in_capitals_alone_are_not_confused(home: Path) -> None:
    furnish(home, ["Papers/Tax/", "Papers/tax/"])
    found = {span.value for _, span in spans("list papers/tax", home, ValueKind.FOLDER)}
    assert found == {str(home / "Papers/tax")}
