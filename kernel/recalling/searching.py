"""Facts and past turns in one ranked list, for the command line and the page: with what stands beside each, and why.

``Filters`` shut out; nothing here decides what is true, and what a private request said is in none of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from kernel.recalling.turns import run_of
from kernel.recalling.words import content_words, forms_in, holds

if TYPE_CHECKING:
    from kernel.house import House
    from memory.recall import Hit, Turn

View = dict[str, Any]

_DEEPER = 25
"""With a person, so many times as many hits are looked at."""
_SPEAKERS = frozenset(("user", "steward"))
_ME = frozenset("me i myself user ich mich mir".split())


@dataclass(frozen=True, slots=True)
class Filters:
    """What shuts out: times in nanoseconds, who said it or whom it mentions, what it was read from."""

    since_ns: int | None = None
    until_ns: int | None = None
    person: str = ""
    source: str = ""


def search(house: House, words: str, filters: Filters, limit: int) -> list[View]:
    """Return what bears on ``words``, best first. Raises StoreFailed."""
    from memory.recall import Question

    said_by, named = _person(filters.person)
    question = Question(
        words, limit * _DEEPER if named else limit, (filters.since_ns, filters.until_ns), people=said_by,
        origins=(filters.source,) if filters.source else (),
    )  # fmt: skip
    hits = house.recollection.search(question)
    if named:
        hits = list(_mentioning(house, hits, named))[:limit]
    wanted = content_words(words, "")
    return [_view(house, hit, wanted) for hit in hits]


def _person(said: str) -> tuple[tuple[str, ...], str]:
    """Who speaks, or else the name that must be mentioned."""
    low = said.strip().casefold()
    if low in _ME | _SPEAKERS:
        return ("steward" if low == "steward" else "user",), ""
    return (), said.strip()


def _mentioning(house: House, hits: list[Hit], name: str) -> Iterator[Hit]:
    """The hits that name somebody, or are about whoever is called so."""
    from memory.graph.mentions import Mentions

    known = not house.knowledge.is_empty()
    ids = {one.entity.id for one in house.knowledge.graph().resolve(name)} if known else set()
    in_text = Mentions([name]).in_text
    yield from (hit for hit in hits if in_text(hit.turn.text) or not ids.isdisjoint(hit.turn.about))


def _view(house: House, hit: Hit, wanted: list[str]) -> View:
    said = forms_in(hit.turn.text)
    before, after = house.recollection.beside(hit.turn.id)
    return {
        **_turn_view(hit.turn), "kind": hit.kind, "conversation": hit.turn.session, "label": hit.turn.label,
        "score": round(hit.score, 4), "reasons": {name: round(part, 4) for name, part in hit.reasons.items()},
        "words": sum(holds(said, word) for word in wanted),
        "before": _turn_view(before) if before else None, "after": _turn_view(after) if after else None,
    }  # fmt: skip


def _turn_view(turn: Turn) -> View:
    at = datetime.fromtimestamp(turn.at_ns / 1e9, UTC).astimezone().isoformat(timespec="seconds")
    return {"id": turn.id, "text": turn.text, "at": at, "run": run_of(turn.id) or None, "speaker": turn.speaker,
            "source": turn.origin}  # fmt: skip
