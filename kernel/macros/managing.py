"""What a person does with their macros: make one of a run, look, run, name anew, say by another phrase, take away.

What this stops: two that are called alike, or said alike. What it does not: change what one does; it is kept anew.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from kernel.errors import BadRequest, UnknownRun
from kernel.macros.book import KEPT, PHRASED, REMOVED, RENAMED
from kernel.macros.macro_json import to_json
from kernel.macros.model import Called, Macro
from kernel.macros.views import macro_view, whole_view
from kernel.model import Constant, ConversationId, Plan, Utterance
from kernel.request import conversation_of
from memory.model import Draft
from permissions.labels import KERNEL_SAID, USER_SAID
from permissions.naming import shown
from skills import one_import
from skills.errors import SkillError

if TYPE_CHECKING:
    from kernel.house import House
    from kernel.receiving import Receiving
    from kernel.request import Ask
    from kernel.run import Run

MOST_PHRASES = 20


class Macros:
    """The macros as a person manages them. All methods belong to one event loop."""

    def __init__(
        self, house: House, receiving: Receiving, outline: Callable[[str], dict[str, Any]],
        begin: Callable[[Run], None], start: Callable[[Run, Plan], None],
    ) -> None:  # fmt: skip
        """``outline`` returns a run as it is shown, ``begin`` sets one going, ``start`` a dry run."""
        self._house, self._receiving, self._outline, self._begin = house, receiving, outline, begin
        self._start = start

    def every(self) -> list[dict[str, Any]]:
        """Return all macros, by name."""
        return [macro_view(one, self._house) for one in self._house.macros.every()]

    def whole(self, name: str) -> dict[str, Any]:
        """Return one macro with its plan. Raises UnknownRun."""
        return whole_view(self._known(name), self._house)

    async def new(self, name: str, run: str, asked: Sequence[str] = (), phrases: Sequence[str] = ()) -> dict[str, Any]:
        """Make a macro of a run that ended well; ``asked`` are the values that it is told anew each time.

        A run that a macro of this name was planned anew in takes its place. Raises BadRequest, UnknownRun.
        """
        with one_import:
            from kernel.macros.freezing import Wanted, frozen_run
            from kernel.macros.naming import checked_name

        house, view = self._house, self._outline(run)
        async with house.macros.keeping:
            name = checked_name(name)
            plan, before = house.talk.plan(run), house.macros.get(name)
            anew = before is not None and plan is not None and plan.macro.get("key") == before.key
            if before is not None and anew:
                asked = asked or [one.argument for one in before.parameters]
                phrases = [*before.phrases, *phrases]
            await self._refuse_taken([name, *phrases], [] if not anew else [name])
            macro = frozen_run(house, run, view, Wanted(name, asked, "", phrases), self._now())
            await self._write(KEPT, to_json(macro))
        return macro_view(macro, house)

    async def keep(self, macro: Macro) -> dict[str, Any]:
        """Keep a macro that was made elsewhere, of a habit, where its words mean nothing else. Raises BadRequest."""
        with one_import:
            from kernel.macros.naming import checked_name

        async with self._house.macros.keeping:
            macro = replace(macro, name=checked_name(macro.name))
            await self._refuse_taken([macro.name, *macro.phrases])
            await self._write(KEPT, to_json(macro))
        return macro_view(macro, self._house)

    async def run(self, name: str, values: Mapping[str, Any], ask: Ask) -> str:
        """Have a macro done; return the run's id. What it is not told it asks. Raises BadRequest, UnknownRun."""
        one = self._known(name)
        given = {parameter: self._told(one, parameter, value, ask.cwd) for parameter, value in values.items()}
        live = await self._receiving.created(replace(ask, text=one.name, client=""))
        live.called = Called(one.name, "name", given)
        self._begin(live)
        return live.id

    async def try_out(self, name: str, values: Mapping[str, Any], ask: Ask) -> str:
        """Begin a dry run of a macro, told all that it has to be told; return the run's id. Raises BadRequest, NotNow,
        UnknownRun.
        """
        place, cwd = conversation_of(ask, "") if ask.conversation else "", ask.cwd
        one = self._known(name)
        given = {parameter: self._told(one, parameter, value, cwd) for parameter, value in values.items()}
        with one_import:
            from kernel.macros.trying import tried_plan
            from kernel.trying import Trial, begun

        plan = await asyncio.to_thread(tried_plan, self._house, one, given)
        live = await begun(self._house, Trial({"macro": one.name}, one.text, cwd or one.cwd, shown_in=place))
        self._start(live, plan)
        return live.id

    async def rename(self, name: str, new: str) -> dict[str, Any]:
        """Call a macro by another name. Raises BadRequest, UnknownRun."""
        with one_import:
            from kernel.macros.naming import checked_name

        async with self._house.macros.keeping:
            one, new = self._known(name), checked_name(new)
            await self._refuse_taken([new], [one.name])
            await self._write(RENAMED, {"key": one.key, "name": one.name, "new": new})
        return macro_view(self._known(new), self._house)

    async def phrase(self, name: str, words: str) -> dict[str, Any]:
        """Have a macro done by these words too. Raises BadRequest, UnknownRun."""
        with one_import:
            from kernel.macros.naming import checked_phrase

        async with self._house.macros.keeping:
            one, words = self._known(name), checked_phrase(words)
            if len(one.phrases) >= MOST_PHRASES:
                raise BadRequest("macro.phrases", f"{one.name} has {MOST_PHRASES} phrases already.", subject=one.name,
                                 hint="Make it anew with fewer: ./steward macros remove, then new")  # fmt: skip
            await self._refuse_taken([words])
            await self._write(PHRASED, {"key": one.key, "name": one.name, "phrases": [*one.phrases, words]})
        return macro_view(self._known(name), self._house)

    async def remove(self, name: str) -> None:
        """Take a macro away; what its runs did stays. Raises UnknownRun."""
        await take_away(self._house, self._known(name), name)

    def _told(self, one: Macro, name: str, value: Any, cwd: str) -> Constant:
        """A value as it was given: of its kind, or as it is where the tool that takes it is gone."""
        with one_import:
            from kernel.macros.values import told

        parameter = next((each for each in one.parameters if each.name == name), None)
        if parameter is None:
            known = ", ".join(each.name for each in one.parameters) or "nothing"
            raise BadRequest("macro.parameter", f"{one.name} is not told any {shown(name)}.", subject=shown(name),
                             hint=f"It is told: {known}")  # fmt: skip
        home, now = str(self._house.folders.home), self._house.clock()
        try:
            tool = self._house.registry.tool(next(t.tool for t in one.plan.tasks if t.id == parameter.tasks[0]))
            tool.parameter(parameter.argument)
        except (SkillError, KeyError):
            return Constant(value, USER_SAID, str(value))
        return told(parameter, value, tool, one.language, now, cwd, home)

    async def _refuse_taken(self, words: Sequence[str], beside: Sequence[str] = ()) -> None:
        """Raise BadRequest where one of ``words`` means something already, but for the macros ``beside``."""
        with one_import:
            from kernel.macros.naming import refuse_taken

        house = self._house
        mind = await house.learning.own_mind(house.ledger)
        others = [one for one in house.macros.every() if one.name not in beside]
        for one in words:
            await asyncio.to_thread(refuse_taken, one, mind, others, self._now())

    def _now(self) -> Utterance:
        home = str(self._house.folders.home)
        return Utterance("", ConversationId(""), home, home, self._house.clock())

    async def _write(self, kind: str, body: Mapping[str, Any]) -> None:
        await self._house.write_macro(Draft(kind=kind, body=body, label=KERNEL_SAID.to_json()))

    def _known(self, name: str) -> Macro:
        found = self._house.macros.get(name)
        if found is None:
            raise UnknownRun("macro.unknown", f"There is no macro {shown(name)}.", subject=shown(name),
                             hint="./steward macros lists them.")  # fmt: skip
        return found


async def take_away(house: House, one: Macro, name: str = "") -> None:
    """Write down that a macro is no more: with its ``name``, or without a word of it, where that is to be forgotten."""
    body = {"key": one.key} | ({"name": name} if name else {})
    await house.write_macro(Draft(kind=REMOVED, body=body, label=KERNEL_SAID.to_json()))
    if one.run in house.with_effects:
        house.with_effects.remove(one.run)  # of the request that kept it nothing is left
