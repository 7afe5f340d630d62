"""The desk of a person who writes a skill: what needs no running daemon, for the command line."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Collection
from pathlib import Path
from typing import Any

from kernel.config import Folders
from kernel.errors import BadRequest
from skills.errors import SkillError

View = dict[str, Any]


def new_skill(name: str, folder: str) -> View:
    """Write a new skill; return its folder and its files. Raises BadRequest."""
    from skills.authoring import new_skill as written

    check_name(name, _installed())
    place = Path(os.path.abspath(os.path.expanduser(folder)))
    try:
        files = written(name, place)
    except SkillError as error:
        raise BadRequest(error.code, str(error), subject=error.subject, hint=error.hint) from error
    except OSError as error:
        raise BadRequest("skill.folder", f"{place} cannot be written to: {error.strerror}.", subject=str(place),
                         hint="Choose another folder with --in FOLDER.") from error  # fmt: skip
    return {"skill": name, "folder": str(place / name), "files": [str(one) for one in files]}


def check_name(name: str, installed: Collection[str] = ()) -> None:
    """Raise BadRequest where a new skill would have the name of another one, or nearly: it could not be installed.

    Others are those that are part of Steward, and ``installed``.
    """
    from skills.contents import shipped_folders
    from skills.packages import Refused, check_likeness

    shipped = shipped_folders()
    if name in shipped:
        raise BadRequest("skill.taken", f"{name} is the name of a skill that is part of Steward.", subject=name,
                         hint=f"Take a name of its own, such as my-{name}.")  # fmt: skip
    if name in installed:
        raise BadRequest("skill.taken", f"A skill {name} is installed already.", subject=name,
                         hint=f"Take another name, or take that one away: ./steward skills remove {name}")  # fmt: skip
    try:
        check_likeness(name, {*shipped, *installed})
    except Refused as error:
        raise BadRequest("skill.alike", f"{name} could not be installed. {error}", subject=name,
                         hint="Take a name that nobody mistakes for that one.") from error  # fmt: skip


def lint_skill(folder: str) -> View:
    """Return everything that can be said of a skill in ``folder`` before it runs."""
    from skills.authoring import Severity, lint

    place = Path(os.path.abspath(os.path.expanduser(folder)))
    found = lint(place, _installed() - {place.name})
    errors = sum(one.severity is Severity.ERROR for one in found)
    return {"folder": str(place), "errors": errors, "warnings": len(found) - errors,
            "findings": [one.to_json() for one in found]}  # fmt: skip


def _installed() -> set[str]:
    """Return the ids of the skills that the person has installed."""
    place = Folders().data / "skills"
    return {one.name for one in place.iterdir()} if place.is_dir() else set()


def lock_skill(folder: str) -> View:
    """Write which Python packages a skill runs with, and their sums; return them. Raises BadRequest."""
    from kernel.authoring.locking import locked

    return asyncio.run(locked(Path(os.path.realpath(os.path.expanduser(folder)))))


def run_tests(folder: str) -> View:
    """Run the tests of a skill behind the wall; return what came of it. Raises BadRequest."""
    from kernel.authoring.testing import practised

    return asyncio.run(practised(Path(os.path.realpath(os.path.expanduser(folder)))))
