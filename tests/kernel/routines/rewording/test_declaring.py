"""A rule that is said as what becomes of things."""

from __future__ import annotations

import pytest

from kernel.routines.rewording.declaring import as_happening


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("every new screenshot on the desktop goes to Pictures/Screenshots",
         "Whenever a new screenshot lands on the desktop, move it to Pictures/Screenshots"),
        ("Jedes neue Foto aufm Desktop wandert nach Pictures.",
         "Sobald ein neues Foto auf dem Desktop landet, verschieb es nach Pictures"),
        ("every PDF in Downloads goes to Documents", ""),
        ("every new PDF in Downloads goes to Documents and is deleted from Backup", ""),
        ("Jede neue PDF in Downloads wandert nach Documents und wird in Backup gelöscht", ""),
    ],
)  # fmt: skip
def test_what_becomes_of_new_things_is_a_rule_and_what_else_is_said_of_them_is_none(said: str, meant: str) -> None:
    assert as_happening(said) == meant
