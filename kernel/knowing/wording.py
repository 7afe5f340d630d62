"""Facts in words, English and German: what is known, since when, who says so, and where sources disagree."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from typing import Any

from kernel.knowing.finding import SELF
from memory.graph.errors import shown as safe
from memory.graph.model import ENDLESS, Entity, Fact, Type

SAY: Mapping[str, Mapping[str, str]] = {
    "en": {
        "works_at": "works at {}", "lives_in": "lives in {}", "birthday": "was born on {}", "phone": "phone {}",
        "email": "e-mail {}", "address": "address {}", "role": "works as {}", "prefers": "likes {}",
        "dislikes": "dislikes {}", "knows": "knows {}", "owns": "owns {}", "partner": "is the partner of {}",
        "located_at": "is at {}", "part_of": "is part of {}", "made_by": "was made by {}", "mentions": "mentions {}",
        "uses": "uses {}", "attends": "attends {}", "due": "is due on {}", "happened_at": "is at {}",
        "created": "was created on {}", "pages": "pages: {}",
        "title": "is called {}", "total": "total {}", "amount": "amount {}", "remembered": "{}",
        "sister": "has the sister {}", "brother": "has the brother {}", "parent": "has the parent {}",
        "child": "has the child {}", "friend": "is a friend of {}", "colleague": "is a colleague of {}",
        "boss": "has the boss {}", "neighbour": "is a neighbour of {}", "doctor": "has the doctor {}",
        "relative": "is a relative of {}",
    },
    "de": {
        "works_at": "arbeitet bei {}", "lives_in": "wohnt in {}", "birthday": "geboren am {}", "phone": "Telefon {}",
        "email": "E-Mail {}", "address": "Adresse {}", "role": "arbeitet als {}", "prefers": "mag {}",
        "dislikes": "mag nicht: {}", "knows": "kennt {}", "owns": "besitzt {}",
        "partner": "verheiratet oder zusammen mit {}",
        "located_at": "ist in {}", "part_of": "gehört zu {}", "made_by": "stammt von {}", "mentions": "erwähnt {}",
        "uses": "benutzt {}", "attends": "nimmt teil an {}", "due": "fällig am {}", "happened_at": "ist am {}",
        "created": "erstellt am {}", "pages": "Seiten: {}",
        "title": "heißt {}", "total": "Summe {}", "amount": "Betrag {}", "remembered": "{}",
        "sister": "hat die Schwester {}", "brother": "hat den Bruder {}", "parent": "hat als Elternteil {}",
        "child": "hat das Kind {}", "friend": "befreundet mit {}", "colleague": "Kollege oder Kollegin von {}",
        "boss": "hat als Chef oder Chefin {}", "neighbour": "Nachbar oder Nachbarin von {}",
        "doctor": "hat als Arzt {}",
        "relative": "verwandt mit {}",
    },
}  # fmt: skip
"""What a relation is called, by language; a relation of nobody's language is said by its name."""

_FOR_ONESELF = {
    "en": (("is ", "are "), ("has ", "have "), ("was ", "were "), ("works ", "work "), ("lives ", "live "),
           ("likes ", "like "), ("dislikes ", "dislike "), ("owns ", "own "), ("knows ", "know "),
           ("attends ", "attend "), ("uses ", "use ")),
    "de": (("arbeitet ", "arbeitest "), ("wohnt ", "wohnst "), ("mag ", "magst "), ("kennt ", "kennst "),
           ("besitzt ", "besitzt "), ("hat ", "hast "), ("ist ", "bist "), ("nimmt ", "nimmst ")),
}  # fmt: skip

_WORDS = {
    "en": {
        "you": "you", "me": "you", "nothing": "Nothing is known about {name}.",
        "nobody": "Nobody and nothing called {name} is known yet.",
        "how": "Tell me: “remember that {name} …”", "about": "What is known about {name}:", "since": "since {day}",
        "until": "until {day}", "told": "you said so on {day}", "by": "says {voice}",
        "conflict": "Sources disagree, and nothing was settled:", "kept": "I will remember that:",
        "knew": "That is known already:", "ended": "No longer so, and kept as past:", "gone": "Taken back:",
        "rival": "{voice} says otherwise: {fact}. Both stay until you say “it is not true that …”.",
        "which": "Whom do you mean by {name}?", "unknown_fact": "That is not known of {name}.",
        "not_told": "Nothing like that was told, so nothing was taken back.", "past": "earlier: {fact}",
        "none_now": "Nothing holds for that time.",
        "forgot": "It is forgotten: {facts} facts, {events} entries of the record, {runs} requests. Nothing brings "
        "it back.",
        "forgot_own": "Of what skills keep, {count} went with it.",
        "forgot_backups": "Backups written anew without it: {count}.",
        "forgot_not_backups": "These backups could not be reached and may still hold it; remove them yourself: "
        "{paths}.",
    },
    "de": {
        "you": "du", "me": "dir", "nothing": "Über {name} ist nichts bekannt.",
        "nobody": "Niemand und nichts namens {name} ist bisher bekannt.",
        "how": "Sag es mir: „Merke dir, dass {name} …“", "about": "Bekannt ist über {name}:", "since": "seit {day}",
        "until": "bis {day}", "told": "hast du am {day} gesagt", "by": "sagt {voice}",
        "conflict": "Die Quellen widersprechen sich; entschieden wurde nichts:", "kept": "Das merke ich mir:",
        "knew": "Das ist schon bekannt:", "ended": "Gilt nicht mehr und bleibt als Vergangenes:",
        "gone": "Zurückgenommen:",
        "rival": "{voice} sagt etwas anderes: {fact}. Beides bleibt, bis du sagst: „Es stimmt nicht, dass …“.",
        "which": "Wen meinst du mit {name}?", "unknown_fact": "Das ist von {name} nicht bekannt.",
        "not_told": "So etwas wurde nicht gesagt, also wurde nichts zurückgenommen.", "past": "früher: {fact}",
        "none_now": "Für diese Zeit ist nichts bekannt.",
        "forgot": "Es ist vergessen: {facts} Aussagen, {events} Einträge im Protokoll, {runs} Aufträge. Nichts "
        "bringt es zurück.",
        "forgot_own": "Von dem, was Fähigkeiten behalten, ging mit: {count}.",
        "forgot_backups": "Sicherungen, die ohne das neu geschrieben wurden: {count}.",
        "forgot_not_backups": "Diese Sicherungen waren nicht erreichbar und enthalten es vielleicht noch; entferne sie "
        "selbst: {paths}.",
    },
}  # fmt: skip

