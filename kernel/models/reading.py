"""JSON out of what a model said: with prose around it, in fences, with the slips that models make, and nothing more.

What this stops: a half answer passing for a whole one (an end is never invented, as libraries that repair JSON do); a
key given twice, of which nobody knows which one counts; NaN, which compares with nothing; NUL; nesting without end.
What it does not: check what it says; ``forms`` holds it against the schema that was asked for.

Mended are: text before and after, fences, ``<think>…</think>``, a comma before a closing bracket, single and
typographic quotes around a whole string, comments, ``True``, ``False`` and ``None``. Everything else is refused.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

DEEPEST = 64
_MOST_BEGINNINGS = 200
_THOUGHT = re.compile(r"\A\s*<(think|thinking|thought|reasoning)>.*?</\1>", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"```[ \t]*(?:[\w-]+[ \t]*)?\n(?P<inside>.*?)```", re.DOTALL)
_BEGINNING = re.compile(r"[{\[]")
_SPACE = re.compile(r"(?:\s|//[^\n]*(?:\n|$)|/\*.*?\*/)*", re.DOTALL)
_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,40})(?:\.\d{1,40})?(?:[eE][+-]?\d{1,3})?(?![\w.])")
_WORD = re.compile(r"[A-Za-z_]\w*")
_WORDS: Mapping[str, Any] = {
    "true": True, "false": False, "null": None, "True": True, "False": False, "None": None,
}  # fmt: skip
_QUOTES: Mapping[str, str] = {'"': '"', "'": "'", "“": "”", "„": "“", "‘": "’"}
_STRICT = json.JSONDecoder(strict=False)
_ESCAPES: Mapping[str, str] = {'"': '"', "'": "'", "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r",
                               "t": "\t"}  # fmt: skip


class NoValue(ValueError):
    """There is no JSON in it that could be meant. The text says why."""


def values_in(text: str) -> list[Any]:
    """Return the outermost JSON values of ``text``: the whole of it, else those in fences, else the objects and lists.

    Raises NoValue where there is none, and where one is refused.
    """
    if "\0" in text:
        raise NoValue("it holds a NUL")
    said = _THOUGHT.sub("", text).rpartition("</think>")[2]  # some servers keep the end of a thought alone
    if "<think>" in said.lower():
        raise NoValue("it never stopped thinking")
    for part in (said, *(found["inside"] for found in _FENCE.finditer(said))):
        if part.strip()[:1] in ("{", "[") and (whole := _whole(part.strip())):
            return whole
    found = list(_inside(said))
    if not found:
        raise NoValue(_why_none(said))
    return found


def _whole(text: str) -> list[Any]:
    reader = _Reader(text)
    try:
        value = reader.value(0)
        return [value] if reader.skip() == len(text) else []
    except NoValue:
        return []


def _inside(text: str) -> Iterator[Any]:
    """Yield every outermost object and list, from left to right. Raises NoValue where one is broken.

    A bracket of the prose is passed over; inside of what began as JSON and is broken nothing else is looked for.
    """
    at, tried = 0, 0
    while tried < _MOST_BEGINNINGS and (found := _BEGINNING.search(text, at)) is not None:
        reader = _Reader(text, found.start())
        tried += 1
        try:
            value = reader.value(0)
        except NoValue:
            if reader.began:
                raise
            at = found.start() + 1
            continue
        at = reader.at
        yield value


def _why_none(text: str) -> str:
    """Say why nothing could be read, by the first thing that looks like a beginning."""
    begins = _BEGINNING.search(text)
    if begins is None:
        return "it is empty" if not text.strip() else "there is no JSON in it"
    try:
        _Reader(text, begins.start()).value(0)
    except NoValue as error:
        return str(error)
    return "there is no JSON in it"


class _Reader:
    """Reads one value from ``at`` on. ``began`` tells that it is meant as JSON: a name or an item was there."""

    def __init__(self, text: str, at: int = 0) -> None:
        self.text = text
        self.at = at
        self.began = False

    def skip(self) -> int:
        """Go past white space and comments; return where that leads."""
        found = _SPACE.match(self.text, self.at)
        self.at = found.end() if found else self.at
        return self.at

    def peek(self) -> str:
        """Return the next character that means something, "" at the end."""
        at = self.skip()
        return self.text[at : at + 1]

    def value(self, depth: int) -> Any:
        """Read a value. Raises NoValue."""
        if depth > DEEPEST:
            raise NoValue("it is nested too deeply")
        sign = self.peek()
        if sign == "{":
            return self._object(depth)
        if sign == "[":
            return self._list(depth)
        if sign in _QUOTES:
            return self._string()
        return self._plain()

    def _object(self, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        self.at += 1
        while self.peek() != "}":
            name = self._key()
            if self.peek() != ":":
                raise NoValue(self._cut_off("a name has no value"))
            self.at += 1
            self.began = True
            if name in found:
                raise NoValue(f"{name[:40]!r} is said twice")
            found[name] = self.value(depth + 1)
            self._comma("}")
        self.at += 1
        return found

    def _key(self) -> str:
        if self.peek() not in _QUOTES:
            raise NoValue(self._cut_off("a name is not quoted"))
        return self._string()

    def _list(self, depth: int) -> list[Any]:
        found: list[Any] = []
        self.at += 1
        while self.peek() != "]":
            found.append(self.value(depth + 1))
            self.began = True
            self._comma("]")
        self.at += 1
        return found

    def _comma(self, end: str) -> None:
        """Go past the comma after an item; before the end there need not be one, and may be one too many."""
        sign = self.peek()
        if sign == ",":
            self.at += 1
        elif sign != end:
            raise NoValue(self._cut_off("a comma is missing"))

    def _string(self) -> str:
        end, begin = _QUOTES[self.text[self.at]], self.at
        if end == '"':
            return self._strict_string(begin)
        self.at += 1
        found: list[str] = []
        while (sign := self.text[self.at : self.at + 1]) != end:
            if not sign:
                raise NoValue("it ends in the middle")
            found.append(self._escaped() if sign == "\\" else sign)
            self.at += sign != "\\"
        self.at += 1
        return _checked("".join(found))

    def _strict_string(self, begin: int) -> str:
        try:
            value, self.at = _STRICT.raw_decode(self.text, begin)
        except ValueError as error:
            raise NoValue("it ends in the middle" if "Unterminated" in str(error) else "a text is malformed") from error
        return _checked(str(value))

    def _escaped(self) -> str:
        sign = self.text[self.at + 1 : self.at + 2]
        if sign not in _ESCAPES or not sign:
            raise NoValue("a text is malformed")
        self.at += 2
        return _ESCAPES[sign]

    def _plain(self) -> Any:
        number = _NUMBER.match(self.text, self.at)
        if number is not None:
            self.at = number.end()
            return _finite(json.loads(number[0]))
        word = _WORD.match(self.text, self.at)
        if word is None or word[0] not in _WORDS:
            what = word[0] if word else self.text[self.at : self.at + 1]
            raise NoValue(self._cut_off(f"{what[:40]!r} is no value"))
        self.at = word.end()
        return _WORDS[word[0]]

    def _cut_off(self, why: str) -> str:
        return "it ends in the middle" if not self.peek() else why


def _finite(number: float) -> float:
    """Return a number that is one. Raises NoValue."""
    if not math.isfinite(number):
        raise NoValue("a number is too large")
    return number


def _checked(text: str) -> str:
    """Return a text that can be written down. Raises NoValue."""
    if "\0" in text:
        raise NoValue("it holds a NUL")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise NoValue("it holds half a character") from error
    return text
