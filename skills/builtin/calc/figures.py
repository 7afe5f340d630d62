"""How exact numbers are written for a person: in full where that is possible, else rounded and said so."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from fractions import Fraction

_LONGEST = 50


def terminates(value: Fraction) -> bool:
    """Tell whether ``value`` has a finite decimal expansion (its denominator has no prime factor but 2 and 5)."""
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    return rest == 1


def significant(value: Fraction, digits: int) -> str:
    """Return ``value`` rounded to ``digits`` significant digits, plain where that is short, else with an exponent."""
    with localcontext() as context:
        context.prec = digits
        context.Emax, context.Emin = 999_999, -999_999
        rounded = (Decimal(value.numerator) / Decimal(value.denominator)).normalize()
    if -6 <= rounded.adjusted() < digits + 6:
        return f"{rounded:f}"
    mantissa, _, exponent = f"{rounded:e}".partition("e")
    return f"{mantissa} × 10^{int(exponent)}"


def is_rounded(number: float) -> bool:
    """Tell whether a number of an earlier step may be another one that 15 digits cannot hold: a third, 2 ** 100."""
    return len(Decimal(repr(number)).normalize().as_tuple().digits) > 15 or abs(number) >= 2**53


def written(value: Fraction, *, approximate: bool = False) -> tuple[str, bool]:
    """Return the decimal writing of ``value`` and whether it is the full value."""
    if not approximate and terminates(value):
        text = _decimal(value)
        if len(text) <= _LONGEST:
            return text, True
    return significant(value, 15), False


def exact(value: Fraction, *, approximate: bool = False) -> str:
    """Return the whole value: digits, or a fraction such as ``1/3``; 15 digits when it is approximate by nature."""
    if approximate:
        return significant(value, 15)
    return _decimal(value) if terminates(value) else f"{value.numerator}/{value.denominator}"


def nearest(value: Fraction) -> float | None:
    """Return ``value`` as the nearest float (an int when whole and small), None when it is out of range."""
    if value.denominator == 1 and abs(value.numerator) < 2**53:
        return value.numerator
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def localised(text: str, language: str) -> str:
    """Return a decimal writing with the decimal mark of ``language``."""
    return text.replace(".", ",") if language == "de" else text


def _decimal(value: Fraction) -> str:
    if value.denominator == 1:
        return str(value.numerator)
    places = 0
    while (value * 10**places).denominator != 1:
        places += 1
    digits = str(abs(int(value * 10**places))).rjust(places + 1, "0")
    return f"{'-' if value < 0 else ''}{digits[:-places]}.{digits[-places:]}"
