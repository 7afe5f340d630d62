"""Memory: what happened, written once, and finding it again.

The ledger is the record that everything else can be rebuilt from: append-only, encrypted, chained, signed. The
encoder, the text index, the vector stores (``memory.stores``) and recall (``memory.recall``) find things in it.

Promises: an acknowledged event survives a crash and a power cut; a change to the record is noticed; what is forgotten
cannot be read again from its files.
Never: reads a label or an id of another room (they are opaque here), imports another room, rewrites an event, reaches
the network, or imports numpy before an encoder or a vector store is asked for.
"""

from __future__ import annotations

from memory.derived import write_derived
from memory.encoder import Encoder, open_encoder
from memory.kept_vectors import KeptVectors
from memory.ledger import Ledger
from memory.model import Draft, Event
from memory.text_index import TextIndex

__all__ = ["Draft", "Encoder", "Event", "KeptVectors", "Ledger", "TextIndex", "open_encoder", "write_derived"]
