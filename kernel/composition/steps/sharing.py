"""A value stated once for two clauses: "read and summarise a.pdf" summarises the same document."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kernel.composition import weights as w
from kernel.composition.draft import Draft
from kernel.composition.fit import Step
from kernel.composition.window import Filler, Flow
from kernel.model import Constant
from skills.model import Parameter, ValueKind

K = ValueKind
_SHARED = frozenset({K.FILE, K.FOLDER, K.TABLE, K.DATE})


def shared(draft: Draft, readings: list[tuple[Step, ...]]) -> list[tuple[Step, ...]]:
    """Return readings of a clause with the required value that it lacks, which an earlier one states.

    A required value that a clause lacks may be stated in an earlier one."""
    found = []
    for steps in readings:
        step = steps[-1]
        if len(step.missing) != 1 or not draft.steps:
            continue
        wanted = step.profile.parameter(step.missing[0])
        for earlier in reversed(draft.steps):
            given = next((one for one in earlier.fillers if _is_same(earlier, one, wanted)), None)
            if given is not None:
                found.append((*steps[:-1], with_shared(step, given)))
                break
    return found


def _is_same(step: Step, one: Filler, wanted: Parameter) -> bool:
    """A value of the same kind; a title only of what is there, and the same kind of thing."""
    own, kind = step.profile.parameter(one.parameter), wanted.type.kind
    alike = own.type.kind is kind and isinstance(one.argument, Constant) and _is_as_many(one.argument.value, wanted)
    titled = kind is K.TITLE and bool(own.names) and own.names == wanted.names and not step.profile.removes(own.name)
    return alike and (kind in _SHARED or titled)


def _is_as_many(value: Any, wanted: Parameter) -> bool:
    """Tell whether a value may stand for ``wanted``: of several things none is the one that is wanted."""
    return wanted.type.many is isinstance(value, list) or (isinstance(value, list) and len(value) == 1)


def is_again(draft: Draft, steps: tuple[Step, ...]) -> bool:
    """Tell whether the words ask once more for what was just asked for: "open a.txt and read it to me".

    Who says what is no longer needed, and then "delete it", wants it deleted once.
    """
    if not draft.steps or len(steps) != 1 or steps[0].missing or steps[0].words:
        return False
    before, now = draft.steps[-1], steps[0]
    if now.profile.destroys:
        return destroys_twice(replace(draft, steps=(*draft.steps, now)))
    if not now.profile.is_pure:
        return False
    points = all(one.origin == "reference" for one in now.fillers)
    return bool(now.fillers) and points and before.tool == now.tool and _given(before) == _given(now)


def _given(step: Step) -> dict[str, Any]:
    return {one.parameter: one.argument.value for one in step.fillers if isinstance(one.argument, Constant)}


def destroys_twice(draft: Draft) -> bool:
    """Tell whether something is taken away that an earlier step has taken away: there is nothing left of it."""
    gone = {at for at, step in enumerate(draft.steps) if step.profile.destroys}
    later = [step for step in draft.steps if step.profile.destroys]
    return any(isinstance(one.argument, Flow) and one.argument.step in gone for step in later for one in step.fillers)


def with_shared(step: Step, given: Filler) -> Step:
    """Return ``step`` with its missing value taken from the words of another clause."""
    argument, many = given.argument, step.profile.parameter(step.missing[0]).type.many
    if isinstance(argument, Constant) and isinstance(argument.value, list) and not many:
        argument = replace(argument, value=argument.value[0])
    one = replace(
        given, parameter=step.missing[0], argument=argument, mask=0, origin="shared", score=min(given.score, 0.8)
    )
    cost = step.cost - w.MISSING + w.SHARED
    return replace(step, fillers=(*step.fillers, one), missing=(), cost=cost)


def share_backwards(draft: Draft) -> Draft:
    """Give a clause that lacks a required value the one that a later clause states ("read and summarise a.pdf").

    What the later one changes with the very result is no such value: "read the total and add it to a.csv". An aside
    states one too: "how much did I spend in each category, it's all in expenses.csv".
    """
    steps = list(draft.steps)
    for index, step in enumerate(steps):
        if len(step.missing) != 1:
            continue
        after = steps[index + 1] if index + 1 < len(steps) else None
        takes_in = after is not None and not after.profile.is_pure and _takes_from(after, index)
        given = (None if takes_in else _stated(step, after)) or _topic(step, draft)
        if given is not None:
            steps[index] = with_shared(step, given)
    cost = draft.cost + sum(new.cost - old.cost for new, old in zip(steps, draft.steps, strict=True))
    return replace(draft, steps=tuple(steps), cost=cost)


def _takes_from(step: Step, earlier: int) -> bool:
    return any(isinstance(one.argument, Flow) and one.argument.step == earlier for one in step.fillers)


def _stated(step: Step, after: Step | None) -> Filler | None:
    wanted = step.profile.parameter(step.missing[0])
    fillers = after.fillers if after is not None else ()
    return next((one for one in fillers if after and _is_same(after, one, wanted)), None)


def _topic(step: Step, draft: Draft) -> Filler | None:
    """The only thing of the kind that the sentence has named beside its requests."""
    wanted = step.profile.parameter(step.missing[0]).type
    kinds = {K.TABLE: (K.FILE,)}.get(wanted.kind, (wanted.kind,))
    held = [one for one in draft.topics if one.type.kind in kinds and wanted.kind in _SHARED and one.step is None]
    if len(held) != 1:
        return None
    value = [held[0].value] if wanted.many else held[0].value
    return Filler(
        step.missing[0], Constant(value, held[0].label, held[0].text), 0, step.first, step.first, 0.8, "topic"
    )


def repeats(draft: Draft, steps: tuple[Step, ...]) -> bool:
    """Tell whether a clause only says once more what an earlier one does to the same things."""
    step = steps[-1]
    if len(steps) > 1 or step.missing or step.profile.is_pure or not step.fillers:
        return False
    return any(
        earlier.tool == step.tool and all(_is_again(one, earlier, number) for one in step.fillers)
        for number, earlier in enumerate(draft.steps)
    )


def _is_again(one: Filler, earlier: Step, number: int) -> bool:
    """The value is what the earlier step was given for the same parameter, or what it handed on."""
    if isinstance(one.argument, Flow):
        return one.argument.step == number
    before = next((other.argument for other in earlier.fillers if other.parameter == one.parameter), None)
    return isinstance(before, Constant) and _things(before.value) == _things(one.argument.value)


def _things(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
