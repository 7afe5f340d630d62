"""Recommending: the tools that would serve a whole request together, with every reason in numbers; nothing is done.

What this stops: nothing, for it grants and runs nothing. It reads the manifests, what the person's own requests came to
and how long calls took, and leaves no trace: no run, no event.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

from kernel.context.experienced import experienced
from kernel.context.mind import Mind
from kernel.context.toolbox import Toolbox
from kernel.firewall.view import shown_view
from kernel.house import House
from kernel.interpret import interpret
from kernel.model import Utterance
from kernel.ranking import Experience
from kernel.ranking.sets import Member
from kernel.ranking.together import Known, cost_of, set_of
from kernel.terms.fitting import KINDS, LOOKED_AT, seconds_of
from memory import Ledger
from skills.model import Tool, ToolId

_NO_RUN = "recommended"
_ROUNDED = 4


async def recommended(house: House, utterance: Utterance, limit: int) -> dict[str, Any]:
    """Return ``steps`` and ``tools`` for a request: id, skill, summary, score, step (-1: the whole), reasons.

    At most ``limit`` tools, best first; of a request that names nothing any tool does, few or none.
    """
    mind = await house.learning.own_mind(house.ledger)
    experience = await experienced(house, utterance)
    usual = house.talk.language(utterance.conversation, _NO_RUN)
    return await asyncio.to_thread(_recommended, house, utterance, limit, mind, experience, usual)


def _recommended(
    house: House, said: Utterance, limit: int, mind: Mind, experience: Experience, usual: str
) -> dict[str, Any]:
    house.world.look()
    intent = interpret(said, house.world, mind.lexicon, usual, house.past(said.conversation))
    toolbox, shelf = mind.toolbox, mind.toolbox.whole_shelf
    known = Known(
        experience.past, house.learning.company(house.ledger), experience.moment, _costs(house.ledger, toolbox.tools),
        {tool.id: tool.skill for tool in toolbox.tools},
    )  # fmt: skip
    steps, members = set_of(said.text, shelf, known, encode=shelf.encode, limit=limit)
    view: dict[str, Any] = {
        "text": said.text, "language": intent.language, "steps": list(steps), "requests": len(experience.past),
        "tools": [_view(one, toolbox, intent.language) for one in members if toolbox.knows(ToolId(one.id))],
    }  # fmt: skip
    return view | ({"shown": shown_view(said.shown)} if said.shown else {})


def _view(member: Member, toolbox: Toolbox, language: str) -> dict[str, Any]:
    tool = toolbox.tool(ToolId(member.id))
    reasons = {name: round(float(value), _ROUNDED) for name, value in member.reasons.items()}
    return {
        "tool": tool.id, "skill": tool.skill, "summary": tool.said(tool.summary, language),
        "score": round(float(member.score), _ROUNDED), "step": member.step, "reasons": reasons,
    }  # fmt: skip


def _costs(ledger: Ledger, tools: Iterable[Tool]) -> dict[str, float]:
    """What a call of each tool costs, by the latest calls in the ledger."""
    events = ledger.events(after=max(0, ledger.head()[0] - LOOKED_AT), kinds=KINDS)
    seconds = seconds_of(events, lambda body: str(body.get("tool") or ""))
    return {tool.id: cost_of(seconds.get(tool.id, ()), asks_each_time=tool.asks_always) for tool in tools}
