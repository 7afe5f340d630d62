"""Packages: a skill on its way into the house, from somebody's archive to a version on the shelf.

    source -> members (names, kinds, sizes) -> files in quarantine -> sums and signature -> review -> shelf

Nothing here runs a line of a package, and nothing is repaired: what does not fit is refused by name (``Refused``).
Archives are unpacked in a cell of their own (``cell``, ``archives``); ``opened`` reads what it left. What a package
wants is its ``Powers``; ``widened`` says what an update wants beyond them. The ``Shelf`` keeps every version
whole and changes which one counts in one step.

It never grants a right and never fetches anything by itself: ``kernel.installing`` does both.
"""

from __future__ import annotations

from skills.loading import checked_id
from skills.manifest import read_instructions
from skills.packages.likeness import check_likeness
from skills.packages.model import Bounds, Powers, Refused, Staged, Widening
from skills.packages.opening import check_folder, found_in, opened
from skills.packages.powers import powers_of, server_of, widened
from skills.packages.shelf import Entry, Origin, Shelf
from skills.packages.sources import Source, SourceKind, parse_source

__all__ = [
    "Bounds", "Entry", "Origin", "Powers", "Refused", "Shelf", "Source", "SourceKind", "Staged", "Widening",
    "check_folder", "check_likeness", "checked_id", "found_in", "opened", "parse_source", "powers_of",
    "read_instructions", "server_of", "widened",
]  # fmt: skip
