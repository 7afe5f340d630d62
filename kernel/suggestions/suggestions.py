"""Suggestions as a person sees and answers them. Nothing is kept or run by one without their yes.

What this stops: an offer that comes unasked in quiet hours, beyond the day's budget, while a card waits, or beside
another one; one of what a macro or a routine does already; one that was answered (``book``); a person who waits for
years to be looked through.
What it does not: decide rights. What is taken is a macro, and goes the one way when it is run.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from kernel.errors import BadRequest, NotNow, UnknownRun
from kernel.habits.kin import are_kin_steps
from kernel.habits.model import Pattern, Same, Step
from kernel.macros.model import Macro
from kernel.macros.patterns import Around, frozen, in_words
from kernel.manners import Manners
from kernel.model import Constant, Plan
from kernel.suggestions.book import EDITED, KINDS, NEVER, OFFERED, SNOOZED, TAKEN, Book, Record, body_of
from kernel.suggestions.editing import Changes, edited, with_changes
from kernel.suggestions.naming import proposals
from kernel.suggestions.views import suggestion_view
from kernel.suggestions.words import is_its_time, rule_words
from memory.model import Draft
from permissions.labels import KERNEL_SAID
from permissions.naming import shown

if TYPE_CHECKING:
    from kernel.house import House
    from kernel.macros.managing import Macros

KIND = "suggestion"
WEEK_DAYS = 7
LONGEST_DAYS = 366

PATIENCE_S = 2.0
"""So long what was done since is read for an answer; then it says that this goes on."""


class Suggestions:
    """What a person does again and again, offered. Its methods belong to one event loop."""

    def __init__(
        self, house: House, manners: Manners, macros: Macros, outline: Callable[[str], dict[str, Any]],
        look_on: Callable[[], None],
    ) -> None:  # fmt: skip
        """``outline`` returns a run as it is shown, ``look_on`` has the rest of what was done looked at."""
        self._house, self._manners, self._macros, self._outline = house, manners, macros, outline
        self._look_on = look_on
        self._book = Book()
        self._reading = threading.Lock()

    @property
    def left(self) -> float:
        """How much of what was done is not looked at yet, from 0 to 1: then more may be offered in a moment."""
        return self._house.seeing.left

    async def every(self) -> list[dict[str, Any]]:
        """Return all that may be offered now, the most telling first; at once, see ``left``."""
        now = self._house.clock()
        found = await asyncio.to_thread(self._offered, now)
        self._go_on()
        return [self._view(one, now) for one in found]

    async def unasked(self) -> dict[str, Any] | None:
        """Return the one that is shown though nobody asked, None where there is none now. Showing it counts."""
        now = self._house.clock()
        if self._manners.is_quiet(now) or any(not answer.done() for answer in self._house.waiting.values()):
            return None
        one = await asyncio.to_thread(self._to_show, now)
        self._go_on()
        return None if one is None else self._view(one, now)

    async def whole(self, key: str) -> dict[str, Any]:
        """Return one, whatever was answered. Raises NotNow, UnknownRun."""
        return self._view(await self._known(key), self._house.clock())

    async def edit(
        self, key: str, *, name: str | None = None, without: Sequence[int] = (), back: Sequence[int] = (),
        ask: Sequence[str] = (), fixed: Sequence[str] = (),
    ) -> dict[str, Any]:  # fmt: skip
        """Change what would be kept of it: its name, steps ``without`` or ``back``, values to ``ask`` for or ``fixed``.

        Raises BadRequest, UnknownRun.
        """
        if name:
            from kernel.macros.naming import checked_name  # it knows the language

            checked_name(name)
        changes = Changes(name, tuple(without), tuple(back), tuple(ask), tuple(fixed))
        pattern = await self._known(key)
        edits = with_changes(self._record(pattern).edits, changes, pattern)
        await self._write(EDITED, pattern, edits=edits.to_json())
        return await self.whole(key)

    async def accept(self, key: str, name: str = "") -> dict[str, Any]:
        """Keep it as a macro; return that, and the ``rule`` that would do it by itself. Raises BadRequest, UnknownRun.

        Without a ``name`` it is called as it was edited, or by the first proposal that means nothing else.
        """
        pattern = await self._known(key)
        edits = self._record(pattern).edits
        language, taken = self._language(pattern), edited(pattern, edits)
        wanted = name or edits.name
        names = [wanted] if wanted else list(self._proposed(pattern))
        macro, view = await self._kept(taken, names, language)
        await self._write(TAKEN, pattern, macro=macro.key)
        can_be_rule = not macro.parameters
        return {"macro": view, "rule": rule_words(pattern.seen, macro.name, language) if can_be_rule else ""}

    async def snooze(self, key: str, days: int = WEEK_DAYS) -> dict[str, Any]:
        """Do not offer it for so many days. Raises BadRequest, UnknownRun."""
        if not 1 <= days <= LONGEST_DAYS:
            hint = f"From 1 to {LONGEST_DAYS}, or for good: ./steward suggestions never KEY"
            raise BadRequest("suggestion.days", f"It cannot be put off for {days} days.", hint=hint)
        until = self._house.clock() + timedelta(days=days)
        await self._write(SNOOZED, await self._known(key), until=until.isoformat())
        return {"key": key, "until": until.isoformat(timespec="seconds")}

    async def never(self, key: str) -> None:
        """Never offer it again, nor a form of it. Raises UnknownRun."""
        await self._write(NEVER, await self._known(key))

    # --- which are offered --------------------------------------------------------------------------------------------

    def _offered(self, now: datetime) -> list[Pattern]:
        found = self._house.seeing.patterns(now, PATIENCE_S)
        with self._reading:
            self._read()
            may = [one for one in found if self._book.may_offer(one, now)]
        plans = [one.plan for one in self._house.macros.every()] + [one.plan for one in self._house.routines.every()]
        new = [one for one in may if not any(_does(_steps_of(plan), one) for plan in plans)]
        return sorted(new, key=lambda one: not is_its_time(one.seen, now))

    def _to_show(self, now: datetime) -> Pattern | None:
        found = self._offered(now)
        with self._reading:
            standing = next((one for one in found if self._book.of(one).is_shown(now)), None)
        if standing is not None or not found or not self._manners.may_speak(KIND, now):
            return standing
        self._manners.spoke(KIND, now)
        self._house.ledger.submit(_draft(OFFERED, found[0], at=now.isoformat())).result()
        return found[0]

    async def _known(self, key: str) -> Pattern:
        found = await asyncio.to_thread(self._house.seeing.patterns, self._house.clock(), PATIENCE_S)
        self._go_on()
        one = next((one for one in found if one.key == key), None)
        if one is None and self.left:
            percent = round(100 * (1 - self.left))
            raise NotNow("suggestion.looking", f"Steward has looked through {percent} % of what was done so far.",
                         subject=shown(key), hint="Ask again in a moment.")  # fmt: skip
        if one is None:
            raise UnknownRun("suggestion.unknown", f"There is no suggestion {shown(key)}.", subject=shown(key),
                             hint="./steward suggestions lists them.")  # fmt: skip
        return one

    def _go_on(self) -> None:
        if self.left:
            self._look_on()

    def _record(self, pattern: Pattern) -> Record:
        with self._reading:
            self._read()
            return self._book.of(pattern)

    def _read(self) -> None:
        self._book.take(self._house.ledger.events(after=self._book.seq, kinds=KINDS))

    # --- taking one ---------------------------------------------------------------------------------------------------

    async def _kept(self, pattern: Pattern, names: list[str], language: str) -> tuple[Macro, Mapping[str, Any]]:
        """Keep a macro by the first of ``names`` that means nothing else. Raises BadRequest."""
        for at, name in enumerate(names, 1):
            around = Around(name, language, self._house.clock(), str(self._house.folders.home))
            macro = await asyncio.to_thread(frozen, pattern, self._house.registry, around)
            try:
                view = await self._macros.keep(macro)
            except BadRequest as error:
                if at == len(names) or error.code != "macro.taken":
                    raise
            else:
                return self._house.macros.of_key(macro.key) or macro, view
        raise AssertionError("there is always a name")

    def _proposed(self, pattern: Pattern) -> list[str]:
        said = [str(self._outline(run)["text"]) for run in _last_runs(pattern) if self._house.talk.knows(run)]
        return list(proposals(said, [one.tool for one in pattern.steps], self._language(pattern)))

    def _language(self, pattern: Pattern) -> str:
        plans = (self._house.talk.plan(run) for run in reversed(pattern.seen.runs))
        found = next((plan.language for plan in plans if plan is not None), "en")
        return found if found in ("en", "de") else "en"

    def _view(self, pattern: Pattern, now: datetime) -> dict[str, Any]:
        record, language = self._record(pattern), self._language(pattern)
        registry = self._house.registry
        steps = edited(pattern, record.edits).steps
        return suggestion_view(
            pattern, record, in_words(steps, registry, language), record.edits.name or self._proposed(pattern)[0],
            language, now, lambda step: in_words((step,), registry, language),
        )  # fmt: skip

    async def _write(self, kind: str, pattern: Pattern, **more: Any) -> None:
        await asyncio.wrap_future(self._house.ledger.submit(_draft(kind, pattern, **more)))


def _draft(kind: str, pattern: Pattern, **more: Any) -> Draft:
    return Draft(kind=kind, body=body_of(pattern, **more), label=KERNEL_SAID.to_json())


def _last_runs(pattern: Pattern) -> tuple[str, ...]:
    """Return the runs in which it was seen last."""
    return pattern.seen.runs[-pattern.seen.saves :]


def _steps_of(plan: Plan) -> tuple[Step, ...]:
    """Return a plan as steps, to be held against a habit: what it was told."""
    return tuple(
        Step(task.tool, {name: Same(one.value) for name, one in task.arguments.items() if isinstance(one, Constant)})
        for task in plan.tasks
    )


def _does(steps: tuple[Step, ...], pattern: Pattern) -> bool:
    """Tell whether a plan does all that a habit does."""
    return len(steps) >= len(pattern.steps) and are_kin_steps(steps, pattern.steps)
