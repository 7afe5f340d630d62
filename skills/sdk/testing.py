"""A practice home for the tests of a skill: real files in a temporary folder, real described effects, really applied.

    home = PracticeHome(tmp_path)
    home.add("Downloads/a.pdf", "...")
    done = home.do(skill.move, files=[home.file("Downloads/a.pdf")], to=home.folder("Archive"))
    assert home.text("Archive/a.pdf") == "..."

``step`` describes and keeps the effects for the steps after it, as in a plan; ``commit`` applies what was described,
and refuses where a file is not the version that the tool saw. It is no sandbox and no transaction.
"""

from __future__ import annotations

import dataclasses
import os
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import Any

from permissions.egress import Line
from skills import modules
from skills.sdk import types
from skills.sdk.asks import Called, Doors, no_calls
from skills.sdk.context import Context
from skills.sdk.mail import Ask
from skills.sdk.types import File, Folder
from skills.sdk.view import version
from skills.values import to_json

NOON = datetime(2025, 3, 14, 12, 0, tzinfo=UTC)
"""The moment at which a practice home lives unless another is given: a Friday."""


def load(folder: Path) -> ModuleType:
    """Return the ``skill.py`` of the skill in ``folder`` as a module, loaded as a cell would load it."""
    return modules.load(folder)


@dataclass(frozen=True, slots=True)
class Done:
    """What one step returned, said and described."""

    value: Any
    answer: str
    effects: tuple[dict[str, Any], ...]
    table: dict[str, Any] | None
    files: tuple[str, ...]


class PracticeHome:
    """A temporary home. Paths are relative to it."""

    def __init__(
        self,
        folder: Path,
        *,
        now: datetime = NOON,
        language: str = "en",
        calls: Mapping[str, Callable[..., Any]] | None = None,
        doors: Doors | None = None,
        network: Line | None = None,
        mailbox: Ask | None = None,
    ) -> None:
        """``calls`` are the tools that may be called from a tool, by their ids; they run here, with no wall.

        ``doors`` answers what a tool asks of the machine and the desktop, ``network`` what it fetches;
        ``own`` is where the skill keeps what is its own; ``mailbox`` answers ``ctx.mail.fetch``. What was described to be
        sent is in ``sent``, and goes nowhere.
        """
        self._doors = doors
        self._network = network
        self._calls = calls or {}
        self._mailbox = mailbox
        self.sent: list[dict[str, Any]] = []
        self.path = folder / "home"
        self.trash: list[str] = []
        self.now = now
        self.language = language
        self.own = folder / "own"
        self._staging = folder / "staging"
        self._view: list[dict[str, Any]] = []
        self.path.mkdir(parents=True, exist_ok=True)
        self._staging.mkdir(exist_ok=True)

    def add(self, path: str, content: bytes | str = b"", modified: datetime | None = None) -> File:
        """Create a file with ``content``, last changed at ``modified`` (the practice moment when absent)."""
        real = self.path / path
        real.parent.mkdir(parents=True, exist_ok=True)
        real.write_bytes(content.encode() if isinstance(content, str) else content)
        stamp = (modified or self.now).timestamp()
        os.utime(real, (stamp, stamp))
        return self.file(path)

    def file(self, path: str) -> File:
        """Return a file of the home as the kernel would hand it to a tool."""
        return File(str(self.path / path))

    def folder(self, path: str = "") -> Folder:
        """Return a folder of the home; it need not exist."""
        return Folder(str(self.path / path) if path else str(self.path))

    def text(self, path: str) -> str:
        """Return the text of a file as it is on the disk."""
        return (self.path / path).read_text(encoding="utf-8")

    def tree(self) -> dict[str, bytes]:
        """Return every file's content by its relative path."""
        files = (path for path in self.path.rglob("*") if path.is_file())
        return {path.relative_to(self.path).as_posix(): path.read_bytes() for path in files}

    def work(self, tool: Callable[..., Any], **arguments: Any) -> Done:
        """Run a tool that works in folders in its own way: here it does so at once, with no wall and no undo."""
        context = Context(home=str(self.path), now=self.now, language=self.language, seed=1, runs=True)
        value = tool(context, **arguments)
        told = context.told()
        return Done(value, told.answer, told.effects, told.table, told.files)

    def step(self, tool: Callable[..., Any], *, pure: bool = False, **arguments: Any) -> Done:
        """Run a tool and keep what it described for the steps after it; the home stays as it is."""
        staging = None if pure else self._staging / f"t{len(list(self._staging.iterdir()))}"
        if staging is not None:
            staging.mkdir()
        context = Context(
            home=str(self.path), now=self.now, language=self.language, staging=staging, view=self._view, seed=1,
            calls=self._called, doors=self._doors, network=self._network, own=str(self.own), reminds=True,
            mailbox=self._mailbox,
        )  # fmt: skip
        value = tool(context, **arguments)
        told = context.told()
        for effect in told.effects:
            if effect["op"] == "send":
                self.sent.append({**effect, "files": [_attached(one, staging) for one in effect["files"]]})
                continue
            local = {"blob_path": str(staging / effect["blob"])} if staging and "blob" in effect else {}
            self._view.append({**effect, **local})
        return Done(value, told.answer, told.effects, told.table, told.files)

    def _called(self, tool: str, arguments: Mapping[str, Any]) -> Called:
        """Run another tool as the daemon would have it called: it describes nothing, and its record comes as one."""
        if tool not in self._calls:
            raise no_calls(tool)
        context = Context(
            home=str(self.path), now=self.now, language=self.language, view=self._view, seed=1, called=True, runs=True
        )
        value = self._calls[tool](context, **arguments)
        of_its_own = dataclasses.is_dataclass(value) and type(value).__module__ != types.__name__
        return Called(types.Record(to_json(value)) if of_its_own else value, context.told().answer)

    def do(self, tool: Callable[..., Any], *, pure: bool = False, **arguments: Any) -> Done:
        """Run a tool and apply at once what it described."""
        done = self.step(tool, pure=pure, **arguments)
        self.commit()
        return done

    def commit(self) -> None:
        """Apply everything described so far to the home. Raises AssertionError where a file is another version."""
        effects, self._view = self._view, []
        touched: set[str] = set()
        for effect in effects:
            self._apply(effect, touched)

    def _apply(self, effect: Mapping[str, Any], touched: set[str]) -> None:
        path = Path(effect["path"])
        seen = Path(effect.get("source", path))
        if not touched & {str(part) for part in (seen, *seen.parents)} and "base" in effect:
            _expect(seen, effect["base"])
        path.parent.mkdir(parents=True, exist_ok=True)
        match effect["op"]:
            case "write":
                shutil.copyfile(effect["blob_path"], path)
            case "mkdir":
                path.mkdir(exist_ok=True)
            case "move":
                _expect(path, None)
                seen.rename(path)
            case "copy":
                _expect(path, None)
                (shutil.copytree if seen.is_dir() else shutil.copy2)(seen, path)
            case "delete":
                self.trash.append(path.relative_to(self.path).as_posix())
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        touched.update((str(path), str(seen)))


def _attached(one: Mapping[str, str], staging: Path | None) -> tuple[str, bytes]:
    """Return a staged attachment: its name and content."""
    assert staging is not None
    return one["name"], (staging / one["blob"]).read_bytes()


def _expect(path: Path, base: Mapping[str, int] | None) -> None:
    now = version(path.lstat()) if os.path.lexists(path) else None
    if now != (None if base is None else dict(base)):
        raise AssertionError(f"{path} is {now}, and the tool described a change of {base}")
