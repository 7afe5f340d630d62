"""Which of the choices of an open question an answer means: "the newer one", "both", "die vom November", "1 and 3".

What this stops: that a natural answer is taken for a request of its own, or for nothing. A choice is told by its place
in the list, by its name, by the folder where it lies, by how old or how large it is.
What it does not: guess. An answer that fits two choices picks none of them, and then the question is asked again.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from kernel.composition.scene import Scene
from kernel.composition.words import is_negation, is_no, is_word
from kernel.context.naming import date_in, plain
from kernel.context.slips import is_slip
from kernel.context.world import World
from kernel.language.answer_words import (
    cares_not,
    extreme_of,
    from_the_top,
    is_beside,
    means_all,
    means_both,
    month_of,
    names_folder,
    place_named,
)
from kernel.language.extremes import LARGEST, NEWEST, OLDEST
from kernel.language.function_words import is_function_word
from kernel.model import Question, Span
from kernel.paths import paths_of
from skills.model import ValueKind

_WORD = re.compile(r"[^\W_]+")
_TIMES = frozenset({ValueKind.DATE, ValueKind.PERIOD})
_BY_AGE = frozenset({NEWEST, OLDEST})
_LONGEST = 9  # words: a longer sentence is no answer by a fact
_YEARS = range(1900, 2100)


@dataclass(frozen=True, slots=True)
class Chosen:
    """The places of the choices that are meant; none where the words are about the choices and do not say which.

    ``among`` are those that are still to choose from then.
    """

    places: tuple[int, ...] = ()
    any_will_do: bool = False
    among: tuple[int, ...] = ()


def chosen(scene: Scene, question: Question, world: World | None) -> Chosen | None:
    """Return what the words choose by a fact about the choices, or several of them; None when they are about others."""
    words = [token.norm for token in scene.tokens if is_word(token)]
    if not question.values or len(words) > _LONGEST or any(is_negation(word) for word in _rest_of(words)):
        return None
    if is_yes_or_no(question):
        return None
    return several(words, question) or _Told(scene, question, world).chosen()


def is_yes_or_no(question: Question) -> bool:
    """Tell whether the question is about one plan: yes or no."""
    return not question.parameter and len(question.values) == 2 and question.values[1] is None


def _rest_of(words: list[str]) -> list[str]:
    """The words without a "no" that only opens: "no, the other one"; "don't care" is no refusal."""
    return [] if cares_not(words) else words[bool(words) and is_no(words[0]) :]


# --- several ------------------------------------------------------------------------------------------------------


def several(words: list[str], question: Question) -> Chosen | None:
    """Return which of the choices are meant where the words mean more than one: "both", "the first two", "1 and 3"."""
    count = len(question.values) - (question.values[-1] is None)
    said = [word for word in words if not is_beside(word)]
    content = [word for word in said if not is_function_word(word) and not means_all(word)]
    numbers = [place_named(word) for word in content]
    if any(map(means_all, said)) and all(number == count for number in numbers):
        fits = count == 2 or not any(map(means_both, said))
        return Chosen(tuple(range(count)) if fits else ())
    return _some(said, content, numbers, count)


def _some(said: list[str], content: list[str], numbers: list[int], count: int) -> Chosen | None:
    top = from_the_top(content[0]) if content else 0
    many = numbers[1] if len(numbers) == 2 else 2 if len(content) == 1 and any(map(means_both, said)) else 0
    if top and len(content) <= 2 and 1 < many <= count and not {"and", "und"} & set(said):
        return Chosen(tuple(range(many) if top > 0 else range(count - many, count)))
    if len(numbers) > 1 and all(0 < number <= count for number in numbers) and len(set(numbers)) == len(numbers):
        return Chosen(tuple(sorted(number - 1 for number in numbers)))
    return None


# --- one, by a fact about it --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Told:
    """Reads what the words tell about one of the choices."""

    scene: Scene
    question: Question
    world: World | None

    def chosen(self) -> Chosen | None:
        """The only choice that all the words fit."""
        times, taken = self._times()
        said = [at for at in self._content() if at not in taken]
        extremes = {name for at in said if (name := self._extreme(at))}
        folder = any(names_folder(self.scene.tokens[at].norm) for at in said)
        names = [self.scene.tokens[at].norm for at in said if not self._is_fact(at)]
        pool = self._named(names)
        by_facts = any(map(path_of, self.question.values))
        if pool is None or len(extremes) > 1 or (not by_facts and (times or extremes)):
            return None
        for time in times:
            pool = self._dated(pool, time)
        pool = self._folders(pool) if folder and len(pool) > 1 else pool
        for name in extremes if len(pool) > 1 else ():
            pool = self._most(pool, name)
        return self._of(pool, told=bool(times or extremes or names or folder))

    def _of(self, pool: list[int], *, told: bool) -> Chosen | None:
        if not told:
            return Chosen(any_will_do=True) if cares_not(self._norms()) else None
        plural = any(token.norm == "ones" for token in self.scene.tokens)
        return Chosen(tuple(pool)) if len(pool) == 1 or plural else Chosen(among=tuple(pool))

    def _norms(self) -> list[str]:
        return [token.norm for token in self.scene.tokens if is_word(token)]

    def _content(self) -> Iterable[int]:
        for at, token in enumerate(self.scene.tokens):
            free = is_function_word(token.norm) or is_beside(token.norm) or cares_not([token.norm])
            if is_word(token) and len(token.norm) > 1 and not free:
                yield at

    def _is_fact(self, at: int) -> bool:
        return bool(self._extreme(at)) or names_folder(self.scene.tokens[at].norm)

    def _extreme(self, at: int) -> str:
        norm = self.scene.tokens[at].norm
        return extreme_of(norm) if norm not in words_in(self.question.choices) else ""

    # --- times

    def _times(self) -> tuple[list[Callable[[date], bool]], set[int]]:
        """What was said of the day, and the tokens that say it."""
        spans = [one for one in self.scene.spans if one.kind in _TIMES and self._says(one)]
        if spans:
            best = max(spans, key=lambda one: (one.last - one.first, one.confidence))
            if month := self._month(best):
                return [_in_month(month, self._year())], set(range(best.first, best.last))
            return [_in_span(best.value)], set(range(best.first, best.last))
        at = next((at for at, token in enumerate(self.scene.tokens) if month_of(token.norm)), -1)
        if at >= 0 and self._is_name(at):
            at = -1
        years = {one for one, token in enumerate(self.scene.tokens) if _year_of(token.norm)}
        if at >= 0:
            return [_in_month(month_of(self.scene.tokens[at].norm), self._year())], {at, *years}
        return ([_in_month(0, self._year())], years) if years else ([], set())

    def _says(self, span: Span) -> bool:
        """A time that holds content, not the number of a choice."""
        return any(not self.scene.tokens[at].norm.isdigit() for at in range(span.first, span.last))

    def _month(self, span: Span) -> int:
        """The month, where the span is nothing but that: of any year, unless one was said."""
        norms = [self.scene.tokens[at].norm for at in range(span.first, span.last)]
        months = [month_of(norm) for norm in norms if month_of(norm)]
        others = [norm for norm in norms if not (month_of(norm) or _year_of(norm) or is_function_word(norm))]
        return months[0] if len(months) == 1 and not others else 0

    def _is_name(self, at: int) -> bool:
        """A month that is a word of some choice: "april.pdf"."""
        return self.scene.tokens[at].norm in words_in(self.question.choices)

    def _year(self) -> int:
        return next((year for token in self.scene.tokens if (year := _year_of(token.norm))), 0)

    def _dated(self, pool: list[int], fits: Callable[[date], bool]) -> list[int]:
        """Those whose name has such a date; where none has, those that were changed then."""
        named = [at for at in pool if (day := _day_in(self._path(at))) is not None and fits(day)]
        if named:
            return named
        changed = [(at, self._modified(at)) for at in pool]
        return [at for at, moment in changed if moment is not None and fits(moment.date())]

    # --- size and age

    def _most(self, pool: list[int], name: str) -> list[int]:
        found = [self._measure(at, pool, age=name in _BY_AGE) for at in pool]
        known = [one for one in found if one is not None]
        if len(known) < len(found) or not known:
            return []
        best = max(known) if name in (NEWEST, LARGEST) else min(known)
        return [at for at, one in zip(pool, found, strict=True) if one == best]

    def _measure(self, at: int, pool: list[int], *, age: bool) -> float | None:
        if not age:
            facts = self._facts(at)
            return None if facts is None else float(facts[1])
        days = [_day_in(self._path(one)) for one in pool]
        if None not in days and len(set(days)) == len(days):
            return float(days[pool.index(at)].toordinal())  # type: ignore[union-attr]
        moment = self._modified(at)
        return None if moment is None else moment.timestamp()

    def _modified(self, at: int) -> datetime | None:
        facts = self._facts(at)
        return None if facts is None else datetime.fromtimestamp(facts[0]).astimezone()

    def _facts(self, at: int) -> tuple[float, int] | None:
        path = self._path(at)
        return self.world.facts(path) if path and self.world is not None else None

    def _folders(self, pool: list[int]) -> list[int]:
        world = self.world
        return [at for at in pool if world is not None and (path := self._path(at)) and world.is_folder(path)] or pool

    def _path(self, at: int) -> str:
        """The one path of a choice, "" where it is none."""
        return path_of(self.question.values[at])

    # --- names

    def _named(self, names: list[str]) -> list[int] | None:
        """The choices that have all the names; None when none does."""
        every = [at for at, value in enumerate(self.question.values) if value is not None]
        texts = [plain(choice) for choice in self.question.choices]
        said = [plain(name) for name in names]
        for holds in (_has_word, _has_piece, _has_slip):
            pool = [at for at in every if all(holds(texts[at], name) for name in said)]
            if pool:
                return pool
        return None


def path_of(value: Any) -> str:
    """Return the one path that a value is, also as a list of one or a file with its facts; "" for anything else."""
    found = list(paths_of(value))
    return found[0] if len(found) == 1 else ""


def words_in(choices: Iterable[str]) -> set[str]:
    """Return the words of the choices, in small letters."""
    return {word for choice in choices for word in _WORD.findall(choice.casefold())}


def _has_word(text: str, name: str) -> bool:
    return name in _WORD.findall(text)


def _has_piece(text: str, name: str) -> bool:
    return name in text


def _has_slip(text: str, name: str) -> bool:
    return any(is_slip(name, word) or word == name for word in _WORD.findall(text))


def _day_in(path: str) -> date | None:
    """The month that a name has in digits, as its first day."""
    year, month = date_in(os.path.basename(path)) if path else (0, 0)
    return date(year, month or 1, 1) if year else None


def _year_of(norm: str) -> int:
    return int(norm) if norm.isdigit() and int(norm) in _YEARS else 0


def _in_month(month: int, year: int) -> Callable[[date], bool]:
    return lambda day: month in (0, day.month) and year in (0, day.year)


def _in_span(value: Any) -> Callable[[date], bool]:
    """A day, or a period from its first day up to the one after its last."""
    if isinstance(value, dict):
        first, last = str(value.get("start") or "0001-01-01"), str(value.get("end") or "9999-12-31")
        return lambda day: first[:10] <= day.isoformat() < last[:10]
    return lambda day: day.isoformat() == str(value)[:10]
