"""What was done before: every change of a file or folder that a request made, read back from the ledger, newest first.

What this stops: that "the file I renamed this morning" is guessed. A deed is a change that was committed and has not
been taken back; where its thing was moved on since, its place is where it lies now.
What it does not: know what was done without Steward, or say whether the thing is still there; whoever reads checks.
Nothing is kept here, so what is forgotten is no deed any more, and a restart changes nothing. Private requests are
left out: no later sentence may refer to them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Protocol

from memory import Ledger

MOST_RUNS = 2_000
"""So many requests that changed something are looked at, the latest ones, for a question about the past."""

MOST_AT_ONCE = 300
"""So many while a request is read, which waits for it."""

Told = tuple[datetime, Mapping[str, Any], list[Mapping[str, Any]]]
"""When a run was asked for, what its first event says, and its changes."""


class DeedKind(StrEnum):
    """What became of a thing."""

    MADE = "made"
    CHANGED = "changed"
    RENAMED = "renamed"
    MOVED = "moved"
    DELETED = "deleted"


@dataclass(frozen=True, slots=True)
class Deed:
    """One change of run ``run``. ``path`` is where the thing came to be (or was, when it was deleted), ``now_at`` where
    later moves took it, ``source`` where it was before. ``request`` are the words that asked for it. ``implied``: a
    folder that was only made for what was put into it.
    """

    run: str
    at: datetime
    kind: DeedKind
    path: str
    now_at: str
    source: str = ""
    folder: bool = False
    request: str = ""
    conversation: str = ""
    implied: bool = False


class Past(Protocol):
    """What interpretation may know about what was done before."""

    @property
    def conversation(self) -> str:
        """The conversation that goes on now."""

    @property
    def talks(self) -> Sequence[str]:
        """Conversations about what the sentence says one was about, the likeliest first."""

    def back(self, since: datetime | None = None, until: datetime | None = None) -> Iterator[Deed]:
        """Yield what was done in [since, until), the latest first."""


@dataclass(frozen=True, slots=True)
class LedgerPast:
    """The deeds that ``ledger`` tells of. ``runs`` are those whose changes stand, oldest first; ``whole`` returns all
    changes of a run whose event has only a summary of them. ``read`` are runs that were read already: whoever
    forgets one takes it out (``House.cannot_undo``). What skills keep below ``kept`` is nobody's deed. ``talks`` are
    conversations that recall found for the sentence (``kernel.recalling.talks``).
    """

    ledger: Ledger
    runs: Sequence[str]
    whole: Callable[[str], list[Mapping[str, Any]]]
    conversation: str = ""
    most: int = MOST_AT_ONCE
    read: dict[str, Told] = field(default_factory=dict)
    kept: str = ""
    talks: Sequence[str] = ()

    def back(self, since: datetime | None = None, until: datetime | None = None) -> Iterator[Deed]:
        """Yield what was done in [since, until), the latest first."""
        moved = _Moved()
        for run in list(reversed(self.runs))[: self.most]:
            told = self.read.get(run) or self._told(run)
            if told is None:
                continue
            self.read[run] = told
            at, created, changes = told
            if since is not None and at < since:
                return
            filled = {str(change["path"]).rpartition("/")[0] for change in changes}
            deeds = [deed_of(run, at, created, change, moved, filled) for change in reversed(changes)]
            if until is None or at < until:
                yield from deeds

    def _told(self, run: str) -> Told | None:
        bodies: dict[str, Mapping[str, Any]] = {
            event.kind: event.body
            for event in self.ledger.events(run=run, kinds=("run.created", "commit.done"))
            if event.body is not None
        }
        created, done = bodies.get("run.created"), bodies.get("commit.done")
        if created is None or done is None or created.get("private"):
            return None
        changes = done.get("changes") or []
        changes = self.whole(run) if isinstance(changes, Mapping) else list(changes)
        if self.kept:
            changes = [change for change in changes if not str(change["path"]).startswith(f"{self.kept}/")]
        said = {name: created.get(name) for name in ("text", "conversation")}
        return datetime.fromisoformat(str(created["now"])), said, changes


@dataclass(slots=True)
class _Moved:
    """Where things were taken later on: places by where they came from, the latest moves first."""

    to: dict[str, str] = field(default_factory=dict)

    def note(self, source: str, path: str) -> None:
        self.to[source] = self.place(path)

    def place(self, path: str) -> str:
        """Where what was at ``path`` is by now, as far as is known."""
        if path in self.to:
            return self.to[path]
        above, _, name = path.rpartition("/")
        if not above or not self.to:
            return path
        return f"{self.place(above)}/{name}"


def deed_of(
    run: str, at: datetime, created: Mapping[str, Any], change: Mapping[str, Any], moved: _Moved, filled: set[str]
) -> Deed:
    """Return the deed that a change was; moves are noted for those that were before."""
    path, source = str(change["path"]), str(change.get("source") or "")
    now_at = moved.place(path)
    if source:
        moved.note(source, path)
    said = str(created.get("text") or ""), str(created.get("conversation") or "")
    kind, folder = _kind(str(change["kind"]), path, source), bool(change.get("folder"))
    implied = folder and kind is DeedKind.MADE and path in filled
    return Deed(run, at, kind, path, now_at, source, folder, *said, implied)


def _kind(kind: str, path: str, source: str) -> DeedKind:
    if kind == "moved":
        same = path.rpartition("/")[0] == source.rpartition("/")[0]
        return DeedKind.RENAMED if same else DeedKind.MOVED
    kinds = {"created": DeedKind.MADE, "modified": DeedKind.CHANGED, "deleted": DeedKind.DELETED}
    return kinds.get(kind, DeedKind.CHANGED)
