"""What is to be moved and to stay is told as one or the other; what stays where it was moved to is left as it is."""

from __future__ import annotations

import pytest

from kernel.routines.rewording import as_either
from tests.clock import less_than


@pytest.mark.parametrize(("text", "language", "moved", "copied"), [
    ("Whenever a photo lands in Downloads, move it to Pictures but keep the original where it is.", "en",
     "Whenever a photo lands in Downloads, move it to Pictures.",
     "Whenever a photo lands in Downloads, copy it to Pictures."),
    (
     "every Monday at 8 move the PDFs in Downloads to Backup, and they should still remain in Downloads, no copies",
     "en",
     "every Monday at 8 move the PDFs in Downloads to Backup", "every Monday at 8 copy the PDFs in Downloads to Backup",
    ),
    ("Verschieb neue PDFs nach Backup, aber sie sollen auch in Downloads bleiben und Kopien will ich keine.", "de",
     "Verschieb neue PDFs nach Backup.", "kopiere neue PDFs nach Backup."),
    ("Wenn ein Foto in Downloads auftaucht, verschieb es nach Bilder, aber das Original soll liegenbleiben.", "de",
     "Wenn ein Foto in Downloads auftaucht, verschieb es nach Bilder.",
     "Wenn ein Foto in Downloads auftaucht, kopiere es nach Bilder."),
])  # fmt: skip
def test_what_moves_and_stays_is_either(text: str, language: str, moved: str, copied: str) -> None:
    assert list(as_either(text, language).values()) == [moved, copied]


@pytest.mark.parametrize(("text", "language"), [
    ("Move new files in Downloads to Backup and they stay there for a year.", "en"),
    ("Move every PDF to Backup, but leave the PDFs from Vogt where they are.", "en"),
    ("copy the photos to Backup, but they should also stay in Downloads", "en"),
    ("move the photos to Backup and tell me how many still remain", "en"),
    ("Verschieb neue PDFs nach Backup, nur die Rechnungen lässt du, wo sie sind.", "de"),
    ("Verschieb neue PDFs nach Backup und lass sie dort bleiben.", "de"),
    ("Verschieb den Termin mit Lena auf Freitag, aber er soll um neun bleiben.", "de"),
    ("sposta i file", "it"),
])  # fmt: skip
def test_anything_else_is_left_alone(text: str, language: str) -> None:
    assert as_either(text, language) == {}


@pytest.mark.parametrize(("piece", "language"), [("and it also ", "en"), ("und sie auch ", "de")])
def test_a_long_text_costs_no_more_than_its_length(piece: str, language: str) -> None:
    verb = {"en": "move it ", "de": "verschieb sie "}[language]
    with less_than(2.0):
        assert as_either(verb + piece * 4_000, language) == {}
