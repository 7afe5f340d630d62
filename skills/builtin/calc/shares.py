"""Parts of a sum of money in percent: tax on top or included, a tip and its split; exact decimals, rounded to cents.

Cents are rounded half up, as bills do; what each pays is rounded up, so that the shares never fall short of the bill.
"""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_HALF_UP, Decimal

from skills.sdk import ToolError

_CENT = Decimal("0.01")
_MOST = Decimal(10) ** 15


def taxed(amount: float, rate: float, *, included: bool) -> tuple[Decimal, Decimal, Decimal]:
    """Return the amount before tax, the tax and the amount with it. Raises ToolError where one is out of range."""
    given, percent = _checked(amount, rate)
    if included:
        net = _cents(given * 100 / (100 + percent))
        return net, given - net, given
    part = _cents(given * percent / 100)
    return given, part, given + part


def tipped(amount: float, rate: float, people: int) -> tuple[Decimal, Decimal, Decimal]:
    """Return the tip, the bill with it, and what each of ``people`` pays. Raises ToolError out of range."""
    given, percent = _checked(amount, rate)
    if not 1 <= people <= 10_000:
        raise _out_of_range()
    part = _cents(given * percent / 100)
    return part, given + part, ((given + part) / people).quantize(_CENT, ROUND_CEILING)


def money(amount: Decimal, language: str, currency: str | None) -> str:
    """Return an amount with two decimals, the language's decimal mark and its currency as it was named."""
    text = f"{amount:.2f} {currency or ''}".strip()
    return text.replace(".", ",", 1) if language == "de" else text


def plain(rate: float) -> str:
    """Return a rate as it is written, without needless decimals."""
    return f"{Decimal(str(rate)).normalize():f}"


def _checked(amount: float, rate: float) -> tuple[Decimal, Decimal]:
    given, percent = Decimal(str(amount)), Decimal(str(rate))
    if not (given.is_finite() and percent.is_finite() and 0 <= percent <= 1000 and abs(given) < _MOST):
        raise _out_of_range()
    return given, percent


def _cents(value: Decimal) -> Decimal:
    return value.quantize(_CENT, ROUND_HALF_UP)


def _out_of_range() -> ToolError:
    return ToolError(
        "That amount, rate or number of people is too large or too small.",
        hint="Say it like: tip of 15% on 48.50 split by 3.",
        code="calc.range",
        de="Dieser Betrag, Satz oder diese Anzahl ist zu groß oder zu klein.",
        de_hint="Sag es so: 19 % MwSt auf 250 Euro.",
    )
