"""Which event is meant: by words of its title, its place and its people, by its day, or by its whole label."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from rapidfuzz import fuzz

from skills.sdk import words

from .entries import Entry

_WORD = re.compile(r"[^\W_]+")
_ALIKE = 86.0
_LEAST = 4  # letters of a word that may be the beginning of another
_ALL = frozenset("all every each any alle allen sämtliche jeden jede jedes".split())
_SURPLUS = frozenset(
    "all every each alle allen sämtliche jeden jede jedes "
    "the my our a an of s with for in at on to and next event events appointment appointments meeting meetings "
    "date entry entries calendar thing called named planned "
    "der die das den dem des ein eine einen mein meine meinen meinem meiner unser unsere unseren mit für im in am um "
    "bei beim zum zur und nächste nächsten nächster termin termine terminen treffen besprechung ereignis eintrag "
    "einträge kalender namens ereignisse".split()
)


Text = Callable[[Entry], str]
Alike = Callable[[str, str], bool]


def words_of(text: str) -> list[str]:
    """Return the words of a request that say which event is meant."""
    return [word for word in _WORD.findall(words.fold(text)) if word not in _FOLDED]


_FOLDED = frozenset(map(words.fold, _SURPLUS))


def matching(entries: Iterable[Entry], said: str) -> list[Entry]:
    """Return the entries that may be meant: all words are theirs, as they are, as beginnings, or nearly.

    Words that say only that it is an event ("my appointment") mean every one.
    """
    return surely(entries := list(entries), said) or _by_words(entries, words_of(said), _LOOSE)


def surely(entries: Iterable[Entry], said: str) -> list[Entry]:
    """Return the entries that are meant: the words are of their title, place or people, whole or as beginnings."""
    held = list(entries)
    exact = [one for one in held if words.fold(one.title) == words.fold(said)]
    if exact:
        return exact
    wanted = words_of(said)
    if not wanted:
        plain = _WORD.findall(words.fold(said))
        titled = [one for one in held if any(word in _WORD.findall(words.fold(one.title)) for word in plain)]
        return titled or held
    return _by_words(held, wanted, _SURE)


def is_of_all(said: str, entries: Iterable[Entry]) -> bool:
    """Tell whether every event is meant that some words name ("all my meetings"); a title may begin like that too."""
    first = words.fold(said).split(" ", 1)[0]
    return first in _ALL and not any(words.fold(said) in words.fold(one.title) for one in entries)


def _by_words(entries: Sequence[Entry], wanted: Sequence[str], ways: Iterable[tuple[Text, Alike]]) -> list[Entry]:
    for text, alike in ways if wanted else ():
        found = [one for one in entries if words.has_all(_WORD.findall(words.fold(text(one))), wanted, alike)]
        if found:
            return found
    return []


def _title(entry: Entry) -> str:
    return entry.title


def _about(entry: Entry) -> str:
    return " ".join([entry.title, entry.place, *(part for person in entry.people for part in person)])


def _all(entry: Entry) -> str:
    return f"{_about(entry)} {entry.notes}"


def _is_word(said: str, word: str) -> bool:
    return said in (word, f"{word}s", f"{word}es") or word == f"{said}s"


def _begins(said: str, word: str) -> bool:
    """ "Zahnarzttermin" is "Zahnarzt", "dent" the dentist."""
    short, long = sorted((said, word), key=len)
    return _is_word(said, word) or (len(short) >= _LEAST and long.startswith(short))


def _is_near(said: str, word: str) -> bool:
    return _begins(said, word) or (len(said) >= _LEAST and fuzz.ratio(said, word) >= _ALIKE)


def series_of(entries: Sequence[Entry], one: Entry) -> list[Entry]:
    """Return the entries of a file that belong to the same series: itself, and what replaces times of it."""
    if not one.uid:
        return [one]
    return [other for other in entries if other.uid == one.uid and other.file.path == one.file.path]


_SURE: tuple[tuple[Text, Alike], ...] = tuple(
    (text, alike) for text in (_title, _about) for alike in (_is_word, _begins)
)
_LOOSE: tuple[tuple[Text, Alike], ...] = (
    (_title, _is_near),
    (_about, _is_near),
    (_all, _is_word),
    (_all, _begins),
    (_all, _is_near),
)


def is_called(entry: Entry, said: str) -> bool:
    """Tell whether an event is called so, or is with somebody of that name: whole words, or beginnings of its own.

    Its notes and its place say nothing of it: whoever invites writes them.
    """
    wanted = words_of(said) or _WORD.findall(words.fold(said))
    text = " ".join([entry.title, *(part for person in entry.people for part in person)])
    return bool(wanted) and words.has_all(_WORD.findall(words.fold(text)), wanted, _is_begun)


def _is_begun(said: str, word: str) -> bool:
    """ "Zahnarzttermin" begins with "Zahnarzt", and "Flug" not with "Flugzeug"."""
    return _is_word(said, word) or (len(said) >= _LEAST and word.startswith(said))
