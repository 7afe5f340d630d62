"""Names that are vouched for: by a word such as "called" before them, or by a thing that has them."""

from __future__ import annotations

from fnmatch import fnmatchcase

from kernel.composition import weights as w
from kernel.composition.scene import Scene
from skills.model import ValueKind

K = ValueKind


def is_called(scene: Scene, pattern: str, first: int, last: int) -> bool:
    """Tell whether some of the words [first, last), and none beside them, name a file whose path fits ``pattern``."""
    wanted = pattern.replace("~", scene.home, 1)
    return any(
        first <= span.first < span.last <= last and isinstance(span.value, str) and fnmatchcase(span.value, wanted)
        for span in scene.spans
        if span.kind is K.FILE
    )


def is_announced(scene: Scene, first: int, last: int) -> bool:
    """Tell whether the stretch is what a word like "called" announces, whole."""
    return any((first, end) == (first, last) for start, end in strong_tails(scene) if start == first)


def strong_tails(scene: Scene) -> tuple[tuple[int, int], ...]:
    """Return the stretches that words like "called" and "saying" announce, each up to where it may end first."""
    key = ("tails",)
    if key not in scene.memo:
        shortest: dict[int, int] = {}
        for span in scene.spans:
            if span.source.startswith("cue") and span.confidence >= w.STRONG_CUE:
                shortest[span.first] = min(span.last, shortest.get(span.first, span.last))
        scene.memo[key] = tuple(shortest.items())
    found: tuple[tuple[int, int], ...] = scene.memo[key]
    return found


def whole_name(scene: Scene, first: int, last: int) -> bool:
    """Tell whether the stretch is exactly the name of a thing that exists, without a suffix: "garden plan"."""
    return "." not in scene.text(first, last) and any(
        (span.first, span.last) == (first, last) and span.source == "stem" for span in scene.spans
    )
