"""What was learnt, in a person's hands: listed with the request that taught it, and taken back one by one."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from kernel.errors import BadRequest
from kernel.learning.model import UNLEARNT, UNTAUGHT, Clause
from memory.model import Draft, EntityId
from permissions.labels import KERNEL_SAID

if TYPE_CHECKING:
    from kernel.house import House
    from kernel.learning.learner import Known

View = dict[str, Any]


class Learnt:
    """Examples, phrases and templates of one ledger."""

    def __init__(self, house: House) -> None:
        self._house = house

    async def list(self) -> View:
        """Return the ``phrases`` that were explained, the ``examples`` and the number of ``templates``."""
        known = await self._known()
        examples = [
            {"run": run, "tool": clause.tool, "language": clause.example.language, "text": marked(clause)}
            for run, clauses in known.confirmed
            for clause in clauses
        ]
        phrases = [{"run": one.run, **one.to_json()} for one in known.phrases.every]
        return {"phrases": phrases, "examples": examples, "templates": len(known.templates.shapes)}

    async def forget(self, what: str) -> View:
        """Unlearn a phrase, or what a run taught; return what went. Raises BadRequest where nothing is called so."""
        known = await self._known()
        phrase = next((one for one in known.phrases.every if one.phrase.casefold() == what.casefold()), None)
        runs = {run for run, _ in known.confirmed} | {one.run for one in known.phrases.every}
        if phrase is not None:
            await self._say(UNTAUGHT, {"phrase": phrase.phrase}, phrase.run)
        elif what in runs:
            await self._say(UNLEARNT, {}, what)
        else:
            raise BadRequest("learned.unknown", f"Nothing was learnt that is called {what!r}.",
                             hint="./steward memory learned shows phrases and runs.")  # fmt: skip
        return {"forgotten": phrase.phrase if phrase is not None else what}

    async def _known(self) -> Known:
        learning = self._house.learning
        mind = await learning.mind()
        own = learning.own(self._house.ledger)
        await asyncio.to_thread(own.learn, mind)
        return own.known

    async def _say(self, kind: str, body: View, run: str) -> None:
        draft = Draft(kind=kind, body=body, run=run, label=KERNEL_SAID.to_json())
        await asyncio.wrap_future(self._house.ledger.submit(draft))


class LearntStore:
    """What was learnt as a store of the graph's purge: it lets go of all, and is read again from what is left."""

    name = "learnt"

    def __init__(self, house: House) -> None:
        self._house = house

    def purge(self, entities: Collection[EntityId], words: Collection[str]) -> int:
        """Let go of all that is held; it is the ledger's own, so nothing of its own went."""
        self._house.learning.own(self._house.ledger).drop()
        return 0


def marked(clause: Clause) -> str:
    """Return an example with its values marked, as a manifest writes it: ``toss the {title:wifi} note``."""
    text, at, parts = clause.example.text, 0, []
    for slot in clause.example.slots:
        parts.append(f"{text[at : slot.start]}{{{slot.parameter}:{text[slot.start : slot.end]}}}")
        at = slot.end
    return "".join([*parts, text[at:]])
