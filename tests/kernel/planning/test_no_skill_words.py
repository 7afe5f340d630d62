"""The kernel knows no word of any skill: renamed tools keep their plans."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kernel.language.function_words import is_function_word
from kernel.language.tokens import tokenize
from kernel.model import (
    FromTask,
    Plan,
)
from skills.model import Example, ExampleSlot, Parameter, Tool, ToolId, ValueKind, ValueType

if TYPE_CHECKING:
    from tests.kernel.planner import Planner

_PLAIN = {
    ValueKind.FILE, ValueKind.FOLDER, ValueKind.NEW_FILE, ValueKind.TABLE, ValueKind.DATE, ValueKind.PERIOD,
    ValueKind.SIZE, ValueKind.DURATION, ValueKind.QUANTITY, ValueKind.EXPRESSION, ValueKind.CONDITION,
    ValueKind.INTEGER, ValueKind.NUMBER, ValueKind.UNIT,
}  # fmt: skip
_CONSONANTS, _VOWELS = "bdfgklmnprtvz", "aou"


def renamed(word: str) -> str:
    """Return a nonsense word for ``word``, the same for each of its forms; the plural and the superlative stay such."""
    lemma = tokenize(word, "en")[0].lemma
    superlative = word.endswith("est") and len(word) > 4
    base = word[:-3] if superlative else lemma
    seed = zlib.crc32(base.encode())
    letters = []
    for _ in range(4):
        seed, consonant = divmod(seed, len(_CONSONANTS))
        seed, vowel = divmod(seed, len(_VOWELS))
        letters += [_CONSONANTS[consonant], _VOWELS[vowel]]
    nonsense = "".join(letters) + "k" + str(len(base)).translate(str.maketrans("0123456789", "bdfgklmnpr"))
    if superlative:
        return nonsense + "est"
    return nonsense + "s" if word.endswith("s") and lemma != word and not lemma.endswith("s") else nonsense


def _keeps(word: str) -> bool:
    return not word.isalpha() or is_function_word(word.lower())


def rename_text(text: str, kept: Iterable[tuple[int, int]] = ()) -> str:
    """Rename every content word of ``text`` outside the stretches ``kept``."""

    def one(match: re.Match[str]) -> str:
        inside = any(start <= match.start() < end for start, end in kept)
        return match.group() if inside or _keeps(match.group()) else renamed(match.group().lower())

    return re.sub(r"[^\W\d_]+(?:'[a-z]+)?", one, text)


def rename_tool(tool: Tool) -> Tool:
    """Rename a tool wholly: id, parameters, choices, their words, examples and docs. English only."""
    parameters = tuple(_rename_parameter(one) for one in tool.parameters)
    names = {one.name: f"p{index}" for index, one in enumerate(tool.parameters)}
    parameters = tuple(replace(one, name=names[old.name]) for one, old in zip(parameters, tool.parameters, strict=True))
    examples = tuple(_rename_example(one, tool, names) for one in tool.examples if one.language == "en")
    skill, function = renamed(tool.skill.replace("-", "")), renamed(tool.function.replace("_", ""))
    return replace(
        tool, id=ToolId(f"{skill}.{function}"), skill=skill, function=function, summary=rename_text(tool.summary),
        parameters=parameters, examples=examples, result=_rename_fields(tool),
    )  # fmt: skip


def _rename_fields(tool: Tool) -> ValueType:
    fields = {"_".join(renamed(word) for word in name.split("_")): kind for name, kind in tool.result.fields.items()}
    return replace(tool.result, fields=fields)


def _rename_parameter(one: Parameter) -> Parameter:
    words = {
        rename_text(choice): {"en": tuple(rename_text(phrase.lower()) for phrase in by_language.get("en", ()))}
        for choice, by_language in one.words.items()
    }
    kind = replace(one.type, choices=tuple(words)) if one.words else one.type
    default = rename_text(one.default) if one.words and one.default in one.words else one.default
    return replace(one, doc=rename_text(one.doc), words=words, type=kind, default=default)


def _rename_example(example: Example, tool: Tool, names: dict[str, str]) -> Example:
    """Rename piece by piece, so that the slots stay where they are."""
    text, slots, at = "", [], 0
    for slot in sorted(example.slots, key=lambda one: one.start):
        text += rename_text(example.text[at : slot.start])
        value = example.text[slot.start : slot.end]
        plain = tool.parameter(slot.parameter).type.kind in _PLAIN
        start = len(text)
        text += value if plain else rename_text(value)
        slots.append(ExampleSlot(names[slot.parameter], start, len(text)))
        at = slot.end
    return Example(text + rename_text(example.text[at:]), "en", tuple(slots))


RENAMED = [
    "find the three largest files in ~/Downloads and save their names as a note called big files",
    "find the latest invoice, read its total and add it to expenses.csv",
    "delete the three oldest files in ~/Downloads",
    "move a.pdf and b.pdf to ~/Archive",
    "rename setup.exe to installer",
    "sort sales.csv by amount and save that as top.csv",
    "summarize thesis.pdf",
    "how many pages has a.pdf and what is 17% of 230",
    "what is the average price in sales.csv?",
    "tidy up ~/Desktop",
    "search my notes for birthday",
    "make a note called shopping saying milk",
]


@pytest.fixture(scope="module")
def nonsense(planner: Planner, home: Path) -> Planner:
    """A planner whose tools have other names throughout."""
    return type(planner).over([rename_tool(tool) for tool in planner.tools], home)


@pytest.mark.parametrize("sentence", RENAMED)
def test_renamed_skills_keep_their_plans(planner: Planner, nonsense: Planner, sentence: str) -> None:
    """Ids, verbs, nouns, parameters and choice words become nonsense; the same sentence in nonsense, the same plan."""
    ids = {tool.id: rename_tool(tool).id for tool in planner.tools}
    plan = planner.say(sentence)
    assert isinstance(plan, Plan)
    intent = planner.intent(sentence)
    numbers = {at for span in intent.spans if span.kind is ValueKind.INTEGER for at in range(span.first, span.last)}
    kept = [
        (token.start, token.end)
        for at, token in enumerate(intent.tokens)
        if at in numbers or not token.text.isalpha() or token.text.startswith("~")
    ]
    other = nonsense.say(rename_text(sentence, kept))
    assert isinstance(other, Plan), (rename_text(sentence, kept), other)
    assert [task.tool for task in other.tasks] == [ids[task.tool] for task in plan.tasks]
    for old, new in zip(plan.tasks, other.tasks, strict=True):
        order = [one.name for one in planner.toolbox.tool(old.tool).parameters]
        assert {f"p{order.index(name)}" for name in old.arguments} == set(new.arguments)
        flows = {f"p{order.index(n)}": (v.task, v.index) for n, v in old.arguments.items() if isinstance(v, FromTask)}
        assert flows == {n: (v.task, v.index) for n, v in new.arguments.items() if isinstance(v, FromTask)}
