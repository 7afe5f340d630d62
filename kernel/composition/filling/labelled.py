"""Quotations with their name before them: "Betreff „Fest“, Text „Bring Kuchen mit“", "text “Bring cake”".

What this stops: that what is called a text becomes a subject or a person, and the name itself is written.
"""

from __future__ import annotations

from kernel.composition.scene import Scene
from kernel.composition.window import Filler
from skills.model import Parameter, ValueKind

_TEXTS = frozenset("text body inhalt wortlaut".split())
_HEADS = frozenset("subject betreff title titel".split())


def is_called_otherwise(scene: Scene, parameter: Parameter, one: Filler) -> bool:
    """Tell whether the words of ``one`` are called what ``parameter`` is not, or hold such a name and its quotation."""
    kind = parameter.type.kind
    if scene.is_quoted(one.first, one.last):
        before = scene.tokens[one.first - 1].norm if one.first else ""
        return before in (_HEADS if kind is ValueKind.TEXT else _TEXTS)
    begins = [(mask & -mask).bit_length() - 1 for mask in scene.quoted]
    return (
        any(one.first < at <= one.last and scene.tokens[at - 1].norm in _TEXTS for at in begins)
        and one.first + 1 < one.last
    )
