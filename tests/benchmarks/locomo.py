"""LoCoMo's conversations and questions, from a folder or file that the user has; never part of this repository.

Maharana et al. 2024, https://github.com/snap-research/locomo (non-commercial): ``data/locomo10.json``, or the folder
with one file a conversation out of ``locomo10.zip``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from memory.recall import Turn

KINDS = {1: "multi_hop", 2: "temporal", 3: "open_domain", 4: "single_hop", 5: "adversarial"}
_TURN_NS = 10**9
_EVIDENCE = re.compile(r"D\d+:\d+")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, the turns that hold its answer, and its kind."""

    text: str
    evidence: frozenset[str]
    kind: str


@dataclass(frozen=True, slots=True)
class Conversation:
    """Who said what in which session, and what is asked about it."""

    name: str
    turns: tuple[Turn, ...]
    asked: tuple[Asked, ...]


def conversations(path: Path) -> list[Conversation]:
    """All conversations below ``path``, by name. Raises SystemExit with a next step when there is none."""
    files = sorted(path.rglob("*.json")) if path.is_dir() else [path]
    found = [conversation for file in files for conversation in _read(file)]
    if not found:
        raise SystemExit(f"No LoCoMo conversation lies in {path}; give the path of locomo10.json (DATA=...).")
    return sorted(found, key=lambda one: one.name)


def _read(file: Path) -> Iterator[Conversation]:
    samples = json.loads(file.read_text())
    for sample in samples if isinstance(samples, list) else [samples]:
        if isinstance(sample, dict) and "qa" in sample:
            yield _conversation(sample, file.stem)


def _conversation(sample: dict[str, Any], stem: str) -> Conversation:
    said = sample.get("conversation", sample)
    turns = tuple(_turns(said))
    known = {turn.id for turn in turns}
    asked = []
    for question in sample["qa"]:
        evidence = frozenset(_EVIDENCE.findall(" ".join(question.get("evidence") or ()))) & known
        if evidence:
            asked.append(Asked(str(question["question"]), evidence, KINDS[question["category"]]))
    return Conversation(str(sample.get("sample_id", stem)).removeprefix("conv-"), turns, tuple(asked))


def _turns(said: dict[str, Any]) -> Iterator[Turn]:
    sessions = sorted(int(key.split("_")[1]) for key in said if re.fullmatch(r"session_\d+", key))
    for session in sessions:
        began = _time_ns(said[f"session_{session}_date_time"])
        for number, turn in enumerate(said[f"session_{session}"] or ()):
            seen = f" [photo: {turn['blip_caption']}]" if turn.get("blip_caption") else ""
            yield Turn(
                turn["dia_id"], turn["text"] + seen, began + number * _TURN_NS, f"session {session}", turn["speaker"]
            )


def _time_ns(text: str) -> int:
    """``1:56 pm on 8 May, 2023``."""
    return int(datetime.strptime(text, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC).timestamp()) * 10**9
