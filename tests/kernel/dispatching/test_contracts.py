"""What a tool requires and ensures is held by the kernel: the first broken promise is named, and ends its plan."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from kernel import Folders
from kernel.dispatching.contracts import is_there
from kernel.opening import BUILTIN, KERNELS
from skills import Registry
from skills.model import Check, ValueKind
from tests.kernel.dispatching.workshop import Workshop, install, of, step, task, workshop

Bench = Any  # tests/kernel/conftest.py

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


def test_what_a_shipped_tool_makes_it_promises() -> None:
    """Whoever may create files and returns one says that it is there, and who deletes things that they are gone."""
    tools = Registry([BUILTIN, KERNELS]).tools()
    makes = [
        tool
        for tool in tools
        if tool.result.kind in (ValueKind.FILE, ValueKind.FOLDER)
        and any(right.action == "fs.create" for right in tool.rights)
        and tool.function != "delete"
    ]
    assert len(makes) > 15
    silent = [tool.id for tool in makes if all(one.check is not Check.EXISTS for one in tool.ensures)]
    assert not silent
    gone = {tool.id for tool in tools if any(one.check is Check.GONE for one in tool.ensures)}
    assert gone == {"files.delete", "files.delete_folder"}


@pytest.mark.slow
async def test_shipped_tools_keep_what_they_promise(bench: Bench) -> None:
    """Also where there is nothing to do: a name that it has already, a folder that is there."""
    kept: set[str] = set()
    (bench.home / "Documents" / "old").mkdir(parents=True)
    (bench.home / "Documents" / "prices.csv").write_text("name,price\na,1\nb,2\n")
    for said, promised in [
        ("move small.txt to Documents", "files.move"),
        ("copy small.txt to Downloads", "files.copy"),
        ("rename big.iso to huge.iso", "files.rename"),
        ("rename huge.iso to huge.iso", "files.rename"),
        ("make a folder called Trips in Documents", "files.make_folder"),
        ("make a folder called Trips in Documents", "files.make_folder"),
        ("rename the folder Trips to Travels", "files.rename_folder"),
        ("copy the folder Travels to Downloads", "files.copy_folder"),
        ("move the folder old to Downloads", "files.move_folder"),
        ("organize Documents by type", "files.organize"),
        ("delete the folder ~/Downloads/Travels", "files.delete_folder"),
        ("find the two largest files in Downloads", "files.largest"),
        ("convert prices.csv to xlsx", "data.convert"),
        ("add a row to prices.csv: c, 3", "data.append"),
        ("plot prices.csv", "data.plot"),
    ]:
        view = await bench.ask(said, conversation=said)
        tools = [task["tool"] for task in (view["plan"] or {}).get("tasks", ())]
        error = (view["error"] or {}).get("code", "")
        assert not error.startswith(("ensures.", "requires.")), (said, view["answer"])
        kept |= {promised} if promised in tools and view["resolution"] in ("confirmed", "executed") else set()
    assert len(kept) >= 9, "the control: most of them ran"
