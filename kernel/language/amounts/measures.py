"""What units measure, and how many of the measure's own unit one of each is; so one unit is made another, exactly."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

MEASURES: Mapping[str, tuple[str, str]] = {
    **{word: ("m", factor) for factor, words in {
        "1": "m meter meters metre metres", "1000": "km kilometer kilometers kilometre kilometres kilometern",
        "0.01": "cm centimeter centimeters zentimeter", "0.001": "mm millimeter millimeters",
        "1609.344": "mile miles meile meilen", "0.3048": "ft foot feet", "0.0254": "inch inches zoll",
    }.items() for word in words.split()},
    **{word: ("kg", factor) for factor, words in {
        "1": "kg kilogram kilograms kilo kilos kilogramm", "0.001": "g gram grams gramm",
        "0.000001": "mg milligram milligrams milligramm", "1000": "t tonne tonnes tonnen metric_ton",
        "0.45359237": "lb lbs pound pounds", "0.028349523125": "oz ounce ounces unze unzen",
    }.items() for word in words.split()},
    **{word: ("l", factor) for factor, words in {
        "1": "l liter liters litre litres litern", "0.001": "ml milliliter milliliters", "0.01": "cl centiliter",
    }.items() for word in words.split()},
    **{word: ("s", factor) for factor, words in {
        "1": "s sec second seconds sekunde sekunden", "60": "min minute minutes minuten",
        "3600": "h hour hours stunde stunden", "86400": "day days tag tage tagen",
        "604800": "week weeks woche wochen",
    }.items() for word in words.split()},
    **{word: ("byte", factor) for factor, words in {
        "1": "b byte bytes", "1000": "kb kilobyte kilobytes", "1000000": "mb megabyte megabytes",
        "1000000000": "gb gigabyte gigabytes", "1024": "kib", "1048576": "mib", "1073741824": "gib",
    }.items() for word in words.split()},
    **{word: (name, "1") for name, words in {
        "EUR": "€ eur euro euros", "USD": "$ usd dollar dollars", "GBP": "£ gbp pound_sterling", "CHF": "chf franken",
        "%": "% percent prozent",
    }.items() for word in words.split()},
}  # fmt: skip
"""By word: what is measured, by the unit that it is counted in, and how many of those it is."""


def in_base(number: Decimal, unit: str) -> tuple[Decimal, str]:
    """Return an amount in its measure's own unit; of a unit that is not known, as it is."""
    known = MEASURES.get(unit.casefold())
    return (number * Decimal(known[1]), known[0]) if known else (number, unit.casefold())


def in_unit(number: Decimal, unit: str, wanted: str) -> Decimal | None:
    """Return an amount in the unit ``wanted``; None where that measures something else, or one is not known."""
    own, other = MEASURES.get(unit.casefold()), MEASURES.get(wanted.casefold())
    if own is None or other is None or own[0] != other[0]:
        return None
    return number * Decimal(own[1]) / Decimal(other[1])


def shown(number: Decimal) -> str:
    """Return a number as a person writes it: no exponent, no zeros behind the point."""
    text = format(number, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text
