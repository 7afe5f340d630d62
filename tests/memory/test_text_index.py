"""Finding by words: ranking, languages, and that no text is read as query syntax."""

from __future__ import annotations

import stat
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory import TextIndex
from memory.errors import StoreError


@pytest.fixture
def index() -> Iterator[TextIndex]:
    index = TextIndex()
    yield index
    index.close()


def ids(found: list[tuple[str, float]]) -> list[str]:
    return [id for id, _ in found]


def test_what_was_added_is_found_at_once_best_first(index: TextIndex) -> None:
    index.add("one", "the invoice of the plumber")
    index.add("both", "invoice and receipt of the plumber")
    index.add("none", "a note about gardens")
    found = index.search("plumber receipt")
    assert ids(found) == ["both", "one"]
    assert found[0][1] > found[1][1] > 0


def test_adding_again_replaces_and_removing_removes(index: TextIndex) -> None:
    index.add("a", "apples")
    index.add("a", "pears", "fruit")
    assert index.search("apples") == []
    assert ids(index.search("pears")) == ["a"]
    assert len(index) == 1
    assert index.remove("a")
    assert not index.remove("a")
    assert index.search("pears") == []
    assert len(index) == 0


def test_groups_and_limits(index: TextIndex) -> None:
    for number in range(10):
        index.add(f"{number}", "same text", "even" if number % 2 == 0 else "odd")
    assert ids(index.search("text", 3, "odd")) == ["1", "3", "5"]
    assert ids(index.search("text", 2)) == ["0", "1"]
    assert index.search("text", 0) == []
    assert index.search("text", group="none") == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Übung macht den Meister", "ubung"),
        ("naïve café", "CAFE"),
        ("renaming the files", "rename file"),
        ("Straße", "STRAßE"),
        ("U\u0308ber uns", "über"),
        ("Über uns", "u\u0308ber"),
        ("日本語 テキスト", "テキスト"),
        ("snake_case name", "snake_case"),
    ],
)
def test_case_diacritics_and_english_endings_do_not_matter(index: TextIndex, text: str, words: str) -> None:
    index.add("it", text)
    index.add("other", "nothing of the kind")
    assert ids(index.search(words)) == ["it"]


def test_the_word_itself_beats_its_stem(index: TextIndex) -> None:
    index.add("stem", "organised photos")
    index.add("word", "organise photos")
    assert ids(index.search("organise")) == ["word", "stem"]


@pytest.mark.parametrize(
    "words",
    [
        "",
        "  ",
        '"',
        "***",
        "NOT",
        "a AND",
        'x" OR "y',
        "words : x",
        "NEAR(",
        "(",
        "col:",
        "^x",
        "-x",
        "x*",
        "\0",
        "'; --",
    ],
)
def test_query_syntax_means_nothing(index: TextIndex, words: str) -> None:
    index.add("a", "something else")
    assert index.search(words) == []


def test_operators_are_words(index: TextIndex) -> None:
    index.add("a", "this OR that")
    index.add("b", "near and far")
    assert ids(index.search("OR")) == ["a"]
    assert ids(index.search("NEAR")) == ["b"]


@given(st.text(), st.text())
def test_any_text_can_be_kept_and_searched(text: str, words: str) -> None:
    index = TextIndex()
    index.add("a", text)
    index.search(words)
    index.add("b", f"{text} needle")
    assert ids(index.search("needle", group="")) == ["b"] or "needle" in text
    index.close()


def test_lone_surrogates_and_long_texts_are_no_trouble(index: TextIndex) -> None:
    index.add("a", "bad \udc80 name")
    assert ids(index.search("name \udc80")) == ["a"]
    index.add("b", "word " * 200_000)
    assert ids(index.search("word " * 10_000)) == ["b"]
    assert ids(index.search(" ".join(f"w{n}" for n in range(64)) + " name")) == []  # the 65th word is not looked for


def test_a_file_keeps_its_texts_and_is_private(tmp_path: Path) -> None:
    path = tmp_path / "texts.db"
    first = TextIndex(path)
    first.add("a", "hello world")
    first.close()
    again = TextIndex(path)
    assert ids(again.search("hello")) == ["a"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    again.close()


def test_a_file_that_is_something_else_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "texts.db"
    path.write_bytes(b"no database" * 100)
    with pytest.raises(StoreError):
        TextIndex(path)


def test_threads_may_add_and_search_together(index: TextIndex) -> None:
    def work(name: str) -> None:
        for number in range(50):
            index.add(f"{name}-{number}", f"text of {name}")
            assert index.search(name)

    threads = [threading.Thread(target=work, args=(f"n{at}",)) for at in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(index) == 200
