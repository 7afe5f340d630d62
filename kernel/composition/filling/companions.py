"""Words that a request has beside a value: "delete the holiday photos" has no word of appointments, and means none."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from kernel.composition.scene import Scene
from kernel.composition.words import forms
from skills.model import Parameter, Tool, ValueKind

_WHEN, _LONG = "<when>", "<long>"
_TIMES = frozenset({ValueKind.DATE, ValueKind.PERIOD, ValueKind.HOURS, ValueKind.RECURRENCE})
_LEAST = 5  # letters of a word that another may end in: "Zahnarzttermin"


def stands_alone(scene: Scene, parameter: Parameter, first: int, last: int) -> bool:
    """Tell whether the words [first, last) have none of those that a request with this argument has."""
    if not parameter.beside or scene.goes_on:
        return False
    said, kinds = _heard(scene, first, last)
    if parameter.type.kind is ValueKind.URL and ValueKind.URL in kinds:
        return False
    words, together = _needed(parameter.beside)
    return said.isdisjoint(words) and not any(one <= said for one in together)


@lru_cache(maxsize=4096)
def _needed(beside: tuple[str, ...]) -> tuple[frozenset[str], tuple[frozenset[str], ...]]:
    """The words of which one is enough, and those that only do together."""
    each = [frozenset(one.split()) for one in beside]
    return frozenset().union(*(one for one in each if len(one) == 1)), tuple(one for one in each if len(one) > 1)


def said_in(scene: Scene, places: Iterable[int]) -> frozenset[str]:
    """Return the words at ``places`` in all their forms."""
    return frozenset(form.casefold() for at in places for form in (*forms(scene.tokens[at]), scene.tokens[at].norm))


def lacking(scene: Scene, tool: Tool, first: int, last: int) -> frozenset[str]:
    """Return the parameters of ``tool`` that it cannot do without and that the words [first, last) cannot give.

    A tool that could do without each of them cannot do without all, where every one has such words and none is said.
    """
    named = [one for one in tool.parameters if not one.found]
    alone = [one for one in named if stands_alone(scene, one, first, last)]
    nothing_said = alone and len(alone) == len(named)
    return frozenset(one.name for one in alone if nothing_said or one.required)


def _heard(scene: Scene, first: int, last: int) -> tuple[frozenset[str], frozenset[ValueKind]]:
    """The words [first, last) in all forms with what long ones end in, and the kinds of the values among them."""
    key = ("heard", first, last)
    if key not in scene.memo:
        kinds = frozenset(span.kind for span in scene.spans_in(first, last))
        said = said_in(scene, range(first, last))
        endings = {form[at:] for form in said for at in range(1, len(form) - _LEAST + 1)}
        times = {_WHEN} if kinds & _TIMES else set()
        scene.memo[key] = said | endings | times | ({_LONG} if ValueKind.DURATION in kinds else set()), kinds
    heard: tuple[frozenset[str], frozenset[ValueKind]] = scene.memo[key]
    return heard
