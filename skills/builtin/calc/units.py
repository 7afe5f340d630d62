"""Units of measure by their everyday names, in English and German, on top of pint with exact decimals.

Everyday measures are the United States' customary ones where two systems share a name, which the answer says.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation, localcontext
from fractions import Fraction
from typing import Any

from skills.sdk import ToolError

_NAMES: dict[str, str] = {
    "c": "degC", "°c": "degC", "celsius": "degC", "centigrade": "degC", "degrees celsius": "degC", "grad": "degC",
    "degree celsius": "degC", "grad celsius": "degC", "degrees c": "degC",
    "f": "degF", "°f": "degF", "fahrenheit": "degF", "degrees fahrenheit": "degF", "degree fahrenheit": "degF",
    "grad fahrenheit": "degF", "degrees f": "degF", "k": "kelvin", "kelvin": "kelvin",
    "meile": "mile", "meilen": "mile", "seemeile": "nautical_mile", "seemeilen": "nautical_mile", "zoll": "inch",
    "fuß": "foot", "fuss": "foot", "in": "inch", "\"": "inch", "'": "foot",
    "pfund": "half_kilogram", "zentner": "metric_hundredweight", "unze": "ounce", "unzen": "ounce",
    "tonne": "tonne", "tonnen": "tonne", "tonnes": "tonne", "metric ton": "tonne", "metric tons": "tonne",
    "lbs": "pound", "oz": "ounce", "gramm": "gram", "kilo": "kilogram", "kilos": "kilogram", "grams": "gram",
    "tasse": "cup", "tassen": "cup", "teelöffel": "teaspoon", "tl": "teaspoon", "esslöffel": "tablespoon",
    "el": "tablespoon", "tbsp": "tablespoon", "tsp": "teaspoon", "gallone": "gallon", "gallonen": "gallon",
    "floz": "fluid_ounce", "fl oz": "fluid_ounce", "fl. oz": "fluid_ounce",
    "imperial pint": "imperial_pint", "imperial gallon": "imperial_gallon", "imperial gallons": "imperial_gallon",
    "sekunde": "second", "sekunden": "second", "minuten": "minute", "stunde": "hour", "stunden": "hour",
    "std": "hour", "hrs": "hour", "secs": "second", "mins": "minute", "tag": "day", "tage": "day", "tagen": "day",
    "woche": "week", "wochen": "week", "monat": "month", "monate": "month", "monaten": "month", "jahr": "year",
    "jahre": "year", "jahren": "year", "min": "minute", "h": "hour", "sec": "second",
    "hektar": "hectare", "morgen": "quarter_hectare", "quadratmeter": "meter**2", "quadratkilometer": "kilometer**2",
    "quadratzentimeter": "centimeter**2", "kubikmeter": "meter**3", "kubikzentimeter": "centimeter**3",
    "sqm": "meter**2", "qm": "meter**2", "sq ft": "foot**2", "sqft": "foot**2", "sq m": "meter**2",
    "cc": "centimeter**3",
    "kmh": "km/h", "kph": "km/h", "stundenkilometer": "km/h", "meilen pro stunde": "mph", "knoten": "knot",
    "b": "byte", "kb": "kilobyte", "mb": "megabyte", "gb": "gigabyte", "tb": "terabyte", "pb": "petabyte",
    "kib": "kibibyte", "mib": "mebibyte", "gib": "gibibyte", "tib": "tebibyte",
    "kilobit": "kilobit", "mbit": "megabit", "gbit": "gigabit", "kbit": "kilobit",
    "ps": "metric_horsepower", "hp": "horsepower", "kalorie": "calorie", "kalorien": "calorie", "cal": "calorie",
    "kcal": "kilocalorie", "kilokalorien": "kilocalorie", "wattstunden": "watt_hour",
    "kilowattstunden": "kilowatt_hour", "kwh": "kilowatt_hour", "wh": "watt_hour", "kw": "kilowatt", "mw": "megawatt",
    "atm": "atmosphere",
    "mpg": "mile/gallon", "miles per gallon": "mile/gallon", "light years": "light_year", "lichtjahre": "light_year",
}  # fmt: skip

_CURRENCIES = frozenset(
    "€ $ £ ¥ eur euro euros usd dollar dollars cent cents gbp chf franken franc francs yen jpy yuan rmb cny "
    "rupee rupees inr kronen krone kronor sek nok dkk zloty pln rubel rubles bitcoin btc real brl peso pesos".split()
)

_SHARED = {
    "cup": ("US cups of 236.588 ml", "US-Tassen zu 236,588 ml"),
    "pint": ("US pints of 473.176 ml", "US-Pints zu 473,176 ml"),
    "quart": ("US quarts of 946.353 ml", "US-Quarts zu 946,353 ml"),
    "gallon": ("US gallons of 3.78541 l", "US-Gallonen zu 3,78541 l"),
    "fluid_ounce": ("US fluid ounces of 29.5735 ml", "US-Flüssigunzen zu 29,5735 ml"),
    "tablespoon": ("US tablespoons of 14.7868 ml", "US-Esslöffel zu 14,7868 ml"),
    "teaspoon": ("US teaspoons of 4.92892 ml", "US-Teelöffel zu 4,92892 ml"),
    "ton": ("US short tons of 907.185 kg", "US-Tonnen zu 907,185 kg"),
    "half_kilogram": ("metric pounds of 500 g", "Pfund zu 500 g"),
    "month": ("average months of 30.4375 days", "mittlere Monate zu 30,4375 Tagen"),
    "year": ("average years of 365.25 days", "mittlere Jahre zu 365,25 Tagen"),
}


@dataclass(frozen=True, slots=True)
class Converted:
    """A converted amount; ``note`` says which of several measures of one name was meant (English, German)."""

    value: Fraction
    note: tuple[str, str]


@functools.lru_cache(maxsize=1)
def _registry() -> Any:
    import pint

    registry: Any = pint.UnitRegistry(non_int_type=Decimal, autoconvert_offset_to_baseunit=True)
    registry.define("half_kilogram = 500 * gram")
    registry.define("metric_hundredweight = 50 * kilogram")
    registry.define("quarter_hectare = 2500 * meter ** 2")
    return registry


_SMALLER = {"foot": ("inch", 12), "pound": ("ounce", 16), "stone": ("pound", 14), "hour": ("minute", 60)}
"""What a bare number after a quantity counts in ("5 foot 11"), and how many make one."""


def spoken(unit: str, language: str) -> str:
    """Return what ``unit`` is in the language of the request: a German pound has 500 grams."""
    return "half_kilogram" if language == "de" and unit.casefold() in ("pound", "pounds", "pfund") else unit


def with_rest(value: Decimal, unit: str, rest: float) -> tuple[Decimal, str]:
    """Return "5 foot 11" in the smaller unit. Raises ToolError where the unit has none or the number is too large."""
    name = str(_unit(unit))
    smaller, count = _SMALLER.get(name, ("", 0))
    if not 0 <= rest < count:
        raise ToolError(
            f"I do not know what {rest:g} after {value:g} {unit} counts.",
            hint="Say its unit, such as 5 feet 11 inches.",
            code="calc.unit",
            de=f"Ich weiß nicht, was {rest:g} nach {value:g} {unit} zählt.",
            de_hint="Nenne die Einheit, zum Beispiel 5 Fuß 11 Zoll.",
        )
    return value * count + Decimal(str(rest)), smaller


def convert(value: Decimal, source: str, target: str) -> Converted:
    """Convert ``value`` of ``source`` into ``target``. Raises ToolError for unknown or unlike units and currencies."""
    import pint

    left, right = _unit(source), _unit(target)
    if {str(left), str(right)} == {"ounce", "fluid_ounce"} or _is_volume(left, right):
        left, right = _fluid(left), _fluid(right)
    if not value.is_finite() or abs(value.adjusted()) > 300:
        raise _out_of_range()
    try:
        with localcontext() as context:
            context.prec = 40
            result = Decimal(_registry().Quantity(value, left).to(right).magnitude)
            context.prec = 25  # a factor that pint divides by is exact again after this
            result = +result
    except pint.DimensionalityError as error:
        raise ToolError(
            f"{source} and {target} measure different things ({_kind(left)} and {_kind(right)}).",
            hint="Name a unit of the same kind.",
            code="calc.units",
            de=f"{source} und {target} messen Verschiedenes ({_kind(left)} und {_kind(right)}).",
            de_hint="Nenne eine Einheit derselben Art.",
        ) from error
    except (ArithmeticError, InvalidOperation) as error:
        raise _out_of_range() from error
    return Converted(Fraction(result), _note(str(left), str(right)))


def _note(left: str, right: str) -> tuple[str, str]:
    """Say which measure was meant, unless both are of one system, where it makes no difference."""
    if (left in _SHARED) == (right in _SHARED):
        return "", ""
    english, german = _SHARED[left if left in _SHARED else right]
    return f" ({english})", f" ({german})"


def _unit(text: str) -> Any:
    """Return the pint unit that ``text`` names, trying it as written, in lower case and without a plural ending."""
    plain = " ".join(text.replace("²", "^2").replace("³", "^3").strip(" .?!").split())
    if plain.casefold() in _CURRENCIES or plain in _CURRENCIES:
        raise ToolError(
            f"{text} is a currency, and exchange rates change from day to day; I only convert units of measure.",
            hint="Multiply by the rate yourself, such as 50 * 1.08.",
            code="calc.currency",
            de=f"{text} ist eine Währung, und Wechselkurse ändern sich täglich; ich rechne nur Maßeinheiten um.",
            de_hint="Rechne selbst mit dem Kurs, zum Beispiel 50 * 1,08.",
        )
    for spelling in _spellings(plain):
        unit = _parse(spelling)
        if unit is not None:
            return unit
    raise ToolError(
        f"I do not know a unit called “{text[:40]}”.",
        hint="Use a name such as km, miles, litres, °C or GB.",
        code="calc.unit",
        de=f"Ich kenne keine Einheit namens „{text[:40]}“.",
        de_hint="Nimm einen Namen wie km, Meilen, Liter, °C oder GB.",
    )


def _spellings(plain: str) -> list[str]:
    """Return the writings to try, likeliest first; ``square metres`` and ``square_meter`` become ``meter**2``."""
    low = re.sub(r"^(square|cubic)_", r"\1 ", plain.casefold()).replace("_per_", " per ")
    low = re.sub(r"^(?:(?:us|u\.s\.)|degrees?|deg)\s+(?=\w{4})", "", low) if low not in _NAMES else low
    found = [_NAMES[low]] if low in _NAMES else []
    powered = re.sub(r"\b(?:square|sq)\s+(\w+)", r"\1**2", low)
    powered = re.sub(r"\b(?:cubic|cu)\s+(\w+)", r"\1**3", powered)
    powered = re.sub(r"^([a-z]+)([23])$", r"\1**\2", powered)
    powered = re.sub(r"\s+(?:per|pro|je)\s+", "/", powered)
    if powered != low:
        found.append("/".join(_NAMES.get(part, part) for part in powered.split("/")))
    for text in (plain, low):
        found += [text.replace("^", "**"), text.replace(" ", "_")]
    return [*found, *(text.removesuffix("n") for text in (low,) if text.endswith("n"))]


def _parse(spelling: str) -> Any | None:
    import pint

    # pint evaluates what it parses: only short products and quotients of names with small whole exponents go in.
    if len(spelling) > 60 or not re.fullmatch(r"[^\W\d]\w*(?:\*\*\d)?(?:[*/][^\W\d]\w*(?:\*\*\d)?){0,4}", spelling):
        return None
    try:
        return _registry().parse_units(spelling)
    except (pint.UndefinedUnitError, pint.DefinitionSyntaxError, ValueError, AttributeError, TypeError):
        return None


def _is_volume(left: Any, right: Any) -> bool:
    names = {str(left), str(right)}
    return "ounce" in names and any(unit.dimensionality == {"[length]": 3} for unit in (left, right))


def _fluid(unit: Any) -> Any:
    return _registry().parse_units("fluid_ounce") if str(unit) == "ounce" else unit


def _kind(unit: Any) -> str:
    return str(unit.dimensionality).replace("[", "").replace("]", "").replace(" ** ", "^")


def _out_of_range() -> ToolError:
    return ToolError(
        "That amount is too large or too small to convert.",
        hint="Use a more fitting unit.",
        code="calc.range",
        de="Dieser Betrag ist zu groß oder zu klein zum Umrechnen.",
        de_hint="Nimm eine passendere Einheit.",
    )
