"""The context of one call: the person's language, clock and places, their files, and what the tool wants changed.

Reading goes through the view (``skills.sdk.view``), so a tool sees what earlier steps of the plan described. Changing
means describing: contents go into the task's private staging folder, everything else is one line of JSON that
``permissions.transactions`` checks, shows and commits. A pure tool has no staging folder and can describe nothing.
"""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any

from permissions.egress import Line
from skills.model import Holds
from skills.schedule import Scheduled
from skills.sdk import keeping, programs, words, wrong
from skills.sdk.asks import Called, Calls, Doors, no_calls
from skills.sdk.branching import Branching
from skills.sdk.errors import ToolError
from skills.sdk.inputs import Inputs
from skills.sdk.mail import Ask, Mail
from skills.sdk.moment import Moment, OfItsMoment
from skills.sdk.programs import Ran
from skills.sdk.types import File, Folder
from skills.sdk.view import Node, View, version
from skills.sdk.walk import Met, Passed, Walk

Place = str | PurePosixPath | File | Folder
"""How a tool may name a path: text (``~/`` means the home, a relative path lies below it), a path, a File, a Folder."""

_PROGRESS_PAUSE_S = 0.1


@dataclass(frozen=True, slots=True)
class Told:
    """What a call said and described, besides its value."""

    answer: str
    effects: tuple[dict[str, Any], ...]
    table: dict[str, Any] | None
    files: tuple[str, ...]
    read: Mapping[str, Sequence[int]]
    holds: Holds


def _silent(_fraction: float | None, _text: str) -> None:
    """Drop progress where nobody listens."""


