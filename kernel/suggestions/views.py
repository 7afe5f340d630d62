"""A suggestion as a client sees it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, assert_never

from kernel.habits.model import Open, Output, Pattern, Relative, Same, Slot, Step, Within
from kernel.suggestions.book import Record
from kernel.suggestions.words import rule_words, saves_words, seen_words, sure_words, why_now


def suggestion_view(
    pattern: Pattern, record: Record, text: str, name: str, language: str, now: datetime,
    in_words: Callable[[Step], str],
) -> dict[str, Any]:  # fmt: skip
    """Return one with what was seen, why now, how sure it is, in which runs, and what would be kept of it.

    ``text`` says what its steps do after what was edited, ``in_words`` what one does.
    """
    seen, edits = pattern.seen, record.edits
    return {
        "key": pattern.key, "language": language, "name": name, "text": text,
        "what": seen_words(seen, text, language), "why": why_now(seen, now, language),
        "sure": sure_words(seen, language), "saves": saves_words(seen, language), "held": seen.held,
        "times": seen.times, "first": seen.first.isoformat(), "last": seen.last.isoformat(), "runs": list(seen.runs),
        "rule": rule_words(seen, name, language), "answer": record.answer.rpartition(".")[2],
        "until": record.until.isoformat(timespec="seconds") if record.until else None,
        "steps": [
            {
                "number": number, "tool": one.tool, "text": in_words(one), "left_out": number in edits.without,
                "arguments": [
                    _argument(at, slot, f"{number}.{at}" in edits.asked) for at, slot in one.arguments.items()
                ],
            }
            for number, one in enumerate(pattern.steps, 1)
        ],
    }  # fmt: skip


def _argument(name: str, slot: Slot, asked: bool) -> Mapping[str, Any]:
    """``kind`` says how a value comes about, ``can_ask`` whether it may be asked for instead."""
    kind, value = _slot(slot)
    can_ask = isinstance(slot, Same | Relative | Output)
    return {"name": name, "kind": "open" if asked else kind, "value": value, "asked": asked, "can_ask": can_ask}


def _slot(slot: Slot) -> tuple[str, Any]:
    match slot:
        case Same():
            return "same", slot.value
        case Output():
            return "output", slot.step + 1
        case Within():
            return "within", slot.folder
        case Relative():
            return "day", slot.words
        case Open():
            return "open", list(slot.values)
    assert_never(slot)
