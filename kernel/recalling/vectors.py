"""Where the vectors of recall lie: in Steward's own folder, in Chroma there, or on a person's Chroma server.

The setting ``vectors`` says where they should be; ``place.json``, beside recall's files, where they are. When the two
differ, the next one who asks brings them over: each is copied, and what held them is erased.

What this stops: vectors of two homes in one store of a server (each has a name that was drawn); vectors left behind
where nobody looks: a store is written down before it is begun and until it is erased, and what a forget cannot reach is
given up, told by ``doctor``, and erased when its server answers again; a forget that waits for a server without an end,
or for one that is silent more than once.
What it does not: keep whoever can read the server from reading what lies there (a vector tells much of its text; beside
it stand who said it, when and where).
"""

from __future__ import annotations

import json
import logging
import os
import secrets
import shutil
import time
from collections.abc import Mapping
from contextlib import closing, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memory.errors import EncoderMismatch, StoreError

if TYPE_CHECKING:
    from memory import Encoder
    from memory.recall import Recall
    from memory.stores import Place, VectorStore

_log = logging.getLogger("steward.kernel")

FLAT, CHROMA = "flat", "chroma"
_OWN_NAME = "recall"
_FILE = "place.json"
_AGAIN_S = 300.0
"""A store that could not be erased is tried again after so long."""
_LOOK_S = 2.0
"""So long ``doctor`` waits for a server, and a forget before it asks one to erase something."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A store by what the setting calls its place (``flat``, ``chroma``, a server's address), and its name there.

    Without a name there is none at that place yet: it is drawn when one is begun.
    """

    where: str = FLAT
    name: str = _OWN_NAME

    @property
    def words(self) -> str:
        """Where it is, for a person."""
        known = {FLAT: "flat, in Steward's own folder", CHROMA: "Chroma, in Steward's own folder"}
        return known.get(self.where, f"the Chroma server at {self.where}")


@dataclass(frozen=True, slots=True)
class Standing:
    """Where the vectors are, and what is still to be erased elsewhere."""

    now: Spot = Spot()
    left: tuple[Spot, ...] = ()


