"""Patterns of file names in a sentence: "*.tmp", and a suffix that is named in words ("the extension tmp")."""

from __future__ import annotations

from functools import reduce
from operator import or_

from kernel.composition.scene import Scene, bits
from kernel.composition.window import Filler
from kernel.language.free_text import is_glob
from kernel.model import Constant


def is_pattern(one: Filler) -> bool:
    """Tell whether the value is a pattern of file names."""
    value = one.argument.value if isinstance(one.argument, Constant) else None
    return isinstance(value, str) and " " not in value and is_glob(value)


def patterns(scene: Scene) -> int:
    """Return the words that mean a pattern of file names: they are read as it, and as nothing else."""
    key = ("patterns",)
    if key not in scene.memo:
        masks = (bits(span.first, span.last) for span in scene.spans if span.source == "glob")
        scene.memo[key] = reduce(or_, masks, 0)
    found: int = scene.memo[key]
    return found
