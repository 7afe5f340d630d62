"""The lock of a skill: which Python packages it needs, resolved once by pip, in a cell, with the sums of their wheels.

What this stops: code of a package running while it is looked for (wheels only: nothing is built); pip reading settings,
caches or credentials of the person; another host than the index being reached.
What it does not: say that what the index has today is what it had yesterday. From here on the sums say what is run.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kernel.config import Settings, load_settings
from kernel.errors import BadRequest
from kernel.installing.celled import in_cell, own_authority
from kernel.installing.opening import index_of
from kernel.installing.wheelhouse import CODE, WHEELS, Index, listed, offers_in
from permissions import Cells
from permissions.egress import Egress
from permissions.errors import PermissionsError
from permissions.model import Limits
from skills.environments import LOCK, written
from skills.environments.choosing import hashes_of
from skills.environments.lock import plain_name, requires_of
from skills.errors import SkillError
from skills.model import Pin
from skills.packages import Refused

View = dict[str, Any]

_CODE = Path(__file__).resolve().parents[2]
_LIMITS = Limits(wall_s=600.0, cpu_s=300, memory_bytes=1 << 30, processes=64, file_bytes=256 << 20)


async def locked(folder: Path, settings: Settings | None = None, cells: Cells | None = None) -> View:
    """Write the lock of the skill in ``folder`` and return what it names. Raises BadRequest."""
    settings = settings or load_settings()
    try:
        requires = _requires(folder)
        with tempfile.TemporaryDirectory(prefix="steward-lock-") as room:
            authority = await own_authority(settings.ca_file)
            own = cells or Cells([sys.executable, "-P", "-m", "skills.worker"], environment={"PYTHONPATH": str(_CODE)},
                                 network=Egress(ca_file=settings.ca_file))  # fmt: skip
            try:
                index, place = index_of(settings.package_index), Path(os.path.realpath(room))
                pins = await _resolved(own, folder, requires, index, place, authority)
            finally:
                if cells is None:
                    await own.close()
        await asyncio.to_thread(_write, folder / LOCK, written(pins, requires))
    except (SkillError, PermissionsError) as error:
        raise BadRequest(error.code, str(error), subject=str(folder), hint=error.hint) from error
    except OSError as error:
        raise BadRequest("skill.folder", f"{folder / LOCK} cannot be written: {error.strerror or error}.",
                         subject=str(folder), hint="Look at the folder and the disk.") from error  # fmt: skip
    named = [{"name": one.name, "version": one.version, "files": len(one.hashes)} for one in pins]
    return {"folder": str(folder), "file": str(folder / LOCK), "from": index.shown, "packages": named}


def _requires(folder: Path) -> Sequence[str]:
    requires = requires_of(folder)
    if not requires:
        raise BadRequest("lock.nothing", f"The skill in {folder} requires no Python packages.", subject=str(folder),
                         hint='Say there which: [python] requires = ["tabulate >= 0.9"]')  # fmt: skip
    return requires


async def _resolved(
    cells: Cells, folder: Path, requires: Sequence[str], index: Index, room: Path, authority: str
) -> list[Pin]:
    index.must_be_there()
    own = folder / WHEELS
    near = [*([str(own)] if own.is_dir() else []), *([] if index.is_far else [index.place])]
    wish = {"requires": list(requires), "index": index.place if index.is_far else "", "folders": near,
            "authority": authority}  # fmt: skip
    urls = index.roots if index.is_far else ()
    report = await in_cell(cells, CODE, "resolve", wish, room, _LIMITS, reads=near, urls=urls, programs=True)
    return [await _pinned(cells, one, near, index, room) for one in _found(str(report))]


def _found(report: str) -> list[Pin]:
    """Return what pip's report names, with the one sum that it may say of each (source: pip, "Installation Report")."""
    try:
        return [
            Pin(plain_name(str(one["metadata"]["name"])), str(one["metadata"]["version"]), _said(one))
            for one in json.loads(report)["install"]
        ]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Refused("environment.resolve", "What pip reported cannot be read.",
                      hint="Update pip: python -m pip install -U pip") from error  # fmt: skip


def _said(one: Any) -> tuple[str, ...]:
    told = one["download_info"].get("archive_info", {}).get("hashes", {}).get("sha256")
    return (str(told),) if told else ()


async def _pinned(cells: Cells, pin: Pin, near: Sequence[str], index: Index, room: Path) -> Pin:
    """Return a package with the sums of all its wheels: the lock shall do for other machines, too."""
    offers = [one for place in near for one in await asyncio.to_thread(offers_in, Path(place), pin)]
    if index.is_far:
        offers += await listed(cells, index, pin, room)
    hashes = tuple(sorted({*pin.hashes, *hashes_of(pin, offers)}))
    if not hashes:
        raise Refused("environment.resolve", f"{index.shown} says no sum (SHA-256) of {pin.name} {pin.version}.",
                      subject=pin.name, hint="Put the wheel into the skill's wheels/ folder.")  # fmt: skip
    return Pin(pin.name, pin.version, hashes)


def _write(place: Path, text: str) -> None:
    """Write the lock at once, or not at all."""
    draft = place.with_name(f".{place.name}.{os.getpid()}")
    try:
        with draft.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(place)
    finally:
        draft.unlink(missing_ok=True)
