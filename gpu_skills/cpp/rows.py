"""Sweeps along and down: the loop over tiles, by which threads share the work, around what happens to one tile."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from gpu_skills.cpp.emitting import Shape
from gpu_skills.cpp.laying import Lying, Way
from gpu_skills.cpp.lowering import Lowered, lower
from gpu_skills.cpp.naming import Names
from gpu_skills.cpp.passes import Passes, passes_of
from gpu_skills.cpp.sweeping import Choices, Tile

CHUNK = 16384
"""Elements of a row without folds that are one piece of work."""


ONE = "(int64_t)1"


@dataclass(frozen=True, slots=True)
class Written:
    """The C++ of a sweep: expressions of its pieces of work and of its floats of scratch, and what a piece does."""

    units: str
    space: str
    before: list[str]
    """Lines that take the number of a piece (``unit``) apart."""
    body: list[str]


@dataclass(slots=True)
class _Digit:
    """One digit of the number of a piece: the variable, how many there are, what it comes to."""

    name: str
    count: str
    lines: list[str]


def rows(names: Names, lying: Lying, choices: Choices) -> Written:
    """Return the C++ of a sweep that lies along or down."""
    lowered = lower(names.sweep)
    passes = passes_of(lowered, online=choices.online, keep=choices.keep)
    at_once = choices.at_once if lying.rows is not None else 1
    writer = _Along if lying.way is Way.ALONG else _Down
    return writer(lowered, names, lying, passes, choices, at_once).written()


def taken_apart(digits: list[tuple[str, str, list[str]]]) -> list[str]:
    """Return the lines that take ``unit`` apart into digits: their names, how many there are, what they come to.

    A division takes as long as dozens of elements: there is none for the outermost digit and where there is but one.
    """
    lines = ["int64_t rest = unit;"]
    counted = [name for name, count, _ in digits if count != ONE]
    for name, count, meaning in reversed(digits):
        if count == ONE:
            lines += [f"const int64_t {name} = 0; (void){name};", *meaning]
        elif name == counted[0]:
            lines += [f"const int64_t {name} = rest;", *meaning]
        else:
            lines += [f"const int64_t {name} = rest % ({count}); rest /= {count};", *meaning]
    return lines


class _Rows(ABC):
    def __init__(
        self, lowered: Lowered, names: Names, lying: Lying, passes: Passes, choices: Choices, at_once: int
    ) -> None:
        self.lowered, self.names, self.lying, self.passes = lowered, names, lying, passes
        self.choices, self.at_once = choices, at_once

    def written(self) -> Written:
        digits = [*self._outer(), self._innermost()]
        units = " * ".join(one.count for one in digits)
        before = taken_apart([(one.name, one.count, one.lines) for one in digits])
        return Written(units, self._space(), before, self._body())

    def _inner(self) -> int:
        return self.lowered.last if self.lying.way is Way.DOWN else self.lying.lanes

    def _outer(self) -> list[_Digit]:
        digits = []
        for axis in range(self.lowered.last + 1):
            if axis in (self.lying.lanes, self._inner()):
                continue
            if axis == self.lying.rows and self.at_once > 1:
                count = f"((n{axis} + {self.at_once - 1}) / {self.at_once})"
                digits.append(_Digit(f"d{axis}", count, [f"int64_t i{axis} = d{axis} * {self.at_once};"]))
            else:
                digits.append(_Digit(f"i{axis}", f"n{axis}", []))
        return digits

    def _tile(self, at_once: int, unroll: int, *, part: bool = False) -> list[str]:
        shape = Shape(self.lying.lanes, self._inner(), self.lying.rows, at_once, unroll, part)
        return Tile(self.lowered, self.names, shape, self.passes, self.choices).lines()

    def _by_rows(self, whole: list[str], single: list[str]) -> list[str]:
        """A whole tile of rows where there is one, else one row after the other."""
        axis, count = self.lying.rows, self.at_once
        if count == 1:
            return whole
        each = f"for (const int64_t end = n{axis}; i{axis} < end; i{axis}++) {{"
        return [f"if (n{axis} - i{axis} >= {count}) {{", *whole, "} else", each, *single, "}"]

    @abstractmethod
    def _innermost(self) -> _Digit:
        """Return how the innermost stretch is counted and what it means."""

    @abstractmethod
    def _space(self) -> str:
        """Return how many floats the kept rows of a thread take."""

    @abstractmethod
    def _body(self) -> list[str]:
        """Return what is done at each place."""


class _Along(_Rows):
    def _innermost(self) -> _Digit:
        n = f"n{self.lying.lanes}"
        if self.lowered.folds or self.passes.once:
            return _Digit("piece", ONE, [f"const int64_t j0 = 0, j1 = {n};"])
        lines = [f"const int64_t j0 = piece * {CHUNK}, j1 = {n} - j0 < {CHUNK} ? {n} : j0 + {CHUNK};"]
        return _Digit("piece", f"(({n} + {CHUNK - 1}) / {CHUNK})", lines)

    def _space(self) -> str:
        kept = len(self.passes.kept) * self.at_once
        return f"{kept} * ((n{self.lying.lanes} + LANES - 1) / LANES * LANES + LANES)" if kept else "0"

    def _body(self) -> list[str]:
        row = f"const int64_t kept_row = (n{self.lying.lanes} + LANES - 1) / LANES * LANES + LANES; (void)kept_row;"
        unroll = self.choices.unroll
        return [row, *self._by_rows(self._tile(self.at_once, unroll), self._tile(1, unroll))]


class _Down(_Rows):
    def _innermost(self) -> _Digit:
        n, width = f"n{self.lying.lanes}", f"({self.choices.unroll} * LANES)"
        lines = [f"int64_t j = block * {width};", f"const int64_t j1 = {n} - j < {width} ? {n} : j + {width};"]
        return _Digit("block", f"(({n} + {width} - 1) / {width})", lines)

    def _space(self) -> str:
        kept = len(self.passes.kept) * self.at_once * self.choices.unroll
        return f"{kept} * n{self.lowered.last} * LANES" if kept else "0"

    def _body(self) -> list[str]:
        row = f"const int64_t kept_row = n{self.lowered.last}; (void)kept_row;"
        whole = self._by_rows(self._tile(self.at_once, self.choices.unroll), self._tile(1, self.choices.unroll))
        edge = ["for (const int64_t j2 = j1; j < j2; j += LANES)",
                "if (j2 - j >= LANES) {", *self._edge(part=False), "} else {", "const int64_t n = j2 - j;",
                *self._edge(part=True), "}"]  # fmt: skip
        return [row, f"if (j1 - j == {self.choices.unroll} * LANES) {{", *whole, "} else {", *edge, "}"]

    def _edge(self, *, part: bool) -> list[str]:
        single = self._tile(1, 1, part=part)
        axis = self.lying.rows
        if self.at_once == 1:
            return single
        last = f"n{axis} - i{axis} < {self.at_once} ? n{axis} : i{axis} + {self.at_once}"
        begin = f"const int64_t first{axis} = i{axis}, end = {last};"
        return [begin, f"for (int64_t i{axis} = first{axis}; i{axis} < end; i{axis}++) {{", *single, "}"]
