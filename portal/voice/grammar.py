"""What can be said here: from the sentences of the installed skills and the person's names to a recogniser's files.

What this stops: names of the person's files and people in any file outside ``STEWARD_HOME``, or readable to others.
What it does not: hide from whoever reads that folder which names the home has.

A name is one word of the model, with a pronunciation made of those of its words: what is heard is then written as the
person writes it ("report.pdf"), and not as it sounds.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from kernel import Part, Sayable
from portal.voice.ngram import Ngrams
from portal.voice.pronounce import Sounds, by_letter, sounds_of

FORM = 1  # of the files: a new one makes them anew
MODEL, DICTIONARY, WRITTEN, DIGEST = "phrases.arpa", "phrases.dict", "phrases.json", "phrases.digest"
_MOST_SOUNDS = 4  # pronunciations of one name

_ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen " \
    "seventeen eighteen nineteen".split()  # fmt: skip
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_CLASSES: dict[str, tuple[str, ...]] = {
    "number": (*(str(one) for one in range(2, 61)), "70", "80", "90", "100", "200", "500", "1000"),
    "time": tuple(f"{hour}{minutes}{half}" for hour in range(1, 13) for minutes in ("", ":15", ":30", ":45")
                  for half in ("am", "pm")),
    "weekday": tuple("Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()),
    "month": tuple("January February March April May June July August September October November December".split()),
}  # fmt: skip
_TIME = re.compile(r"(\d{1,2})(?::(\d\d))? ?(am|pm)", re.IGNORECASE)
_NAMED = {"folder": "folder", "file": "file", "table": "file", "note": "note", "person": "person"}
_PIECE = re.compile(rf"{_TIME.pattern}|[^\s]+", re.IGNORECASE)
_IN_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*|\d+|\.(?=\w)")
_MARKS = ',;:!?"“”„()[]{}…'


@dataclass(frozen=True, slots=True)
class Grammar:
    """What a recogniser needs: the model (ARPA), the dictionary, and how each of its words is written."""

    model: str
    dictionary: str
    written: Mapping[str, str]
    digest: str


def digest_of(sayable: Sayable) -> str:
    """Return what changes when the sentences, the names or the form of the files do."""
    sentences = [[[part.text, part.kind] for part in one] for one in sayable.sentences]
    names = {kind: sorted(names) for kind, names in sayable.names.items()}
    return hashlib.sha256(json.dumps([FORM, sentences, names], sort_keys=True).encode()).hexdigest()


def build(sayable: Sayable, known: Sounds) -> Grammar:
    """Make the grammar. A name or a sentence with a word that has no sound is left out."""
    words = _Words(known)
    members: dict[str, list[str]] = {}
    for kind, names in (*_CLASSES.items(), *sayable.names.items()):
        found = [token for index, name in enumerate(names) if (token := words.add(name, f"{kind}~{index}"))]
        if found:
            members[f"[{kind}]"] = found
    lines = [line for sentence in sayable.sentences for line in _lines(sentence, words, members)]
    model = Ngrams(dict.fromkeys(lines), members).arpa()
    return Grammar(model, words.dictionary(), words.written, digest_of(sayable))


def kept(folder: Path, sayable: Sayable, sounds: Callable[[], Sounds]) -> bool:
    """Write the grammar to ``folder`` where it is not that of ``sayable`` yet; tell whether it was made anew."""
    digest = folder / DIGEST
    if digest.is_file() and digest.read_text(encoding="ascii") == digest_of(sayable):
        return False
    grammar = build(sayable, sounds())
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    digest.unlink(missing_ok=True)  # what is half written counts as none
    _write(folder / MODEL, grammar.model)
    _write(folder / DICTIONARY, grammar.dictionary)
    _write(folder / WRITTEN, json.dumps(grammar.written, ensure_ascii=False))
    _write(digest, grammar.digest)
    return True


def _write(path: Path, text: str) -> None:
    path.unlink(missing_ok=True)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(text)


class _Words:
    """The words of the model: how each sounds and how it is written."""

    def __init__(self, known: Sounds) -> None:
        self._known = known
        self._sounds: dict[str, tuple[str, ...]] = {}
        self.written: dict[str, str] = {}

    def add(self, written: str, token: str = "") -> str:
        """Add a word or a name; return what it is called in the model, "" where it has no sound."""
        token = token or written
        if token not in self._sounds and (sounds := self._said(written)):
            self._sounds[token] = sounds
            self.written[token] = written
        return token if token in self._sounds else ""

    def dictionary(self) -> str:
        lines = [
            f"{token}{f'({place})' if place > 1 else ''} {phones}"
            for token, sounds in sorted(self._sounds.items())
            for place, phones in enumerate(sounds, 1)
        ]
        return "\n".join([*lines, ""])

    def _said(self, written: str) -> tuple[str, ...]:
        if written == "'s":
            return ("Z", "S", "IH Z")
        ways: list[str] = []
        for spoken in spoken_ways(written):
            sounds = [self._word(word) for word in spoken]
            if sounds and all(sounds):
                ways.extend(" ".join(way) for way in product(*(one[:2] for one in sounds)))
        return tuple(dict.fromkeys(ways))[:_MOST_SOUNDS]

    def _word(self, word: str) -> tuple[str, ...]:
        return sounds_of(word, self._known) if len(word) > 1 or word in self._known else by_letter(word)


def spoken_ways(written: str) -> Iterator[tuple[str, ...]]:
    """Yield the ways in which people say what is written: "report.pdf" with and without its "dot", "3pm" in words."""
    if time := _TIME.fullmatch(written):
        minutes = [] if time[2] in (None, "00") else list(number_words(int(time[2])))
        yield (*number_words(int(time[1])), *minutes, *time[3].casefold())
        return
    pieces = _IN_WORD.findall(written.casefold())
    for dot in ("dot", "") if "." in pieces else ("",):
        yield tuple(word for place, piece in enumerate(pieces) for word in _piece(piece, dot, place, pieces))


def _piece(piece: str, dot: str, place: int, pieces: Sequence[str]) -> Iterable[str]:
    if piece == ".":
        return (dot,) if dot else ()
    if piece.isdecimal():
        return number_words(int(piece)) if int(piece) < 10_000 else tuple(_ONES[int(one)] for one in piece)
    is_suffix = place > 0 and pieces[place - 1] == "." and len(piece) <= 4 and piece != "text"
    return tuple(piece) if is_suffix else (piece,)


def number_words(number: int) -> tuple[str, ...]:
    """Return a number below ten thousand in words, years as years: 2026 is "twenty twenty six"."""
    if number < 20:
        return (_ONES[number],)
    if number < 100:
        return (_TENS[number // 10 - 2], *([_ONES[number % 10]] if number % 10 else []))
    if number < 1000:
        return (_ONES[number // 100], "hundred", *(number_words(number % 100) if number % 100 else ()))
    if 1100 <= number % 10_000 <= 2099 and number % 1000 >= 10 and number % 100 >= 10:
        return (*number_words(number // 100), *number_words(number % 100))
    return (*number_words(number // 1000), "thousand", *(number_words(number % 1000) if number % 1000 else ()))


def _lines(sentence: Iterable[Part], words: _Words, members: Mapping[str, list[str]]) -> Iterator[tuple[str, ...]]:
    """The sentence as words and classes, once as it stands and once with its slots open."""
    parts = tuple(sentence)
    for open_slots in (False, True):
        line: list[str] = []
        for part in parts:
            slot = f"[{_NAMED.get(part.kind, '')}]"
            line.extend([slot] if open_slots and slot in members else _tokens(part.text, words))
        if line and all(line):
            yield tuple(line)


def _in_classes() -> dict[str, str]:
    found = {name.casefold(): f"[{kind}]" for kind, names in _CLASSES.items() for name in names}
    found |= {_ONES[one]: "[number]" for one in range(2, 20)}
    return {name: kind for name, kind in found.items() if name != "may"}  # the verb


_IN_CLASSES = _in_classes()


def _tokens(text: str, words: _Words) -> Iterator[str]:
    for found in _PIECE.finditer(text):
        piece = found[0].strip(_MARKS).rstrip(".").removeprefix("~/").replace("’", "'")
        if not piece or not any(one.isalnum() for one in piece):
            continue
        if name := _IN_CLASSES.get(piece.casefold().replace(" ", "")):
            yield name
        elif piece == "'s":
            yield words.add(piece)
        elif piece.replace("'", "").isalpha():
            lowered = piece.casefold()
            yield words.add(lowered if found.start() == 0 else piece, lowered)
        else:
            yield words.add(piece, f"word~{piece}")
