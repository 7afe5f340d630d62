"""Typed values in English and German sentences by somebody who had not read the grammar (values.toml).

    python -m tests.benchmarks.understanding.values [-v]

An item is right when the surest, then longest reading of its kind has the expected value; a trap when no date, stretch
of days, clock time or recurrence is read in it with a confidence of .4 or more. The baseline is a library that is here
for each kind (``libraries``), on the same items, with a paired bootstrap interval: dateutil (fuzzy) for dates and clock
times, pint for quantities, durations and sizes, text2num for counts and ordinals; none of them has stretches of days or
repetitions. A date that it finds in a trap counts against it. The first run, before anything was changed for these
sentences, had 23 of 40 wrong and no false date (docs/decisions/0020): today's figure is of sentences that the grammar
was mended for, by classes.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from kernel.interpret import read
from kernel.language import Found, Lexicon, Line
from kernel.language.amounts.counts import find_numbers
from kernel.language.amounts.numbers import ordinal_at
from kernel.language.amounts.quantities import find_durations, find_quantities
from kernel.language.amounts.sizes import find_sizes
from kernel.language.amounts.units import SYMBOLS, UNITS
from kernel.language.time.dates import find_dates
from kernel.language.time.periods import find_periods
from kernel.language.time.recurrences import Recurrence, find_recurrences
from kernel.language.time.times import Clock, find_times
from kernel.model import ConversationId, Utterance
from skills.model import ValueKind
from tests.benchmarks.machine import result
from tests.benchmarks.understanding.compare import interval
from tests.benchmarks.understanding.libraries import by_library, library_value

SENTENCES = Path(__file__).with_name("values.toml")
NOW = datetime(2026, 3, 11, 10, 0, tzinfo=UTC)
LIMITS = {"values_wrong": 0.1, "values_false_dates": 0.0}
LEAST = {"values_over_library_low": 0.0}
SURE = 0.4
_NO_PLACE = "/nonexistent"


def measure(_data: Path | None = None) -> dict[str, float]:
    """Return the share of wrong values, how many there are, and false dates in the traps. Reads no data folder."""
    items, traps = sentences()
    wrong = [item for item in items if not right(item)]
    false = [trap for trap in traps if any(found.confidence >= SURE for found in dates_in(_line(trap["text"])))]
    libraries = [by_library(item) for item in items]
    low, high = interval([float(item not in wrong) for item in items], [float(one) for one in libraries])
    return {
        "values_library_wrong": 1 - sum(libraries) / len(items),
        "values_over_library_low": low,
        "values_over_library_high": high,
        "values_library_false_dates": sum(library_value("date", trap["text"]) is not None for trap in traps),
        "values_wrong": len(wrong) / len(items),
        "values_items": len(items),
        "values_false_dates": len(false),
        "values_traps": len(traps),
    }


def sentences() -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The items and the traps."""
    with SENTENCES.open("rb") as file:
        read_in = tomllib.load(file)
    return read_in["item"], read_in["trap"]


def right(item: dict[str, Any]) -> bool:
    """Tell whether the best reading of the item's kind is the expected value; a size may be off by its strict byte."""
    got, wanted = value_of(item["kind"], _line(item["text"])), item["value"]
    return got is not None and (abs(got - wanted) <= 1 if item["kind"] == "size" else got == wanted)


def value_of(kind: str, line: Line) -> Any:
    """The best reading of ``kind`` as values.toml writes it; None when there is none."""
    match kind:
        case "date":
            return _best(find_dates(line))
        case "range":
            return _days(_best(find_periods(line)))
        case "duration":
            return _best(find_durations(line))
        case "time" | "recurrence":
            return _surest(kind, line)
        case "quantity" | "money" | "percent":
            return _quantity(_best(find_quantities(line)), kind)
        case "size":
            size = _best(find_sizes(line))
            return (size["min"] or size["max"]) if size else None
        case "count":
            return _best(found for found in find_numbers(line) if found.kind is ValueKind.INTEGER)
        case "ordinal":
            return next((number for at in range(line.size) if (number := ordinal_at(line, at))), None)
    raise ValueError(f"{SENTENCES.name}: no kind {kind!r}")


def dates_in(line: Line) -> Iterator[Found | Clock | Recurrence]:
    """Everything about time that is read in a sentence."""
    for grammar in (find_dates, find_periods, find_times, find_recurrences):
        yield from grammar(line)


def _surest(kind: str, line: Line) -> str | None:
    found = [(one.confidence, one.value) for one in find_times(line)]
    rules = [(one.confidence, one.rule) for one in find_recurrences(line)]
    return max(found if kind == "time" else rules, default=(0.0, None))[1]


def _line(text: str) -> Line:
    return read(Utterance(text, ConversationId("values"), _NO_PLACE, _NO_PLACE, NOW), Lexicon())


def _best(found: Iterable[Found]) -> Any:
    ordered = sorted(found, key=lambda one: (-one.confidence, one.first - one.last))
    return ordered[0].value if ordered else None


def _days(period: dict[str, str | None] | None) -> list[str] | None:
    if period is None:
        return None
    end = period["end"]
    last = (date.fromisoformat(end) - timedelta(days=1)).isoformat() if end else ""
    return [period["start"] or "", last]


def _quantity(quantity: dict[str, str] | None, kind: str) -> Any:
    if quantity is None:
        return None
    word = quantity["unit"].casefold()
    unit = UNITS.get(word, SYMBOLS.get(word, quantity["unit"]))
    number = float(quantity["value"])
    if kind == "percent":
        return number if unit == "percent" else None
    return [number, "degree_Celsius" if unit == "degC" else unit]


def main() -> int:
    """Print what is wrong with ``-v``, and the RESULT line."""
    if "-v" in sys.argv[1:]:
        for item in sentences()[0]:
            if not right(item):
                print(f"{item['kind']}: {item['text']!r}: {value_of(item['kind'], _line(item['text']))!r}")
    return result("understanding-values", measure(), LIMITS, LEAST)


if __name__ == "__main__":
    sys.exit(main())
