"""Opening a store by its kind: the one place that knows all of them."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, assert_never

from memory.folder import cannot_use
from memory.stores.model import VectorStore
from memory.stores.server import ANSWERS_S, address, must_answer, must_be_installed

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{1,61}[a-z0-9]")
ERASES_S = 10.0
"""So long a server may take to erase a store."""
Kind = Literal["flat", "chroma", "chroma-server"]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a store is: a folder of its own (None: in memory, flat only), or the address of a server."""

    kind: Kind = "flat"
    folder: Path | None = None
    url: str = ""


def open_store(place: Place, name: str, encoder: str, dimensions: int = 384, *, renew: bool = False) -> VectorStore:
    """Open the store ``name`` for the vectors of ``encoder`` (its digest), or begin it; with ``renew`` an empty one.

    Raises EncoderMismatch when it holds those of another (``renew`` it and put them again), StoreFailed when a file or
    the server cannot be used, StoreMissing when the back end is not installed; ValueError for a place or name that says
    too little.
    """
    if not _NAME.fullmatch(name):
        raise ValueError(f"a store is named with 3 to 63 lower-case letters, digits and hyphens, not {name!r}")
    match place.kind:
        case "flat":
            from memory.stores.flat import FlatStore

            return FlatStore(place.folder, name, encoder, dimensions, renew=renew)
        case "chroma":
            from memory.stores.chroma import embedded

            if place.folder is None:
                raise ValueError("Chroma in this process needs a folder")
            return embedded(place.folder, name, encoder, dimensions, renew=renew)
        case "chroma-server":
            from memory.stores.chroma import served

            return served(place.url, name, encoder, dimensions, renew=renew)
        case _:
            assert_never(place.kind)


def must_serve(place: Place, timeout_s: float = ANSWERS_S) -> None:
    """Raise unless a store could be opened there now; loads no back end.

    Raises StoreMissing when the back end is not installed, StoreFailed when the server does not answer, ValueError for
    no address.
    """
    if place.kind == "chroma-server":
        address(place.url)
    if place.kind != "flat":
        must_be_installed()
    if place.kind == "chroma-server":
        must_answer(place.url, timeout_s)


def erase_store(place: Place, name: str, limit_s: float = ERASES_S) -> None:
    """Remove a store that nobody has open, with all that it holds; a server has ``limit_s`` for it.

    Raises StoreFailed, StoreMissing, ValueError.
    """
    if place.kind == "chroma-server":
        from memory.stores.chroma import erased

        erased(place.url, name, limit_s)
    elif place.folder is not None:
        try:
            shutil.rmtree(place.folder / name)
        except FileNotFoundError:
            return
        except OSError as error:
            raise cannot_use(place.folder / name, error) from error
