"""A practice home for the tests of a skill: real files in a temporary folder, real described effects, really applied.

    home = PracticeHome(tmp_path)
    home.add("Downloads/a.pdf", "...")
    done = home.do(skill.move, files=[home.file("Downloads/a.pdf")], to=home.folder("Archive"))
    assert home.text("Archive/a.pdf") == "..."

``step`` describes and keeps the effects for the steps after it, as in a plan; ``commit`` applies what was described,
and refuses where a file is not the version that the tool saw. It is no sandbox and no transaction.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import Any

from permissions.egress import Line
from skills import modules
from skills.model import ValueKind, ValueType
from skills.sdk import types
from skills.sdk.asks import Called, Doors, Part, no_calls
from skills.sdk.context import Context, Told
from skills.sdk.mail import Ask
from skills.sdk.types import File, Folder
from skills.sdk.view import version
from skills.values import to_json, to_python

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


def _at_once(tool: Callable[..., Any], context: Context, arguments: Mapping[str, Any]) -> tuple[Any, Told]:
    return tool(context, **arguments), context.told()


Performed = Callable[[Callable[..., Any], Context, Mapping[str, Any]], tuple[Any, Told]]
_performed: list[Performed] = [_at_once]


@contextlib.contextmanager
def performing(performed: Performed) -> Iterator[None]:
    """Let ``performed`` run the tools of every practice home meanwhile (``./steward skills test`` does)."""
    _performed.append(performed)
    try:
        yield
    finally:
        _performed.remove(performed)


@dataclass(slots=True)
class Recorded:
    """The steps of a run as they were: each is answered as it was then, when it is asked for as it was then."""

    steps: list[Mapping[str, Any]]
    asked: int = 0
    said: Mapping[str, Mapping[str, Any]] = dataclasses.field(default_factory=dict)
    language: str = "en"
    answer_said: str | None = None

    @classmethod
    def read(cls, file: Path) -> Recorded:
        """Read what ``./steward skills from-run`` wrote."""
        body = json.loads(file.read_text(encoding="utf-8"))
        return cls(body["steps"], said=body["said"], language=body["language"], answer_said=body.get("answer"))

    def given(self, home: PracticeHome) -> dict[str, Any]:
        """Return what the person said in that run, as the arguments of the skill's own tool."""
        return {name: to_python(_at_home(one["value"], str(home.path)), _type(one["type"]), name)
                for name, one in self.said.items()}  # fmt: skip

    def answers(self) -> str:
        """Return what was said in the run."""
        return self.answer_said if self.answer_said is not None else "\n".join(step["answer"] for step in self.steps)

    def answer(self, tool: str, arguments: Mapping[str, Any], home: str) -> Called:
        """Return what the next step gave back then. Raises AssertionError where another one is asked for."""
        assert self.asked < len(self.steps), f"{tool} was no step of the run"
        step: Mapping[str, Any] = _at_home(self.steps[self.asked], home)
        self.asked += 1
        given = {name: _as_given(value) for name, value in arguments.items()}
        assert (tool, given) == (step["tool"], step["arguments"]), f"step {self.asked} of the run was another one"
        return Called(to_python(step["value"], _type(step["type"]), tool), step["answer"])

    @property
    def whole(self) -> bool:
        """Tell whether every step of the run was asked for."""
        return self.asked == len(self.steps)


def _type(said: Sequence[Any]) -> ValueType:
    kind, many, choices = said
    return ValueType(ValueKind(kind), many, tuple(choices))


def _as_given(value: Any) -> Any:
    """Return an argument as a recording has it: what another step gave back, by the part that is meant."""
    if isinstance(value, Called):
        value = value.part()
    return {"field": value.field, "index": value.index} if isinstance(value, Part) else to_json(value)


def _at_home(value: Any, home: str) -> Any:
    """Return a recorded value with ``~`` at the beginning of a path as the home."""
    if isinstance(value, Mapping):
        return {name: _at_home(one, home) for name, one in value.items()}
    if isinstance(value, list):
        return [_at_home(one, home) for one in value]
    return home + value[1:] if isinstance(value, str) and (value == "~" or value.startswith("~/")) else value


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
        recorded: Recorded | None = None,
    ) -> None:
        """``calls`` are the tools that may be called from a tool, by their ids; they run here, with no wall.

        ``doors`` answers what a tool asks of the machine and the desktop, ``network`` what it fetches;
        ``own`` is where the skill keeps what is its own; ``mailbox`` answers ``ctx.mail.fetch``. What was described to
        be sent is in ``sent``, and goes nowhere. ``recorded`` answers the steps of a skill that was made of a run.
        """
        self._recorded = recorded
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
        value, told = _performed[-1](tool, context, arguments)
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
        value, told = _performed[-1](tool, context, arguments)
        for effect in told.effects:
            if effect["op"] == "send":
                self.sent.append({**effect, "files": [_attached(one, staging) for one in effect["files"]]})
                continue
            local = {"blob_path": str(staging / effect["blob"])} if staging and "blob" in effect else {}
            self._view.append({**effect, **local})
        return Done(value, told.answer, told.effects, told.table, told.files)

    def _called(self, tool: str, arguments: Mapping[str, Any], *, step: bool = False) -> Called:
        """Run another tool as the daemon would have it called: it describes nothing, and its record comes as one.

        A ``step`` is answered by what was recorded of a run.
        """
        if step and self._recorded is not None:
            return self._recorded.answer(tool, arguments, str(self.path))
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
