"""Lessons: what they say is in the manifests, what they mean holds, and the same seed makes the same ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from kernel.composition.steps.results import fit
from kernel.context.mind import Mind
from kernel.schooling import CONSTRUCTS, Lesson, School, divided
from kernel.schooling.model import Said, Taken
from skills.model import Tool, ValueKind


@pytest.fixture(scope="module")
def school(mind: Mind, tmp_path_factory: pytest.TempPathFactory) -> School:
    return School(mind, tmp_path_factory.mktemp("school"), seed=3, vetted=False)


@pytest.fixture(scope="module")
def lessons(school: School) -> tuple[Lesson, ...]:
    return tuple(school.lessons(20 * len(CONSTRUCTS)))


def test_every_construct_is_made_in_both_languages(lessons: tuple[Lesson, ...]) -> None:
    made = {(one.construct, one.language) for one in lessons}
    assert made == {(name, language) for name in CONSTRUCTS for language in ("en", "de")}


def test_every_value_stands_in_the_sentence(lessons: tuple[Lesson, ...]) -> None:
    for one in lessons:
        said = [value for call in one.calls for value in call.arguments.values() if isinstance(value, Said)]
        assert all(value.text.casefold() in one.text.casefold() or "bare" in one.construct for value in said), one


def test_files_and_folders_are_there(lessons: tuple[Lesson, ...]) -> None:
    values = [value for one in lessons for call in one.calls for value in call.arguments.values()]
    paths = [path for value in values if isinstance(value, Said) for path in value.paths]
    assert paths
    assert all(Path(path).exists() for path in paths)


def test_results_go_only_where_their_type_fits(lessons: tuple[Lesson, ...], mind: Mind) -> None:
    flows = 0
    for lesson in lessons:
        for call in lesson.calls:
            for name, value in call.arguments.items():
                if isinstance(value, Taken) and not value.field:
                    found = [mind.toolbox.tool(lesson.calls[at].tool).result for at in value.steps]
                    wanted = mind.toolbox.tool(call.tool).parameter(name).type
                    assert any(fit(one, wanted, single=True) for one in found), lesson
                    flows += 1
    assert flows > len(lessons) / 4


def test_files_are_no_tables(lessons: tuple[Lesson, ...], mind: Mind) -> None:
    for lesson in lessons:
        for call in lesson.calls:
            kinds = {name: mind.toolbox.tool(call.tool).parameter(name).type.kind for name in call.arguments}
            for name, value in call.arguments.items():
                if isinstance(value, Taken) and kinds[name] is ValueKind.TABLE:
                    given = [mind.toolbox.tool(lesson.calls[at].tool).result.kind for at in value.steps]
                    assert ValueKind.TABLE in given, lesson


def test_the_same_seed_makes_the_same_lessons(mind: Mind, tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    first, second = (School(mind, tmp_path / name, seed=5, vetted=False) for name in "ab")
    assert [one.text for one in first.lessons(60)] == [one.text for one in second.lessons(60)]


def test_what_is_said_is_not_what_was_taught(tools: tuple[Tool, ...]) -> None:
    taught, said = divided(tools)
    for one, other, whole in zip(taught, said, tools, strict=True):
        assert not set(one.examples) & set(other.examples)
        assert set(one.examples) | set(other.examples) == set(whole.examples)


def test_a_skill_that_is_not_there_is_not_spoken_of(tools: tuple[Tool, ...], mind: Mind, tmp_path: Path) -> None:
    without = tuple(tool for tool in tools if tool.skill != "notes")
    school = School(mind, tmp_path, vetted=False, phrased=without)
    assert not any(tool.startswith("notes.") for one in school.lessons(150) for tool in one.tools)
