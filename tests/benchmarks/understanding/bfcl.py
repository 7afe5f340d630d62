"""Arguments with no examples: Berkeley Function Calling Leaderboard v4, simple and multiple (single Python calls).

    python -m tests.benchmarks.understanding.bfcl --data DIR [--write-weights]

``DIR`` holds ``BFCL_v4_simple_python.json``, ``BFCL_v4_multiple.json``, ``BFCL_v4_live_simple.json``,
``BFCL_v4_live_multiple.json`` and their ``possible_answer/`` from https://github.com/ShishirPatil/gorilla
(berkeley-function-call-leaderboard/bfcl_eval/data, Apache-2.0); none of it is part of this project.

Ranker and confidence are fitted when the row runs, and the weights that are shipped were (``--write-weights``), on 754
items of the same benchmark: the even-numbered ones of *simple* and *multiple* (300), the short questions of
*live_simple* (211) and of every fourth of *live_multiple* (243), which users asked of other functions. Without the live
ones the confidence learns only from items that were looked at while the features were made. Figures are of the
odd-numbered items of *simple* and *multiple*, which nothing is fitted on, and once more of those whose question stands
in no fitted item (``_new``). The answers are checked by rules written from the leaderboard's description: Python types,
a list of possible answers for every argument, optional ones by the empty string, texts compared without case, spaces
and ``,./-_*^``.

The baseline fills the same calls, of the same chosen function, without anything learned: every required argument takes
the first value of its type that no earlier one took, optional ones are left out. The difference has a paired bootstrap
interval over items.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kernel.language import Line, tokenize
from kernel.slots.schema import Slot, Wanted
from kernel.slots.schema.features import Table, tables
from kernel.slots.schema.functions import choose
from kernel.slots.schema.ranker import Ranker
from kernel.slots.schema.scene import Encode
from kernel.slots.schema.training import Lesson, fit
from kernel.slots.schema.weights import WEIGHTS, write
from memory import open_encoder
from tests.benchmarks.machine import result
from tests.benchmarks.understanding.compare import interval

LIMITS = {
    "bfcl_simple_wrong": 0.4,
    "bfcl_multiple_wrong": 0.4,
    "bfcl_simple_wrong_at_half": 0.15,
    "bfcl_multiple_wrong_at_half": 0.15,
}
"""Upper bounds; *at half* is among the half of the calls that the filler is surest of."""
LEAST = {"bfcl_simple_over_baseline_low": 0.0, "bfcl_multiple_over_baseline_low": 0.0}

NOW = datetime(2026, 3, 11, 10, 0, tzinfo=UTC)
FILES = {"simple": "BFCL_v4_simple_python.json", "multiple": "BFCL_v4_multiple.json"}
MORE = {"BFCL_v4_live_simple.json": (1, 400), "BFCL_v4_live_multiple.json": (4, 250)}
"""Files that are fitted on as well: every how many items, and how long a question may be, so that a run stays short."""
_WANTED = {
    "integer": Wanted.WHOLE,
    "float": Wanted.NUMBER,
    "string": Wanted.TEXT,
    "any": Wanted.TEXT,
    "boolean": Wanted.TRUTH,
    "array": Wanted.SEVERAL,
    "tuple": Wanted.SEVERAL,
}
_IGNORED = re.compile(r"[ ,./\-_*^]")


@dataclass(frozen=True, slots=True)
class Function:
    """A function as its schema describes it; ``nested`` when it wants a dict, which is not filled."""

    name: str
    doc: str
    slots: tuple[Slot, ...]
    nested: bool


@dataclass(frozen=True, slots=True)
class Item:
    """A question, the functions offered, and the possible answers of the right one."""

    text: str
    functions: tuple[Function, ...]
    right: int
    answers: Mapping[str, Sequence[Any]]


def load(data: Path, name: str) -> list[Item]:
    """Read the items of ``name`` from ``data`` or ``data/bfcl``. Raises FileNotFoundError."""
    return [_item(*pair) for pair in _pairs(data, FILES[name])]


def lessons(data: Path, encode: Encode) -> list[Prepared]:
    """The items that are fitted on: even-numbered ones, and those of ``MORE``. Raises FileNotFoundError."""
    even = [item for name in FILES for item in load(data, name)[::2]]
    return [prepare(item, encode, item.right) for item in (*even, *_others(data))]


def _others(data: Path) -> list[Item]:
    """The items of ``MORE`` in one short message of plain letters whose function can be filled."""
    found: list[Item] = []
    for name, (step, longest) in MORE.items():
        pairs = _pairs(data, name)[::step]
        items = [_item(*pair) for pair in pairs if len(pair[0]["question"][0]) == 1]
        short = [one for one in items if one.text.isascii() and len(one.text) < longest]
        found += [one for one in short if not one.functions[one.right].nested]
    return found


def _pairs(data: Path, file: str) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """The questions of ``file`` with their answers."""
    folder = data / "bfcl" if (data / "bfcl").is_dir() else data
    return list(zip(_lines(folder / file), _lines(folder / "possible_answer" / file), strict=True))


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _item(question: dict[str, Any], answer: dict[str, Any]) -> Item:
    ((called, arguments),) = answer["ground_truth"][0].items()
    functions = tuple(_function(one) for one in question["function"])
    right = next(at for at, one in enumerate(functions) if one.name == called)
    return Item(question["question"][0][0]["content"], functions, right, arguments)


def _function(schema: dict[str, Any]) -> Function:
    needed = set(schema["parameters"].get("required", ()))
    properties = schema["parameters"]["properties"]
    slots = tuple(_slot(name, one, name in needed) for name, one in properties.items() if one["type"] in _WANTED)
    nested = any(one["type"] not in _WANTED and name in needed for name, one in properties.items())
    return Function(schema["name"], schema.get("description", ""), slots, nested)


def _slot(name: str, schema: dict[str, Any], required: bool) -> Slot:
    choices = tuple(str(one) for one in schema.get("enum", ()))
    wanted = Wanted.CHOICE if choices and schema["type"] == "string" else _WANTED[schema["type"]]
    items = schema.get("items", {})
    choices = choices or tuple(str(one) for one in items.get("enum", ()))
    inner = _WANTED.get(items.get("type", "string"), Wanted.TEXT)
    doc = " ".join([schema.get("description", ""), items.get("description", "")]).strip()
    return Slot(name, wanted, doc, required, choices, inner)


def is_right(value: Any, possible: Sequence[Any]) -> bool:
    """Tell whether ``value`` (None: left out) is among the possible answers."""
    return any(_same(value, one) for one in possible)


def _same(value: Any, answer: Any) -> bool:
    if value is None:
        return isinstance(answer, str) and answer == ""
    if isinstance(value, list):
        return isinstance(answer, list) and len(value) == len(answer) and all(map(_same, value, answer))
    if isinstance(value, str):
        return isinstance(answer, str) and answer != "" and _plain(value) == _plain(answer)
    if isinstance(value, bool) or isinstance(answer, bool):
        return value is answer
    return isinstance(answer, int | float) and value == answer


def _plain(text: str) -> str:
    return _IGNORED.sub("", text).lower().replace("'", '"')


@dataclass(frozen=True, slots=True)
class Prepared:
    """An item with the function that was chosen, its tables, and which guesses are right."""

    item: Item
    chosen: int
    tables: tuple[Table, ...]
    right: tuple[npt.NDArray[np.bool_], ...]

    @property
    def function(self) -> Function:
        """The function that was chosen."""
        return self.item.functions[self.chosen]

    def lesson(self) -> Lesson:
        """What the item teaches."""
        return Lesson(self.item.text, self.tables, self.right, possible=not self.function.nested)


def measure(data: Path) -> dict[str, float]:
    """Return what is wrong on the odd-numbered items after fitting on the lessons."""
    encode = open_encoder().encode
    seen = lessons(data, encode)
    ranker = fit([one.lesson() for one in seen])
    known = {one.item.text for one in seen}
    figures: dict[str, float] = {}
    for name in FILES:
        odd = [prepare(item, encode) for item in load(data, name)[1::2]]
        figures |= _scores(f"bfcl_{name}", odd, ranker)
        figures |= _scores(f"bfcl_{name}_new", [one for one in odd if one.item.text not in known], ranker)
    return figures


def prepare(item: Item, encode: Encode, chosen: int | None = None) -> Prepared:
    """Choose the function, unless it is given, and mark the right guesses of its slots."""
    line = Line(item.text, tokenize(item.text, "en"), "en", NOW)
    if chosen is None:
        described = [(one.name, one.doc, one.slots) for one in item.functions]
        chosen = choose(line, described, encode)
    function = item.functions[chosen]
    made = tuple(tables(line, function.slots, encode, function.name))
    right = tuple(
        np.array([is_right(guess.value, item.answers.get(table.slot.name, [""])) for guess in table.guesses])
        for table in made
    )
    return Prepared(item, chosen, made, right)


def is_whole(one: Prepared, ranker: Ranker) -> bool:
    """Tell whether function and all arguments are right."""
    return _fits(one, {argument.slot: argument.value for argument in ranker.fill(one.tables).arguments})


_UNUSUAL = frozenset({"none", "ordinal", "implied", "rest"})
"""How a guess may be read that the baseline does not take: they are no plain values of a type."""


def in_order(tables: Sequence[Table]) -> dict[str, Any]:
    """The baseline: each required slot takes the first value of its type that stands apart from those taken before."""
    given: dict[str, Any] = {}
    taken: list[tuple[int, int]] = []
    for table in tables:
        said = (one for one in table.guesses if one.source not in _UNUSUAL and one.last > one.first)
        free = [one for one in said if all(one.last <= first or last <= one.first for first, last in taken)]
        if table.slot.required and free:
            first = min(free, key=lambda one: (one.first, one.first - one.last))
            given[table.slot.name] = first.value
            taken.append((first.first, first.last))
    return given


def _fits(one: Prepared, given: Mapping[str, Any]) -> bool:
    function = one.function
    if one.chosen != one.item.right or function.nested:
        return False
    return all(is_right(given.get(slot.name), one.item.answers.get(slot.name, [""])) for slot in function.slots)


def _scores(name: str, odd: Sequence[Prepared], ranker: Ranker) -> dict[str, float]:
    right = np.array([is_whole(one, ranker) for one in odd])
    order = np.argsort([-ranker.fill(one.tables).confidence for one in odd])
    plain = [_fits(one, in_order(one.tables)) for one in odd]
    low, high = interval(right.astype(float).tolist(), [float(one) for one in plain])
    return {
        f"{name}_baseline_wrong": round(1 - float(np.mean(plain)), 4),
        f"{name}_over_baseline_low": round(low, 4),
        f"{name}_over_baseline_high": round(high, 4),
        f"{name}_wrong": round(1 - float(right.mean()), 4),
        f"{name}_wrong_at_half": round(1 - float(right[order][: len(odd) // 2].mean()), 4),
        f"{name}_function_wrong": round(float(np.mean([one.chosen != one.item.right for one in odd])), 4),
        f"{name}_items": len(odd),
    }


def main() -> int:
    """Measure, or write the weights that are shipped: what the lessons teach."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--write-weights", action="store_true")
    options = parser.parse_args()
    try:
        return _run(options.data, write_weights=options.write_weights)
    except FileNotFoundError as error:
        raise SystemExit(f"{error.filename}: give --data the folder bfcl_eval/data of ShishirPatil/gorilla.") from error


def _run(data: Path, *, write_weights: bool) -> int:
    if not write_weights:
        return result("understanding-bfcl", measure(data), LIMITS, LEAST)
    write(fit([one.lesson() for one in lessons(data, open_encoder().encode)]))
    print(f"wrote {WEIGHTS}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
