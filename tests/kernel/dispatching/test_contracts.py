"""What a tool requires and ensures is held by the kernel: the first broken promise is named, and ends its plan."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from kernel import Folders
from kernel.dispatching.contracts import is_there
from skills import Registry
from tests.kernel.dispatching.workshop import Workshop, install, of, step, task, workshop

CLAUSES = {
    "one": 'requires = ["some {name}"]\nensures = ["some"]',
    "names": 'ensures = ["at most {count}"]',
    "more_names": 'ensures = ["at most {count}"]',
    "keep": 'ensures = ["exists"]',
}


@pytest.fixture
async def strict(tmp_path: Path) -> AsyncIterator[Workshop]:
    async with workshop(tmp_path, CLAUSES) as one:
        yield one


@pytest.mark.slow
async def test_promises_are_held(strict: Workshop) -> None:
    outcomes = await strict.run(
        step(1, "names", count=3), step(2, "keep", name="a", text="b"), step(3, "one", name=of(2, "name"))
    )
    assert all(one.ok for one in outcomes.values()), "what is only staged is there as well"
    outcomes = await strict.run(step(1, "one", name=""))
    assert (outcomes[task(1)].error or {}) == {
        "code": "requires.some",
        "message": "workshop.one needs that there is something (name is empty), and it is not so.",
        "hint": "Look there, and ask again.",
    }
    outcomes = await strict.run(step(1, "more_names", count=3), language="de")
    assert (outcomes[task(1)].error or {})["message"] == (
        "workshop.more_names verspricht, nicht mehr Ergebnisse als verlangt (es sind 4), und das ist nicht so. "
        "Es wurde nichts geändert."
    )


@pytest.mark.parametrize(
    ("effects", "there"),
    [
        ([], False),
        ([{"op": "write", "path": "/h/x/a"}], True),
        ([{"op": "write", "path": "/h/x/a"}, {"op": "delete", "path": "/h/x"}], False),
        ([{"op": "move", "source": "/h/x/a", "path": "/h/y/a"}], False),
        ([{"op": "move", "source": "/h/y", "path": "/h/x"}], True),
        ([{"op": "copy", "source": "/h/y", "path": "/h/x"}], True),
    ],
)
def test_what_is_staged_counts(effects: list[dict[str, Any]], there: bool) -> None:
    assert is_there("/h/x/a", effects) is there
    assert is_there("/", effects)


@pytest.mark.parametrize("bad", ["exists {nothing}", "pretty {name}", "at most {name}", "exists name"])
def test_an_unknown_promise_is_refused_with_its_line(tmp_path: Path, bad: str) -> None:
    folders = Folders({"HOME": str(tmp_path), "STEWARD_HOME": str(tmp_path / "steward")})
    install(folders, {"one": f'ensures = ["{bad}"]' if bad.startswith("at") else f'requires = ["{bad}"]'})
    (problem,) = Registry([folders.data / "skills"]).problems()
    assert "steward.toml" in str(problem)
