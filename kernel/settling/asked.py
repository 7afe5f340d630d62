"""What was asked about a sentence that is to be kept: written down, read back by the next sentence of the conversation.

A question stands open until the next sentence, or until it is dropped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Any, NoReturn

from kernel.model import Resolution
from kernel.run import Run, Stop, error_view

QUESTION = "run.asked"
UNCLEAR = "routine.unclear"


class Left(StrEnum):
    """What left a question open."""

    RULE = "rule"
    DEFINITION = "definition"


_UNCLEAR = {Left.RULE: UNCLEAR, Left.DEFINITION: "macro.unclear"}


@dataclass(frozen=True, slots=True)
class Open:
    """A question that is open: the sentence ``text`` that it is about, its words, and what was ``answered`` before."""

    text: str
    question: str
    answered: tuple[tuple[str, str], ...]

    def with_answer(self, words: str) -> list[tuple[str, str]]:
        """Return every question about the sentence so far with its answer, ``words`` to the one that is open."""
        return [*self.answered, (self.question, words)]


async def ask(run: Run, left: Left, about: Open, told: str, choices: Sequence[str]) -> NoReturn:
    """Ask the question ``about`` in the words ``told``, with what to choose from; its answer counts. Raises Stop."""
    kept = {"text": about.text, "question": about.question, "answered": pairs(about.answered)}
    await put(run, _UNCLEAR[left], told, choices, {str(left): kept})


async def put(
    run: Run, code: str, told: str, choices: Sequence[str] = (), kept: Mapping[str, Any] = MappingProxyType({})
) -> NoReturn:  # fmt: skip
    """Put a question, and write down what is ``kept`` for whoever reads its answer. Raises Stop."""
    shown = {"text": told, "choices": list(choices)}
    await run.log.say(QUESTION, None, {"question": told, "choices": shown["choices"], **kept, **run.reply()})
    answer = "\n".join([told, *(f"  {number}. {one}" for number, one in enumerate(choices, 1))])
    raise Stop(Resolution.CLARIFY, answer, question=shown, error=error_view(code, told, ""))


def pairs(answered: Sequence[tuple[str, str]]) -> list[list[str]]:
    """Return questions and their answers as they are written down."""
    return [list(one) for one in answered]


def read_pairs(written: Any) -> tuple[tuple[str, str], ...]:
    """Return questions and their answers as they were written down by ``pairs``."""
    return tuple((str(question), str(words)) for question, words in written or ())


def before(run: Run, *kinds: str) -> Mapping[str, Mapping[str, Any]]:
    """Return what the run before this one asked, also by other ``kinds`` of events; nothing where that was dropped."""
    earlier = [one for one in run.house.talk.runs(run.utterance.conversation) if one != run.id]
    if not earlier:
        return {}
    events = run.house.ledger.events(run=earlier[-1], kinds=(QUESTION, "run.dropped", *kinds))
    said: dict[str, Mapping[str, Any]] = {one.kind: one.body or {} for one in events}
    return {} if "run.dropped" in said else said


def left_open(run: Run, left: Left) -> Open | None:
    """Return the question that the run before this one asked about such a sentence; None where there is none."""
    about = before(run).get(QUESTION, {}).get(str(left))
    return Open(about["text"], about["question"], read_pairs(about["answered"])) if about else None
