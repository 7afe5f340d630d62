"""How names are compared: without case, accents, width or punctuation, and German in both of its spellings."""

from __future__ import annotations

import os
import re
import unicodedata

from memory.model import EntityId

MAX_NAME_BYTES = 1024
SHORT = 4
"""A folded name with fewer letters is found exactly or not at all: every other short name resembles it."""

_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
_NOT_WORD = re.compile(r"[\W_]+")


def folded(name: str) -> tuple[str, ...]:
    """The forms under which ``name`` is found, one or two: ``Jörg Groß`` is ``jorg gross`` and ``joerg gross``."""
    plain = unicodedata.normalize("NFC", unicodedata.normalize("NFKC", name).casefold())
    forms = (_bare(plain), _bare(plain.translate(_UMLAUTS)))
    return tuple(dict.fromkeys(form for form in forms if form)) or (name,)


def is_guarded(form: str) -> bool:
    """Whether a folded name says too little to be found by likeness: short, or one letter repeated."""
    letters = form.replace(" ", "")
    return len(letters) < SHORT or len(set(letters)) < 2


def is_telling(form: str) -> bool:
    """Whether a folded name in a text means somebody: three letters, or two of a script that writes whole syllables."""
    return sum(2 if letter > "\u2e80" else 1 for letter in form.replace(" ", "")) > 2


def holds(text: str, form: str) -> bool:
    """Whether a folded text holds a folded name, as whole words where its script parts words."""
    if any(letter > "\u2e80" for letter in form):
        return form in text
    return f" {form} " in f" {text} "


def trigrams(form: str) -> frozenset[str]:
    """Its runs of three characters, with the edges."""
    padded = f"  {form} "
    return frozenset(padded[at : at + 3] for at in range(len(padded) - 2))


def likeness(one: str, other: str) -> float:
    """Jaccard index of the trigrams of two folded names, 0 .. 1."""
    ours, theirs = trigrams(one), trigrams(other)
    return len(ours & theirs) / len(ours | theirs)


def slug(name: str) -> str:
    """A short readable part of an id."""
    form = folded(name)[-1]
    return "-".join(re.findall(r"[a-z0-9]+", form))[:32].strip("-") or "x"


def new_id(kind: str, name: str) -> EntityId:
    """A fresh id such as ``person:anna-berg-1a2b3c4d``."""
    return EntityId(f"{slug(kind)}:{slug(name)}-{os.urandom(4).hex()}")


def _bare(text: str) -> str:
    letters = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    visible = "".join(c for c in letters if unicodedata.category(c) not in ("Cf", "Cc"))
    return _NOT_WORD.sub(" ", visible).strip()
