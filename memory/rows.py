"""From drafts to rows and back: the one place where a payload is sealed and opened."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from memory import chain, payload
from memory.errors import BadDraft
from memory.model import Draft, EntityId, Event, Json
from memory.sealing import Secret, Unsealable, seal, unseal
from memory.store import Row
from memory.unwritten import NOTHING

RESERVED = "ledger."
"""Kinds that begin so are the ledger's own."""
FORGOTTEN = "ledger.forgotten"
"""Body {"events": [[first, last], ...]}: the events whose keys are destroyed right after it."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A draft that is fit to be written, with its canonical payload."""

    draft: Draft
    plaintext: bytes


def prepare(draft: Draft) -> Prepared:
    """Check and canonicalise a draft on the caller's thread. Raises BadDraft."""
    if draft.kind.startswith(RESERVED):
        raise _bad("kind", draft, f'kinds that begin with "{RESERVED}" are the ledger\'s own')
    return prepare_own(draft)


def prepare_own(draft: Draft) -> Prepared:
    """The same for the ledger's own kinds."""
    if not draft.kind:
        raise _bad("kind", draft, "it has no kind")
    for name, text in (("kind", draft.kind), ("run", draft.run), ("task", draft.task)):
        if text is not None and ("\0" in text or not _is_unicode(text)):
            raise _bad(name, draft, f"its {name} is not plain text")
    if not all(isinstance(entity, str) and entity for entity in draft.entities):
        raise _bad("entities", draft, "its entities are not texts")
    if not isinstance(draft.body, Mapping):
        raise _bad("body", draft, "its body is not an object")
    value: Json = {"body": draft.body, "entities": list(draft.entities), "label": draft.label}
    plaintext = payload.encode(value)  # also where it is not written: what is not JSON is refused all the same
    if draft.volatile:
        plaintext = payload.encode({"body": NOTHING, "entities": list(draft.entities), "label": None})
    return Prepared(draft, plaintext)


def write_row(prepared: Prepared, seq: int, at_ns: int, secret: Secret, prev: bytes) -> Row:
    """Seal a draft as event ``seq`` after the event whose hash is ``prev``."""
    draft = prepared.draft
    head = chain.header(seq, at_ns, draft.run, draft.task, draft.kind)
    sealed, digest = seal(secret, head, prepared.plaintext)
    return Row(
        seq,
        at_ns,
        draft.run,
        draft.task,
        draft.kind,
        sealed,
        digest,
        prev,
        chain.event_hash(head, sealed, digest, prev),
    )


def event_of(row: Row, plaintext: bytes | None) -> Event:
    """The event of a row and its opened payload, None when that is forgotten. Raises Unsealable, also for bad JSON."""
    body, label, entities = (None, None, ()) if plaintext is None else parts(plaintext)
    return Event(row.seq, row.at_ns, row.kind, row.run, row.task, body, label, row.hash.hex(), entities)


def head_of(row: Row) -> bytes:
    """The header of a row, see ``chain.header``. Raises Unsealable for columns that were never written so."""
    try:
        return chain.header(row.seq, row.at_ns, row.run, row.task, row.kind)
    except (struct.error, AttributeError, TypeError, ValueError) as error:
        raise Unsealable("a column holds something that was never written") from error


def open_row(row: Row, head: bytes) -> bytes | None:
    """The payload of a row; None when its key is destroyed. Raises Unsealable."""
    if row.key is None or row.salt is None:
        return None
    return unseal(Secret(row.key, row.salt), head, row.sealed, row.digest)


def chain_fault(row: Row, head: bytes, prev: bytes) -> str:
    """What is wrong with a row's place in the chain; "" when nothing is."""
    if row.prev != prev:
        return "it does not follow the event before it (reordered, removed, inserted or changed)"
    try:
        expected = chain.event_hash(head, row.sealed, row.digest, row.prev)
    except TypeError:
        return "a column holds something that was never written"
    return "" if row.hash == expected else "its hash does not fit its content"


_PARTS = frozenset(("body", "entities", "label"))


def parts(plaintext: bytes) -> tuple[Mapping[str, Json], Json, tuple[EntityId, ...]]:
    """(body, label, entities) of a payload. Raises Unsealable."""
    try:
        value = payload.decode(plaintext)
    except (ValueError, RecursionError) as error:
        raise Unsealable("its payload is not what the ledger writes") from error
    if isinstance(value, dict) and value.keys() == _PARTS:
        body, entities = value["body"], value["entities"]
        if isinstance(body, dict) and isinstance(entities, list):
            return body, value["label"], tuple(cast("list[EntityId]", entities))
    raise Unsealable("its payload is not what the ledger writes")


def forgotten_in(body: Mapping[str, Json], before: int) -> set[int]:
    """The events that a ``ledger.forgotten`` event with seq ``before`` names. Raises Unsealable for another body."""
    ranges = cast(list[list[int]], body.get("events"))
    try:
        return {seq for first, last in ranges for seq in range(max(1, first), min(last, before - 1) + 1)}
    except (TypeError, ValueError) as error:
        raise Unsealable("it does not say which events are forgotten") from error


def forgetting(seqs: list[int]) -> Prepared:
    """The event that says which events are forgotten; it names nobody."""
    ranges: list[list[int]] = []
    for seq in sorted(seqs):
        if ranges and ranges[-1][1] == seq - 1:
            ranges[-1][1] = seq
        else:
            ranges.append([seq, seq])
    return prepare_own(Draft(FORGOTTEN, {"events": ranges}))


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _bad(what: str, draft: Draft, reason: str) -> BadDraft:
    return BadDraft(
        f"draft.{what}",
        f"An event of kind {draft.kind!r} cannot be written: {reason}.",
        subject=draft.kind,
        hint="Correct the event; nothing was written.",
    )
