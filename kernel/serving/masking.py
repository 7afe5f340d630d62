"""What a server was told in secret, taken out of what it says, also where it says it in another writing.

What this stops: a secret coming back as it is, in base64 (wherever in it, and in the alphabet for addresses), in hex
with anything between the digits, with percent signs, broken over lines, or as a number.
What it does not: find one that is said in parts, backwards, compressed or enciphered, or in another writing than these;
nor one of fewer than eight characters, which may be part of anything that is said.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

SHORTEST = 8
MASKED = "***"
_BETWEEN_DIGITS = r"(?:[\W_]|0?[xX]|u00){0,6}"
_URL_SAFE = str.maketrans("+/", "-_")
_WINDOW = 1 << 18
_WIDEST = 20
"""So many characters may stand for one byte of a value, with what stands between two."""


class Mask:
    """Takes ``values`` out of texts, lists and tables."""

    def __init__(self, values: Iterable[str]) -> None:
        plain = {one.removeprefix("Bearer ") for one in values}
        long = sorted((one for one in plain if len(one) >= SHORTEST), key=len, reverse=True)
        self._literal = [(form, re.compile(_over_lines(form))) for one in long for form in (one, *_in_base64(one))]
        self._written = [(re.compile(form(one)), mark) for one in long for form, mark in _WRITTEN]
        self._widest = _WIDEST * max((len(one.encode()) for one in long), default=0)

    def out_of(self, said: Any) -> Any:
        """Return what was said, without the values; a number with one in it is a text."""
        if not self._literal:
            return said
        if isinstance(said, str):
            return self._out_of_text(said)
        if isinstance(said, Mapping):
            return {self.out_of(name): self.out_of(one) for name, one in said.items()}
        if isinstance(said, list):
            return [self.out_of(one) for one in said]
        if isinstance(said, int | float) and not isinstance(said, bool):
            text = str(said)
            return said if self._out_of_text(text) == text else MASKED
        return said

    def _out_of_text(self, said: str) -> str:
        if len(said) < SHORTEST:
            return said
        flat = said.replace("\r", "").replace("\n", "")
        for form, pattern in self._literal:
            said = self._masked(pattern, said) if form in flat else said
        for pattern, mark in self._written:
            said = self._masked(pattern, said) if mark in said else said
        return said

    def _masked(self, pattern: re.Pattern[str], said: str) -> str:
        """Look through a text window by window: within one nothing else of the daemon goes on."""
        kept, at, pieces = 0, 0, list[str]()
        while at < len(said):
            found = pattern.search(said, at, min(len(said), at + _WINDOW + self._widest))
            if found is None:
                at += _WINDOW
                continue
            pieces += (said[kept : found.start()], MASKED)
            kept = at = found.end()
        return "".join([*pieces, said[kept:]])


def _over_lines(form: str) -> str:
    """Return a pattern for a text that may be broken over lines."""
    return r"[\r\n]{0,2}".join(map(re.escape, form))


def _in_base64(value: str) -> Iterator[str]:
    """Yield what stands in every base64 text that holds the value, by how many bytes stand before it, modulo three."""
    data = value.encode()
    for before in range(3):
        said = base64.b64encode(bytes(before) + data).decode()
        core = said[-(-8 * before // 6) : 8 * (before + len(data)) // 6]
        yield from {core, core.translate(_URL_SAFE)}


def _in_hex(value: str) -> str:
    return _BETWEEN_DIGITS.join(map(_digits, value.encode()))


def _in_percents(value: str) -> str:
    """Return a pattern for a text of which any character may be written with percent signs."""
    return "".join(f"(?:{re.escape(one)}|{''.join(f'%{_digits(byte)}' for byte in one.encode())})" for one in value)


def _digits(byte: int) -> str:
    """Return a pattern for two hex digits, in small letters or in large ones."""
    return "".join(one if one.isdigit() else f"[{one}{one.upper()}]" for one in f"{byte:02x}")


_WRITTEN = ((_in_hex, ""), (_in_percents, "%"))
"""Writings that are found by a pattern, each with what stands in every text that has one."""
