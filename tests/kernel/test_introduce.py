"""What the kernel says of itself: examples of the skills that are there, in the language that was asked in."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from kernel.introduce import MOST_SKILLS, introduction, saying, sayings
from kernel.opening import BUILTIN
from kernel.own_words import Own
from skills import Registry
from skills.model import Skill, SkillId

Bench = Any  # tests/kernel/conftest.py


@pytest.fixture(scope="module")
def skills() -> tuple[Skill, ...]:
    registry = Registry()
    registry.load([BUILTIN])
    return tuple(registry.skills())


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
