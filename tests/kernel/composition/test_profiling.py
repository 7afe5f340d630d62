"""What a manifest teaches: skeletons, cue words, choices, the parameter that limits a result."""

from __future__ import annotations

import pytest

from kernel.composition.profiles.profiling import build_profile
from kernel.context.toolbox import Toolbox
from skills.errors import SkillError
from skills.model import (
    EffectClass,
    Example,
    ExampleSlot,
    Parameter,
    SkillId,
    Tool,
    ToolId,
    ValueKind,
    ValueType,
)

K = ValueKind


def example(marked: str, language: str = "en") -> Example:
    """Read ``{parameter:words}`` marks."""
    text, slots = "", []
    rest = marked
    while "{" in rest:
        before, _, rest = rest.partition("{")
        inside, _, rest = rest.partition("}")
        name, _, words = inside.partition(":")
        text += before
        slots.append(ExampleSlot(name, len(text), len(text) + len(words)))
        text += words
    return Example(text + rest, language, tuple(slots))


ORDER = {
    "big": {"en": ("biggest", "most heavy"), "de": ("größte",)},
    "small": {"en": ("smallest",), "de": ("kleinste",)},
}
TOOL = Tool(
    ToolId("zoo.list"), SkillId("zoo"), "list", "List animals.", EffectClass.PURE,
    (
        Parameter("order", ValueType(K.CHOICE, choices=("big", "small")), False, "which first", words=ORDER),
        Parameter("count", ValueType(K.INTEGER), False, "how many", default=10),
        Parameter("name", ValueType(K.QUERY), False, "part of the name"),
    ),
    ValueType(K.RECORD, many=True),
    (
        example("list the {count:three} {order:biggest} animals"),
        example("please list animals called {name:lion}"),
        example("which animals are named {name:tiger}?"),
        example("liste die {order:größten} Tiere", "de"),
    ),
    (),
)  # fmt: skip


def test_slots_become_features_and_courtesy_goes() -> None:
    profile = build_profile(TOOL, "en", 0.5)
    assert [skeleton.elements for skeleton in profile.skeletons][:2] == [
        ("list", "<count>", "<order>", "animal"),
        ("list", "animal", "call", "<name>"),
    ]
    assert profile.verbs["list"] == 2


def test_words_before_a_slot_announce_it() -> None:
    cues = build_profile(TOOL, "en", 0.5).cues
    assert cues.share_left("name", ["call", "called"]) == 1.0  # the lemma and the form, as a window has them
    assert cues.share_left("name", ["call"]) is None  # "a call with Anna" announces no name
    assert cues.share_left("name", ["zebra"]) is None


def test_the_only_number_of_many_results_is_their_count_and_extremes_order() -> None:
    profile = build_profile(TOOL, "en", 0.5)
    assert profile.count == "count"
    assert profile.ordering == {"order"}


def test_a_choice_of_several_words_is_one_phrase() -> None:
    phrases = build_profile(TOOL, "en", 0.5).phrases["most"]
    assert [(len(phrase.words), phrase.parameter, phrase.choice) for phrase in phrases] == [(2, "order", "big")]


def test_each_language_has_its_own_words() -> None:
    german = build_profile(TOOL, "de", 0.5)
    assert "liste" in german.verbs
    assert "biggest" not in german.phrases
    assert "animal" not in german.carriers


def test_the_toolbox_knows_verbs_choices_and_producers() -> None:
    box = Toolbox.build([TOOL])
    assert box.is_verb(["list"], "en")
    assert not box.is_verb(["animal"], "en")
    assert box.is_choice(["biggest"], "en")
    assert box.producers(K.RECORD) == {TOOL.id}
    with pytest.raises(SkillError):
        box.tool(ToolId("zoo.nothing"))
