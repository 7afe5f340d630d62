"""A clause behind "dass" as the sentence that it says; what may be read in two ways stays as it was said."""

from __future__ import annotations

import pytest

from kernel.language.main_clauses import is_said_by, straight


@pytest.mark.parametrize(
    ("clause", "sentence"),
    [
        ("ich krank bin", "ich bin krank"),
        ("ich morgen nicht kommen kann", "ich kann morgen nicht kommen"),
        ("der Zug Verspätung hat", "der Zug hat Verspätung"),
        ("der zug verspätung hat", "der zug hat verspätung"),
        ("ich später ankomme", "ich komme später an"),
        ("wir uns um acht treffen", "wir treffen uns um acht"),
        ("ich die pflanzen vom balkon reinhole", "ich hole die pflanzen vom balkon rein"),
        ("die Liste gut aussieht", "die Liste sieht gut aus"),
        ("die Schlüssel unter der Matte liegen", "die Schlüssel liegen unter der Matte"),
        ("es um acht Essen gibt", "es gibt um acht Essen"),
        ("ihr um acht da seid", "ihr seid um acht da"),
        ("ihr sessel fertig ist", "ihr sessel ist fertig"),
        ("das gut klingt", "das klingt gut"),
        ("mir kalt ist", "mir ist kalt"),
        ("morgen der Laden zu ist", "morgen ist der Laden zu"),
        ("Frau Krüger angerufen hat", "Frau Krüger hat angerufen"),
        ("Anna und Ben später kommen", "Anna und Ben kommen später"),
        ("das Meeting auf 15 Uhr verschoben wurde", "das Meeting wurde auf 15 Uhr verschoben"),
        ("die Fenster geputzt werden müssen", "die Fenster müssen geputzt werden"),
        ("du mich abholst", "du holst mich ab"),
        ("ich dich umarme", "ich umarme dich"),
        ("ich das Geld überweise", "ich überweise das Geld"),
        ("ich nicht komme, weil ich krank bin.", "ich komme nicht, weil ich krank bin."),
        ("Freitag passt", "Freitag passt"),
    ],
)
def test_a_clause_is_the_sentence_that_it_says(clause: str, sentence: str) -> None:
    assert straight(clause, led=True) == sentence
    assert straight(f"dass {clause}") == sentence
    assert straight(clause) == clause  # nothing says that it is one


@pytest.mark.parametrize(
    "clause",
    [
        "die Mutter der Braut hilft",
        "das Treffen mit Anna ausfällt",
        "mein Bruder Tom kommt",
        "Anna Schneider morgen kommt",
        "der Zug, der um acht fährt, Verspätung hat",
        "ich komme und Kuchen mitbringe",
        "wir haben kommen müssen",
        "wir vergessen haben zu zahlen",
        "ich das übersetze",
        "sich der Termin verschiebt",
        "ich bis Samstag die Bücher",
        "ich »Hallo« gesagt habe",
        "um acht Essen da ist",
    ],
)
def test_what_cannot_be_told_for_sure_stays_as_it_was_said(clause: str) -> None:
    assert straight(clause, led=True) == clause
    assert straight(f"dass {clause}") == f"dass {clause}"


def test_what_is_asked_about_is_what_would_be_written() -> None:
    assert is_said_by("ich krank bin", "ich bin krank")
    assert is_said_by("dass ich krank bin", "ich bin krank")
    assert not is_said_by("Freitag passt", "Freitag passt")
    assert not is_said_by("der Text, den du gezeigt hast", "ich bin krank")
