"""All tools' examples at once: the same figure as one example compared by hand."""

from __future__ import annotations

import pytest

from kernel.composition.profiles.skeletons import Skeleton
from kernel.context.examples import Examples
from skills.model import ToolId, ValueKind

IDF = {"save": 0.8, "note": 1.0, "find": 0.5, "file": 0.4, "<title>": 0.3, "<path>": 0.3, "save note": 0.35}


def _skeleton(line: str, *kinds: ValueKind) -> Skeleton:
    elements = tuple(line.split())
    features = frozenset([*elements, *(["save note"] if "save note" in line else [])])
    return Skeleton(elements, features, frozenset(), frozenset(kinds))


EXAMPLES = Examples.of(
    {
        ToolId("notes.create"): [_skeleton("save note <title>", ValueKind.TITLE), _skeleton("note <title>")],
        ToolId("files.none"): [],
        ToolId("files.find"): [_skeleton("find file <path>", ValueKind.FILE)],
    },
    IDF,
)
ALL = ["files.find", "notes.create", "files.none"]


@pytest.mark.parametrize(("keys", "mass", "kinds", "expected"), [
    ((), 1.0, (), [0.0, 0.0, 0.0]),
    (("unknown",), 1.0, (), [0.0, 0.0, 0.0]),
    (("save", "note"), 1.8, (), [0.0, (1.8 + 0.25) / (1.8 + 0.25), 0.0]),
    (("note",), 2.0, (), [0.0, 1.0 / (1.0 + 0.35 * 1.0), 0.0]),
    (("find",), 0.5, (ValueKind.FILE,), [(0.5 + 0.6) / (0.9 + 0.6), 0.0, 0.0]),
    (("find",), 0.5, (), [0.5 / (0.9 + 0.6), 0.0, 0.0]),
    (("save note",), 0.35, (), [0.0, 0.0, 0.0]),
])  # fmt: skip
def test_the_best_example_counts(
    keys: tuple[str, ...], mass: float, kinds: tuple[ValueKind, ...], expected: list[float]
) -> None:
    assert EXAMPLES.nearest(ALL, keys, mass, kinds) == pytest.approx(expected)
