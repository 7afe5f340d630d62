"""Words of answers: what agrees, what means all of the choices, the newer or larger one, or any of them."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from itertools import pairwise

from kernel.language.amounts.numbers import number_word, ordinals
from kernel.language.extremes import BY_WORD, LARGEST, NEWEST, OLDEST, SMALLEST
from kernel.language.time.calendar_words import MONTHS, SHORT_MONTHS

_PLACE = re.compile(r"(\d{1,4})(?:st|nd|rd|th|\.)?")
_ENDINGS = ("e", "en", "er", "es", "em", "")


def _inflected(*stems: str) -> frozenset[str]:
    return frozenset(stem + ending for stem in stems for ending in _ENDINGS)


_COMPARED: Mapping[str, frozenset[str]] = {
    NEWEST: frozenset({"newer", "younger", "recent", "current"})
    | _inflected("neuer", "jünger", "aktueller", "aktuell"),
    OLDEST: frozenset({"older", "earlier"}) | _inflected("älter", "früher", "alt"),
    LARGEST: frozenset({"larger", "bigger", "longer", "big"}) | _inflected("größer", "länger", "groß"),
    SMALLEST: frozenset({"smaller", "shorter", "small"}) | _inflected("kleiner", "kürzer", "klein"),
}
_EXTREME = {**{word: name for name, words in _COMPARED.items() for word in words}, **BY_WORD}

_AGREEING = frozenset(
    "yes y yeah yep yup sure ok okay okey right correct exactly do ja jep jo jawohl klar gern gerne genau richtig "
    "passt stimmt go ahead fine good great perfect absolutely definitely certainly indeed mach mache machen tu los "
    "super prima bestens natürlich unbedingt einverstanden freilich thanks thank danke sounds gut so meine meinte mean "
    "meant gemeint".split()
)
_REFUSING = frozenset("none neither keine keins keines keinen keiner nichts weder nix".split())
_CALLING_OFF = frozenset("cancel stop abort abbrechen abbruch vergiss lass stopp".split())
_NO_ANSWER = frozenset(
    "i do don't dont know not sure no idea nothing leave it as is what which why how huh hm hmm whatever none egal ich "
    "weiß weiss nicht keine ahnung nichts lass es so was wie wieso warum welche welcher welches keins".split()
)
_ALL = frozenset("all both each every everything alle allen alles beide beiden beides sämtliche jede jeden".split())
_BOTH = frozenset("both beide beiden beides".split())
_SPARING = frozenset("but except excepting excluding besides außer ausser ausgenommen ohne without".split())
_EITHER = frozenset("or oder bzw beziehungsweise".split())
_ONE_OF = frozenset("one ein eine einen einer eines eins".split())
_OPENING_ASKED = frozenset("is are was were does do did can could has have ist sind war hat haben kann kannst".split())
_ABOUT = (
    ("what", "about"),
    ("how", "about"),
    ("was", "ist", "mit"),
    ("wie", "ist", "es", "mit"),
    ("wie", "wäre", "es", "mit"),
)
_ANY = frozenset("egal any whichever whatever either anyone gleich irgendein irgendeine irgendeinen irgendeins".split())
_ANY_PHRASES = tuple(
    tuple(one.split())
    for one in "no matter|doesn't matter|does not matter|don't care|do not care|you choose|you pick|you decide|"
    "not important|nicht wichtig|spielt keine rolle|such dir eine aus|such du aus".split("|")
)
_BESIDE = frozenset(
    "egal hm hmm mean meant meine meinte nehmen nimm nehme take use pick choose select want wait sorry actually file "
    "files datei dateien wähle bitte gemeint gerne lieber eher well natürlich version versions fassung".split()
)
_FIRST = frozenset("first ersten erste top obersten".split())
_LAST = frozenset("last letzten letzte bottom".split())
_FOLDERS = frozenset("folder directory ordner verzeichnis".split())


def extreme_of(word: str) -> str:
    """Return which extreme a comparative or a superlative means among a few: "newer" is the newest; "" for others."""
    return _EXTREME.get(word, "")


def agrees(word: str) -> bool:
    """Tell whether the word, behind a yes, only says yes once more."""
    return word in _AGREEING


def refuses_all(word: str) -> bool:
    """Tell whether the word means none of the choices."""
    return word in _REFUSING


def calls_off(word: str) -> bool:
    """Tell whether the word ends what was asked, instead of answering it."""
    return word in _CALLING_OFF


def says_nothing_to_it(words: list[str]) -> bool:
    """Tell whether somebody who was asked for a name or a text gives none: "I don't know", "nothing", "what?"."""
    return all(word in _NO_ANSWER for word in words)


def means_all(word: str) -> bool:
    """Tell whether the word means every one of the choices."""
    return word in _ALL


def means_both(word: str) -> bool:
    """Tell whether the word means every one of two."""
    return word in _BOTH


def leaves_open(words: list[str], named: Collection[str]) -> bool:
    """Tell whether words about choices pick none, whatever they name: "all but the first", "1 or 3", "one of both".

    ``named`` are the words of the choices: "now or never.txt" is a name.
    """
    if any(word in _SPARING or word in _EITHER for word in words if word not in named) or ("bis", "auf") in pairwise(
        words
    ):
        return True
    of = any(one in _ONE_OF and other in ("of", "von") for one, other in pairwise(words))
    return of and any(map(means_all, words))


def asks_about(words: list[str]) -> bool:
    """Tell whether words begin as a question about the choices does: "is the first one older"."""
    return words[:1] != [] and words[0] in _OPENING_ASKED


def offers(words: list[str]) -> bool:
    """Tell whether a question names a choice: "what about the second?"."""
    return any(tuple(words[: len(one)]) == one for one in _ABOUT)


def is_beside(word: str) -> bool:
    """Tell whether the word says nothing about which choice is meant: "I mean the ...", "egal, ..."."""
    return word in _BESIDE


def cares_not(words: list[str]) -> bool:
    """Tell whether any of the choices will do: "egal", "whichever", "it doesn't matter"."""
    runs = {tuple(words[at : at + size]) for size in (2, 3, 4) for at in range(len(words))}
    return not _ANY.isdisjoint(words) or not runs.isdisjoint(_ANY_PHRASES)


def month_of(word: str) -> int:
    """Return the month that the word names in an answer, 0 for none."""
    return MONTHS.get(word) or SHORT_MONTHS.get(word, 0)


def names_folder(word: str) -> bool:
    """Tell whether the word says that a folder is meant, and no file."""
    return word in _FOLDERS


def from_the_top(word: str) -> int:
    """Return 1 for "the first ...", -1 for "the last ...", 0 for other words."""
    return 1 if word in _FIRST else -1 if word in _LAST else 0


def place_named(word: str) -> int:
    """Return the place that a number or an ordinal alone means, in either language; 0 for other words."""
    digits = _PLACE.fullmatch(word)
    if digits:
        return int(digits[1])
    return number_word(word, "en") or number_word(word, "de") or max(ordinals().get(word, 0), 0)