NameOf = Callable[[str], Entity]
"""An entity by its id."""

_LONGEST = 400


def word(language: str, key: str, **values: Any) -> str:
    """Return one of memory's own sentences."""
    return _WORDS.get(language, _WORDS["en"])[key].format(**values)


def name_in(entity: Entity | None, said: str, language: str) -> str:
    """Return a name safe to show; "you" for whoever speaks."""
    if (entity is not None and entity.kind == SELF) or (entity is None and not said):
        return word(language, "me")
    return safe(entity.name if entity else said)


def line(fact: Fact, who: str | None, name_of: NameOf, language: str) -> str:
    """Return a fact as said of ``who`` (None: with its subject named): ``works at Acme, since 2026-03-01``."""
    subject = name_of(fact.subject)
    inverse = who is not None and who != fact.subject and fact.object.type is Type.ENTITY
    phrase = SAY.get(language, SAY["en"]).get(fact.predicate, fact.predicate.replace("_", " ") + ": {}")
    said = phrase.format(_value(fact, name_of, language))
    if fact.predicate == "remembered":
        return ", ".join([f"“{said}”" if language != "de" else f"„{said}“", *_times(fact, language)])
    if inverse or who is None:
        speaker = subject.kind == SELF
        verb = _own_form(said, language) if speaker else said
        said = f"{word(language, 'you') if speaker else safe(subject.name)} {verb}"
    elif subject.kind == SELF:
        said = f"{word(language, 'you')} {_own_form(said, language)}"
    return ", ".join([said, *_times(fact, language)])


def voice(fact: Fact, language: str) -> str:
    """Return who says a fact, and when it was learnt."""
    day = datetime.fromtimestamp(fact.recorded_from // 10**9, UTC).astimezone().strftime("%Y-%m-%d")
    if fact.extractor == "user":
        return word(language, "told", day=day)
    return word(language, "by", voice=safe(fact.extractor))


def _own_form(said: str, language: str) -> str:
    for other, own in _FOR_ONESELF.get(language, ()):
        if said.startswith(other):
            return own + said.removeprefix(other)
    return said


def _value(fact: Fact, name_of: NameOf, language: str) -> str:
    if fact.object.type is Type.ENTITY:
        other = name_of(fact.object.value)
        return word(language, "me") if other.kind == SELF else safe(other.name)
    if fact.object.type is Type.TIME:
        return day(int(fact.object.value), clock=True)
    text = f"{fact.object.value} {fact.object.unit}".strip()
    text = re.sub(r"\s+", " ", text)
    return "".join(safe(text[at : at + 50]) for at in range(0, min(len(text), _LONGEST), 50)) + (
        "…" if len(text) > _LONGEST else ""
    )


def _times(fact: Fact, language: str) -> list[str]:
    said = []
    if fact.valid_from is not None and fact.valid_from != fact.recorded_from:
        said.append(word(language, "since", day=day(fact.valid_from)))
    if fact.valid_to is not None and fact.valid_to < ENDLESS:
        said.append(word(language, "until", day=day(fact.valid_to)))
    return said


def day(at_ns: int, *, clock: bool = False) -> str:
    """Return a world time: its day, in UTC as it was read; with ``clock`` also the time of day, where one was said."""
    at = date(1970, 1, 1).toordinal() + at_ns // (86_400 * 10**9)
    if not 1 <= at <= date.max.toordinal():
        return "?"
    said = date.fromordinal(at).isoformat()
    rest_s = at_ns // 10**9 % 86_400
    return f"{said} {rest_s // 3600:02d}:{rest_s // 60 % 60:02d} UTC" if clock and rest_s else said
