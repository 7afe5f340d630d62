"""The nouns of terms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from permissions.policy import amount_words


@dataclass(frozen=True, slots=True)
class Terms:
    """What a request may cost in millionths of ``currency``, and in how many seconds it has to be done; None: any."""

    money: int | None = None
    currency: str = "EUR"
    deadline_s: int | None = None

    def to_json(self) -> dict[str, Any]:
        """Return what an event keeps of them; nothing where there are none."""
        kept: dict[str, Any] = {} if self.money is None else {"money": self.money, "currency": self.currency}
        return kept | ({} if self.deadline_s is None else {"deadline_s": self.deadline_s})

    @staticmethod
    def from_json(value: Mapping[str, Any] | None) -> Terms:
        """Read what ``to_json`` wrote."""
        held = value or {}
        return Terms(held.get("money"), str(held.get("currency") or "EUR"), held.get("deadline_s"))

    @property
    def budget(self) -> str:
        """The money in words, ``0.05 EUR``; empty where any may be spent."""
        return "" if self.money is None else money_words(self.money, self.currency)


class Overdue(Exception):
    """The time of a request is over."""


def money_words(money: int, currency: str) -> str:
    """Return an amount in millionths as it may be typed back: ``0.05 EUR``."""
    return amount_words(money, f"money.{currency}")
