"""Facts and past turns in one ranked list, for the command line and the page: with what stands beside each, and why.

``Filters`` shut out; nothing here decides what is true, and what a private request said is in none of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from kernel.clients.sight import Sees, graph_for, sees_of
from kernel.recalling.drawing import times_in, whom
from kernel.recalling.turns import run_of
from kernel.recalling.words import content_words, forms_in, holds
from permissions.labels import Label, may_read

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
    """What shuts out: times in nanoseconds, who said it or whom it mentions, what it was read from, its label.

    ``label`` is the kind of the label (``user``, ``kernel``, ``trusted_source``, ``untrusted``); ``reader`` a principal
    (``mcp:claude``) that the label itself lets read it.
    """

    since_ns: int | None = None
    until_ns: int | None = None
    person: str = ""
    source: str = ""
    label: str = ""
    reader: str = ""


def search(house: House, words: str, filters: Filters, limit: int, client: str = "") -> list[View]:
    """Return what bears on ``words``, best first; of it, for a ``client``, what that one may read. Raises StoreFailed.

    Whom the words name and the time that they speak of draw, and shut nothing out.
    """
    from memory.recall import Question

    sees = _sees(house, filters, client)
    said_by, named = _person(filters.person)
    question = Question(
        words, limit * _DEEPER if named else limit, (filters.since_ns, filters.until_ns), people=said_by,
        origins=(filters.source,) if filters.source else (), label=sees,
        entities=whom(house, words, client), times=times_in(words, house.clock()),
    )  # fmt: skip
    hits = house.recollection.search(question)
    if named:
        hits = list(_mentioning(house, hits, named, client))[:limit]
    wanted = content_words(words, "")
    return [_view(house, hit, wanted, sees) for hit in hits]


def _sees(house: House, filters: Filters, client: str) -> Sees | None:
    """What a label must be like: as the person asks for it, and readable for whoever asks."""
    checks = [one for one in (sees_of(house, client), _of_kind(filters.label), _for_reader(filters.reader)) if one]
    return (lambda label: all(check(label) for check in checks)) if checks else None


def _of_kind(label: str) -> Sees | None:
    return (lambda given: Label.from_json(given).integrity.name.lower() == label) if label else None


def _for_reader(reader: str) -> Sees | None:
    return (lambda given: may_read(Label.from_json(given), reader)) if reader else None


def _person(said: str) -> tuple[tuple[str, ...], str]:
    """Who speaks, or else the name that must be mentioned."""
    low = said.strip().casefold()
    if low in _ME | _SPEAKERS:
        return ("steward" if low == "steward" else "user",), ""
    return (), said.strip()


def _mentioning(house: House, hits: list[Hit], name: str, client: str) -> Iterator[Hit]:
    """The hits that name somebody, or are about whoever is called so."""
    from memory.graph.mentions import Mentions

    known = not house.knowledge.is_empty()
    ids = {one.entity.id for one in graph_for(house, client).resolve(name)} if known else set()
    in_text = Mentions([name]).in_text
    yield from (hit for hit in hits if in_text(hit.turn.text) or not ids.isdisjoint(hit.turn.about))


def _view(house: House, hit: Hit, wanted: list[str], sees: Sees | None) -> View:
    said = forms_in(hit.turn.text)
    before, after = (
        one if one is None or sees is None or sees(one.label) else None
        for one in house.recollection.beside(hit.turn.id)
    )
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
