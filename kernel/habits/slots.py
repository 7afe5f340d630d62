"""How an argument generalises over the times it was seen.

The same value, what an earlier step made, a day counted from the day of the request, another file of the same folder,
or open; whichever says most and holds nearly each time. A value that others wrote is never in a slot. What decides (a
sink) is the same each time or open: the person says it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kernel.habits.deeds import FindTool
from kernel.habits.items import DAYS, FILES, canonical, folders_of
from kernel.habits.model import Deed, Given, Made, Open, Output, Relative, Same, Slot, Step, Within
from kernel.habits.relative import relative_of
from skills.model import Parameter, ParamRole

NEARLY = 0.85
"""So often of all times something has to hold."""
USUAL = 3
"""So many of the last values stand in an open slot."""

Instance = Sequence[Deed]


def steps_of(instances: Sequence[Instance], tool: FindTool) -> tuple[Step, ...]:
    """Return the steps that ``instances`` of one sequence have in common, oldest first."""
    return tuple(_step(instances, place, tool) for place in range(len(instances[0])))


def _step(instances: Sequence[Instance], place: int, tool: FindTool) -> Step:
    deeds = [one[place] for one in instances]
    known = tool(deeds[0].tool)
    names = Counter(name for deed in deeds for name in deed.arguments)
    if known is None:
        return Step(deeds[0].tool)
    slots = {
        name: _slot(known.parameter(name), name, instances, place)
        for name, count in sorted(names.items())
        if 2 * count > len(deeds)
    }
    return Step(known.id, slots)


def _slot(parameter: Parameter, name: str, instances: Sequence[Instance], place: int) -> Slot:
    deeds = [one[place] for one in instances]
    given = [(deed, deed.arguments[name]) for deed in deeds if name in deed.arguments]
    need = math.ceil(NEARLY * len(deeds) - 1e-9)
    same = _most(given, lambda _, one: [canonical(one.value)] if one.said else [], need)
    if same is not None:
        return Same(next(one.value for _, one in reversed(given) if one.said and canonical(one.value) == same))
    if parameter.role is ParamRole.SINK:
        return _open(given)
    return _days(parameter, given, need) or _output(name, instances, place, need) or _folder(parameter, given, need)


def _days(parameter: Parameter, given: Sequence[tuple[Deed, Given]], need: int) -> Slot | None:
    if parameter.type.kind not in DAYS:
        return None
    words = _most(given, lambda deed, one: relative_of(one.value, deed.at) if one.said else (), need)
    return None if words is None else Relative(words)


def _output(name: str, instances: Sequence[Instance], place: int, need: int) -> Slot | None:
    found: Counter[Output] = Counter()
    for instance in instances:
        given = instance[place].arguments.get(name)
        places = {(deed.run, deed.step): number for number, deed in enumerate(instance[:place])}
        found.update({_placed(one, places) for one in given.made if (one.run, one.step) in places} if given else ())
    often = [one for one, count in found.items() if count >= need]
    return max(often, key=lambda one: (one.index is None, not one.field, one.step), default=None)


def _placed(made: Made, places: Mapping[tuple[str, int], int]) -> Output:
    return Output(places[made.run, made.step], made.field, made.index)


def _folder(parameter: Parameter, given: Sequence[tuple[Deed, Given]], need: int) -> Slot:
    if parameter.type.kind in FILES:
        folder = _most(given, lambda _, one: _only(folders_of(one.value)) if one.said else (), need)
        if folder is not None:
            return Within(folder)
    return _open(given)


def _only(folders: frozenset[str]) -> Sequence[str]:
    return tuple(folders) if len(folders) == 1 else ()


def _open(given: Sequence[tuple[Deed, Given]]) -> Slot:
    values = {canonical(one.value): one.value for _, one in given if one.said}
    return Open(tuple(values.values())[-USUAL:])


def _most(given: Sequence[tuple[Deed, Given]], of: Callable[[Deed, Given], Sequence[str]], need: int) -> str | None:
    """Return what holds of most, where it holds of at least ``need``."""
    counts = Counter(one for deed, value in given for one in of(deed, value))
    best: Any = max(counts, key=lambda one: counts[one], default=None)
    return best if best is not None and counts[best] >= need else None
