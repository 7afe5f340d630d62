"""Words that mean a result and are no text themselves: "put the number in my note", "schick Anna die Liste".

What this stops: a note that says "the number". Where an earlier step came to such a thing, that is what is written;
where none did, the person is asked for it.
What it does not: read them as a name. "Remind me of the list" in a first clause is about a list.
"""

from __future__ import annotations

from kernel.composition.scene import Scene
from kernel.composition.window import Filler, Window
from kernel.composition.words import is_entire
from kernel.language.outcome_nouns import means_an_outcome
from skills.model import Parameter, ParamRole, ValueKind

K = ValueKind
OUTCOME = "outcome"
"""The origin of such a filler."""


def is_outcome(window: Window, parameter: Parameter, one: Filler) -> bool:
    """Tell whether the words are a bare noun for what a step came to; in a title only behind another clause."""
    later = parameter.role is ParamRole.PAYLOAD and one.first > window.first > window.scene.begin
    written = parameter.type.kind is K.TEXT or (parameter.type.kind is K.TITLE and later)
    return written and means_an_outcome(_norms(window.scene, window.first, one))


def _norms(scene: Scene, first: int, one: Filler) -> list[str]:
    """The words with the article before them, without "whole" and what begins something else: "the sum | in my"."""
    begin, end = one.first, one.last
    begin -= begin > first and scene.determiners[begin - 1]
    while end > begin and scene.free[end - 1]:
        end -= 1
    return [token.norm for token in scene.tokens[begin:end] if not is_entire(token.norm)]
