"""How a macro is asked for: by itself, and as a clause of a longer sentence."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from kernel.macros.model import Macro
from kernel.macros.requests import apart, macro_in, mentioned
from kernel.model import Plan
from tests.clock import less_than


def _macro(name: str, *phrases: str) -> Macro:
    return Macro(name, "", phrases, "en", Plan((), "en"), (), {}, name, datetime.now(UTC), "", "")


MACROS = (_macro("tidy"), _macro("keep big", "großes behalten"), _macro("research and development"))


@pytest.mark.parametrize(("said", "name"), [
    ("tidy", "tidy"), ("Could you please tidy?", "tidy"), ("do tidy", "tidy"), ("run the macro keep big", "keep big"),
    ("the macro tidy", "tidy"), ("jetzt keep big bitte", "keep big"), ("führe tidy aus", "tidy"),
    ("mach bitte das Makro tidy", "tidy"), ("tidy ausführen", "tidy"), ("lass keep big laufen", "keep big"),
    ("then do tidy", "tidy"), ("zuerst großes behalten", "keep big"), ("tidy up", ""), ("run", ""), ("", ""),
    ("do not tidy", ""), ("tidy Downloads", ""),
])  # fmt: skip
def test_the_words_that_ask_for_a_macro_are_one_table(said: str, name: str) -> None:
    found = macro_in(said, MACROS)
    assert (found.name if found else "") == name


@pytest.mark.parametrize(("said", "clauses"), [
    ("tidy and list the files in Backup", ("tidy", "list the files in Backup")),
    ("find a.pdf, then do tidy. show b", ("find a.pdf", "do tidy", "show b")),
    ("do research and development and tidy", ("do research and development", "tidy")),
    ("führe tidy aus und zeig mir a und b", ("führe tidy aus", "zeig mir a und b")),
    ("list a and b", ()), ("tidy up a and list b", ()), ("make a note saying eat and tidy", ()),
    ('find "eat and tidy"', ()), ("remind me to eat and tidy", ()),
])  # fmt: skip
def test_a_macro_is_a_clause_by_itself(said: str, clauses: tuple[str, ...]) -> None:
    assert apart(said, MACROS) == clauses


@pytest.mark.parametrize(("said", "names"), [
    ("tidy and list a", ["tidy"]), ("if a is full, tidy", ["tidy"]), ("tidy or list a", ["tidy"]),
    ("tidy every Friday", ["tidy"]), ("tidy morgen", ["tidy"]), ("list a before you tidy", ["tidy"]),
    ("for each PDF in a tidy", ["tidy"]), ("für jede PDF tidy", ["tidy"]), ("tidy if a is empty", ["tidy"]),
    ("großes behalten, dann tidy", ["keep big", "tidy"]), ("list tidy things", []), ("tidy the folder a", []),
])  # fmt: skip
def test_a_name_that_stands_as_a_clause_is_seen(said: str, names: list[str]) -> None:
    assert [one.name for one in mentioned(said, MACROS)] == names


def test_a_long_sentence_is_looked_at_at_once() -> None:
    with less_than(3.0):
        mentioned("tidy things, for each and " * 150, MACROS)
        apart("tidy things, and " * 230, MACROS)
