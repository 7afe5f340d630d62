"""Where wheels come from: the skill's own ``wheels/``, a folder that is set as index, or an index over https.

What this stops: a wheel whose sum is not in the lock (it is compared before a byte of it is read otherwise); another
host than the index's own; more bytes than allowed.
What it does not: say that a package is harmless: the sums say that it is the one that the skill's author had.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import shutil
import stat
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

from kernel.installing.celled import in_cell
from permissions import Cells
from permissions.model import Limits
from skills.environments.choosing import chosen, rank_of
from skills.environments.model import LARGEST_WHEEL, Offer
from skills.model import Pin
from skills.packages import Refused

CODE = Path(__file__).resolve().parents[2] / "skills" / "environments" / "cell"
WHEELS = "wheels"
"""The folder of a skill in which it may bring its wheels along."""

_LIMITS = Limits(memory_bytes=512 << 20, wall_s=360.0, file_bytes=2 * LARGEST_WHEEL)
_FILES = {"pypi.org": "files.pythonhosted.org"}
"""Indexes whose files lie on another host, which is as much a part of them."""
_MOST_LISTED = 5000


@dataclass(frozen=True, slots=True)
class Index:
    """Where packages are looked for that a skill does not bring: an https address, or a folder."""

    place: str

    @property
    def is_far(self) -> bool:
        """Whether it is on the network."""
        return self.place.startswith("https://")

    @property
    def shown(self) -> str:
        """Return it as a person reads it: a host, or a folder."""
        return urlsplit(self.place).netloc if self.is_far else self.place

    def page(self, name: str) -> str:
        """Return the address of a package's page."""
        return f"{self.place.rstrip('/')}/{name}/"

    @property
    def roots(self) -> tuple[str, ...]:
        """Return addresses of the hosts that it may be asked at."""
        files = _FILES.get(urlsplit(self.place).netloc)
        return (self.place, *([f"https://{files}/"] if files else []))

    def holds(self, address: str) -> bool:
        """Tell whether an address lies at one of its hosts."""
        place = urlsplit(address)
        return place.scheme == "https" and place.netloc in {urlsplit(one).netloc for one in self.roots}


def offers_in(folder: Path) -> list[Offer]:
    """Return the files of a folder, without their sums; nothing where there is no such folder."""
    if not folder.is_dir():
        return []
    plain = (one for one in sorted(folder.iterdir())[:_MOST_LISTED] if stat.S_ISREG(one.lstat().st_mode))
    return [Offer(one.name, str(one), size_bytes=one.lstat().st_size) for one in plain]


def with_sums(offers: Sequence[Offer], pin: Pin) -> list[Offer]:
    """Return the wheels of a package's version with their sums, and the rest as it is."""
    return [
        replace(one, sha256=_digest(Path(one.place)))
        if one.is_wheel and rank_of(one.filename, pin) is not None and (one.size_bytes or 0) <= LARGEST_WHEEL
        else one
        for one in offers
    ]


def near(pin: Pin, skill: Path, index: Index) -> Offer | None:
    """Return the wheel that lies on this machine; None where it must be fetched. Raises Refused for a wrong one."""
    own = with_sums(offers_in(skill / WHEELS), pin)
    if any(one.is_wheel and rank_of(one.filename, pin) is not None for one in own):
        return chosen(pin, own, "the skill's own wheels/")
    if index.is_far:
        return None
    if not Path(index.place).is_dir():
        raise Refused("environment.index", f"There is no folder {index.place}, which package_index names.",
                      hint="./steward config set package_index https://pypi.org/simple")  # fmt: skip
    return chosen(pin, with_sums(offers_in(Path(index.place)), pin), index.place)


async def listed(cells: Cells, index: Index, name: str, room: Path) -> list[Offer]:
    """Return what an index over https has of a package. Raises Refused."""
    url = index.page(name)
    text = await in_cell(cells, CODE, "page", {"url": url}, room, _LIMITS, urls=(index.place,))
    return [Offer(**one) for one in json.loads(text)[:_MOST_LISTED]]


async def brought(cells: Cells, pin: Pin, skill: Path, index: Index, room: Path) -> Path:
    """Bring the wheel of a package into ``room``; return where it lies, its sum compared. Raises Refused, OSError."""
    offer = await asyncio.to_thread(near, pin, skill, index)
    goal = room / WHEELS
    goal.mkdir(exist_ok=True)
    if offer is None:
        offer = chosen(pin, await listed(cells, index, pin.name, room), index.shown)
        if not index.holds(offer.place):
            raise Refused("environment.host", f"{index.shown} sends to {urlsplit(offer.place).netloc} for {pin.name}.",
                          subject=pin.name, hint="Only the index's own host is asked.")  # fmt: skip
        await in_cell(cells, CODE, "download", {"url": offer.place}, room, _LIMITS, urls=(offer.place,))
        offer = replace(offer, place=str(room / "room-download" / "wheel"))
    return await asyncio.to_thread(_taken, pin, offer, goal)


def _taken(pin: Pin, offer: Offer, goal: Path) -> Path:
    """Copy a wheel, which may change meanwhile: the copy is what is compared and read."""
    place = goal / offer.filename
    held = os.open(offer.place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with os.fdopen(held, "rb") as source, place.open("xb") as copy:
        shutil.copyfileobj(source, copy)
    if _digest(place) not in pin.hashes:
        place.unlink()
        raise Refused("environment.hash", f"{offer.filename} is not the file that the lock names.", subject=pin.name,
                      hint="It was changed on its way. Nothing of it was read.")  # fmt: skip
    return place


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
