"""Values that only commas and conjunctions part: "a.pdf, b.pdf and c.pdf", "images and documents".

Where a tool takes many things they are one list; of choices, where it takes one, each is meant (``each``).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice, product

from kernel.composition.filling.standing import JOINING
from kernel.composition.scene import Scene, bits
from kernel.composition.window import Filler
from kernel.composition.words import is_free, is_preposition, is_word
from kernel.model import Constant, Token

EACH = "each"
"""The origin of a filler that means its value and every other one: none of them may be left out."""
NAMED = "named"
"""The same of things that are there and named one by one: a call that changes them may be made for each, too."""

_MOST_LISTS = 256
_MOST_CHOICES = 4


def joined(scene: Scene, found: list[Filler]) -> Iterator[Filler]:
    """Yield neighbouring values as one list: "a.pdf, b.pdf and c.pdf"."""
    for run in _runs(scene, (one for one in found if not one.missing)):
        yield _as_list(run)


def joined_choices(scene: Scene, choices: list[Filler]) -> Iterator[Filler]:
    """Yield neighbouring choices of one parameter that are all meant: "images and documents"."""
    by_parameter: dict[str, list[Filler]] = defaultdict(list)
    for one in choices:
        by_parameter[one.parameter].append(one)
    for own in by_parameter.values():
        for run in _runs(scene, own):
            values = [one.argument for one in run if isinstance(one.argument, Constant)]
            if len({repr(one.value) for one in values}) == len(run) <= _MOST_CHOICES:
                yield _as_each(run, values)


def joined_things(scene: Scene, found: list[Filler]) -> Iterator[Filler]:
    """Yield neighbouring things that are there, where a tool takes one: "the notes Ideas and Plan"."""
    there = [one for one in found if not (one.missing or one.others) and isinstance(one.argument, Constant)]
    for run in _runs(scene, _surest(there), again=True):
        values = [one.argument for one in run if isinstance(one.argument, Constant)]
        if len({repr(one.value) for one in values}) == len(run) <= _MOST_CHOICES:
            yield replace(_as_each(run, values), score=min(one.score for one in run), origin=NAMED)


def _surest(found: list[Filler]) -> list[Filler]:
    """Of those that overlap the surest: "Ideas" and not "the note Ideas"."""
    kept: list[Filler] = []
    for one in sorted(found, key=lambda one: -one.score):
        if not any(one.first < other.last and other.first < one.last for other in kept):
            kept.append(one)
    return kept


def _as_each(run: list[Filler], values: list[Constant]) -> Filler:
    """Beside a choice that is certain, a word that may also be the name of a folder is a choice too."""
    first, last = run[0].first, run[-1].last
    score = max(one.score for one in run)
    return replace(
        run[0],
        mask=bits(first, last),
        last=last,
        score=score,
        origin=EACH,
        argument=values[0],
        others=tuple(values[1:]),
    )


def _runs(scene: Scene, found: Iterable[Filler], *, again: bool = False) -> Iterator[list[Filler]]:
    """Yield the longest runs of two or more; ``again``: the noun before the first may be said before each."""
    run: list[Filler] = []
    for one in sorted(found, key=lambda one: (one.first, -one.last)):
        if run and one.first < run[-1].last:
            continue
        if run and not _only_joins(scene, run[-1].last, one.first - (again and _is_again(scene, run[0], one))):
            yield from [run] if len(run) > 1 else []
            run = []
        run.append(one)
    yield from [run] if len(run) > 1 else []


def _is_again(scene: Scene, before: Filler, one: Filler) -> bool:
    """ "The note Ideas and the note Plan"."""
    return before.first > 0 and scene.keys[one.first - 1] == scene.keys[before.first - 1] != ""


def _only_joins(scene: Scene, first: int, last: int) -> bool:
    """Two things of one act need a comma or a conjunction between them; "in" makes the second a place."""
    tokens = scene.tokens[first:last]
    joins = any(token.norm in JOINING or token.norm == "," for token in tokens)
    return joins and len(tokens) <= 4 and all(_may_join(token) for token in tokens)


def _may_join(token: Token) -> bool:
    return not is_word(token) or (is_free(token) and len(token.norm) <= 6 and not is_preposition(token.norm))


def _as_list(run: list[Filler]) -> Filler:
    """All of the things as one list; where one of the names has several of them, every list that may be meant."""
    first, last = run[0].first, run[-1].last
    held = [[value for value in (one.argument, *one.others) if isinstance(value, Constant)] for one in run]
    lists = [
        Constant([one.value for one in chosen], chosen[0].label, ", ".join(one.text for one in chosen))
        for chosen in islice(product(*held), _MOST_LISTS)
    ]
    score = min(1.0, sum(one.score for one in run) / len(run) + 0.1)
    return Filler(run[0].parameter, lists[0], bits(first, last), first, last, score, "list", tuple(lists[1:]))
