"""What is to be read of a thing that is known by words of its name, in whatever order these stand."""

from __future__ import annotations

import pytest

from tests.kernel.composition.conftest import Desk

_BILL = "~/Attic/Rechnung_Rosi_2026-01.pdf"


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (
            "kopier die IBAN der Rechnung von Rosi in die Zwischenablage",
            f"documents.value(file={_BILL}, name=IBAN); desktop.copy(text=<t1>)",
        ),
        (
            "add the total of the invoice from Rosi to wine.csv",
            f"documents.value(file={_BILL}, name=total); data.append(file=~/Cellar/wine.csv, row=<t1>)",
        ),
        (
            "trag die Summe der Rechnung von Rosi in wine.csv ein",
            f"documents.value(file={_BILL}, name=Summe); data.append(file=~/Cellar/wine.csv, row=<t1>)",
        ),
    ],
)
def test_a_value_of_a_bill_goes_where_it_is_wanted(desk: Desk, sentence: str, expected: str) -> None:
    assert desk.shape(desk.say(sentence)) == expected