class Context(Branching, OfItsMoment):
    """The world of one tool call. Every path that goes in may be relative to the home; every one out is absolute."""

    def __init__(
        self,
        *,
        home: str,
        now: datetime,
        language: str = "en",
        cwd: str = "",
        seed: int = 0,
        staging: Path | None = None,
        view: Sequence[Mapping[str, Any]] = (),
        ignored: Sequence[str] = (),
        progress: Callable[[float | None, str], None] = _silent,
        network: Line | None = None,
        calls: Calls | None = None,
        doors: Doors | None = None,
        called: bool = False,
        runs: bool = False,
        own: str = "",
        reminds: bool = False,
        mailbox: Ask | None = None,
    ) -> None:
        if now.tzinfo is None:
            raise ValueError("now must carry its time zone")
        super().__init__(network, calls, doors)
        self.language = language
        self.home = os.path.normpath(home)
        self._moment = Moment(now, cwd or self.home, seed)
        self._staging = staging
        self._called = called
        self._ignored = frozenset(os.path.normpath(path) for path in ignored)
        self._view = View()
        for effect in view:
            self._view.apply(effect)
        self._seen: dict[str, dict[str, int] | None] = {}
        self._inputs = Inputs()
        self._effects: list[dict[str, Any]] = []
        self._blobs = 0
        self._adopted: dict[str, str] = {}  # contents of steps, by what later steps call them
        self._sentences: list[str] = []
        self._table: dict[str, Any] | None = None
        self._files: list[str] = []
        self._progress = progress
        self._progress_at = float("-inf")
        self._runs = runs
        self._own = own
        self._reminds = reminds
        self.mail = Mail(self._describe_letter, self._stage_content, mailbox)

    # --- telling ------------------------------------------------------------------------------------------------

    def say(self, en: str, **other_languages: str) -> None:
        """Say one or more whole sentences to the person; a second call adds a line. Every tool says something."""
        self._sentences.append(other_languages.get(self.language, en))

    def progress(self, fraction: float | None, text: str = "") -> None:
        """Report how far the work is (0..1, None when unknown); more than ten reports a second are dropped."""
        if time.monotonic() - self._progress_at < _PROGRESS_PAUSE_S:
            return
        self._progress_at = time.monotonic()
        self._progress(None if fraction is None else min(1.0, max(0.0, fraction)), text)

    def table(self, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
        """Show a table beside the sentence. Cells are shown as text unless they are JSON scalars."""
        self._table = {"columns": list(columns), "rows": [[words.cell(value) for value in row] for row in rows]}

    def attach(self, path: Place) -> None:
        """Show a file beside the sentence."""
        self._files.append(self.path(path))

    def told(self) -> Told:
        """Return what was said and described so far."""
        effects, files = tuple(self._effects), tuple(self._files)
        holds = self._moment.holds
        return Told("\n".join(self._sentences), effects, self._table, files, self._inputs.told(), holds)

    # --- running programs ---------------------------------------------------------------------------------------

    def run(
        self,
        argv: Sequence[str],
        *,
        cwd: Place | None = None,
        timeout_s: float = 600.0,
        input: str | bytes = b"",
    ) -> Ran:
        """Run a program in this call's own cell and return how it ended and what it said, a mebibyte of each stream.

        It sees and changes what this call may: a folder of ``works_in`` in its own way, nothing else of the person's,
        and of the network the hosts of its rights, through a proxy (``HTTPS_PROXY``). Raises ToolError where
        steward.toml has no ``runs_programs`` for this tool, where it cannot be started, or takes longer than
        ``timeout_s`` (the call's own limit ends it in any case).
        """
        if not self._runs:
            raise wrong.no_programs(argv[0] if argv else "")
        fed = input.encode() if isinstance(input, str) else input
        place = self.path(cwd) if cwd is not None else os.curdir
        return programs.run(argv, cwd=place, timeout_s=timeout_s, fed=fed, environment=self._proxies())

    # --- naming -------------------------------------------------------------------------------------------------

    def path(self, place: Place) -> str:
        """Return ``place`` as an absolute, normalised path."""
        text = place.path if isinstance(place, File | Folder) else str(place)
        if text == "~" or text.startswith("~/"):
            text = self.home + text[1:]
        return os.path.normpath(os.path.join(self.home, text))

    def own(self, name: str) -> str:
        """Return the path of the file ``name`` in the folder that the skill has for itself; it need not exist.

        No other skill sees it. Its tools name what they need there: ``{ action = "fs.read", scope = "own/**", ... }``.
        """
        return keeping.own_path(self._own, name)

    def shown(self, place: Place) -> str:
        """Return ``place`` as a person would write it, with ``~`` for the home."""
        return words.place(self.path(place), self.home)

    def unused(self, path: Place) -> str:
        """Return ``path``, or ``name (2).ext``, ``name (3).ext`` ... when something stands there."""
        wanted = self.path(path)
        folder, name = os.path.split(wanted)
        pure = PurePosixPath(name)
        free, number = wanted, 1
        while self._view.node(free) is not None:
            number += 1
            free = os.path.join(folder, f"{pure.stem} ({number}){pure.suffix}")
        return free

    # --- reading ------------------------------------------------------------------------------------------------

    def exists(self, path: Place) -> bool:
        """Tell whether anything stands at ``path``."""
        return self._view.node(self.path(path)) is not None

    def is_folder(self, path: Place) -> bool:
        """Tell whether ``path`` is a folder."""
        node = self._view.node(self.path(path))
        return node is not None and node.folder

    def file(self, path: Place) -> File:
        """Return the file at ``path`` with its size and time. Raises ToolError when there is none."""
        wanted = self.path(path)
        status = self._stat(wanted)
        self._note(wanted, self._existing(wanted))
        return File(wanted, status.st_size, datetime.fromtimestamp(status.st_mtime, self._moment.zone))

    def scan(
        self,
        folder: Place,
        *,
        recursive: bool = True,
        hidden: bool = False,
        caches: bool = True,
        near: bool = False,
        passed: Passed | None = None,
    ) -> Iterator[File]:
        """Yield the files in ``folder``, sorted by name, its own before those of its subfolders.

        Without ``caches`` the folders of caches and installed packages are left out; with ``near`` all of one depth
        come before what lies deeper. ``passed`` is told what was left out. Symbolic links are not followed; a subfolder
        that may not be read is passed over. Raises ToolError when ``folder`` is no folder or may not be read.
        """
        walk = Walk(self._view, self._ignored, passed or Passed(), hidden=hidden, caches=caches, near=near)
        for met in self._met(walk, self.path(folder), recursive):
            if not met.folder and (found := self._listed(met.path, met.entry)) is not None:
                yield found

    def folders(
        self, folder: Place, *, recursive: bool = False, hidden: bool = False, passed: Passed | None = None
    ) -> Iterator[Folder]:
        """Yield the subfolders of ``folder``, sorted by name. Raises as ``scan``."""
        walk = Walk(self._view, self._ignored, passed or Passed(), hidden=hidden, caches=True, near=False)
        for met in self._met(walk, self.path(folder), recursive):
            if met.folder:
                yield Folder(met.path)

    def real(self, path: Place) -> Path:
        """Return where the content of ``path`` really lies; give this to libraries, for reading only."""
        wanted = self.path(path)
        node = self._existing(wanted)
        self._note(wanted, node)
        return Path(node.real or wanted)

    def read_bytes(self, path: Place) -> bytes:
        """Return the content of a file. Raises ToolError when there is none or it may not be read."""
        wanted = self.path(path)
        try:
            return self.real(wanted).read_bytes()
        except OSError as error:
            raise wrong.unreadable(self.shown(wanted), error) from error

    def read_text(self, path: Place) -> str:
        """Return the text of a file: UTF-8, else UTF-16 where it is marked, else Windows-1252, else Latin-1."""
        data = self.read_bytes(path)
        return data.decode(words.encoding_of(data))

    def workroom(self, name: str = "work") -> Folder:
        """Return a private folder of this call, made empty where it is new: real files, seen by nobody afterwards.

        Programs and other tools can be handed it to work in; what shall stay is described with ``write``.
        """
        if not re.fullmatch(r"[A-Za-z0-9_-]{1,60}", name):
            raise ValueError(f"{name!r} is no simple name")
        room = self._staging_folder() / f"room-{name}"
        room.mkdir(exist_ok=True)
        return Folder(str(room))

    def scheduled(self) -> list[Scheduled]:
        """Return what the skill has on the clock, also what is over."""
        return keeping.scheduled(self)

    # --- describing changes -------------------------------------------------------------------------------------

    def write(self, path: Place, data: bytes | str, *, note: str = "") -> None:
        """Describe new content for ``path``; text is UTF-8. Missing folders on the way are described too.

        A ``note`` is put before the person, who is asked, whatever was granted.
        """
        with self.writing(path, note=note) as real:
            real.write_bytes(data.encode() if isinstance(data, str) else data)

    def append(self, path: Place, text: str | bytes, *, note: str = "") -> None:
        """Describe ``path`` with ``text`` after its old content, in the encoding that it has; ``note`` as for write."""
        old = self.read_bytes(path) if self.exists(path) else b""
        encoding = words.encoding_of(old)
        bare = {"utf-16": "utf-16-be" if old.startswith(b"\xfe\xff") else "utf-16-le", "utf-8-sig": "utf-8"}
        added = text if isinstance(text, bytes) else text.encode(bare.get(encoding, encoding), errors="replace")
        self.write(path, old + added, note=note)

    @contextlib.contextmanager
    def writing(self, path: Place, *, note: str = "") -> Iterator[Path]:
        """Describe new content for ``path``: yields a real, empty path with the same suffix to write into.

        What lies there at the end of the block becomes the content; when the block raises, nothing is described.
        """
        wanted = self.path(path)
        if self.is_folder(wanted):
            raise wrong.a_folder(self.shown(wanted))
        base = self._base(wanted)
        staging = self._staging_folder()
        name = self._next_blob(staging)
        draft = staging / f"{name}{PurePosixPath(wanted).suffix}"
        try:
            yield draft
            draft.rename(staging / name)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise
        self._make_parents(wanted)
        effect = {"op": "write", "path": wanted, "blob": name, "mode": None, "base": base}
        if over := self._view.staged_content(wanted):
            effect["over"] = over
        if note:
            effect["note"] = note
        self._describe(effect, blob_path=str(staging / name))

    def mkdir(self, path: Place) -> None:
        """Describe a folder and the missing ones above it. Nothing happens where it stands already."""
        wanted = self.path(path)
        node = self._view.node(wanted)
        if node is not None and not node.folder:
            raise wrong.taken(self.shown(wanted))
        if node is None:
            self._make_parents(wanted)
            self._describe({"op": "mkdir", "path": wanted})

    def move(self, source: Place, path: Place) -> None:
        """Describe that ``source``, a file or a folder, goes to ``path``. Raises ToolError where that is taken."""
        self._transfer("move", self.path(source), self.path(path))

    def copy(self, source: Place, path: Place) -> None:
        """Describe a copy of ``source`` at ``path``. Raises ToolError where that is taken."""
        self._transfer("copy", self.path(source), self.path(path))

    def delete(self, path: Place) -> None:
        """Describe that ``path`` goes to the trash."""
        wanted = self.path(path)
        node = self._existing(wanted)
        self._describe({"op": "delete", "path": wanted, "base": self._base(wanted)})
        self._forget(wanted, node.folder)

    def schedule(self, entries: Sequence[Scheduled]) -> None:
        """Describe what the skill has on the clock from now on; each is told once at its time, while Steward runs.

        What was missed is told at the next start. Needs ``reminds`` in ``steward.toml``.
        """
        keeping.schedule(self, entries, reminds=self._reminds)

    def step(self, tool: str, /, **arguments: Any) -> Called:
        """Do what a step of a plan does: have ``tool`` called, and describe here what it wants changed.

        What it wants is this call's own wish then, under its rights and its name. An argument may be what an earlier
        step gave back, or a part of it (``Called.part``): it is given the form that the tool takes. A step sees what
        the steps before it want changed. Raises ToolError as ``call`` does.
        """
        if self._calls is None:
            raise no_calls(tool)
        called = self._calls(tool, arguments, step=True)
        for change in called.changes:
            self._adopt(change)
        return called

    # --- inside -------------------------------------------------------------------------------------------------

    def _adopt(self, change: Mapping[str, Any]) -> None:
        """Describe a change that another tool wanted; it saw the file that it is about, so its version counts."""
        effect = {name: value for name, value in change.items() if name not in ("content", "named")}
        if effect["op"] == "send":
            files = [{"name": one["name"], "blob": self._stage_content(one["content"])} for one in change["files"]]
            self._describe_letter({**effect, "files": files})
            return
        if effect["op"] != "write":
            self._describe(effect)
            return
        blob = self._stage_content(change["content"])
        if "over" in effect:
            effect["over"] = self._adopted.get(effect["over"], effect["over"])
        self._adopted[change["named"]] = f"{self._staging_folder().name}/{blob}"
        self._describe({**effect, "blob": blob}, blob_path=f"{self._staging}/{blob}")

    def _transfer(self, op: str, source: str, path: str) -> None:
        node = self._existing(source)
        if source == path:
            return
        if self.exists(path):
            raise wrong.taken(self.shown(path))
        if node.folder and path.startswith(source.rstrip("/") + "/"):
            raise wrong.into_itself(self.shown(source))
        base = self._base(source)
        self._make_parents(path)
        self._describe({"op": op, "path": path, "source": source, "base": base})
        if op == "move":
            self._forget(source, node.folder)

    def _describe(self, effect: dict[str, Any], **local: str) -> None:
        self._staging_folder()
        self._view.apply({**effect, **local})
        self._effects.append(effect)

    def _describe_letter(self, letter: dict[str, Any]) -> None:
        self._staging_folder()
        self._effects.append(letter)

    def _stage_content(self, content: bytes) -> str:
        staging = self._staging_folder()
        name = self._next_blob(staging)
        (staging / name).write_bytes(content)
        return name

    def _forget(self, path: str, folder: bool) -> None:
        """What was seen at ``path`` stands elsewhere now."""
        self._seen.pop(path, None)
        if folder:
            below = path.rstrip("/") + "/"
            self._seen = {key: value for key, value in self._seen.items() if not key.startswith(below)}

    def _make_parents(self, path: str) -> None:
        """Describe the folder that holds ``path`` where it is missing.

        The folders above it are implied: this call's rights may not show whether they stand.
        """
        parent = above = os.path.dirname(path)
        while (node := self._view.node(above)) is None and above != "/":
            above = os.path.dirname(above)
        if node is not None and not node.folder:
            raise wrong.taken(self.shown(above))
        if above != parent and not f"{self.home}/".startswith(parent.rstrip("/") + "/"):
            self._describe({"op": "mkdir", "path": parent})

    def _staging_folder(self) -> Path:
        if self._staging is None:
            raise wrong.called() if self._called else wrong.pure()
        return self._staging

    def _next_blob(self, staging: Path) -> str:
        # An earlier call of the same task (a retry, or one element of a list) may have left contents here.
        self._blobs += 1
        while (staging / f"{self._blobs:04d}").exists():
            self._blobs += 1
        return f"{self._blobs:04d}"

    def _base(self, path: str) -> dict[str, int] | None:
        if path not in self._seen:
            self._seen[path] = self._version(path)
        return self._seen[path]

    def _note(self, path: str, node: Node) -> None:
        self._base(path)
        self._inputs.note(node)

    def _version(self, path: str) -> dict[str, int] | None:
        staged, base = self._view.staged_base(path)
        if staged:
            return None if base is None else dict(base)
        node = self._view.node(path)
        return None if node is None or node.real is None else version(os.lstat(node.real))

    def _existing(self, path: str) -> Node:
        node = self._view.node(path)
        if node is None:
            raise wrong.missing(self.shown(path))
        return node

    def _stat(self, path: str) -> os.stat_result:
        node = self._existing(path)
        if node.folder or node.real is None:
            raise wrong.a_folder(self.shown(path))
        try:
            return os.stat(node.real)
        except OSError as error:
            raise wrong.unreadable(self.shown(path), error) from error

    def _listed(self, path: str, entry: os.DirEntry[str] | None) -> File | None:
        try:
            status = self._stat(path) if entry is None else entry.stat(follow_symlinks=False)
        except (OSError, ToolError):  # it vanished while the folder was being read
            return None
        return File(path, status.st_size, datetime.fromtimestamp(status.st_mtime, self._moment.zone))

    def _met(self, walk: Walk, top: str, recursive: bool) -> Iterator[Met]:
        if not self._existing(top).folder:
            raise wrong.a_file(self.shown(top))
        try:
            yield from walk.below(top, recursive=recursive)
        except OSError as error:
            raise wrong.unreadable(self.shown(top), error) from error
