"""Reading the public sets, and the one rule by which they are cut into a half to tune on and a half to report."""

from __future__ import annotations

import ast
import csv
import hashlib
import json
import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kernel.ranking import Document
from kernel.ranking.documents import document_from


def is_tuning(text: str) -> bool:
    """Tell whether an item belongs to the half that weights are tuned on."""
    return hashlib.sha256(text.encode()).digest()[0] % 2 == 0


@dataclass(frozen=True, slots=True)
class Asked:
    """A request and the tool that it means."""

    text: str
    tool: str


def metatool(data: Path) -> tuple[list[Document], list[Asked]]:
    """The 199 tools and every request to one of them."""
    described: dict[str, str] = json.loads((data / "metatool" / "plugin_des.json").read_text())
    documents = [document_from(name, name, text) for name, text in described.items()]
    with (data / "metatool" / "queries.csv").open(newline="") as file:
        asked = [Asked(row["Query"].strip(), row["Tool"].strip()) for row in csv.DictReader(file)]
    return documents, [one for one in asked if one.tool in described]


def logged(asked: Sequence[Asked], each: int, seed: int) -> list[Asked]:
    """Draw ``each`` requests of every tool, or all where there are fewer."""
    by_tool: dict[str, list[Asked]] = defaultdict(list)
    for one in asked:
        by_tool[one.tool].append(one)
    drawn = random.Random(seed)
    return [one for tool in sorted(by_tool) for one in drawn.sample(by_tool[tool], min(each, len(by_tool[tool])))]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A request for several tools, and what its annotator wrote down as its steps."""

    text: str
    tools: frozenset[str]
    gold_steps: tuple[str, ...]


def livemcp(data: Path) -> tuple[list[Document], list[Wanted]]:
    """The tools of 70 servers (an id is ``server/tool``), and the questions with the names of the tools they need."""
    documents: list[Document] = []
    for server in json.loads((data / "livemcpbench" / "tools.json").read_text()):
        around = f"{server['name']} {server['description']}"
        for own in _literal(server["tools"]).values():
            for tool in own.get("tools") or ():
                documents.append(_document(str(server["name"]), around, tool))
    questions = json.loads((data / "livemcpbench" / "annotations.json").read_text())
    return documents, [_wanted(one) for one in questions]


def _document(server: str, around: str, tool: dict[str, Any]) -> Document:
    schema = (tool.get("inputSchema") or {}).get("properties") or {}
    parameters = {str(name): str((value or {}).get("description") or "") for name, value in schema.items()}
    id = f"{server}/{tool['name']}"
    return document_from(
        id, str(tool["name"]), str(tool.get("description") or ""), around=around, parameters=parameters
    )


def _wanted(one: dict[str, Any]) -> Wanted:
    about = one["Annotator Metadata"]
    lines = [line.partition(".")[2].strip() for line in str(about["Tools"]).splitlines()]
    steps = [line.partition(".")[2].strip() for line in str(about["Steps"]).splitlines()]
    return Wanted(
        str(one["Question"]), frozenset(name for name in lines if name), tuple(step for step in steps if step)
    )


def _literal(value: Any) -> dict[str, Any]:
    return dict(ast.literal_eval(value)) if isinstance(value, str) else dict(value)


def clinc(data: Path) -> dict[str, list[tuple[str, str]]]:
    """The parts of CLINC150: (text, intent) each."""
    read: dict[str, list[list[str]]] = json.loads((data / "clinc150" / "data.json").read_text())
    return {part: [(text, intent) for text, intent in items] for part, items in read.items()}
