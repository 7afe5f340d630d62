"""Values as a person reads them in a plan, a card or a question: never as they lie in memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta
from typing import Any

from kernel.fields import as_text, bytes_words
from kernel.paths import short
from kernel.remembering.bulk import FEW, FIRST

_STAMP = len("2026-06-23T17:03:05")
_STEP = 1000

_WORDS = {
    "en": {"table": "{rows} ({columns})", "one": "1 row", "many": "{count} rows", "from": ", made from {source}",
           "nothing": "no rows", "yes": "yes", "no": "no", "over": "over {}", "least": "{} or more",
           "under": "under {}", "most": "{} or less", "between": "{} to {}", "since": "since {}",
           "until": "until {}"},
    "de": {"table": "{rows} ({columns})", "one": "1 Zeile", "many": "{count} Zeilen", "from": ", aus {source}",
           "nothing": "keine Zeilen", "yes": "ja", "no": "nein", "over": "über {}", "least": "ab {}",
           "under": "unter {}", "most": "bis {}", "between": "{} bis {}", "since": "seit {}", "until": "bis {}"},
}  # fmt: skip


def value_words(value: Any, home: str, language: str, *, place: bool = False) -> str:
    """Say a value that is known: a place below ``home`` with ``~``, an object by what stands in it."""
    if isinstance(value, list):
        more = [f"… +{len(value) - FIRST}"] if len(value) > FEW else []
        shown = value[:FIRST] if more else value
        return ", ".join([*(value_words(item, home, language, place=place) for item in shown), *more])
    if isinstance(value, Mapping):
        return _object_words(value, home, language)
    if isinstance(value, bool):
        return _say(language, "yes" if value else "no")
    text = as_text(value)
    return short(text, home) if place or text.startswith(f"{home}/") else _time_words(text)


def _object_words(value: Mapping[str, Any], home: str, language: str) -> str:
    if value.get("columns") and "rows" in value:
        return _table_words(value, home, language)
    if value.get("path") or value.get("source"):
        return short(str(value.get("path") or value.get("source")), home)
    if tuple(sorted(value)) in _SHAPES:
        return _SHAPES[tuple(sorted(value))](value, language)
    if isinstance(value.get("fields"), Mapping):
        return value_words(value["fields"], home, language)
    pairs = ((name, value_words(item, home, language)) for name, item in value.items() if item is not None)
    return ", ".join(f"{name.replace('_', ' ')} {words}" for name, words in pairs)


def _table_words(table: Mapping[str, Any], home: str, language: str) -> str:
    count = len(table["rows"])
    rows = _say(language, "nothing" if not count else "one" if count == 1 else "many", count=count)
    said = _say(language, "table", rows=rows, columns=", ".join(str(name) for name in table["columns"]))
    source = str(table.get("source") or "")
    return said + _say(language, "from", source=short(source, home)) if source else said


def _size_words(least: Any, most: Any, language: str) -> str:
    """Say a range of bytes, both ends inclusive: an end beside a round number is a strict one (4,000,001)."""
    if isinstance(least, int) and isinstance(most, int):
        low, high = bytes_words(least, language), bytes_words(most, language)
        return low if least == most else _say(language, "between", low, high)
    if isinstance(least, int):
        strict = _is_rounder(least - 1, least)
        return _say(language, "over" if strict else "least", bytes_words(least - strict, language))
    if isinstance(most, int):
        strict = _is_rounder(most + 1, most)
        return _say(language, "under" if strict else "most", bytes_words(most + strict, language))
    return ""


def _is_rounder(size_bytes: int, other_bytes: int) -> bool:
    return size_bytes > 0 and any(size_bytes % unit == 0 and other_bytes % unit for unit in (_STEP, 1024))


def _period_words(start: Any, end: Any, language: str) -> str:
    """Say a period by its first and its last day; ``end`` is the day after it."""
    first, last = str(start or "")[:10], _day_before(str(end or ""))
    if first and last:
        return first if first == last else _say(language, "between", first, last)
    return _say(language, "since" if first else "until", first or last) if first or last else ""


def _hours_words(start: Any, end: Any, language: str) -> str:
    """Say a time of day, or from when to when."""
    return _say(language, "between", start, end) if end else str(start)


def _day_before(day: str) -> str:
    try:
        return (date.fromisoformat(day[:10]) - timedelta(days=1)).isoformat()
    except (ValueError, OverflowError):
        return day[:10]


def _say(language: str, key: str, *values: object, **named: object) -> str:
    return _WORDS.get(language, _WORDS["en"])[key].format(*values, **named)


def _time_words(text: str) -> str:
    """Say a moment of the machine's ("2026-06-23T17:03:05.5+00:00") as a day and a time of day here."""
    if len(text) < _STAMP or text[4:5] != "-" or text[10:11] != "T":
        return text
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return text
    here = moment.astimezone() if moment.tzinfo else moment
    return here.strftime("%Y-%m-%d %H:%M")


_SHAPES: Mapping[tuple[str, ...], Callable[[Mapping[str, Any], str], str]] = {
    ("max", "min"): lambda size, language: _size_words(size["min"], size["max"], language),
    ("end", "start"): lambda period, language: _period_words(period["start"], period["end"], language),
    ("end", "rough", "start"): lambda hours, language: _hours_words(hours["start"], hours["end"], language),
    ("unit", "value"): lambda quantity, _: f"{quantity['value']} {quantity['unit']}",
    ("column", "op", "value"): lambda condition, _: f"{condition['column']} {condition['op']} {condition['value']}",
}
