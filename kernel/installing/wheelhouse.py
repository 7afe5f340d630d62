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
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

from kernel.installing.celled import in_cell
from permissions import Cells
from permissions.model import Limits
from skills.environments.choosing import chosen, is_of
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
"""Files of one version of a package."""


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

    def must_be_there(self) -> None:
        """Raise Refused where it is a folder that is not there."""
        if not self.is_far and not Path(self.place).is_dir():
            raise Refused("environment.index", f"There is no folder {self.place}, which package_index names.",
                          hint="./steward config set package_index https://pypi.org/simple")  # fmt: skip

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


def offers_in(folder: Path, pin: Pin) -> list[Offer]:
    """Return the files of a package's version in a folder, wheels with their sums; none where there is no folder."""
    if not folder.is_dir():
        return []
    named = sorted(one for one in folder.iterdir() if is_of(one.name, pin))
    return [_offered(one) for one in named if stat.S_ISREG(one.lstat().st_mode)]


def _offered(place: Path) -> Offer:
    offer = Offer(place.name, str(place), size_bytes=place.lstat().st_size)
    small = offer.is_wheel and (offer.size_bytes or 0) <= LARGEST_WHEEL
    return replace(offer, sha256=_digest(place)) if small else offer


def near(pin: Pin, skill: Path, index: Index) -> Offer | None:
    """Return the wheel that lies on this machine; None where it must be fetched. Raises Refused for a wrong one."""
    own = offers_in(skill / WHEELS, pin)
    if any(one.is_wheel for one in own):
        return chosen(pin, own, "the skill's own wheels/")
    if index.is_far:
        return None
    index.must_be_there()
    return chosen(pin, offers_in(Path(index.place), pin), index.place)


async def listed(cells: Cells, index: Index, pin: Pin, room: Path) -> list[Offer]:
    """Return what an index over https has of a package's version. Raises Refused."""
    wish = {"url": index.page(pin.name), "name": pin.name, "version": pin.version}
    text = await in_cell(cells, CODE, "page", wish, room, _LIMITS, urls=(index.place,))
    return [Offer(**one) for one in json.loads(text)[:_MOST_LISTED]]


async def brought(cells: Cells, pin: Pin, skill: Path, index: Index, room: Path) -> Path:
    """Bring the wheel of a package into ``room``; return where it lies, its sum compared. Raises Refused, OSError."""
    offer = await asyncio.to_thread(near, pin, skill, index)
    goal = room / WHEELS
    goal.mkdir(exist_ok=True)
    if offer is None:
        offer = chosen(pin, await listed(cells, index, pin, room), index.shown)
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
