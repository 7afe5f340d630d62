"""Which of the files that are offered is the one: a wheel, of that version, for this machine, with a sum of the lock.

Source: PEP 427 (names of wheels), PEP 425 and 600 (tags), by the library packaging.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable, Sequence
from html.parser import HTMLParser
from typing import Any
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

from packaging.tags import Tag, sys_tags
from packaging.utils import InvalidWheelFilename, parse_wheel_filename
from packaging.version import InvalidVersion, Version

from skills.environments.lock import plain_name
from skills.environments.model import Offer
from skills.model import Pin
from skills.packages.members import shown
from skills.packages.model import Refused

_SOURCES = (".tar.gz", ".zip", ".tar.bz2", ".tgz")


@functools.cache
def _ranks() -> dict[Tag, int]:
    return {tag: rank for rank, tag in enumerate(sys_tags())}


def rank_of(filename: str, pin: Pin) -> int | None:
    """Return how well a wheel fits this machine (0 is best), -1 where it does not; None where it is another package."""
    try:
        name, version, _, tags = parse_wheel_filename(filename)
        if plain_name(name) != pin.name or version != Version(pin.version):
            return None
    except (InvalidWheelFilename, InvalidVersion):
        return None
    return min((_ranks()[tag] for tag in tags if tag in _ranks()), default=-1)


def chosen(pin: Pin, offers: Sequence[Offer], source: str) -> Offer:
    """Return the best wheel for this machine whose sum is in the lock. Raises Refused that says what is wrong."""
    wheels = [(rank, one) for one in offers if one.is_wheel and (rank := rank_of(one.filename, pin)) is not None]
    fitting = sorted(((rank, one) for rank, one in wheels if rank >= 0), key=lambda pair: (pair[0], pair[1].filename))
    locked = [one for _, one in fitting if one.sha256 in pin.hashes]
    if locked:
        return locked[0]
    called = f"{pin.name} {pin.version}"
    if fitting:
        raise Refused("environment.hash", f"{fitting[0][1].filename} of {source} is not what the lock names.",
                      subject=pin.name, hint="Do not use it; the author may lock again: ./steward skills lock FOLDER",
                      )  # fmt: skip
    if wheels:
        names = ", ".join(sorted(shown(one.filename) for _, one in wheels)[:3])
        raise Refused("environment.platform", f"{source} has {called} for other machines only: {names}.",
                      subject=pin.name, hint="Ask its author for a version that has a wheel for this one.")  # fmt: skip
    if any(_is_source_of(one.filename, pin) for one in offers):
        raise Refused("environment.source", f"{source} has {called} as source only, and nothing is built here.",
                      subject=pin.name, hint="Build a wheel (pip wheel), and put it into the skill's wheels/ folder.",
                      )  # fmt: skip
    raise Refused("environment.missing", f"{source} has no wheel of {called}.", subject=pin.name,
                  hint="Put the wheel into the skill's wheels/ folder, or set package_index.")  # fmt: skip


def is_of(filename: str, pin: Pin) -> bool:
    """Tell whether a file is a package's version, as a wheel for any machine or as source."""
    return rank_of(filename, pin) is not None or _is_source_of(filename, pin)


def _is_source_of(filename: str, pin: Pin) -> bool:
    stem = next((filename.removesuffix(end) for end in _SOURCES if filename.endswith(end)), "")
    name, _, version = stem.rpartition("-")
    return bool(name) and plain_name(name) == pin.name and version == pin.version


def hashes_of(pin: Pin, offers: Iterable[Offer]) -> tuple[str, ...]:
    """Return the sums of every wheel of a package's version, for any machine."""
    found = {one.sha256 for one in offers if one.is_wheel and one.sha256 and rank_of(one.filename, pin) is not None}
    return tuple(sorted(found))


def offers_of(page: str, address: str) -> list[Offer]:
    """Return what the page of a package at an index lists, as JSON (PEP 691) or HTML (PEP 503). Raises ValueError."""
    if page.lstrip().startswith("{"):
        return [_of_json(one, address) for one in json.loads(page).get("files", [])]
    links = _Links()
    links.feed(page)
    return [_of_link(one, address) for one in links.found]


def _of_json(told: Any, address: str) -> Offer:
    size = told.get("size")
    return Offer(_plain(str(told["filename"])), urljoin(address, str(told["url"])),
                 str(told.get("hashes", {}).get("sha256", "")), size if isinstance(size, int) else None)  # fmt: skip


def _of_link(link: str, address: str) -> Offer:
    place, fragment = urldefrag(urljoin(address, link))
    digest = fragment.removeprefix("sha256=") if fragment.startswith("sha256=") else ""
    return Offer(_plain(unquote(urlsplit(place).path.rpartition("/")[2])), place, digest)


def _plain(filename: str) -> str:
    if "/" in filename or "\0" in filename or filename in ("", ".", ".."):
        raise ValueError(f"{filename!r} is no name of a file")
    return filename


class _Links(HTMLParser):
    """Keeps where the links of a page lead."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take in a link."""
        where = dict(attrs).get("href") if tag == "a" else None
        if where and not where.endswith("/"):
            self.found.append(where)
