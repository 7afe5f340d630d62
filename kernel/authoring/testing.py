"""The tests of a skill in a cell of their own: no network, a temporary home, and nothing of the person's.

What this stops: a test, or the skill that it tests, reading or changing anything of the person's. The cell is shown the
skill's folder to read and one empty folder to write to; what each tool call may see of the practice home inside is
narrowed further (``skills.authoring.practice``).
What it does not: prove a skill harmless. It is the author's own code, behind the same wall as always.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from kernel.calling.strength import least_level
from kernel.config import Folders, load_settings
from kernel.errors import BadRequest
from permissions import Cells
from permissions.errors import PermissionsError
from permissions.model import CellSpec, Limits
from skills.errors import SkillError
from skills.model import Call, Skill, ToolId

View = dict[str, Any]

_CELL = Path(__file__).resolve().parent / "cell"
_CODE = Path(__file__).resolve().parents[2]
"""Where Steward's own packages lie: the cell reads rights as the kernel does."""
_WORKER = (sys.executable, "-P", "-m", "skills.worker", "UTC")
_LIMITS = Limits(wall_s=600.0, cpu_s=600, memory_bytes=2 << 30, processes=128, file_bytes=256 << 20, open_files=512)


async def practised(folder: Path) -> View:
    """Return how the tests of the skill in ``folder`` ended, and which rights of its manifest they used.

    Raises BadRequest where there is no skill, no test, or no wall.
    """
    skill = _loadable(folder)
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="steward-practice-") as room:
        try:
            ran = await _in_cell(skill, os.path.realpath(room))
        except PermissionsError as error:
            raise BadRequest(error.code, str(error), hint=error.hint) from error
    if (wrong := ran.result.error) is not None:
        raise BadRequest(wrong["code"], wrong["message"], subject=str(folder), hint=wrong.get("hint", ""))
    report: View = dict(ran.result.value["fields"])
    if report.pop("empty"):
        raise BadRequest("practice.empty", f"{folder} has no tests.", subject=str(folder),
                         hint="Write tests/test_....py; ./steward skills new shows how.")  # fmt: skip
    return {"folder": str(folder), **report, "level": str(ran.cell.level), "wall_s": round(time.monotonic() - began, 2)}


def _loadable(folder: Path) -> Skill:
    """Return the skill in ``folder``. Raises BadRequest where it cannot be loaded."""
    from skills import Registry

    registry = Registry([folder.parent])
    skill = next((one for one in registry.skills() if Path(one.folder) == folder), None)
    if skill is not None:
        return skill
    problem = next((one for one in registry.problems() if one.folder == str(folder)), None)
    if problem is None:
        raise BadRequest("skill.folder", f"There is no skill in {folder}.", subject=str(folder),
                         hint="A skill is a folder with SKILL.md; make one: ./steward skills new NAME")  # fmt: skip
    raise BadRequest(problem.code, problem.message, subject=str(folder), hint=problem.hint)


async def _in_cell(skill: Skill, room: str) -> Any:
    folder, programs = Path(skill.folder), any(tool.runs_programs for tool in skill.tools)
    async with _packages_of(skill) as within:
        return await _run(skill, folder, room, programs, within)


async def _run(skill: Skill, folder: Path, room: str, programs: bool, within: list[str]) -> Any:
    from skills import Runner

    cells = Cells([*_WORKER, *within], environment={"PYTHONPATH": str(_CODE)})
    call = Call(
        tool=ToolId("authoring.run_tests"), folder=str(_CELL), function="run_tests",
        arguments={"folder": {"path": str(folder)}}, language="en", home=room, cwd=room,
        now=datetime.now(UTC).isoformat(), timezone="UTC", seed=0, staging=room, programs=programs,
    )  # fmt: skip
    spec = CellSpec((str(_CELL), str(folder)), (room,), limits=_LIMITS, runs_programs=programs,
                    minimum=least_level(skill, load_settings().below_l3.split()))  # fmt: skip
    try:
        return await Runner(cells).run(call, spec)
    except SkillError as error:
        raise BadRequest(error.code, str(error), subject=str(folder), hint=error.hint) from error
    finally:
        await cells.close()


@asynccontextmanager
async def _packages_of(skill: Skill) -> AsyncIterator[list[str]]:
    """Bring the Python packages of a skill; give the words with which a worker lets calls see them, until the end."""
    if not skill.packages:
        yield []
        return
    from kernel.installing.opening import environments_at  # hardly a skill needs packages
    from permissions.egress import Egress

    settings = load_settings()
    cells = Cells(_WORKER, environment={"PYTHONPATH": str(_CODE)}, network=Egress(ca_file=settings.ca_file))
    own = environments_at(Folders().data, settings.package_index, lambda: cells)
    async with AsyncExitStack() as until_the_end:
        until_the_end.push_async_callback(cells.close)
        try:
            lib = await until_the_end.enter_async_context(own.at_hand(skill))
        except SkillError as error:
            raise BadRequest(error.code, str(error), subject=skill.folder, hint=error.hint) from error
        yield ["--environment", lib]
