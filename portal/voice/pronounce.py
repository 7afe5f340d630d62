"""How words sound: the recogniser's own dictionary (cmudict), and letters to sounds for words that it lacks.

Sounds are the 39 ARPAbet phones of the acoustic model, without stress. The rules for unknown words are rough: a name
is recognised among the names of this home, which leaves room for a wrong vowel.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from pathlib import Path

Sounds = Mapping[str, tuple[str, ...]]
"""Every pronunciation of a word, each phones with blanks between."""

_ALTERNATE = re.compile(r"\(\d+\)$")
_VOWELS = frozenset("AA AE AH AO AW AY EH ER EY IH IY OW OY UH UW".split())
_SPOKEN_SIGNS = str.maketrans({"ß": "ss", "æ": "ae", "ø": "o", "ł": "l", "ð": "th", "þ": "th"})

# The longest spelling that fits is taken. "^" is the beginning of the word, "$" its end.
_RULES = {
    "tion$": "SH AH N", "sion$": "ZH AH N", "ough": "AO", "augh": "AO", "eigh": "EY", "igh": "AY", "tch": "CH",
    "sch": "SH", "dge": "JH", "ing$": "IH NG", "ed$": "D", "es$": "Z", "er$": "ER", "le$": "AH L", "ey$": "IY",
    "ie$": "IY", "^kn": "N", "^wr": "R", "^ps": "S", "^x": "Z", "^y": "Y", "ai": "EY", "ay": "EY", "au": "AO",
    "aw": "AO", "ar": "AA R", "ch": "CH", "ck": "K", "ce": "S EH", "ci": "S IH", "cy": "S IY", "ce$": "S",
    "ea": "IY", "ee": "IY", "ei": "AY", "er": "ER", "eu": "OY", "ew": "UW", "ge$": "JH", "gh": "G", "ie": "IY",
    "ir": "ER", "ng": "NG", "oa": "OW", "oi": "OY", "oo": "UW", "or": "AO R", "ou": "AW", "ow": "OW", "oy": "OY",
    "ph": "F", "qu": "K W", "sh": "SH", "ss": "S", "th": "TH", "ue": "UW", "ur": "ER", "wh": "W", "e$": "",
    "a$": "AH", "o$": "OW", "y$": "IY", "a": "AE", "b": "B", "c": "K", "d": "D", "e": "EH", "f": "F", "g": "G",
    "h": "HH", "i": "IH", "j": "JH", "k": "K", "l": "L", "m": "M", "n": "N", "o": "AA", "p": "P", "q": "K", "r": "R",
    "s": "S", "t": "T", "u": "AH", "v": "V", "w": "W", "x": "K S", "y": "IH", "z": "Z",
}  # fmt: skip
_LETTERS = dict(zip("abcdefghijklmnopqrstuvwxyz", (
    "EY", "B IY", "S IY", "D IY", "IY", "EH F", "JH IY", "EY CH", "AY", "JH EY", "K EY", "EH L", "EH M", "EH N", "OW",
    "P IY", "K Y UW", "AA R", "EH S", "T IY", "Y UW", "V IY", "D AH B AH L Y UW", "EH K S", "W AY", "Z IY",
), strict=True))  # fmt: skip
_LONGEST = max(len(spelling.strip("^$")) for spelling in _RULES)


def read_sounds(path: Path) -> dict[str, tuple[str, ...]]:
    """Read a dictionary of the recogniser: a word and its phones a line, ``word(2)`` for its second pronunciation."""
    found: dict[str, list[str]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        word, _, phones = line.partition(" ")
        if phones.strip():
            found.setdefault(_ALTERNATE.sub("", word), []).append(phones.strip())
    return {word: tuple(phones) for word, phones in found.items()}


def sounds_of(word: str, known: Sounds) -> tuple[str, ...]:
    """Return the pronunciations of one lower-case word; () where it has no letter to say."""
    plain = _plain(word)
    if found := known.get(word) or known.get(plain):
        return found
    if not plain:
        return ()
    if plain.endswith("'s") and (owner := sounds_of(plain[:-2], known)):
        return tuple(f"{phones} Z" for phones in owner)
    letters = plain.replace("'", "")
    spelt = by_letter(letters)
    guessed = _guessed(letters)
    return (guessed,) if _VOWELS.intersection(guessed.split()) else spelt


def by_letter(word: str) -> tuple[str, ...]:
    """Return how a word sounds that is spelt out: "pdf" as "p d f"; () where it has no letter."""
    said = " ".join(_LETTERS[one] for one in _plain(word) if one != "'")
    return (said,) if said else ()


def _plain(word: str) -> str:
    """The word in the letters a to z, and its apostrophes."""
    lowered = word.casefold().translate(_SPOKEN_SIGNS)
    return "".join(one for one in unicodedata.normalize("NFKD", lowered) if "a" <= one <= "z" or one == "'").strip("'")


def _guessed(word: str) -> str:
    phones: list[str] = []
    at = 0
    while at < len(word):
        spelling, sound = _rule(word, at)
        if not (phones and sound == phones[-1]):  # a doubled letter is one sound
            phones.extend(sound.split())
        at += len(spelling)
    return " ".join(phones)


def _rule(word: str, at: int) -> tuple[str, str]:
    for length in range(min(_LONGEST, len(word) - at), 0, -1):
        spelling = word[at : at + length]
        forms = []
        if at + length == len(word) and at > 0:
            forms.append(f"{spelling}$")
        if at == 0:
            forms.append(f"^{spelling}")
        for form in (*forms, spelling):
            if form in _RULES:
                return spelling, _RULES[form]
    return word[at], ""
