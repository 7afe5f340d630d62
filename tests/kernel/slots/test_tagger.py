"""The tagger on a small world of its own: word vectors that are drawn once for each word, no encoder needed."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest

from kernel.language import tokenize
from kernel.slots import Labelled, Projection, Shared, Tagger, Taggers
from kernel.slots.labels import LabelSet
from skills.model import EffectClass, Example, ExampleSlot, SkillId, Tool, ToolId, ValueKind, ValueType

CITIES = "Paris Berlin Rome Oslo Lima Cairo Delhi Quito".split()
SONGS = "Yesterday Imagine Hurt Creep Zombie Africa Halo Toxic".split()


def vectors(texts: Sequence[str]) -> Sequence[npt.NDArray[np.float32]]:
    """A fixed random direction for each word; cities lie together, and so do songs."""
    return [np.array([_vector(token.text) for token in tokenize(text, "en")], dtype=np.float32) for text in texts]


def _vector(word: str) -> npt.NDArray[np.float32]:
    row = np.random.default_rng(zlib.crc32(word.lower().encode())).normal(size=16) / 4
    row[0] += 2.0 * (word in CITIES)
    row[1] += 2.0 * (word in SONGS)
    return row.astype(np.float32)


def _marked(pattern: str, name: str, value: str) -> Labelled:
    start = pattern.index("{}")
    return Labelled(pattern.format(value), ((start, start + len(value), name),))


WEATHER = [_marked("what is the weather in {} now", "city", city) for city in CITIES[:4]]
WEATHER += [_marked("will it rain in {}", "city", city) for city in CITIES[2:5]]
MUSIC = [_marked("play {} please", "song", song) for song in SONGS[:4]]
MUSIC += [_marked("I want to hear {}", "song", song) for song in SONGS[3:6]]
TEXTS = [example.text for example in WEATHER + MUSIC]
PROJECTION = Projection.fit(TEXTS, vectors, width=8)


def test_a_value_that_was_never_seen_is_found_where_values_stand() -> None:
    tagger = Tagger.train(WEATHER, PROJECTION, vectors)
    (found,) = tagger.tag("what is the weather in Quito now", vectors)
    assert (found.parameter, found.first, found.last) == ("city", 5, 6)
    assert 0.5 < found.probability <= 1.0


def test_what_other_skills_taught_helps_and_holds_no_label_of_this_one() -> None:
    shared = Shared.train(MUSIC, PROJECTION, vectors)
    tagger = Tagger.train(WEATHER[:2], PROJECTION, vectors, shared)
    (found,) = tagger.tag("will it rain in Cairo", vectors)
    assert (found.parameter, found.first, found.last) == ("city", 4, 5)


def test_a_sentence_like_the_examples_fits_better() -> None:
    tagger = Tagger.train(WEATHER, PROJECTION, vectors)
    assert tagger.fit("will it rain in Oslo", vectors) > tagger.fit("zip every old folder twice", vectors)


def test_nothing_to_read_and_nothing_to_learn_from() -> None:
    assert Tagger.train(WEATHER, PROJECTION, vectors).tag("", vectors) == []
    with pytest.raises(ValueError, match="at least one example"):
        Tagger.train([], PROJECTION, vectors)


def test_labels_and_spans_are_each_others_reverse() -> None:
    labels = LabelSet(("city", "time"))
    text = "weather in New York tomorrow at noon"
    sentence = Labelled(text, ((11, 19, "city"), (20, 28, "time"), (32, 36, "time")))
    assert labels.spans(list(labels.of(sentence))) == [(2, 4, "city"), (4, 5, "time"), (6, 7, "time")]
    logs = labels.transitions([labels.of(sentence)])
    inside_time = 4
    assert logs[0, inside_time] < -1000  # an I never follows an O
    assert logs[3, inside_time] > -10


def _tool(skill: str, examples: Sequence[Labelled]) -> Tool:
    given = tuple(
        Example(one.text, "en", tuple(ExampleSlot(name, start, end) for start, end, name in one.slots))
        for one in examples
    )
    return Tool(
        ToolId(f"{skill}.do"), SkillId(skill), "do", "", EffectClass.PURE, (), ValueType(ValueKind.ANY), given, ()
    )


def test_taggers_propose_for_tools_with_enough_examples_only() -> None:
    taggers = Taggers([_tool("weather", WEATHER), _tool("music", MUSIC), _tool("new", MUSIC[:2])], vectors)
    (found,) = taggers.propose(ToolId("music.do"), "I want to hear Halo")
    assert (found.parameter, found.first, found.last) == ("song", 4, 5)
    assert taggers.propose(ToolId("new.do"), "play Halo please") == []
    assert taggers.propose(ToolId("nobody.do"), "play Halo please") == []


def test_taggers_teach_each_skill_with_the_examples_of_the_others() -> None:
    weather = [
        _marked(f"{word} is the weather in {{}}", "city", city) for word in "how what where".split() for city in CITIES
    ]
    music = [_marked(f"{word} {{}} now", "song", song) for word in "play hear sing".split() for song in SONGS]
    taggers = Taggers([_tool("weather", weather * 2), _tool("music", music * 2)], vectors)
    (found,) = taggers.propose(ToolId("weather.do"), "tell me the weather in Quito")
    assert (found.parameter, found.first, found.last) == ("city", 5, 6)
