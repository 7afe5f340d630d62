"""Files and folders as they are spoken of: words of a name in any order, its kind, its month; and what is no file."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from kernel.context.mind import Mind
from kernel.context.world import HomeWorld
from kernel.interpret import interpret
from kernel.language.place.partial import PART
from kernel.model import ConversationId, Span, Utterance
from skills.model import ValueKind
from tests.kernel.homes import furnish

NOW = datetime(2026, 3, 11, 10, 0, tzinfo=UTC)
NAMES = (
    "Bills/bill_greenleaf_2025-11.pdf", "Bills/bill_zenvo_2025-04.pdf", "Bills/bill_zenvo_2025-12.pdf",
    "Bills/Rechnung_Südstrom_2026-02.pdf", "Money/rates.csv", "Money/umlagen.csv", "Money/members.json",
    "Downloads/debian-12.5.iso", "Downloads/badge.png", "Downloads/Apfelstrudel für Größe.jpg",
    "Trips/Rome/Pension Roma.pdf", "Trips/Rome/Übersicht Rom.md", "Docs/Trips/x.txt", "Docs/Old/", "Papers/plan.pdf",
    "Papers/lease contract.docx", "Papers/weekly report.pdf", "Papers/yearly report.pdf", "Albums/GardenParty.mp4",
)  # fmt: skip


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return furnish(tmp_path_factory.mktemp("things"), NAMES)


def spans(text: str, home: Path, mind: Mind, kind: ValueKind) -> list[tuple[str, Span]]:
    utterance = Utterance(text, ConversationId("c"), str(home), str(home), NOW)
    intent = interpret(utterance, HomeWorld(str(home)), mind.lexicon)
    return [
        (intent.text[intent.tokens[span.first].start : intent.tokens[span.last - 1].end], span)
        for span in intent.spans
        if span.kind is kind
    ]


@pytest.mark.parametrize(
    ("sentence", "said", "name"),
    [
        ("show me the rates csv", "rates csv", "Money/rates.csv"),
        ("put it into rates dot csv", "rates dot csv", "Money/rates.csv"),
        ("was steht in der umlagen csv", "umlagen csv", "Money/umlagen.csv"),
        ("was steht in umlagen punkt csv", "umlagen punkt csv", "Money/umlagen.csv"),
        ("make an excel file of the members json", "members json", "Money/members.json"),
        ("debian iso can go", "debian iso", "Downloads/debian-12.5.iso"),
        ("rename the badge png", "badge png", "Downloads/badge.png"),
        ("rename the badge picture", "badge picture", "Downloads/badge.png"),
        ("das bild badge", "bild badge", "Downloads/badge.png"),
        ("the total of the pension roma pdf", "pension roma pdf", "Trips/Rome/Pension Roma.pdf"),
        ("copy lease contract docx", "lease contract docx", "Papers/lease contract.docx"),
        ("pay the green leaf bill", "green leaf bill", "Bills/bill_greenleaf_2025-11.pdf"),
        ("when is greenleaf's bill due", "greenleaf's bill", "Bills/bill_greenleaf_2025-11.pdf"),
        ("read the bill from greenleaf", "bill from greenleaf", "Bills/bill_greenleaf_2025-11.pdf"),
        ("lies die suedstrom rechnung", "suedstrom rechnung", "Bills/Rechnung_Südstrom_2026-02.pdf"),
        ("lies die Südstromrechnung", "Südstromrechnung", "Bills/Rechnung_Südstrom_2026-02.pdf"),
        ("die rechnung von südstrom", "rechnung von südstrom", "Bills/Rechnung_Südstrom_2026-02.pdf"),
        ("Südstroms Rechnung", "Südstroms Rechnung", "Bills/Rechnung_Südstrom_2026-02.pdf"),
        ("the zenvo bill from april", "zenvo bill from april", "Bills/bill_zenvo_2025-04.pdf"),
        ("zenvo bill of December 2025", "zenvo bill of December 2025", "Bills/bill_zenvo_2025-12.pdf"),
        ("die uebersicht rom", "uebersicht rom", "Trips/Rome/Übersicht Rom.md"),
        ("lies rom übersicht", "rom übersicht", "Trips/Rome/Übersicht Rom.md"),
        ("the garden party video", "garden party video", "Albums/GardenParty.mp4"),
        ("apfelstrudel foto verschieben", "apfelstrudel foto", "Downloads/Apfelstrudel für Größe.jpg"),
    ],
)
def test_words_of_its_name_mean_the_file(sentence: str, said: str, name: str, home: Path, mind: Mind) -> None:
    found = {text: span for text, span in spans(sentence, home, mind, ValueKind.FILE) if text == said}
    assert {text: span.value for text, span in found.items()} == {said: str(home / name)}
    assert found[said].confidence >= 0.7


@pytest.mark.parametrize(
    ("sentence", "said", "count"),
    [
        ("read the zenvo bill", "zenvo bill", 2),
        ("open the report pdf", "report pdf", 2),
        ("how long is the bill pdf", "bill pdf", 3),
    ],
)
def test_what_fits_several_is_each_of_them(sentence: str, said: str, count: int, home: Path, mind: Mind) -> None:
    assert [text for text, _ in spans(sentence, home, mind, ValueKind.FILE)].count(said) == count


@pytest.mark.parametrize(
    "sentence",
    [
        "read the report",
        "pay the bill",
        "what is the bill total",
        "the badge jpg",
        "the zenvo bill from june",
        "the greenleaf bill from march 2024",
        "delete all report pdfs",
        "show the zenvo bills",
        "save it as rates csv",
        "make a rates csv",
        "a new badge picture",
        "say that the green leaf is due",
        "make an excel file of the plan",
    ],
)
def test_what_says_too_little_or_something_else_is_no_file(sentence: str, home: Path, mind: Mind) -> None:
    long = [
        text for text, span in spans(sentence, home, mind, ValueKind.FILE) if span.source != "missing" and " " in text
    ]
    assert not long


@pytest.mark.parametrize(
    ("sentence", "word"),
    [
        ("when is the bill from greenleaf due", "due"),
        ("wann ist die rechnung von südstrom fällig", "fällig"),
        ("die rechnung von südstrom kopieren", "kopieren"),
        ("is the bill of greenleaf paid", "paid"),
    ],
)
def test_a_verb_behind_a_name_is_no_part_of_it(sentence: str, word: str, home: Path, mind: Mind) -> None:
    found = [text for text, _ in spans(sentence, home, mind, ValueKind.FILE)]
    assert found
    assert not any(word in text for text in found)


@pytest.mark.parametrize(
    "sentence",
    [
        "read the bill pdf",
        "the bill of Greenleaf Partners",
        "die rechnung der südstrom energie",
        "the apfelstrudel photo",
    ],
)
def test_a_name_said_in_part_is_marked_as_such(sentence: str, home: Path, mind: Mind) -> None:
    found = [span.source for text, span in spans(sentence, home, mind, ValueKind.FILE) if " " in text]
    assert found
    assert set(found) == {PART}


@pytest.mark.parametrize(
    ("sentence", "said", "name"),
    [
        ("wie groß ist der download ordner", "download ordner", "Downloads"),
        ("what is in the album folder", "album folder", "Albums"),
        ("was ist im Downloadordner", "Downloadordner", "Downloads"),
        ("was ist im Downloads-Ordner", "Downloads-Ordner", "Downloads"),
        ("what lies in folder papers", "folder papers", "Papers"),
        ("move it into the old folder in docs", "old folder in docs", "Docs/Old"),
        ("was liegt aufm papers rum", "papers", "Papers"),
    ],
)
def test_folders_as_they_are_spoken_of(sentence: str, said: str, name: str, home: Path, mind: Mind) -> None:
    found = {text: span.value for text, span in spans(sentence, home, mind, ValueKind.FOLDER) if text == said}
    assert found == {said: str(home / name)}


@pytest.mark.parametrize("sentence", ["make a folder called Old in Docs", "delete Old in Docs"])
def test_a_folder_in_another_is_only_one_where_it_is_called_a_folder(sentence: str, home: Path, mind: Mind) -> None:
    assert "Old in Docs" not in {text for text, _ in spans(sentence, home, mind, ValueKind.FOLDER)}
