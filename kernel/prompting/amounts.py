"""Numbers of a plan of a model's that a parameter is in a unit for: converted as those of the kernel's own plans are.

What this stops: the 20 of "20 km" as 20 metres, whether a model took the number of the request or wrote it down.
What it does not: tell that a number is wrong which stands in no word of the request.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from kernel.composition.filling.units import amount_around, as_amount, converted_to, is_of_another_measure
from kernel.composition.scene import NUMBERS, Scene
from kernel.dispatching.coercion import coerce
from kernel.language.amounts.measures import in_unit
from kernel.model import Span
from skills.model import Parameter


@dataclass(frozen=True, slots=True)
class Amount:
    """A number as it is said in ``words``; ``value`` is it in the unit of the parameter, None if there is none."""

    words: str
    value: int | float | None


def said_amount(parameter: Parameter, span: Span, scene: Scene) -> Amount | None:
    """Return the amount that ``span`` is or is the number of; None where it is a bare number, or one is wanted."""
    if not parameter.unit:
        return None
    whole = amount_around(scene, parameter, span)
    value = converted_to(parameter, whole)
    if value is None and not is_of_another_measure(parameter, whole):
        return None
    return Amount(scene.text(whole.first, whole.last), value)


def written_amount(parameter: Parameter, value: Any, language: str) -> Any:
    """Return what a model wrote ("20 km") in the unit of ``parameter``; a number as it is. Raises TaskFailed."""
    return coerce(value, parameter, language)[0] if parameter.unit and isinstance(value, str | Mapping) else value


def is_unconverted(parameter: Parameter, value: Any, scene: Scene) -> bool:
    """Tell whether ``value`` is a number that the request says in another unit, and says nowhere else."""
    if not parameter.unit or isinstance(value, bool) or not isinstance(value, int | float):
        return False
    said = list(_numbers(parameter, scene))
    return any(number == value for number, _ in said) and all(meant != value for _, meant in said)


def _numbers(parameter: Parameter, scene: Scene) -> Iterator[tuple[float, float | None]]:
    """The numbers of the request as they are said, and what each comes to in the unit of ``parameter``."""
    for span in scene.spans:
        amount = as_amount(span)
        if amount is not None:
            meant = in_unit(*amount, parameter.unit)
            yield float(amount[0]), None if meant is None else float(meant)
        elif span.kind in NUMBERS and amount_around(scene, parameter, span) is span:
            yield float(span.value), float(span.value)
