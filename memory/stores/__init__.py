"""Vector stores: where the directions of memories lie, and which are nearest.

One interface, three back ends: a flat matrix in a memory-mapped file (the default: exact, no server, nothing to
install), Chroma in this process, Chroma on a server of one's own.

Promises: a store holds the vectors of one encoder and refuses those of another; what was put is found at once and
survives a crash whole; what is purged is in no file of the store.
Never: encodes a text, reads a label (a filter is given in), downloads anything, reports to anybody, or imports numpy or
chromadb before a store is opened.
"""

from __future__ import annotations

from memory.stores.model import Item, Match, VectorStore, Where
from memory.stores.opening import Place, erase_store, must_serve, open_store

__all__ = ["Item", "Match", "Place", "VectorStore", "Where", "erase_store", "must_serve", "open_store"]
