"""A value whose request has words beside it is missed where none of them is said."""

from __future__ import annotations

import pytest

from kernel.composition.filling.companions import stands_alone
from kernel.composition.scene import scene_of
from kernel.interpret import interpret
from kernel.model import ConversationId, Utterance
from skills.model import Parameter, ValueKind, ValueType
from tests.kernel.composition.conftest import NOW, Desk


def _parameter(*beside: str) -> Parameter:
    return Parameter("thing", ValueType(ValueKind.QUERY), True, "What is meant.", beside=beside)


@pytest.mark.parametrize(
    ("text", "beside", "alone"),
    [
        ("delete the appointment with Jane", ("appointment",), False),
        ("delete the appointments with Jane", ("appointment",), False),  # another form of it
        ("delete the holiday photos", ("appointment",), True),
        ("delete the holiday photos", (), False),  # a request with it has no words of its own
        ("Verschiebe den Zahnarzttermin", ("termin",), False),  # what a long word ends in
        ("Verschiebe die Terminliste", ("termin",), True),  # and not what it begins with
        ("rename the scatter", ("cat",), True),  # a short word must stand by itself
        ("rename the wildcat", ("cat",), True),
        ("what is on today", ("<when>",), False),
        ("what is on the list", ("<when>",), True),
        ("push the dentist back by an hour", ("<long>",), False),
        ("push the dentist back", ("<long>",), True),
    ],
)
def test_a_word_beside_it_is_said(desk: Desk, text: str, beside: tuple[str, ...], alone: bool) -> None:
    intent = interpret(Utterance(text, ConversationId("c"), desk.home, desk.home, NOW), desk.world, desk.lexicon)
    scene = scene_of(intent)
    assert stands_alone(scene, _parameter(*beside), 0, scene.size) is alone


def test_only_the_stretch_counts(desk: Desk) -> None:
    text = "delete the photos and the appointment"
    intent = interpret(Utterance(text, ConversationId("c"), desk.home, desk.home, NOW), desk.world, desk.lexicon)
    scene = scene_of(intent)
    assert stands_alone(scene, _parameter("appointment"), 0, 3)
    assert not stands_alone(scene, _parameter("appointment"), 3, scene.size)
