"""What the kernel says of itself: examples of the skills that are there, in the language that was asked in."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kernel.context.world import HomeWorld
from kernel.itself.examples import BLANK, BLANK_FILE
from kernel.itself.introduce import MOST_SKILLS, introduction, saying, sayings
from kernel.itself.own_words import Own
from skills import Registry
from skills.model import Skill, SkillId
from tests.kernel.homes import furnish

Bench = Any  # tests/kernel/conftest.py


@pytest.fixture(scope="module")
def skills(builtin: Registry) -> tuple[Skill, ...]:
    return tuple(builtin.skills())


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("own", [Own.HELP, Own.GREETING])
def test_every_example_is_one_of_an_installed_skill(skills: tuple[Skill, ...], own: Own, language: str) -> None:
    known = {one.text for skill in skills for tool in skill.tools for one in tool.examples if one.language == language}
    quoted = re.findall("[“„]([^“”„]+)[”“]", introduction(own, skills, language))
    assert len(quoted) == (len(skills) if own is Own.HELP else 1)
    assert set(quoted) <= known


def test_another_skill_changes_the_answer_and_none_leaves_no_example(skills: tuple[Skill, ...]) -> None:
    without = introduction(Own.HELP, skills[1:], "en")
    assert skills[0].title in introduction(Own.HELP, skills, "en")
    assert skills[0].title not in without
    assert "“" not in introduction(Own.HELP, (), "en")


def test_many_skills_are_counted(skills: tuple[Skill, ...]) -> None:
    many = [replace(skills[0], id=SkillId(f"s{number}"), title=f"Skill {number}") for number in range(30)]
    answer = introduction(Own.HELP, many, "en")
    assert len(answer.splitlines()) == MOST_SKILLS + 2
    assert f"{30 - MOST_SKILLS} more" in answer


def test_an_example_gives_every_value_and_names_no_file_where_it_can(skills: tuple[Skill, ...]) -> None:
    for skill in skills:
        example = next(
            one for tool in skill.tools for one in tool.examples if one.text == saying(skill, "en")
        )  # the very one
        tool = next(tool for tool in skill.tools if example in tool.examples)
        assert {p.name for p in tool.parameters if p.required} <= {slot.parameter for slot in example.slots}
        assert all(0 < len(said) <= 3 for said in sayings(tool).values())


HOMES: tuple[tuple[str, ...], ...] = (
    (),
    ("Downloads/setup.exe",),
    ("Documents/report.pdf", "Documents/costs.csv", "Bilder/see.jpg", "old.zip"),
    ("a/twin.csv", "b/twin.csv", "Music/odd name (1).csv"),
)


@pytest.mark.parametrize("names", HOMES)
def test_what_is_shown_names_only_what_this_home_has(
    skills: tuple[Skill, ...], names: tuple[str, ...], tmp_path: Path
) -> None:
    furnish(tmp_path, names)
    world = HomeWorld(str(tmp_path))
    for language in ("en", "de"):
        said = [text for skill in skills for tool in skill.tools for text in sayings(tool, world)[language]]
        quoted = re.findall("[“„]([^“”„]+)[”“]", introduction(Own.HELP, skills, language, world))
        assert len(quoted) == len(skills)
        for text in [*said, *quoted]:
            plain = _ADDRESS.sub("", text)  # what lies on another machine is in no home
            for word in re.findall(r"[\w~/-]+\.(?:csv|xlsx|pdf|docx|zip|exe|jpg|html|parquet|tsv)\b", plain):
                there = world.files(word) or world.exists(str(tmp_path / word)) or word.startswith(BLANK_FILE)
                assert there or _is_new(skills, word), text


_ADDRESS = re.compile(r"(?:https?://)?[\w.-]*example\.\w+(?:/\S*)?")


def _is_new(skills: tuple[Skill, ...], word: str) -> bool:
    """A name that a sentence gives to something new needs to be nowhere."""
    return any(
        word in example.text[slot.start : slot.end] and tool.parameter(slot.parameter).type.kind == "new_file"
        for skill in skills
        for tool in skill.tools
        for example in tool.examples
        for slot in example.slots
    )


def test_a_file_of_the_same_kind_stands_in_for_a_reader_and_never_for_a_change(
    skills: tuple[Skill, ...], tmp_path: Path
) -> None:
    furnish(tmp_path, ("costs.csv", "diary.pdf", "treasure.zip"))
    (tmp_path / "Downloads").mkdir()
    world = HomeWorld(str(tmp_path))
    by_tool = {str(tool.id): sayings(tool, world) for skill in skills for tool in skill.tools}
    assert by_tool["data.describe"]["en"][0] == "describe costs.csv"
    assert by_tool["documents.summary"]["de"][0] == "fasse diary.pdf zusammen"
    assert by_tool["files.delete"]["en"][0] == f"delete {BLANK_FILE}.zip"
    assert by_tool["files.organize"]["en"][0] == "organize ~/Downloads by type"
    assert by_tool["data.sort"]["en"][0] == f"sort costs.csv by {BLANK}", "nobody knows its columns"
    assert by_tool["data.join"]["en"][0] == f"join costs.csv with {BLANK_FILE}.csv", "one file is not two"


@pytest.mark.parametrize(
    ("text", "language", "word"),
    [("help", "en", "For example"), ("was kannst du?", "de", "Zum Beispiel"), ("hello", "en", "Hello"),
     ("danke", "de", "Gern"), ("thanks", "en", "welcome")],
)  # fmt: skip
async def test_the_kernel_answers_itself(bench: Bench, text: str, language: str, word: str) -> None:
    view = await bench.ask(text, yes=False)
    assert (view["resolution"], view["language"], view["plan"], view["effects"]) == ("executed", language, None, [])
    assert word in view["answer"]


async def test_a_reply_to_a_question_is_a_reply(bench: Bench) -> None:
    asked = await bench.ask("how many pages has nowhere.pdf")
    assert asked["resolution"] == "clarify"
    reply = await bench.ask("hello")
    assert "Hello" not in reply["answer"]
