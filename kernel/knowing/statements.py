"""From a told sentence to statements: who, in what relation, to what, since when, and whether it is over. Pure.

A sentence of no known form is kept as its text; nothing that was said is dropped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from kernel.knowing import forms
from kernel.knowing.model import ONESELF, Denied, Statement
from kernel.knowing.times import day_in, without_times
from kernel.language import is_function_word

TEXT = "remembered"
"""The relation of what has no form: the text itself."""

_SELF = frozenset("i me my myself ich mich mir mein meine meiner meinen".split())
_ARTICLES = re.compile(
    r"(?:the|an?|my|his|her|its|our|their|der|die|das|den|dem|eine?[mnrs]?|meine?[mnrs]?)\b", re.IGNORECASE
)
_EDGES = " \t\n\"“”„'‚‘’.,;:!"
_MOST_WORDS = 8
LONGEST = 1_000
"""A sentence of more characters is kept as it is; nobody says a relation in so many."""
_AND = re.compile(r",? (?:and|und) ")
_NAMED_BY_ROLE = re.compile(rf"(?:my|meine?[rsnm]?) (?:{forms.ROLES})", re.IGNORECASE)


def statements(text: str, language: str, now: datetime) -> tuple[Statement, ...]:
    """Return what ``text`` says: several where "and" joins sentences of known forms, else one."""
    parts = _AND.split(text)
    if len(parts) > 1:
        several = list(_joined(parts, language, now))
        if len(several) == len(parts):
            return tuple(several)
    return (statement(text, language, now),)


def _joined(parts: list[str], language: str, now: datetime) -> Iterator[Statement]:
    before: Statement | None = None
    for part in parts:
        found = statement(part, language, now)
        if found.predicate == TEXT and before is not None:
            who = "I" if before.subject == ONESELF else before.subject
            found = statement(f"{who} {part}", language, now)
        if found.predicate == TEXT:
            return
        before = found
        yield found


def statement(text: str, language: str, now: datetime) -> Statement:
    """Return what one sentence says; its text where it has no form."""
    whole = " ".join(text.split()).strip(" \t\n.!")
    if len(whole) > LONGEST:
        return Statement(ONESELF, TEXT, whole)
    if found := _formed(whole, language, now, only="dislikes"):
        return found
    plain, denied = _denial(whole)
    found = _formed(plain, language, now) if plain else None
    if found is None:
        return Statement(ONESELF, TEXT, whole)
    return replace(found, denied=denied)


def has_form(found: tuple[Statement, ...]) -> bool:
    """Tell whether all of it was read as relations."""
    return all(one.predicate != TEXT for one in found)


def _denial(text: str) -> tuple[str, Denied]:
    if forms.NO_LONGER.search(text):
        return " ".join(forms.ANYMORE.sub("", forms.NO_LONGER.sub(" ", text)).split()), Denied.NO_LONGER
    if forms.NEVER.search(text):
        return " ".join(forms.NEVER.sub(" ", text).split()), Denied.NEVER
    return text, Denied.NOT_AT_ALL


def _formed(text: str, language: str, now: datetime, only: str = "") -> Statement | None:
    plain, since, until = without_times(text, language, now)
    readings = _readings(plain) if not only else (one for one in _readings(plain) if one.predicate == only)
    for found in readings:
        if (one := _sound(found, language, now)) is not None:
            return replace(one, since_ns=since, until_ns=until)
    return None


def _readings(text: str) -> Iterator[Statement]:
    for form, match in forms.said_in(text):
        yield Statement(_subject(match), form.predicate, match["o"], *form.kinds)
    for match in forms.first(forms.RELATED, text):
        yield Statement(_subject(match), forms.relation_of(match["w"]), match["o"], "person", "person")
    if is_a := forms.whole(forms.PROFESSION, text):
        yield Statement(is_a["s"] or is_a["s2"], "role", is_a["o"] or is_a["o2"])


def _subject(match: re.Match[str]) -> str:
    given = match.groupdict()
    if given.get("my"):
        return ONESELF
    said = str(given.get("s") or "").strip(_EDGES)
    return ONESELF if said.casefold() in _SELF else said or "?"


def _sound(found: Statement, language: str, now: datetime) -> Statement | None:
    """Return the statement with its values in order; None where they cannot be what the relation says."""
    value = found.object.strip(_EDGES)
    if not _may_be_name(found.subject) or not value or len(value.split()) > 3 * _MOST_WORDS:
        return None
    value = _checked(found, value, language, now)
    return replace(found, object=value) if value else None


def _checked(found: Statement, value: str, language: str, now: datetime) -> str:
    match found.predicate:
        case "birthday":
            return day_in(value, language, now)
        case "phone":
            sound = sum(map(str.isdecimal, value)) >= 3
        case "email":
            sound = re.fullmatch(r"[^@\s]+@[^@\s]+", value) is not None
        case "role":
            sound = found.subject == ONESELF or _is_capital(found.subject)
        case _:
            sound = not found.object_kind or _may_be_name(value)
    return value if sound else ""


def _may_be_name(said: str) -> bool:
    if said == ONESELF or _NAMED_BY_ROLE.fullmatch(said):
        return True
    words = said.split()
    opens = _ARTICLES.match(said) or is_function_word(words[0].casefold())
    return len(words) <= _MOST_WORDS and not opens and said != "?"


def _is_capital(said: str) -> bool:
    return all(word[:1] != word[:1].lower() or word[:1] == word[:1].upper() for word in said.split())
