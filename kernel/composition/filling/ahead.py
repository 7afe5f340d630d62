"""Days and hours as a parameter takes them: "on Friday" is the next one for what is planned, the last one for the past.

A bare "half past five" is one of the morning where a tool says so of a parameter: for being woken, not for meeting.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from kernel.composition.scene import Scene
from kernel.language.time.hours import ASSUMED, before_noon
from kernel.language.time.intervals import looks_back
from kernel.language.time.periods import FUTURE
from kernel.model import Span
from skills.model import Parameter, ValueKind


def to_come(scene: Scene, parameter: Parameter, span: Span) -> Span:
    """Return a span as a parameter takes it: days in their reading ahead, hours in the morning, where it says so."""
    if parameter.early and span.source == ASSUMED:
        return replace(span, value=before_noon(span.value))
    if not parameter.ahead or span.kind not in (ValueKind.DATE, ValueKind.PERIOD) or _is_past(scene):
        return span
    for other in scene.spans:
        if other.source == FUTURE and span.source != FUTURE and other.first <= span.first and span.last <= other.last:
            return _moved(scene, span, other)
    return span


def _moved(scene: Scene, span: Span, other: Span) -> Span:
    """A stretch as it lies ahead; a day of it as much later as the stretch is."""
    if span.kind is ValueKind.PERIOD:
        return replace(span, value=other.value) if span.last == other.last else span
    place = (other.first, other.last)
    twins = (one for one in scene.spans if (one.first, one.last) == place and one.source != FUTURE)
    twin = next(filter(_is_stretch, twins), None)
    if twin is None or str(span.value) >= other.value["start"]:
        return span
    by = date.fromisoformat(other.value["start"]) - date.fromisoformat(twin.value["start"])
    return replace(span, value=(date.fromisoformat(str(span.value)) + by).isoformat())


def _is_stretch(span: Span) -> bool:
    return span.kind is ValueKind.PERIOD and bool(span.value["start"])


def _is_past(scene: Scene) -> bool:
    return looks_back((token.norm for token in scene.tokens), scene.intent.language)
