"""The nouns of environments: a wheel that is offered, and how much an environment may be."""

from __future__ import annotations

from dataclasses import dataclass

from skills.packages.model import Bounds

LARGEST_WHEEL = 64 << 20
"""Bytes of one wheel."""

BOUNDS = Bounds(members=20_000, total_bytes=512 << 20, member_bytes=128 << 20, ratio=100, depth=20, path_bytes=300)
"""How much an environment, and each wheel of it, may be."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A file that an index, or a folder, has. ``place`` is a path or an https address; sum and size where known."""

    filename: str
    place: str
    sha256: str = ""
    size_bytes: int | None = None

    @property
    def is_wheel(self) -> bool:
        """Whether it is a wheel, and no source that would have to be built."""
        return self.filename.endswith(".whl")
