"""What contact files say, as facts in the words of the graph: of a card, and of those that a change has made other."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from skills.sdk import File

from . import book, cards
from .cards import Card

Told = tuple[str, str, list[str], str, str, str, str]
"""Whom a fact is about, of what kind they are, their other names, the relation, to what, of what kind, the source."""


def of(card: Card, source: str) -> list[Told]:
    """Return what the card says as facts: what has a relation of its own, and nothing else."""
    told = [("phone", value, "") for value, _ in card.phones] + [("email", value, "") for value, _ in card.mails]
    told += [("address", one, "") for one in card.addresses[:1]]
    day = day_of(card)
    told += [("birthday", day.isoformat(), "")] if day else []
    if not card.is_organisation:
        told += [("works_at", card.organisation, "org")] if card.organisation and card.organisation != card.name else []
        told += [("role", card.role, "")] if card.role else []
    kind = "org" if card.is_organisation else "person"
    return [(card.name, kind, list(card.also), relation, value, what, source) for relation, value, what in told]


def since(known: Sequence[tuple[Card, File, str]], file: File, data: bytes) -> tuple[list[Told], list[str]]:
    """Return the facts of all cards of ``file`` that are other now that it holds ``data``, and the sources of these.

    ``known`` are the cards before. A source without facts is one that says nothing any more.
    """
    now = cards.read(data) if data.strip() else []
    after = [(place, of(card, place)) for card in now for place in [book.place(file, card, len(now))]]
    before = [(place, of(card, place)) for card, held, place in known if held.path == file.path]
    other = [one for one in after if one not in before]
    gone = [place for place, told in before if (place, told) not in after]
    return [fact for _, told in other for fact in told], list(dict.fromkeys([*(place for place, _ in other), *gone]))


def day_of(card: Card) -> date | None:
    """Return the birthday of the card, where its year is known."""
    when = card.birthday
    return date(when.year, when.month, when.day) if when and when.year else None
