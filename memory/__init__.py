"""Memory: what happened, written once, and finding it again.

The ledger is the record that everything else can be rebuilt from: append-only, encrypted, chained, signed. The text
and vector indexes and the encoder find things in it and beside it.

Promises: an acknowledged event survives a crash and a power cut; a change to the record is noticed; what is forgotten
cannot be read again from its files.
Never: reads a label or an id of another room (they are opaque here), imports another room, rewrites an event, reaches
the network, or imports numpy before an encoder or a vector index is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memory.encoder import Encoder, open_encoder
from memory.ledger import Ledger
from memory.model import Draft, Event
from memory.text_index import TextIndex
from memory.vector_cache import CachedEncoder

if TYPE_CHECKING:
    from memory.vector_index import VectorIndex

__all__ = ["CachedEncoder", "Draft", "Encoder", "Event", "Ledger", "TextIndex", "VectorIndex", "open_encoder"]


def __getattr__(name: str) -> Any:
    if name == "VectorIndex":  # brings numpy along: 0.1 s that a start without vectors does not pay
        from memory.vector_index import VectorIndex

        return VectorIndex
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
