"""Recommending: the tools that would serve a whole request together, with every reason in numbers; nothing is done.

What this stops: nothing, for it grants and runs nothing. It reads the manifests, what the person's own requests came to
and how long calls took, and leaves no trace: no run, no event.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from kernel.context.toolbox import Toolbox
from kernel.firewall.view import shown_view
from kernel.house import House
from kernel.interpret import interpret
from kernel.model import Utterance
from kernel.ranking.sets import Member
from kernel.ranking.together import Known, cost_of, set_of
from memory import Ledger
from skills.model import Tool

_NO_RUN = "recommended"
_LOOKED_BACK = 20_000  # events
_ROUNDED = 4


async def recommended(house: House, utterance: Utterance, limit: int) -> dict[str, Any]:
    """Return ``steps`` and ``tools`` for a request: id, skill, summary, score, step (-1: the whole), reasons.

    At most ``limit`` tools, best first; of a request that names nothing any tool does, few or none.
    """
    mind = await house.learning.own_mind(house.ledger)
    await asyncio.to_thread(house.world.look)
    said, conversation = utterance.text, utterance.conversation
    usual = house.talk.language(conversation, _NO_RUN)
    intent = interpret(utterance, house.world, mind.lexicon, usual, house.past(conversation))
    experience = house.learning.experience(house.ledger, utterance.now, conversation)
    tools = mind.toolbox.tools
    known = Known(
        experience.past, house.learning.company(house.ledger), experience.moment, _costs(house.ledger, tools),
        {tool.id: tool.skill for tool in tools},
    )  # fmt: skip
    shelf = mind.toolbox.whole_shelf
    steps, members = await asyncio.to_thread(set_of, said, shelf, known, encode=shelf.encode, limit=limit)
    view: dict[str, Any] = {
        "text": said, "language": intent.language, "steps": list(steps), "requests": len(experience.past),
        "tools": [_view(one, mind.toolbox, intent.language) for one in members if mind.toolbox.knows(one.id)],  # type: ignore[arg-type]
    }  # fmt: skip
    return view | ({"shown": await asyncio.to_thread(shown_view, utterance.shown)} if utterance.shown else {})


def _view(member: Member, toolbox: Toolbox, language: str) -> dict[str, Any]:
    tool = toolbox.tool(member.id)  # type: ignore[arg-type]
    reasons = {name: round(float(value), _ROUNDED) for name, value in member.reasons.items()}
    return {
        "tool": tool.id, "skill": tool.skill, "summary": tool.said(tool.summary, language),
        "score": round(float(member.score), _ROUNDED), "step": member.step, "reasons": reasons,
    }  # fmt: skip


def _costs(ledger: Ledger, tools: Iterable[Tool]) -> dict[str, float]:
    """What a call of each tool costs, by the latest calls in the ledger."""
    seconds = _took(ledger)
    return {tool.id: cost_of(seconds.get(tool.id, ()), asks_each_time=tool.asks_always) for tool in tools}


def _took(ledger: Ledger) -> dict[str, list[float]]:
    """How long the latest calls of each tool took, in seconds."""
    head, _ = ledger.head()
    owners: dict[tuple[str | None, str | None], str] = {}
    found: dict[str, list[float]] = defaultdict(list)
    for event in ledger.events(after=max(0, head - _LOOKED_BACK), kinds=("run.planned", "task.done")):
        body: dict[str, Any] = dict(event.body or {})
        if event.kind == "run.planned":
            tasks = (body.get("plan") or {}).get("tasks") or ()
            owners |= {(event.run, str(task["id"])): str(task["tool"]) for task in tasks}
        elif (event.run, event.task) in owners and not body.get("skipped"):
            found[owners[event.run, event.task]].append(float(body.get("wall_ms") or 0.0) / 1000)
    return found
