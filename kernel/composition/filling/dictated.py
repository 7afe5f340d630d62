"""What is written of a text that somebody dictates as a clause: the sentence that it says, not the clause."""

from __future__ import annotations

from dataclasses import replace

from kernel.composition.filling.regions import is_dictated
from kernel.composition.scene import Scene
from kernel.composition.window import Filler
from kernel.composition.words import is_article, is_possessive, is_pronoun
from kernel.language.main_clauses import says_that, straight
from kernel.model import Constant
from skills.model import Parameter, ParamRole, ValueKind

_MINE = frozenset("my your our".split())


def as_dictated(scene: Scene, parameter: Parameter, one: Filler) -> Filler:
    """Return ``one`` with "ich bin krank" for its value, where "dass ich krank bin" was said to be written.

    The words that it was read from stay what they are. No name is touched, and nothing that is not one text.
    """
    given = one.argument
    if not isinstance(given, Constant) or not _is_written(parameter):
        return one
    value = given.value[0] if isinstance(given.value, list) and len(given.value) == 1 else given.value
    if not isinstance(value, str) or value != given.text:
        return one
    if scene.intent.language == "de":
        led = one.first > 0 and says_that(scene.tokens[one.first - 1].norm)
        said = straight(value, led=led)
    else:
        said = _without_that(scene, one, value)
    return (
        one if said == value else replace(one, argument=replace(given, value=[said] if parameter.type.many else said))
    )


def _is_written(parameter: Parameter) -> bool:
    kind = parameter.type.kind
    return kind is ValueKind.TEXT or (kind is ValueKind.TITLE and parameter.role is ParamRole.PAYLOAD)


def _without_that(scene: Scene, one: Filler, value: str) -> str:
    """ "Saying that I am ill": what leads to the text is no part of it."""
    if one.last - one.first < 3 or scene.tokens[one.first].norm != "that" or not is_dictated(scene, one.first):
        return value
    opens = scene.tokens[one.first + 1].norm
    clause = is_article(opens) or is_pronoun(opens) or is_possessive(opens) or opens in _MINE
    return value.partition(" ")[2] if clause else value
