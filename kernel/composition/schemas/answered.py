"""The value that an answer says for a parameter of a tool without examples, in the form that its schema asks for."""

from __future__ import annotations

from kernel.composition.scene import Scene
from kernel.composition.schemas.known import Form, Known
from kernel.composition.schemas.line import Line
from kernel.composition.schemas.values import values
from kernel.composition.window import Filler


def answered(scene: Scene, known: Known, name: str) -> Filler | None:
    """Return the surest value of the parameter ``name`` that the whole answer may say; None for words of any form."""
    slot = next(one for one in known.slots if one.name == name)
    if slot.form is Form.TEXT:
        return None
    found = values(Line(scene, known, 0, scene.size)).get(name, [])
    return max(found, key=lambda one: (one.mask.bit_count(), one.score), default=None)
