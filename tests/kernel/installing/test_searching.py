"""Skills are found by words, and a request that instructions alone are about is told what they need."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from kernel.installing.searching import Finder, document_of_skill, fitting
from kernel.itself.instructions import instruction_words
from skills import Registry
from skills.loading import load_skill
from skills.model import Skill
from tests.skills.packages.wares import laid

TEXTS = {
    "brand-guidelines": "Applies the company's brand colors and typography to slides and posters.",
    "pdf-forms": "Fills in PDF forms field by field. Use when a form has to be filled in.",
    "steuer-hilfe": "Erklärt die Anlage N der Steuererklärung und welche Werbungskosten hineingehören.",
}  # fmt: skip


@pytest.fixture
def texts(tmp_path: Path) -> list[Skill]:
    """Skills of instructions alone."""
    return [
        load_skill(laid(tmp_path / name, {"SKILL.md": f"---\nname: {name}\ndescription: {text}\n---\n# Do it\n"}))
        for name, text in TEXTS.items()
    ]


@pytest.mark.parametrize(
    ("words", "first"),
    [("brand colors", "brand-guidelines"), ("fill a pdf form", "pdf-forms"), ("Werbungskosten", "steuer-hilfe"),
     ("calendar appointments", "calendar"), ("largest files", "files"), ("typografy", "brand-guidelines")],
)  # fmt: skip
def test_skills_are_found_by_words(builtin: Registry, texts: list[Skill], words: str, first: str) -> None:
    finder = Finder(map(document_of_skill, [*builtin.skills(), *texts]), None)
    assert finder.ranked(words)[0] == first


@pytest.mark.parametrize("words", ["quaternions", "zzzz", "?!"])
def test_what_nothing_is_about_finds_nothing(builtin: Registry, texts: list[Skill], words: str) -> None:
    finder = Finder(map(document_of_skill, [*builtin.skills(), *texts]), None)
    assert len(finder.ranked(words)) <= 1


@pytest.mark.parametrize(
    ("request_", "skill"),
    [
        ("apply our brand colors to the slides", "brand-guidelines"), ("please fill in the pdf form", "pdf-forms"),
        ("which Werbungskosten go into the Anlage N", "steuer-hilfe"),
        ("erklär mir die Anlage N der Steuererklärung", "steuer-hilfe"),
        ("play some music", ""), ("what is the weather like", ""), ("order a pizza with company money", ""),
        ("book a flight to Rome for the whole company", ""), ("send the form", ""), ("spiel was von Bach", ""),
    ],
)  # fmt: skip
def test_a_request_that_instructions_are_about_is_told_so(texts: list[Skill], request_: str, skill: str) -> None:
    found = fitting(texts, request_)
    assert (found.id if found else "") == skill


def test_skills_with_tools_are_not_instructions(builtin: Registry, texts: list[Skill]) -> None:
    assert fitting(builtin.skills(), "find the three largest files in my downloads") is None


@pytest.mark.parametrize(("language", "words"), [("en", "for a language model"), ("de", "für ein Sprachmodell")])
def test_nothing_is_pretended(texts: list[Skill], language: str, words: str) -> None:
    said = instruction_words(texts, "fill in the pdf form", language, "/nowhere")
    assert words in said
    assert "pdf-forms/SKILL.md" in said
    assert words in instruction_words(texts, "fill in the pdf form", language, "/nowhere", "mcp:editor")
    assert "SKILL.md" not in instruction_words(texts, "fill in the pdf form", language, "/nowhere", "mcp:editor")
    hostile = [replace(texts[1], folder="/x/\x1b[2J")]
    assert "\x1b" not in instruction_words(hostile, "fill in the pdf form", language, "/nowhere")
    assert instruction_words(texts, "play some music", language, "/nowhere") == ""
