"""Values that stand in sentences and tables, and what is said when a document does not state them."""

from __future__ import annotations

from pathlib import Path

import pytest

from skills.builtin.documents import skill
from skills.sdk import Query, ToolError
from skills.sdk.testing import PracticeHome


@pytest.fixture
def home(tmp_path: Path) -> PracticeHome:
    return PracticeHome(tmp_path)


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("Terms\n\nThe notice period is three months.", "notice period", "three months"),
        ("The notice period for both\nsides is four weeks, which begin on a Monday.", "notice period", "four weeks"),
        ("There is a notice period of six weeks.", "notice period", "six weeks"),
        ("Die Kaltmiete beträgt 850,00 EUR. Die Kaution beträgt drei Monatsmieten.", "Kaltmiete", "850,00 EUR"),
        ("Die Kaltmiete beträgt 850,00 EUR. Die Kaution beträgt drei Monatsmieten.", "Kaution", "drei Monatsmieten"),
        ("ACME\nInvoice number: 17\n", "invoice number", "17"),
        ("Rent ........ 850.00 EUR\nHeating ..... 90.00 EUR\n", "rent", "850.00 EUR"),
        ("Rooms | 3\nFloor | second\n", "floor", "second"),
        ("It was signed on 1 March 2024. The contract ends on 28 February 2027.", "end", "28 February 2027"),
        ("It was signed on 1 March 2024. The contract ends on 28 February 2027.", "signed", "1 March 2024"),
        ("Der Vertrag endet am 31.12.2027.", "endet", "31.12.2027"),
    ],
)
def test_a_value_may_stand_in_a_sentence_or_a_plain_table(home: PracticeHome, text: str, name: str, value: str) -> None:
    home.add("a.txt", text)
    assert home.do(skill.value, pure=True, file=home.file("a.txt"), name=Query(name)).value.value == value


def test_a_sum_in_a_sentence_is_money(home: PracticeHome) -> None:
    home.add("a.txt", "Die Kaltmiete beträgt 850,00 EUR.")
    found = home.do(skill.value, pure=True, file=home.file("a.txt"), name=Query("Kaltmiete")).value
    assert (found.amount, found.currency) == (850.0, "EUR")


def test_what_is_mentioned_and_not_stated_is_quoted_and_not_denied(home: PracticeHome) -> None:
    home.add("a.txt", "Terms\n\nEach side may ask to change the notice period once a year. Nothing else.")
    with pytest.raises(ToolError) as refused:
        home.do(skill.value, pure=True, file=home.file("a.txt"), name=Query("notice period"))
    said = str(refused.value)
    assert "I did not find a line that states “notice period” in ~/a.txt." in said
    assert "page 1: “Each side may ask to change the notice period once a year.”" in said
    assert "There is no" not in said


def test_what_is_not_mentioned_has_no_quotation(home: PracticeHome) -> None:
    home.add("a.txt", "Nothing of that kind.")
    with pytest.raises(ToolError, match="states “warranty”") as refused:
        home.do(skill.value, pure=True, file=home.file("a.txt"), name=Query("warranty"))
    assert "nearest" not in str(refused.value)
