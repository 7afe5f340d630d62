"""What a call has looked at says how long its word holds: nothing, the day, the moment. Skills use no other clock."""

from __future__ import annotations

import ast
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from skills.contents import BUILTIN
from skills.model import Holds
from skills.sdk import Context

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)

LOOKS: dict[str, tuple[Callable[[Context], object], Holds]] = {
    "nothing": (lambda ctx: ctx.path("~"), Holds.ALWAYS),
    "a file": (lambda ctx: ctx.file("a.txt").modified, Holds.ALWAYS),
    "the day": (lambda ctx: ctx.today, Holds.DAY),
    "the time": (lambda ctx: ctx.now, Holds.MOMENT),
    "the time, then the day": (lambda ctx: (ctx.now, ctx.today), Holds.MOMENT),
    "chance": (lambda ctx: ctx.random.random(), Holds.MOMENT),
    "the folder": (lambda ctx: ctx.cwd, Holds.MOMENT),
    "time enough": (lambda ctx: ctx.patience(60)(), Holds.ALWAYS),
    "time is over": (lambda ctx: ctx.patience(-1)(), Holds.MOMENT),
}

_CLOCKS = frozenset(("now", "utcnow", "today", "monotonic", "perf_counter", "process_time", "time_ns", "localtime",
                     "gmtime", "uuid1", "uuid4", "urandom", "getcwd", "getenv", "gettempdir"))  # fmt: skip
_MODULES = frozenset(("random", "secrets", "time"))
_NO_CLOCK = frozenset(("gettempdir",))
"""Charts are written, so they are never made ahead."""


@pytest.mark.parametrize("what", LOOKS)
def test_what_a_call_looks_at_says_how_long_its_word_holds(what: str, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a")
    ctx = Context(home=str(tmp_path), now=NOW)
    look, holds = LOOKS[what]
    look(ctx)
    assert ctx.told().holds is holds


def test_chance_goes_on_and_is_not_begun_again() -> None:
    ctx = Context(home="/", now=NOW, seed=7)
    assert ctx.random.random() != ctx.random.random()


def test_the_shipped_skills_ask_no_clock_but_the_context() -> None:
    found = []
    for file in sorted(BUILTIN.glob("*/*.py")):
        found += [f"{file.relative_to(BUILTIN)}:{line} {what}" for line, what in _asked(ast.parse(file.read_text()))]
    assert found == []


def _asked(tree: ast.Module) -> list[tuple[int, str]]:
    """Return where code asks a clock, chance or its surroundings by itself."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import) and not _MODULES.isdisjoint(one.name for one in node.names):
            found.append((node.lineno, ast.unparse(node)))
        if isinstance(node, ast.ImportFrom) and node.module in _MODULES:
            found.append((node.lineno, ast.unparse(node)))
        if isinstance(node, ast.Attribute) and node.attr in _CLOCKS - _NO_CLOCK and not _is_context(node.value):
            found.append((node.lineno, ast.unparse(node)))
    return found


def _is_context(value: ast.expr) -> bool:
    return isinstance(value, ast.Name) and value.id in ("ctx", "context", "book", "labels", "self")
