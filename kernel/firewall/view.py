"""What was taken as shown, as a client sees it: on the card, in the terminal and on the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kernel.firewall.objections import escape
from kernel.firewall.orders import Judge, by_words, orders_in
from kernel.model import Shown

_LONGEST = 160


def shown_view(texts: Sequence[Shown], judge: Judge = by_words) -> list[dict[str, Any]]:
    """Return for each text how it was shown, how long it is, how it begins, and which of its sentences give orders."""
    return [_one(one, judge) for one in texts]


def _one(one: Shown, judge: Judge) -> dict[str, Any]:
    begins = next((line.strip() for line in one.text.splitlines() if line.strip()), "")
    orders = [_short(found) for found in orders_in(one.text, judge)]
    return {"kind": str(one.kind), "lines": one.text.count("\n") + 1, "begins": _short(begins), "orders": orders}


def _short(text: str) -> str:
    whole = " ".join(text.split())
    safe = "".join(letter if letter.isprintable() else escape(letter) for letter in whole[:_LONGEST])
    return safe + ("…" if len(whole) > _LONGEST else "")