class Vectors:
    """The place of recall's vectors; for whoever holds recall's lock. ``wanted`` is the setting."""

    def __init__(self, folder: Path, wanted: str) -> None:
        self._folder, self._wanted = folder, wanted
        self._tried_s = float("-inf")

    # --- opening ------------------------------------------------------------------------------------------------------

    def open(self, encoder: Encoder | None) -> Recall:
        """Open recall where its vectors are, or bring them where they should be. Raises StoreError.

        Without an encoder no vector is touched.
        """
        from memory.recall import Recall

        if encoder is None:
            return Recall.open(self._folder)
        standing = self.standing()
        if standing.now.where == self._wanted and standing.now.name:
            recall = self._opened(encoder, standing.now)
        else:
            recall = self._moved(encoder, standing)
        self._erase_left()
        return recall

    def _opened(self, encoder: Encoder, spot: Spot) -> Recall:
        from memory.recall import Recall

        place = self._place(spot.where)
        try:
            return Recall.open(self._folder, encoder, place, name=spot.name)
        except EncoderMismatch:
            return Recall.open(self._folder, encoder, place, name=spot.name, renew=True)

    def _moved(self, encoder: Encoder, standing: Standing) -> Recall:
        from memory.recall import Recall
        from memory.stores import must_serve

        there = self._place(self._wanted)
        must_serve(there)
        at_hand = (one for one in standing.left if one.where == self._wanted)  # it is emptied when it is begun again
        spot = next(at_hand, None) or Spot(self._wanted, _name_at(self._wanted))
        others = tuple(one for one in standing.left if one != spot)
        self._write(Standing(standing.now, (*others, spot)))  # a crash from here on leaves nothing that nobody knows of
        earlier = self._earlier(encoder, standing.now)
        with closing(earlier) if earlier is not None else nullcontext():
            recall = Recall.open(self._folder, encoder, there, name=spot.name, renew=True, earlier=earlier)
        self._write(Standing(spot, (*others, *_there(standing.now))))
        self._tried_s = float("-inf")
        return recall

    def _earlier(self, encoder: Encoder, spot: Spot) -> VectorStore | None:
        """Return the store they are brought from; None where there is none to be read, and they are made again."""
        from memory.stores import open_store

        if not spot.name:
            return None
        try:
            return open_store(self._place(spot.where), spot.name, encoder.digest, encoder.dimensions)
        except StoreError as error:
            _log.warning("vectors are made again, not brought from %s: %s", spot.words, error)
            return None

    def _place(self, where: str) -> Place:
        from memory.stores import Place

        if where == FLAT:
            return Place("flat", self._folder / "vectors")
        return Place("chroma", self._folder / "chroma") if where == CHROMA else Place("chroma-server", url=where)

    # --- letting go ---------------------------------------------------------------------------------------------------

    def must_answer(self) -> None:
        """Raise StoreError unless the place where they are could be used within a moment."""
        from memory.stores import must_serve

        must_serve(self._place(self.standing().now.where), _LOOK_S)

    def give_up(self) -> None:
        """Let go of every vector, as when none can be taken out alone: erased now, or as soon as its server answers.

        They are made again from recall's words. Recall must be closed, or open without an encoder. Raises StoreFailed
        where they lie in Steward's own folder and cannot be erased.
        """
        from memory.stores import erase_store

        standing = self.standing()
        now = standing.now
        if now.where in (FLAT, CHROMA):
            erase_store(self._place(now.where), now.name)
        elif now.name:
            self._write(Standing(Spot(now.where, ""), (*standing.left, now)))
        self._tried_s = float("-inf")
        self._erase_left()

    def make_anew(self) -> None:
        """Remove recall's own files, which are told again from the ledger, and its vectors. See ``give_up``."""
        self.give_up()
        for path in self._folder.iterdir():
            if path.name == _FILE:
                continue
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)

    def _erase_left(self) -> None:
        standing = self.standing()
        if not standing.left or time.monotonic() - self._tried_s < _AGAIN_S:
            return
        kept: list[Spot] = []
        for spot in standing.left:
            if spot.where in {one.where for one in kept} or not self._erase(spot):
                kept.append(spot)  # whoever was silent once is not waited for again
        self._tried_s = time.monotonic()
        self._write(replace(standing, left=tuple(kept)))

    def _erase(self, spot: Spot) -> bool:
        from memory.stores import erase_store, must_serve

        place = self._place(spot.where)
        try:
            if spot.where not in (FLAT, CHROMA):
                must_serve(place, _LOOK_S)
            erase_store(place, spot.name)
        except StoreError as error:
            _log.warning("vectors could not be erased from %s: %s", spot.words, error)
            return False
        return True

    # --- what is written down -----------------------------------------------------------------------------------------

    def standing(self) -> Standing:
        """Return where the vectors are. A file that cannot be read is taken for none."""
        try:
            found = json.loads((self._folder / _FILE).read_text(encoding="utf-8"))
            return Standing(_spot(found["now"]), tuple(map(_spot, found["left"])))
        except FileNotFoundError:
            return Standing()
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            _log.warning("%s cannot be read, and is begun anew: %s", self._folder / _FILE, error)
            return Standing()

    def _write(self, standing: Standing) -> None:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = self._folder / f"{_FILE}.new"
        value = {"now": _view(standing.now), "left": [_view(one) for one in standing.left]}
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as out:
            json.dump(value, out)
            out.flush()
            os.fsync(out.fileno())
        draft.replace(self._folder / _FILE)

    # --- telling ------------------------------------------------------------------------------------------------------

    def words(self) -> str:
        """Say where they are, and what is to come."""
        standing = self.standing()
        moves = f"; the next search brings them to {Spot(self._wanted).words}"
        return standing.now.words + (moves if standing.now.where != self._wanted else "")

    def examine(self) -> tuple[bool, str, str]:
        """Tell whether the place can be used now, how it stands, and the one command that mends it."""
        from memory.stores import must_serve

        try:
            must_serve(self._place(self._wanted), _LOOK_S)
        except StoreError as error:
            return False, f"{self.words()}: {error}", error.hint
        if left := self.standing().left:
            where = ", ".join(sorted({one.words for one in left}))
            return False, f"{self.words()}; older ones are not erased from {where}", _ERASE
        return True, self.words(), ""


_ERASE = "let that server run, then: ./steward down && ./steward up && ./steward memory search anything"


def _name_at(where: str) -> str:
    return _OWN_NAME if where in (FLAT, CHROMA) else f"steward-{secrets.token_hex(8)}"


def _there(spot: Spot) -> tuple[Spot, ...]:
    return (spot,) if spot.name else ()


def _view(spot: Spot) -> dict[str, str]:
    return {"where": spot.where, "name": spot.name}


def _spot(found: Mapping[str, Any]) -> Spot:
    return Spot(str(found["where"]), str(found["name"]))
