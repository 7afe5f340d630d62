"""Where links lead that stand among the never-written places: "~/.bashrc" may be a link to "~/dotfiles/bashrc".

What this stops: writing a place by the name of the file that its link leads to, there already or not yet; also where a
folder above it is a link, or where a link lies directly in such a folder ("~/.ssh/config").
What it does not: find links further down in those folders.
"""

from __future__ import annotations

import os
import stat
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress

State = tuple[int, ...]
"""When a folder or link changed last, and which one it is (of what is on a link's way: only which); empty for none."""

_JUST_NOW_NS = 100_000_000
"""A folder that changed so recently may change again without its time telling."""
_MOST_LINKS = 40
"""As the kernel counts (``path_resolution(7)``)."""


class Leads:
    """Follows the links among ``places``, again when a folder around them changed, or anything on a link's way."""

    def __init__(self, home: str, places: Iterable[str]) -> None:
        self._home = os.path.realpath(home)
        self._by_folder: dict[str, list[str]] = defaultdict(list)
        for place in places:
            self._by_folder[os.path.dirname(place)].append(place)
        self._seen: dict[str, State] = {}
        self._passed: dict[str, State] = {}
        self._unread = False
        self._led: dict[str, str] = {}

    def now(self) -> Mapping[str, str]:
        """Return the place that each real path is, besides the places' own paths: the same object if nothing changed.

        One thread at a time.
        """
        if not self._seen or self._changed():
            self._look()
        return self._led

    def _changed(self) -> bool:
        around = any(_state_of(folder) != state for folder, state in self._seen.items())
        return around or any(_passed(path) != state for path, state in self._passed.items())

    def _look(self) -> None:
        began_ns = time.time_ns()
        led: dict[str, str] = {}
        self._passed, self._unread = {}, False
        watched = list(self._by_folder)
        for folder, places in self._by_folder.items():
            real = os.path.realpath(folder)
            for place in places:
                watched += self._follow(place, f"{real}/{os.path.basename(place)}", led)
        seen = {folder: _state_of(folder) for folder in watched}
        times = [state[0] for state in (*seen.values(), *self._passed.values()) if state]
        settled = not self._unread and all(one < began_ns - _JUST_NOW_NS for one in times)
        self._seen = seen if settled else {}
        if led != self._led:
            self._led = led

    def _follow(self, place: str, path: str, led: dict[str, str]) -> Iterator[str]:
        """Note where a place really is, and where the links in it lead; yield it if it is a folder."""
        real = self._led_to(path) if os.path.islink(path) else path
        self._note(real, place, led)
        if not os.path.isdir(real):
            return
        yield real
        try:
            with os.scandir(real) as entries:
                for entry in entries:
                    if entry.is_symlink():
                        self._note(self._led_to(entry.path), f"{place}/{entry.name}", led)
        except (FileNotFoundError, NotADirectoryError, PermissionError):
            pass  # it is gone, or nobody of ours gets in
        except OSError:  # what was known of it still holds; it is read again before the next write
            self._unread = True
            for known, link in self._led.items():
                if link.startswith(f"{place}/"):
                    led.setdefault(known, link)

    def _led_to(self, link: str) -> str:
        """Return where a link leads; keep what its way passes, so that a turn of any part of it is seen."""
        for path in way_of(link):
            self._passed[path] = _passed(path)
        return os.path.realpath(link)

    def _note(self, real: str, place: str, led: dict[str, str]) -> None:
        """Keep what a place really is, unless it holds the home: then nothing could be written any more."""
        if real not in (place, self._home) and not self._home.startswith(f"{real.rstrip('/')}/"):
            led.setdefault(real, place)


def way_of(path: str) -> Iterator[str]:
    """Yield every place that the kernel passes when it follows ``path``: each part of it, and of what links say."""
    left, here, links = path.split("/")[::-1], "", 0
    while left:
        part = left.pop()
        if part == "..":
            here = os.path.dirname(here)
        elif part not in ("", "."):
            here = f"{here.rstrip('/')}/{part}"
            yield here
            with suppress(OSError):
                target = os.readlink(here)
                links += 1
                if links > _MOST_LINKS:
                    return
                left += target.split("/")[::-1]
                here = "" if target.startswith("/") else os.path.dirname(here)


def _passed(path: str) -> State:
    try:
        info = os.lstat(path)
    except OSError:
        return ()
    changed_ns = info.st_ctime_ns if stat.S_ISLNK(info.st_mode) else 0
    return changed_ns, info.st_ino, info.st_dev, info.st_mode


def _state_of(folder: str) -> State:
    try:
        info = os.stat(folder)
    except OSError:
        return ()
    return info.st_ctime_ns, info.st_ino, info.st_dev  # the time of a change that nobody can set
