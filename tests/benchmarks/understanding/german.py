"""German with one example a tool: is the right one of twenty tools first? Through the way that requests take.

Sentences go through ``interpret`` and ``kernel.recommend``; the whole sentence's first candidate counts. The tools'
summaries are English and the encoder knows only English. Tools and phrases are of one author (german.toml and
german_phrases.toml), which flatters; baselines on the same items: cosine of the encoder with the example, and cosine of
character 4-grams.
"""

from __future__ import annotations

import tempfile
import tomllib
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from kernel.context.toolbox import Toolbox
from kernel.context.world import HomeWorld
from kernel.interpret import interpret
from kernel.language import Lexicon
from kernel.model import ConversationId, Utterance
from kernel.ranking import Moment, Past, Question, Request
from kernel.recommend import recommend
from skills.model import EffectClass, Example, SkillId, Tool, ToolId, ValueKind, ValueType
from tests.benchmarks.understanding.compare import interval, prefixed
from tests.benchmarks.understanding.kept import Kept

HERE = Path(__file__).parent
LEAST = {"german_first": 0.9}


def measure(_data: Path | None = None) -> dict[str, float]:
    """The share of phrases whose tool comes first, with the encoder and without, and of the baselines."""
    described = tomllib.loads((HERE / "german.toml").read_text())["tools"]
    phrases = tomllib.loads((HERE / "german_phrases.toml").read_text())["phrases"]
    asked = [(text, tool) for tool, texts in phrases.items() for text in texts]
    tools = [_tool(name, *texts) for name, texts in described.items()]
    kept = Kept()
    box = Toolbox.build(tools)
    ours = _first(box.with_vectors(kept.encode), asked)
    cold = _first(box, asked)
    examples = {name: texts[1] for name, texts in described.items()}
    windows, vectors = _windows(examples, asked), _vectors(examples, asked, kept)
    low, high = interval(ours, windows)
    return prefixed("german", {
        "first": float(np.mean(ours)), "first_without_encoder": float(np.mean(cold)),
        "windows": float(np.mean(windows)), "encoder": float(np.mean(vectors)),
        "over_windows_low": low, "over_windows_high": high, "phrases": float(len(asked)),
    })  # fmt: skip


def _tool(name: str, summary: str, example: str) -> Tool:
    return Tool(
        ToolId(f"house.{name}"), SkillId("house"), name, summary, EffectClass.PURE, (), ValueType(ValueKind.TEXT),
        (Example(example, "de"),), (),
    )  # fmt: skip


def _first(box: Toolbox, asked: list[tuple[str, str]]) -> list[float]:
    lexicon = Lexicon.from_tools(box.tools)
    with tempfile.TemporaryDirectory() as home:
        world = HomeWorld(home)
        found = []
        for text, tool in asked:
            said = Utterance(text, ConversationId("c"), home, home, datetime(2026, 3, 12, tzinfo=UTC))
            candidates = recommend(interpret(said, world, lexicon), box)
            best = max(candidates, key=lambda one: (one.last - one.first, one.score), default=None)
            found.append(float(best is not None and best.tool == f"house.{tool}"))
    return found


def _windows(examples: dict[str, str], asked: list[tuple[str, str]]) -> list[float]:
    past = Past([Request(text, (name,)) for name, text in examples.items()])
    names = tuple(examples)
    return [
        float(names[int(past.columns(names, Question(text), Moment())["alike"].argmax())] == tool)
        for text, tool in asked
    ]


def _vectors(examples: dict[str, str], asked: list[tuple[str, str]], kept: Kept) -> list[float]:
    names = tuple(examples)
    cosines = kept.encode([text for text, _ in asked]) @ kept.encode(list(examples.values())).T
    return [float(names[at] == tool) for at, (_, tool) in zip(cosines.argmax(axis=1), asked, strict=True)]
