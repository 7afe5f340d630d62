"""Golden rules that the compiler does not understand, in the words of a careful model: they become what is wanted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.benchmarks.habits.rule.model import Verdict
from tests.benchmarks.habits.rule.saying import said_of, set_of
from tests.benchmarks.habits.rule.verdicts import judged
from tests.kernel.models.server import Line, serving
from tests.kernel.prompting.test_rules import NOTHING
from tests.kernel.prompting.test_whole import binding

pytestmark = [pytest.mark.slow, pytest.mark.sandbox]

WORDED = {
    "e-eye-drops-6": "Every day at 8:00, 14:00 and 21:00 until 5 April 2026 show me a notification saying eye drops",
    "e-lenas-snaps-6": (
        "When a mail from Lena with an attachment arrives, save its attachments in Pictures/Lena and "
        "then show me the mail"
    ),
    "e-brother-edits-6": (
        "When Projects/robot arm/parts list.csv changes, add up the column price and show me the sum as a notification"
    ),
    "e-before-vogt-6": (
        "2 hours before every event with Vogt in its title, show me the last mail from Vogt and then "
        "look up Vogt's phone number and copy it to the clipboard"
    ),
    "d-uebermorgen-6": "Übermorgen um 17:45, lösch die Notiz Shopping list",
    "d-vierzehn-tage-6": (
        "Ab dem 18. März 2026 alle zwei Wochen am Mittwoch um 19:00 bis zum 30. Juni 2026, setz die "
        "Aufgabe einkaufen fuer oma auf meine Liste, fällig am Tag darauf"
    ),
    "d-drei-saetze-6": (
        "Wenn in Documents/Contracts oder einem Ordner darin ein neues Word-Dokument auftaucht, fass es "
        "in drei Sätzen zusammen und häng das Ergebnis an die Notiz Verträge an"
    ),
    "d-hose-jeht-6": (
        "Wenn ein Auftrag fehlschlägt, schreib, was es war und wann, in die Notiz Pannen und zeig mir "
        "eine Benachrichtigung: etwas ist schiefgegangen"
    ),
}


async def test_rules_in_the_words_of_a_model_become_what_was_wanted(tmp_path: Path) -> None:
    golden = set_of("sixth")
    rules = [one for one in golden["rule"] if one["id"] in WORDED]
    worded = {one["text"]: WORDED[one["id"]] for one in rules}

    async def words(line: Line) -> None:
        request = json.loads(line.asked.body["messages"][2]["content"])["request"]
        await line.say(json.dumps(NOTHING | {"later": worded[request]}))

    async with serving(words) as server:
        found = [judged(*one) async for one in said_of(golden | {"rule": rules}, tmp_path, binding(server.url))]
        assert {one.rule["id"]: one.why for one in found if one.verdict is not Verdict.RIGHT} == {}
        assert len(found) == len(WORDED)
        asked = [json.loads(one.body["messages"][2]["content"])["request"] for one in server.asked]
        assert asked, "none was understood without its words"
        assert len(asked) == len(set(asked)), "each was understood at once"
