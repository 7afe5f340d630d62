"""Whatever ends a request is said in the language of the request: every table has both, every code a family."""

from __future__ import annotations

import re
import string
from pathlib import Path
from typing import Any

import pytest

from kernel import failures, run
from kernel.approval import rights_words
from kernel.asking import wording
from kernel.failures import GERMAN, REASONS_DE, told
from kernel.itself import introduce, undoing
from kernel.language.objections import MESSAGES
from permissions.errors import Conflict, StorageFailed
from permissions.model import Verdict
from permissions.policy import default_policy, private_places

Bench = Any  # tests/kernel/conftest.py
ROOT = Path(__file__).parents[2]

TABLES = {
    "planner": wording._SENTENCES,
    "run": run._SENTENCES,
    "undo": undoing._WORDS,
    "introduction": introduce._SENTENCES,
    "deeds": rights_words._DEEDS,
    "frames": rights_words._FRAMES,
    "nouns": wording._NOUNS,
}


def _holes(text: Any) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name} if isinstance(text, str) else set()


@pytest.mark.parametrize("name", sorted(TABLES))
def test_every_wording_has_both_languages_with_the_same_places(name: str) -> None:
    table: Any = TABLES[name]
    assert set(table) == {"en", "de"}
    assert set(table["en"]) == set(table["de"])
    for key, english in table["en"].items():
        german = table["de"][key]
        assert german, key
        assert _holes(german) <= _holes(english), key


def test_every_objection_has_both_languages() -> None:
    for kind, said in MESSAGES.items():
        assert set(said) == {"en", "de"}, kind
        assert _holes(said["en"]) == _holes(said["de"]), kind


def test_every_code_of_the_rooms_below_is_said_in_german() -> None:
    families = "conflict|refused|scope|storage|wall|result|skill|tool|grant"
    found = set()
    for folder in ("permissions", "skills"):
        for path in (ROOT / folder).rglob("*.py"):
            if "builtin" not in path.parts and "sdk" not in path.parts:
                found |= set(re.findall(rf'"((?:{families})\.[a-z_-]+)"', path.read_text("utf-8")))
    assert len(found) > 30
    for code in found:
        assert failures.said(code, "~/a.txt"), code
    assert all(_holes(message) <= {"subject"} and hint for message, hint in GERMAN.values())


def test_every_reason_of_the_policy_is_said_in_german() -> None:
    policy = default_policy("/home/u", private_places("/home/u", ("/home/u/.local/state/steward",)))
    reasons = {rule.reason for node in policy.nodes.values() for rule in node.rules if rule.verdict is Verdict.DENY}
    assert reasons <= set(REASONS_DE)
    assert len(reasons) == 3


def test_a_conflict_names_its_files_and_english_stays_as_it_was() -> None:
    error = Conflict("conflict.changed", "a, b: changed.", hint="Look.", paths=[f"/h/{n}" for n in "gfedcba"])
    assert told(error, "en") == ("a, b: changed.", "Look.")
    message, hint = told(error, "de")
    assert message.startswith("/h/a, /h/b, /h/c, /h/d, /h/e und 2 weitere: ")
    assert hint.startswith("Es wurde nichts geändert.")
    full = StorageFailed("storage.full", "There is no room.", subject="/h/a", hint="Free some.")
    assert "/h/a" in told(full, "de")[0]


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("suche das älteste PDF in Downloads und fasse es zusammen", "nichts gefunden"),
        ("zeige den Inhalt von /etc", "es gehört zum System"),
        ("lösche alles auf meinem Computer", None),
        ("qwertz die Zuckerwatte blau", "keine passende Fähigkeit"),
        ("lies nirgendwo.pdf", "gibt es dort nicht"),
    ],
)
async def test_a_german_request_ends_in_german(bench: Bench, sentence: str, words: str | None) -> None:
    view = await bench.ask(sentence)
    assert view["resolution"] in {"failed", "blocked", "declined", "clarify"}, view["answer"]
    assert view["language"] == "de"
    assert words is None or words in view["answer"], view["answer"]
    english = {"the", "nothing", "which", "it", "is", "there", "your", "of", "and", "found"}
    said = set(re.sub("„[^“]*“", "", view["answer"]).casefold().replace(".", " ").split())
    assert not english & said, view["answer"]
