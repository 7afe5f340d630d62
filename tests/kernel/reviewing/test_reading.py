"""A reviewer's "supported" is believed only where the evidence that it names has what the claim says."""

from __future__ import annotations

from typing import Any

import pytest

from kernel.model import TaskId
from kernel.reviewing.matching import lacking
from kernel.reviewing.model import Claim, Doubt, Exhibit, Verdict
from kernel.reviewing.reading import findings_of

FILES = '[{"path": "~/Downloads/big.iso", "size_bytes": 5000}, {"path": "~/Downloads/middle.zip", "size_bytes": 3000}]'


@pytest.mark.parametrize(("claim", "evidence", "gone"), [
    ("1. big.iso  5 kB", FILES, ()), ("big.iso has 5000 bytes", FILES, ()), ("big.iso has 5,000 bytes", FILES, ()),
    ("big.iso hat 5.000 bytes", FILES, ()), ("big.iso  4.9 KiB", FILES, ()),
    ("big.iso  6 kB", FILES, ("6 kB",)), ("big.iso has 5001 bytes", FILES, ("5001",)),
    ("g.iso  5 kB", FILES, ("g.iso",)), ("other.iso is the largest", FILES, ("other.iso",)),
    ("~/Downloads/big.iso", FILES, ()), ("/home/u/Downloads/big.iso.", FILES, ()), ("~/Down", FILES, ("~/Down",)),
    ("2 files", FILES, ()), ("3 files", FILES, ("3",)),
    ("It says “hello there”.", '"hello there, Anna"', ()), ("It says “hello you”.", '"hello there"', ("hello you",)),
    ("The letter is from Anna", '"dear Tom, yours, Anna"', ()), ("The letter is from Lena", '"yours, Anna"', ("Lena",)),
    ("The letter is from Ann", '"yours, Anna"', ("Ann",)),
    ("The meeting is on Friday, 12 March 2026", '"2026-03-12T09:00:00"', ()),
    ("The meeting is on 13 March", '"2026-03-12"', ("13",)),
    ("Done.", "{}", ()),
])  # fmt: skip
def test_numbers_names_paths_and_quotations_have_to_be_there(claim: str, evidence: str, gone: tuple[str, ...]) -> None:
    counts = {2} if evidence == FILES else set()
    assert lacking(claim, evidence, counts, home="/home/u", german=False) == gone


@pytest.mark.parametrize(("claim", "gone"), [
    ("Die größte Datei im Ordner ist big.iso", ()), ("Der Brief kommt von Anna Stein", ("Anna", "Stein")),
])  # fmt: skip
def test_in_german_a_capital_alone_is_no_name(claim: str, gone: tuple[str, ...]) -> None:
    assert lacking(claim, FILES, {2}, home="/home/u", german=True) == gone


CLAIMS = (Claim(0, "the largest file"), Claim(1, "big.iso  5 kB", TaskId("t1")), Claim(2, "mine.iso  9 kB"))
EXHIBITS = (Exhibit("r1", "files.find", FILES, frozenset({2})), Exhibit("c1", "change", "{}"))


def read(*said: Any) -> list[tuple[Verdict, Doubt | None]]:
    found = findings_of({"claims": list(said)}, CLAIMS, EXHIBITS, home="/home/u", german=False)
    assert found is not None
    return [(one.verdict, one.doubt) for one in found]


def one(number: Any, verdict: str = "supported", *handles: Any) -> dict[str, Any]:
    return {"number": number, "verdict": verdict, "evidence": list(handles)}


YES, NO, OPEN = Verdict.SUPPORTED, Verdict.UNSUPPORTED, Verdict.UNCLEAR


def test_what_the_evidence_bears_out_is_believed_and_nothing_else() -> None:
    assert read(one(0, "supported", "r1"), one(1, "supported", "r1"), one(2, "supported", "r1")) == [
        (YES, None), (YES, None), (OPEN, Doubt.ABSENT),
    ]  # fmt: skip


def test_evidence_that_is_not_named_or_not_there_is_none() -> None:
    assert read(one(0), one(1, "supported", "r9"), one(2, "supported", "r1", "r9")) == [
        (OPEN, Doubt.NONE), (OPEN, Doubt.UNKNOWN), (OPEN, Doubt.UNKNOWN),
    ]  # fmt: skip


def test_the_wrong_evidence_bears_out_nothing() -> None:
    assert read(one(1, "supported", "c1"))[1] == (OPEN, Doubt.ABSENT)


def test_two_verdicts_are_none_and_silence_is_none() -> None:
    assert read(one(0, "supported", "r1"), one(0, "not supported"), one(1, "yes", "r1")) == [
        (OPEN, Doubt.TWICE), (OPEN, Doubt.SILENT), (OPEN, Doubt.SILENT),
    ]  # fmt: skip


def test_a_no_counts_without_evidence_and_a_number_that_was_not_asked_about_is_passed_over() -> None:
    assert read(one(0, "not supported"), one(77, "not supported"), one(True, "supported", "r1"))[0] == (NO, None)


@pytest.mark.parametrize("value", [
    None, "fine", [], {}, {"claims": "all"}, {"claims": None},
])  # fmt: skip
def test_what_is_of_no_form_is_no_review(value: Any) -> None:
    assert findings_of(value, CLAIMS, EXHIBITS, home="/home/u", german=False) is None


@pytest.mark.parametrize("said", [
    None, 3, {"number": []}, {"number": 1}, {"number": 1, "verdict": [], "evidence": 3},
    {"number": 1, "verdict": "supported", "evidence": [["r1"], None, {}]},
])  # fmt: skip
def test_parts_of_no_form_support_nothing(said: Any) -> None:
    assert read(said)[1][0] is OPEN
