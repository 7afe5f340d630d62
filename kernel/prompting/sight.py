"""What a model gets to see of a request: its words, the tools that may serve, and handles for everything else.

What this stops: text of others reaching a model. A file that the request names is a number with the person's own words
for it; what an earlier request came to is a name with its type. Only the kernel knows the values behind them.
What it does not: what the person's own words say.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from kernel.composition.filling.fillers import value_for
from kernel.composition.scene import HARD, Scene, scene_of
from kernel.context.dialogue import Dialogue, LastRun
from kernel.context.toolbox import Toolbox
from kernel.model import Candidate, Constant, FromTask, Intent, Outcome, Span
from permissions.labels import Label
from skills.model import Tool, ToolId, ValueKind, ValueType

K = ValueKind

MOST_TOOLS = 24
"""More make models choose worse (the evidence of others), and cost tokens in every request."""

MOST_MORE = 6
"""So many tools of a set for the whole request are offered beside those of its clauses, where there is room."""

MOST_SAID = 24
MOST_EARLIER = 8
_PLACES = frozenset({K.FILE, K.FOLDER, K.NEW_FILE, K.TABLE})


@dataclass(frozen=True, slots=True)
class Said:
    """A value that the kernel has read in the request. ``told`` is what a model is told of it besides the words.

    ``values`` are several where the words may mean several things: then a person is asked, and no model.
    """

    number: int
    span: Span
    words: str
    values: tuple[Any, ...]
    told: str = ""

    def constant(self, kind: ValueKind, scene: Scene) -> Constant:
        """Return the first value as a parameter of ``kind`` takes it."""
        return Constant(value_for(kind, self.span, scene), self.span.label, self.words)


@dataclass(frozen=True, slots=True)
class Earlier:
    """What a task of an earlier request of the conversation came to; ``name`` is what a model calls it."""

    name: str
    request: str
    tool: ToolId
    type: ValueType
    outcome: Outcome

    @property
    def label(self) -> Label:
        """Where its values came from."""
        return self.outcome.label or Label()


@dataclass(frozen=True, slots=True)
class Sight:
    """Everything that one prompt is made of."""

    scene: Scene
    tools: tuple[Tool, ...]
    said: tuple[Said, ...]
    earlier: tuple[Earlier, ...]
    exchanged: tuple[tuple[str, str], ...] = ()  # what a model asked about the request before, and the answers

    @property
    def intent(self) -> Intent:
        """The request."""
        return self.scene.intent


def sight_of(
    intent: Intent,
    candidates: Sequence[Candidate],
    toolbox: Toolbox,
    dialogue: Dialogue,
    most: int = MOST_TOOLS,
    *,
    local: bool = False,
    more: Sequence[str] = (),
    exchanged: tuple[tuple[str, str], ...] = (),
) -> Sight:
    """Return what a model may see of ``intent``, with at most so many tools.

    Where the candidates leave room, tools of ``more`` are offered, too: a set for the whole request.
    Of what was asked in private before, only one that is ``local`` (on this machine) hears.
    """
    scene = scene_of(intent, dialogue.home)
    tools = _tools(candidates, toolbox, most, more)
    return Sight(scene, tools, _said(scene), tuple(_earlier(dialogue, toolbox, local))[:MOST_EARLIER], exchanged)


def _tools(candidates: Sequence[Candidate], toolbox: Toolbox, most: int, more: Sequence[str]) -> tuple[Tool, ...]:
    """The likeliest tools of every clause by turns, then the first of ``more`` that are none of them.

    They stand in the order of their names: equal sets make equal prompts.
    """
    clauses: dict[tuple[int, int], list[ToolId]] = {}
    for one in candidates:
        clauses.setdefault((one.first, one.last), []).append(one.tool)
    turns = [list(ranked) for ranked in clauses.values()]
    chosen: dict[ToolId, None] = {}
    while any(turns) and len(chosen) < most:
        for ranked in turns:
            if ranked and len(chosen) < most:
                chosen.setdefault(ranked.pop(0))
    others = [ToolId(one) for one in more if one not in chosen and toolbox.knows(ToolId(one))][:MOST_MORE]
    chosen |= dict.fromkeys(others[: max(0, most - len(chosen))])
    return tuple(toolbox.tool(one) for one in sorted(chosen) if toolbox.knows(one))


def _said(scene: Scene) -> tuple[Said, ...]:
    """The values that the grammar and the home vouch for, the longest of each kind, in the order of the words."""
    groups: dict[tuple[int, int, ValueKind], list[Span]] = {}
    for span in scene.spans:
        if span.kind in HARD and span.confidence > 0:
            groups.setdefault((span.first, span.last, span.kind), []).append(span)
    longest = [key for key in groups if not any(_holds(other, key) for other in groups)]
    found = []
    for number, key in enumerate(sorted(longest, key=lambda one: (one[0], one[1], one[2]))[:MOST_SAID], 1):
        spans = sorted(groups[key], key=lambda one: -one.confidence)
        values = tuple({repr(one.value): one.value for one in spans}.values())
        found.append(Said(number, spans[0], scene.text(key[0], key[1]), values, _told(spans[0])))
    return tuple(found)


def _holds(other: tuple[int, int, ValueKind], one: tuple[int, int, ValueKind]) -> bool:
    """Tell whether ``other`` is the same kind of value in more words."""
    same = other[2] is one[2] and other[:2] != one[:2]
    return same and other[0] <= one[0] and one[1] <= other[1]


def _told(span: Span) -> str:
    """What a model may know of a value: of a place only whether it is there, for its name is not the person's word."""
    if span.kind in _PLACES:
        return "not there yet" if span.source == "missing" or span.kind is K.NEW_FILE else ""
    return str(span.value)


def _earlier(dialogue: Dialogue, toolbox: Toolbox, local: bool) -> Iterable[Earlier]:
    runs = [dialogue.last, *(one for one in dialogue.recent if one is not dialogue.last)]
    number = 0
    for run in runs:
        if run is None or (run.private and not local):
            continue
        for task, kind, outcome in _results(run, toolbox):
            number += 1
            yield Earlier(f"p{number}", task.text, task.tool, kind, outcome)


def _results(run: LastRun, toolbox: Toolbox) -> Iterable[Any]:
    for task in reversed(run.plan.tasks):
        outcome = run.outcomes.get(task.id)
        if outcome is not None and outcome.ok and outcome.value is not None and toolbox.knows(task.tool):
            result = toolbox.tool(task.tool).result
            many = result.many or task.each is not None
            yield task, ValueType(result.kind, many, result.choices, result.fields), outcome


def taken(earlier: Earlier, argument: FromTask) -> Constant:
    """Return what ``argument`` takes of an earlier result. Raises TaskFailed where it is not there."""
    from kernel.dispatching.binding import project

    return Constant(project(earlier.outcome, argument), earlier.label, earlier.request)
