"""One catalogue for what surrounds an answer: every word in both languages, and no other in the code."""

from __future__ import annotations

import ast
import re
import string
from pathlib import Path

from portal.cli.phrases import CATALOGUE, ENGLISH, GERMAN, phrase

CLI = Path(__file__).parents[2] / "portal" / "cli"
SAME = {"plan", "in"}


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_both_languages_say_the_same_things() -> None:
    assert list(GERMAN) == list(ENGLISH)
    for key, english in ENGLISH.items():
        assert fields(GERMAN[key]) == fields(english), key
        assert GERMAN[key] != english or key in SAME, key


def keys_in(source: str) -> set[str]:
    """Every text that a call of ``phrase`` may name as its key: a constant, either branch of a choice."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call) and len(node.args) > 1]
    named = [call.args[1] for call in calls if isinstance(call.func, ast.Name) and call.func.id == "phrase"]
    found: set[str] = set()
    for node in named:
        branches = [node.body, node.orelse] if isinstance(node, ast.IfExp) else [node]
        found |= {str(one.value) for one in branches if isinstance(one, ast.Constant)}
    return found


def test_every_key_in_the_code_is_there_and_every_key_is_used() -> None:
    sources = [path.read_text("utf-8") for path in CLI.glob("*.py") if path.name != "phrases.py"]
    said = set().union(*map(keys_in, sources))
    assert len(said) > 20
    assert said <= set(ENGLISH)
    composed = {key for key in ENGLISH if re.match(r"(card|ask|waits)\.|L\d$", key)}
    words = set(re.findall(r"\"([a-z_.]+)\"", "\n".join(sources)))  # kinds and resolutions, keys in a variable
    assert set(ENGLISH) - said - composed <= words


def test_a_language_that_is_not_there_is_english() -> None:
    assert phrase("fr", "plan") == phrase("en", "plan")
    assert set(CATALOGUE) == {"en", "de"}
