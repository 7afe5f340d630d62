"""What a second model said of a result, in lines for a person: beside the answer, and never part of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from portal.cli.words import homely, one_line

LONGEST = 800
"""A line names two things, each of at most 300 characters: none is cut off."""


def review_lines(review: Mapping[str, Any] | None) -> Iterator[str]:
    """Yield the lines of a review, the kernel's own words; nothing where there was none."""
    for line in (review or {}).get("lines") or ():
        yield homely(one_line(str(line), LONGEST))
