"""Files as they are called in other words than their name has, or in the other language; and what stays unread."""

from __future__ import annotations

from pathlib import Path

import pytest

from kernel.context.mind import Mind
from kernel.language.place.partial import PART
from kernel.language.place.same_nouns import parts
from skills.model import ValueKind
from tests.kernel.homes import furnish
from tests.kernel.language.test_things import spans

NAMES = (
    "Bills/invoice_greenleaf_2025-11.pdf", "Bills/invoice_zenvo_2025-04.pdf", "Bills/bill_zenvo_2025-12.pdf",
    "Bills/Rechnung_Südstrom_2026-02.pdf", "Papers/Tenancy agreement.docx", "Papers/lease agreement old.docx",
    "Papers/Arbeitsvertrag.pdf", "Papers/Gym membership.pdf", "Papers/tax assessment 2024.pdf", "Papers/summary.md",
    "Papers/Bericht Messe.docx", "Papers/report fair.docx", "Trips/packing list.md", "Trips/boarding pass XY1.pdf",
    "Manuals/dryer manual.pdf", "Manuals/Anleitung Fahrrad.pdf", "Papers/Spendenquittung Zoo.pdf",
)  # fmt: skip


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return furnish(tmp_path_factory.mktemp("nouns"), NAMES)


def files(sentence: str, home: Path, mind: Mind) -> set[tuple[str, str]]:
    found = spans(sentence, home, mind, ValueKind.FILE)
    return {(text, str(span.value).removeprefix(f"{home}/")) for text, span in found if span.source != "missing"}


@pytest.mark.parametrize(
    ("sentence", "said", "name"),
    [
        ("when is the green leaf bill due", "green leaf bill", "Bills/invoice_greenleaf_2025-11.pdf"),
        ("wann ist die greenleaf rechnung fällig", "greenleaf rechnung", "Bills/invoice_greenleaf_2025-11.pdf"),
        ("lies die Rechnung von Greenleaf", "Rechnung von Greenleaf", "Bills/invoice_greenleaf_2025-11.pdf"),
        ("lies die Greenleafrechnung", "Greenleafrechnung", "Bills/invoice_greenleaf_2025-11.pdf"),
        ("the bill from greenleaf pdf", "bill from greenleaf pdf", "Bills/invoice_greenleaf_2025-11.pdf"),
        ("the electricity bill from Südstrom", "electricity bill from Südstrom", "Bills/Rechnung_Südstrom_2026-02.pdf"),
        ("the zenvo bill from april", "zenvo bill from april", "Bills/invoice_zenvo_2025-04.pdf"),
        ("read the tenancy contract", "tenancy contract", "Papers/Tenancy agreement.docx"),
        ("was steht im Mietvertrag", "Mietvertrag", "Papers/Tenancy agreement.docx"),
        ("die Laufzeit des Mietvertrags", "Mietvertrags", "Papers/Tenancy agreement.docx"),
        ("read my employment contract", "employment contract", "Papers/Arbeitsvertrag.pdf"),
        ("lies meinen Fitnessvertrag", "Fitnessvertrag", "Papers/Gym membership.pdf"),
        ("lies den Steuerbescheid", "Steuerbescheid", "Papers/tax assessment 2024.pdf"),
        ("was steht auf der Packliste", "Packliste", "Trips/packing list.md"),
        ("zeig mir die Bordkarte", "Bordkarte", "Trips/boarding pass XY1.pdf"),
        ("open the manual Fahrrad", "manual Fahrrad", "Manuals/Anleitung Fahrrad.pdf"),
        ("open the donation receipt", "donation receipt", "Papers/Spendenquittung Zoo.pdf"),
    ],
)
def test_a_noun_that_means_the_same_names_the_file(sentence: str, said: str, name: str, home: Path, mind: Mind) -> None:
    assert (said, name) in files(sentence, home, mind)
    assert {path for text, path in files(sentence, home, mind) if text == said} == {name}


@pytest.mark.parametrize(
    ("sentence", "names"),
    [
        ("read the zenvo bill", {"Bills/bill_zenvo_2025-12.pdf"}),
        ("read the zenvo invoice", {"Bills/invoice_zenvo_2025-04.pdf"}),
        ("lies den Messebericht", {"Papers/Bericht Messe.docx"}),
        ("read the fair report", {"Papers/report fair.docx"}),
        ("lies die Zenvo Rechnung", {"Bills/bill_zenvo_2025-12.pdf", "Bills/invoice_zenvo_2025-04.pdf"}),
    ],
)
def test_the_own_words_of_a_name_are_stronger(sentence: str, names: set[str], home: Path, mind: Mind) -> None:
    assert {path for _, path in files(sentence, home, mind)} == names


@pytest.mark.parametrize(
    "sentence",
    [
        "pay the bill",
        "lies den Vertrag",
        "show all my bills",
        "zeig alle Verträge",
        "a new packing checklist",
        "eine neue Packliste",
        "the greenleaf bill from march 2024",
        "the southwind bill",
        "write a letter",
        "list the receipts",
        "lies den Kaufvertrag",
        "nenne die Notiz Packliste",
        "die Notiz soll ab jetzt Packliste heißen",
    ],
)
def test_what_fits_none_or_many_is_no_file(sentence: str, home: Path, mind: Mind) -> None:
    assert files(sentence, home, mind) == set()


def test_one_noun_for_another_is_enough_to_read_and_no_more(home: Path, mind: Mind) -> None:
    found = [span for text, span in spans("read the overview", home, mind, ValueKind.FILE) if text == "overview"]
    assert [(span.value, span.source) for span in found] == [(str(home / "Papers/summary.md"), PART)]


@pytest.mark.parametrize(
    ("word", "taken"),
    [
        ("mietvertrag", ("miet", "vertrag")),
        ("nordwindrechnung", ("nordwind", "rechnung")),
        ("arbeitsvertrag", ("arbeit", "vertrag")),
        ("rechnung", None),
        ("billing", None),
    ],
)
def test_a_compound_is_taken_apart_at_taught_nouns(word: str, taken: tuple[str, ...] | None, mind: Mind) -> None:
    assert next(parts(word, mind.lexicon), None) == taken
