"""Ids that are nearly another's: one letter away, or the same to a hurried eye.

Source: Damerau-Levenshtein distance, by the library rapidfuzz.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection

from rapidfuzz.distance import DamerauLevenshtein

from skills.packages.model import Refused

_APART = re.compile(r"[^a-z0-9]+")
_ALIKE = str.maketrans({"0": "o", "1": "l", "i": "l", "5": "s", "8": "b", "2": "z", "-": None})
_PAIRS = (("rn", "m"), ("vv", "w"), ("cl", "d"))
_LONG = 8


def check_likeness(skill: str, known: Collection[str]) -> None:
    """Raise Refused where ``skill``, an id, is not one of ``known`` and nearly one of them."""
    if skill in known:
        return
    for other in sorted(known):
        most = 2 if min(len(skill), len(other)) >= _LONG else 1
        if _look(skill) == _look(other) or (
            min(len(skill), len(other)) > 3 and DamerauLevenshtein.distance(skill, other, score_cutoff=most) <= most
        ):
            message = f"The id {skill} is nearly that of the skill {other}."
            raise Refused(
                "package.alike", message, subject=skill, hint="A skill with a name of its own can be installed."
            )


def check_title(skill: str, title: str, known: Collection[str]) -> None:
    """Raise Refused where ``title``, which a person reads on a card, is the name of another skill of ``known``."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    name = _APART.sub("-", plain.casefold()).strip("-")
    other = next((one for one in sorted(known) if one != skill and name == one), None)
    if other is not None:
        message = f"{skill} calls itself {title!r}, which is the name of the skill {other}."
        raise Refused("package.alike", message, subject=skill, hint="A title of its own can be installed.")


def _look(text: str) -> str:
    for pair, one in _PAIRS:
        text = text.replace(pair, one)
    return text.translate(_ALIKE).removesuffix("s")
