"""Terms as a person writes them: ``5ct``, ``0.05 EUR``, ``30s``, ``2m``. Anything else is refused, not guessed at."""

from __future__ import annotations

import re
from decimal import Decimal

from kernel.errors import BadRequest
from kernel.terms.model import Terms
from permissions.naming import shown

_MONEY = re.compile(r"(?P<whole>[0-9]{1,6}(?:\.[0-9]{1,6})?) ?(?P<unit>ct|[A-Z]{3})")
_TIME = re.compile(r"(?P<count>[0-9]{1,5})(?P<unit>[smh])")
_SECONDS = {"s": 1, "m": 60, "h": 3600}
LONGEST_S = 86_400
"""A deadline is today or tomorrow; what is to be done later is a routine."""

_LONGEST = 40


def terms_of(budget: str = "", deadline: str = "") -> Terms:
    """Return what was said; an empty text says nothing. Raises BadRequest (``request.budget``, ``request.deadline``).

    ``ct`` are hundredths of a EUR; other money is named by its three letters.
    """
    money, currency = _money(budget) if budget else (None, "EUR")
    return Terms(money, currency, _seconds(deadline) if deadline else None)


def _money(text: str) -> tuple[int, str]:
    found = _MONEY.fullmatch(text)
    if found is None:
        raise BadRequest("request.budget", f"{_cut(text)} is no amount of money.", subject=_cut(text),
                         hint="Say it as 5ct, 0.05EUR or 0.05USD.")  # fmt: skip
    cents = found["unit"] == "ct"
    exact = Decimal(found["whole"]) * (10**4 if cents else 10**6)
    if exact != int(exact):
        raise BadRequest("request.budget", f"{_cut(text)} is finer than money is counted.", subject=_cut(text),
                         hint="The least is 0.000001 of a EUR or of another currency.")  # fmt: skip
    return int(exact), "EUR" if cents else found["unit"]


def _seconds(text: str) -> int:
    found = _TIME.fullmatch(text)
    seconds = int(found["count"]) * _SECONDS[found["unit"]] if found else 0
    if not 1 <= seconds <= LONGEST_S:
        raise BadRequest("request.deadline", f"{_cut(text)} is no time in which a request can be done.",
                         subject=_cut(text), hint="Say it as 30s, 2m or 1h, at most 24h.")  # fmt: skip
    return seconds


def _cut(text: str) -> str:
    return shown(text[:_LONGEST])
