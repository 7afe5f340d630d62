"""Terms while a request is under way: what is left of its money, and of its time.

What this stops: a question to a model that may cost more than is left; one whose price nobody knows; a request that
goes on after its deadline, but for what has begun and must not be broken off (a commit, a letter on its way).
What it does not: make a server's word on what it used true. What a reply is said to have cost counts, within bounds.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from kernel.errors import ModelFailed
from kernel.terms.model import Overdue, Terms, money_words
from kernel.terms.wording import duration, say

if TYPE_CHECKING:
    from kernel.models.model import Endpoint
    from memory.model import Event

NOT_KEPT = "request.budget"
"""The code of what is not asked for the budget of its request."""


@dataclass(slots=True)
class Held:
    """The terms of a run, and what of them is used. ``spent`` and ``asked`` are money in millionths of the currency."""

    terms: Terms = field(default_factory=Terms)
    spent: int = 0
    asked: int = 0  # what questions that are on their way may cost
    began_s: float = field(default_factory=time.monotonic)

    def left_s(self) -> float | None:
        """Return how many seconds are left, not below 0; None where there is no deadline."""
        deadline = self.terms.deadline_s
        return None if deadline is None else max(0.0, self.began_s + deadline - time.monotonic())

    def reserve(self, endpoint: Endpoint, money: int) -> None:
        """Set aside what a question to ``endpoint`` may cost. Raises ModelFailed (``request.budget``)."""
        budget = self.terms.money
        if budget is None:
            return
        if not (endpoint.price_in or endpoint.price_out):
            if not endpoint.is_local:
                raise self._refused("unpriced", endpoint)
            return
        if endpoint.currency != self.terms.currency:
            raise self._refused("currency", endpoint)
        left = budget - self.spent - self.asked
        if money > left:
            raise self._refused("dear", endpoint, needed=money, left=max(0, left))
        self.asked += money

    def settle(self, endpoint: Endpoint, reserved: int, spent: int) -> None:
        """Count what a question cost in the place of what was set aside for it."""
        if self.terms.money is not None and endpoint.currency == self.terms.currency:
            self.asked -= min(reserved, self.asked)
            self.spent += spent

    def _refused(self, why: str, endpoint: Endpoint, **money: int) -> ModelFailed:
        said = {name: money_words(one, self.terms.currency) for name, one in money.items()}
        said |= {"name": endpoint.name, "host": endpoint.host, "other": endpoint.currency, "budget": self.terms.budget}
        en, hint, de, de_hint = (
            say(language, key, **said) for language in ("en", "de") for key in (why, f"{why}.hint")
        )
        return ModelFailed(NOT_KEPT, en, subject=endpoint.name, hint=hint, de=de, de_hint=de_hint)

    def over(self, language: str) -> str:
        """Say that the time was over before it was done."""
        return say(language, "over", given=duration(self.terms.deadline_s or 0))

    def late(self, language: str) -> str:
        """Say that it was done, though not in time."""
        return say(language, "late", given=duration(self.terms.deadline_s or 0))


async def in_time(held: Held, way: Coroutine[Any, Any, None]) -> None:
    """Go ``way`` to its end. Raises Overdue where the deadline ended it, when everything of it has been cancelled."""
    limit = asyncio.timeout(held.left_s())
    try:
        async with limit:
            await way
    except TimeoutError as error:
        if not limit.expired():
            raise
        raise Overdue from error


def taken_up(terms: Terms, since_s: float, events: Iterable[Event]) -> Held:
    """Return the terms of a run that goes on ``since_s`` seconds after it was asked; ``events`` are its own so far."""
    spent = 0
    for event in events:
        body: Mapping[str, Any] = event.body or {}
        usage = body.get("usage") if event.kind == "model.replied" else None
        if usage and usage.get("currency") == terms.currency:
            spent += int(usage.get("money") or 0)
    return Held(terms, spent, began_s=time.monotonic() - max(0.0, since_s))
