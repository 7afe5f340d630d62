"""The page of bench-understanding takes one row's figures and leaves the others; encodings are kept per encoder."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import numpy.typing as npt
import pytest

from kernel.language import Line, tokenize
from kernel.ranking import Document, Question
from kernel.slots.schema import Slot, Wanted
from kernel.slots.schema.features import tables
from tests.benchmarks import recall
from tests.benchmarks.understanding import bfcl, page
from tests.benchmarks.understanding.compare import f1_interval
from tests.benchmarks.understanding.kept import FOLDER, Kept, folder
from tests.benchmarks.understanding.libraries import library_value
from tests.benchmarks.understanding.metatool import as_often, beside_five
from tests.benchmarks.understanding.sources import Asked

ORDER = ("one", "two", "three")
FIGURES = {"one_right": 0.9, "one_ms": 20.0}


BOUNDS = SimpleNamespace(LEAST={"one_right": 0.8}, LIMITS={"one_ms": 30.0})


class Counting:
    """An encoder that counts what it is asked for; a text's vector is its length's."""

    def __init__(self, digest: str = "a") -> None:
        self.digest = digest
        self.asked: list[str] = []

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        self.asked += texts
        return np.array([[len(text), 1.0] for text in texts], np.float32)

    def pieces(self, texts: Sequence[str]) -> list[tuple[npt.NDArray[np.float32], list[str], npt.NDArray[np.float32]]]:
        self.asked += texts
        rows = [np.arange(2 * len(text.split()), dtype=np.float32).reshape(-1, 2) for text in texts]
        return [(np.array([1.0, 0.0], np.float32), text.split(), own) for text, own in zip(texts, rows, strict=True)]


def _row(name: str = "one", **given: object) -> page.Row:
    found = page.row(name, 2.4, FIGURES, BOUNDS)
    return replace(found, **given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("right", "ms", "short"),
    [(0.9, 20.0, []), (0.8, 30.0, []), (0.79, 20.0, ["one_right"]), (0.7, 31.0, ["one_ms", "one_right"])],
)
def test_a_row_is_short_by_the_figures_beyond_their_bounds(right: float, ms: float, short: list[str]) -> None:
    row = _row(figures={"one_right": right, "one_ms": ms})

    assert row.short == short
    assert row.passed is not bool(short)


def test_a_row_that_lacks_its_set_never_passes() -> None:
    assert not page.lacking("one", "set/file.json").passed


def test_a_row_takes_its_own_place_and_leaves_the_others(tmp_path: Path) -> None:
    page.publish([_row("one"), _row("two", measured="2020-01-01", state="older")], ORDER, tmp_path)

    rows = page.publish([_row("one", figures={"one_right": 0.5, "one_ms": 1.0})], ORDER, tmp_path)

    assert rows == page.read(tmp_path)
    assert rows["one"].figures["one_right"] == 0.5
    assert (rows["two"].measured, rows["two"].state) == ("2020-01-01", "older")
    text = (tmp_path / "bench-understanding.md").read_text()
    assert "| one | short: one_right |" in text
    assert "| two | pass | 2020-01-01 | older |" in text
    assert "| three | never measured |" in text
    assert set(json.loads((tmp_path / "bench-understanding.json").read_text())["rows"]) == {"one", "two"}


def test_the_whole_passes_only_where_every_row_did_in_this_state() -> None:
    rows = {name: _row(name) for name in ORDER}

    assert page.is_whole(rows, ORDER)
    assert not page.is_whole({"one": rows["one"]}, ORDER)
    assert not page.is_whole(rows | {"two": _row("two", state="older")}, ORDER)
    assert not page.is_whole(rows | {"two": page.lacking("two", "set")}, ORDER)
    assert not page.is_whole(rows | {"two": _row("two", figures={"one_right": 0.1, "one_ms": 1.0})}, ORDER)


def test_what_was_encoded_is_not_encoded_again(tmp_path: Path) -> None:
    first, second = Counting(), Counting()
    made = Kept(first, tmp_path).encode(["a", "bb", "a"])

    kept = Kept(second, tmp_path).encode(["bb", "ccc", "a"])

    assert made.tolist() == [[1.0, 1.0], [2.0, 1.0], [1.0, 1.0]]
    assert kept.tolist() == [[2.0, 1.0], [3.0, 1.0], [1.0, 1.0]]
    assert (first.asked, second.asked) == (["a", "bb"], ["ccc"])


def test_another_encoder_finds_nothing_of_the_first_ones(tmp_path: Path) -> None:
    Kept(Counting("a"), tmp_path).encode(["a"])
    other = Counting("b")

    Kept(other, tmp_path).encode(["a"])

    assert other.asked == ["a"]


def test_pieces_come_back_as_they_were_made(tmp_path: Path) -> None:
    texts = ["one two three", "", "ä b"]
    made = Kept(Counting(), tmp_path).pieces(texts)
    again = Counting()

    kept = Kept(again, tmp_path).pieces(texts)

    assert not again.asked
    assert (
        [words for _, words, _ in kept] == [words for _, words, _ in made] == [["one", "two", "three"], [], ["ä", "b"]]
    )
    for (vector, _, rows), (as_made, _, made_rows) in zip(kept, made, strict=True):
        assert vector.tolist() == as_made.tolist()
        assert rows.tolist() == made_rows.tolist()


def test_a_vector_and_pieces_of_one_text_are_two_things(tmp_path: Path) -> None:
    encoder = Counting()
    kept = Kept(encoder, tmp_path)

    kept.encode(["a"])
    kept.pieces(["a"])

    assert encoder.asked == ["a", "a"]


def test_encodings_lie_among_the_users_caches_unless_a_folder_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(FOLDER, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert folder() == tmp_path / "steward" / "understanding"

    monkeypatch.setenv(FOLDER, str(tmp_path / "named"))
    assert folder() == tmp_path / "named"


def test_a_row_without_its_set_leaves_what_was_measured(tmp_path: Path) -> None:
    page.publish([_row("one", notes=("| a | table |",))], ORDER, tmp_path)
    rows = page.publish([page.lacking("one", "set/file.json"), page.lacking("two", "other.json")], ORDER, tmp_path)
    assert rows["one"].figures == FIGURES
    text = (tmp_path / "bench-understanding.md").read_text()
    assert "| a | table |" in text
    assert "| two | not run: other.json is missing |" in text


def test_another_page_has_rows_and_a_state_of_its_own(tmp_path: Path) -> None:
    book = page.Book("bench-other", "Other", ("Head.",), ("tests/benchmarks/understanding/page.py",))
    row = page.row("one", 1.0, FIGURES, BOUNDS, book=book)
    page.publish([row], ORDER, tmp_path, book)
    assert page.read(tmp_path) == {}
    assert page.read(tmp_path, book) == {"one": row}
    assert page.is_whole({"one": row}, ("one",), book)
    assert not page.is_whole({"one": row}, ("one",)), "a state of another page is none of this one's"
    assert (tmp_path / "bench-other.md").read_text().startswith("# Other\n\nHead.\n")


def test_recall_keeps_what_was_found_when_it_is_measured_without_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    earlier = page.row("found", 1.0, {"turn_missed": 0.2}, SimpleNamespace(LIMITS={}), book=recall.BOOK)
    page.publish([earlier], recall.ROWS, tmp_path, recall.BOOK)
    monkeypatch.setattr(page.publish, "__defaults__", (tmp_path, page.UNDERSTANDING))
    monkeypatch.setattr(page.read, "__defaults__", (tmp_path, page.UNDERSTANDING))
    monkeypatch.setattr(recall, "measured", lambda memories: {"p95_ms": 1.0, "resident_mb": 2.0})
    monkeypatch.setattr("sys.argv", ["recall"])
    monkeypatch.delenv("DATA", raising=False)
    assert recall.main() == 0, "both rows passed, in one state"
    kept = page.read(tmp_path, recall.BOOK)
    assert kept["found"] == earlier
    assert kept["speed"].figures == {"p95_ms": 1.0, "resident_mb": 2.0}


def test_an_interval_of_f1_is_of_pairs() -> None:
    good, bad = [(2, 2, 2)] * 40 + [(2, 2, 1)] * 10, [(2, 2, 1)] * 40 + [(2, 2, 1)] * 10
    low, high = f1_interval(good, bad)
    assert 0.2 < low < 0.4 < high < 0.5
    assert f1_interval(good, good) == (0.0, 0.0)
    mixed = [(2, 2, 2), (2, 2, 0)] * 25
    low, high = f1_interval(mixed, mixed[::-1])
    assert low < 0 < high


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("date", "the lease ends on 31 Jan 2027", "2027-01-31"),
        ("date", "nothing of the sort", None),
        ("time", "the meeting starts at 3:20 pm", "15:20"),
        ("duration", "wait 2 hours", 7200.0),
        ("quantity", "run 20 km", [20.0, "kilometer"]),
        ("count", "seven things", 7),
        ("recurrence", "every Monday", None),
    ],
)
def test_the_baseline_of_values_reads_what_its_libraries_can(kind: str, text: str, value: object) -> None:
    assert library_value(kind, text) == value


def test_a_threshold_acts_as_often_and_is_judged_on_both() -> None:
    scored = [(0.9, True, True), (0.8, False, True), (0.2, True, True), (0.85, False, False), (0.1, False, False)]
    found = as_often(scored, 2)
    assert found == {"threshold_act_precision": 0.5, "threshold_wrong_act_absent": 0.5}
    assert as_often(scored, 0)["threshold_act_precision"] == 0.0


def test_logged_requests_are_known_to_the_baselines_too() -> None:
    documents = [Document("a", "alpha", ("One.",)), Document("b", "beta", ("Two.",))]

    class Letters(Counting):
        def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
            rows = np.array([[text.count("x") + 0.1, text.count("y") + 0.1] for text in texts], np.float32)
            return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    kept = Letters()
    log = [Asked("xxx", "a"), Asked("yyy", "b")]
    held = [Asked("xx please", "a"), Asked("yy please", "b")]
    questions = [
        Question(one.text, vector) for one, vector in zip(held, kept.encode([o.text for o in held]), strict=True)
    ]
    found = beside_five(documents, log, held, questions, [0, 1], kept)  # type: ignore[arg-type]
    assert found["five_nearest_r1"] == found["five_middle_r1"] == 1.0
    assert found["five_over_best_high"] <= 0.0, "the one that is compared was right once of two"


def test_the_baseline_of_calls_takes_values_in_their_order() -> None:
    line = Line("add 3 and 5", tokenize("add 3 and 5", "en"), "en", bfcl.NOW)
    slots = [
        Slot("first", Wanted.WHOLE, "", True),
        Slot("second", Wanted.WHOLE, "", True),
        Slot("third", Wanted.WHOLE, "", False),
    ]
    assert bfcl.in_order(tables(line, slots, None)) == {"first": 3, "second": 5}
