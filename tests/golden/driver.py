"""Plays the golden cases on a real home with a real kernel, and says what differs from the expectation.

Nothing is taken on trust: the effects are read from the disk (a snapshot before and after), not from the report, and
then the report is held against them.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
import shutil
import tomllib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from kernel import Ask, Folders, Kernel, load_settings, open_kernel
from tests.golden.home import build_home
from tests.golden.office import build_office

HERE = Path(__file__).parent
NOW = datetime(2026, 3, 11, 10, 0, tzinfo=ZoneInfo("Europe/Berlin"))
_ORDER = (
    "blind",
    "known",
    "fresh",
    "unseen",
    "wild",
    "everyday",
    "weeks",
    "months",
    "autumn",
    "winter",
    "spring",
    "summer",
    "diary",
    "advent",
    "yule",
    "frost",
)
SETS = tuple(name for name in _ORDER if (HERE / f"{name}.toml").is_file())
"""The sets that are written, in the order of their writing."""

HELD = ("blind", "known")
"""The sets that every change must keep right; the others are measured only."""

HOMES = ("home", "office")
"""What a set may name at its top as the home that it is played on: ``home.py`` or ``office.py``."""

KEPT = "kept"
"""The folder beside a home that is copied to where skills keep what is their own."""

_DONE = ("executed", "confirmed")
_OF_KEPT = "own:"
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00")


class Verdict(StrEnum):
    """What a case came to, for the person who said it."""

    RIGHT = "right"
    ONE_QUESTION = "right after one question"
    ASKED = "asked to no use"
    DECLINED = "declined"
    WRONG_ANSWER = "wrong answer"
    WRONG_ACT = "wrong act"
    HARM = "harm"  # something was changed or deleted that should not have been


@dataclass(frozen=True, slots=True)
class Case:
    """One conversation and what its last turn must come to."""

    id: str
    origin: str
    say: tuple[str, ...]
    yes: bool
    commit: str
    resolutions: tuple[str, ...]
    tools: tuple[tuple[str, ...], ...]
    arguments: dict[str, dict[str, Any]]
    answer: tuple[str, ...]
    effects: dict[str, Any]
    contains: dict[str, list[str]]
    replies: tuple[str, ...] = ()
    kind: str = ""
    home: str = "home"
    lacks: dict[str, list[str]] = field(default_factory=dict)


@dataclass(slots=True)
class Played:
    """What a case came to. ``problems`` is empty when everything was as expected."""

    case: Case
    resolution: str = ""
    tools: tuple[str, ...] = ()
    answer: str = ""
    ms: float = 0.0
    problems: list[str] = field(default_factory=list)
    choices: int = 0
    seen: dict[str, list[Any]] = field(default_factory=dict)
    kept: bool = False  # a skill's own data changed: its tasks, its timers
    by_reply: bool = False

    @property
    def verdict(self) -> Verdict:
        """Say what it came to."""
        if not self.problems:
            return Verdict.RIGHT
        if self.by_reply:
            return Verdict.ONE_QUESTION
        if self.resolution == "clarify":
            return Verdict.ASKED
        if self.resolution not in _DONE:
            return Verdict.DECLINED
        if any(self._is_unforeseen(kind, path) for kind in ("modified", "deleted") for path in self.seen[kind]):
            return Verdict.HARM
        return Verdict.WRONG_ACT if self.kept or any(self.seen.values()) else Verdict.WRONG_ANSWER

    def _is_unforeseen(self, kind: str, path: Any) -> bool:
        return not any(_matches(path, wanted) for wanted in _normal(self.case.effects[kind]))


def cases(sets: Iterable[str] = HELD) -> list[Case]:
    """Read the golden sets with these names."""
    found = []
    for name in sets:
        known = tomllib.loads((HERE / f"{name}.toml").read_text("utf-8"))
        home = known.get("home", "home")
        if home not in HOMES:
            raise ValueError(f"{name}.toml names the home {home!r}; there is {' and '.join(HOMES)}.")
        found += [_case(raw, name, home) for raw in known["case"]]
    return found


def _case(raw: dict[str, Any], origin: str, home: str = "home") -> Case:
    tools = raw.get("tools_any") or ([raw["tools"]] if "tools" in raw else [])
    return Case(
        raw["id"], origin, tuple(raw["say"]), raw.get("yes", True), raw.get("commit", "yes"),
        tuple(raw.get("resolution_any") or [raw["resolution"]]), tuple(tuple(t) for t in tools),
        raw.get("arguments", {}), tuple(raw.get("answer", ())),
        {kind: raw.get(kind, []) for kind in ("created", "modified", "deleted", "moved")}, raw.get("contains", {}),
        tuple(raw.get("replies", ())), raw.get("kind", ""), home, raw.get("lacks", {}),
    )  # fmt: skip


def build(home: str, folder: Path) -> Path:
    """Build the home of this name (one of ``HOMES``) below ``folder`` and return it: a template for ``play``."""
    template = folder / home / "home"
    if home == "office":
        build_office(template, template.with_name(KEPT))
    else:
        build_home(template)
    return template


def _as_opened(kernel: Kernel) -> Kernel:
    return kernel


async def play(
    case: Case,
    template: Path,
    folder: Path,
    *,
    encoder: bool = False,
    prepare: Callable[[Kernel], Kernel] = _as_opened,
) -> Played:
    """Play ``case`` on a copy of the home at ``template``, with everything of Steward's below ``folder``.

    With ``encoder`` the first sentence is said when the sentence encoder is warm, as in an installation after a moment.
    ``prepare`` sees the kernel before anything is said.
    """
    home = folder / "home"
    shutil.copytree(template, home, symlinks=True, copy_function=_copy)
    folders = Folders({"HOME": str(home), "STEWARD_HOME": str(folder / "steward")})
    settle(template, folders)
    kernel = prepare(await open_kernel(load_settings(encoder=encoder), folders, lambda: NOW))
    try:
        if encoder:
            await warmed(kernel)
        return await _play(case, kernel, home, folders.kept)
    finally:
        await kernel.close()


def settle(template: Path, folders: Folders) -> None:
    """Give a Steward what its skills have kept in the home at ``template``."""
    if (kept := template.with_name(KEPT)).is_dir():
        folders.make()
        shutil.copytree(kept, folders.kept, copy_function=_copy, dirs_exist_ok=True)


async def warmed(kernel: Kernel) -> None:
    """Wait until the sentence encoder is warm. Raises RuntimeError where there is none."""
    kernel.warm()
    while (state := kernel.status()["encoder"]) != "warm":
        if state.startswith("missing"):
            raise RuntimeError(f"the encoder is {state}")
        await asyncio.sleep(0.02)


async def answered(played: Played, template: Path, folder: Path, *, encoder: bool = False) -> bool:
    """Tell whether a person who was asked back gets what they meant with one answer.

    They pick any of the choices that they are offered, or answer in their own words (``replies``); each is tried on a
    home of its own.
    """
    for number, reply in enumerate([*map(str, range(1, played.choices + 1)), *played.case.replies]):
        case = replace(played.case, say=(*played.case.say, reply))
        if not (await play(case, template, folder / str(number), encoder=encoder)).problems:
            return True
    return False


def _copy(source: str, target: str) -> None:
    """Copy a file with its times; a sparse one stays sparse."""
    if os.stat(source).st_blocks * 512 < os.stat(source).st_size // 2:
        with open(target, "wb") as out:
            out.truncate(os.stat(source).st_size)
        shutil.copystat(source, target)
    else:
        shutil.copy2(source, target)


async def _play(case: Case, kernel: Kernel, home: Path, own: Path) -> Played:
    played = Played(case)
    view: dict[str, Any] = {}
    before: dict[str, str] = {}
    kept: dict[str, str] = {}
    for said in case.say:
        before, kept = snapshot(home), snapshot(own)
        run = await kernel.ask(Ask(said, conversation="golden", cwd=str(home), yes=case.yes, channel="test"))
        view = await kernel.settled(run)
        if view["resolution"] == "pending" and view["stage"] == "plan":
            await kernel.approve(run, "no")  # only a case that says no to the card gets here
            view = await kernel.settled(run)
        if view["resolution"] == "pending" and view["stage"] == "commit":
            await kernel.approve(run, "once" if case.commit == "yes" else "no")
            view = await kernel.settled(run)
    played.resolution, played.answer = view["resolution"], view["answer"] or ""
    played.tools = tuple(task["tool"] for task in (view["plan"] or {}).get("tasks", ()))
    played.ms = (view["timings"] or {}).get("total_ms", 0.0)
    played.choices = len((view["question"] or {}).get("choices", ()))
    played.seen, played.kept = changes(before, snapshot(home)), kept != snapshot(own)
    _judge(played, view, home, own)
    return played


def _judge(played: Played, view: dict[str, Any], home: Path, own: Path) -> None:
    case, problems, seen = played.case, played.problems, played.seen
    if played.resolution not in case.resolutions:
        problems.append(f"resolution {played.resolution}, expected {' or '.join(case.resolutions)}")
    if case.tools and played.tools not in case.tools:
        problems.append(f"tools {list(played.tools)}, expected {[list(tools) for tools in case.tools]}")
    for name, wanted in case.arguments.items():
        problems += differs(name, wanted, view)
    problems += [
        f"the answer lacks {text!r}" for text in case.answer if text.casefold() not in played.answer.casefold()
    ]
    for kind, expected in case.effects.items():
        if not _same(seen[kind], _normal(expected), home):
            problems.append(f"{kind} {seen[kind]}, expected {_normal(expected)}")
    problems += _contents(case, home, own)
    kept = {e["path"] for e in view["effects"] if Path(e["path"]).is_relative_to(own)}
    problems += [f"reported {path}, which is not there" for path in sorted(kept) if not Path(path).is_file()]
    reported = {  # what a skill keeps for itself is outside of the home
        os.path.relpath(e["path"], home) for e in view["effects"] if not e.get("folder") and e["path"] not in kept
    }
    happened = {p for kind in ("created", "modified", "deleted") for p in seen[kind]} | {to for _, to in seen["moved"]}
    whole = tuple(
        f"{os.path.relpath(e['path'], home)}/" for e in view["effects"] if e.get("folder") and e["kind"] != "created"
    )
    if reported != {path for path in happened if path in reported or not path.startswith(whole)}:
        problems.append(f"reported effects {sorted(reported)}, on disk {sorted(happened)}")


def _contents(case: Case, home: Path, own: Path) -> list[str]:
    """Say which texts files lack, or hold though they should not; "own:" begins the path of what a skill keeps."""

    def content(path: str) -> str:
        file = own / path.removeprefix(_OF_KEPT) if path.startswith(_OF_KEPT) else home / path
        return _by_the_clock(file.read_text("utf-8", "replace")) if file.is_file() else ""

    wanted = [(path, text) for path, texts in case.contains.items() for text in texts]
    unwanted = [(path, text) for path, texts in case.lacks.items() for text in texts]
    return [f"{path} lacks {text!r}" for path, text in wanted if text not in content(path)] + [
        f"{path} has {text!r} still" for path, text in unwanted if text in content(path)
    ]


def _by_the_clock(text: str) -> str:
    """Moments that a skill keeps in UTC as the clock of the home shows them."""
    return _MOMENT.sub(lambda said: datetime.fromisoformat(said[0]).astimezone(NOW.tzinfo).isoformat(), text)


def _same(seen: list[Any], expected: list[Any], home: Path) -> bool:
    """Match paths one to one; ``*`` in an expected path matches anything, a new folder counts where it is named."""
    left = list(seen)
    for wanted in expected:
        found = next((one for one in left if _matches(one, wanted)), None)
        if found is not None:
            left.remove(found)
        elif not (isinstance(wanted, str) and (home / wanted).is_dir()):
            return False
    return not left


def _matches(one: Any, wanted: Any) -> bool:
    if isinstance(wanted, tuple):
        return isinstance(one, tuple) and all(fnmatchcase(a, b) for a, b in zip(one, wanted, strict=True))
    return isinstance(one, str) and fnmatchcase(one, wanted)


def _normal(paths: list[Any]) -> list[Any]:
    return sorted(tuple(path) if isinstance(path, list) else path for path in paths)


def differs(name: str, wanted: dict[str, Any], view: dict[str, Any]) -> list[str]:
    """Say which arguments of a tool are not as wanted, as a person reads them in the plan."""
    tasks = [task for task in (view["plan"] or {}).get("tasks", ()) if task["tool"] == name]
    if not tasks:
        return [f"no call of {name}"]
    shown = tasks[0]["arguments"]
    return [
        f"{name}({key}={shown.get(key)!r}), expected {value!r}"
        for key, value in wanted.items()
        if str(value).casefold() != str(shown.get(key)).casefold()
    ]


def snapshot(home: Path) -> dict[str, str]:
    """Return path -> digest of every file of the home that is not Steward's, the trash's or hidden."""
    found = {}
    for folder, folders, files in os.walk(home):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in files:
            path = Path(folder) / name
            stat = path.lstat()
            sparse = stat.st_blocks * 512 < stat.st_size // 2
            content = str(stat.st_size).encode() if sparse or path.is_symlink() else path.read_bytes()
            found[os.path.relpath(path, home)] = hashlib.sha256(content).hexdigest()
    return found


def changes(before: dict[str, str], after: dict[str, str]) -> dict[str, list[Any]]:
    """Return what happened between two snapshots; a file that went and came with one content has moved."""
    gone, new = set(before) - set(after), set(after) - set(before)
    moved = []
    for path in sorted(gone):
        target = next((name for name in sorted(new) if after[name] == before[path]), None)
        if target is not None:
            moved.append((path, target))
            new.discard(target)
    gone -= {source for source, _ in moved}
    modified = sorted(path for path in set(before) & set(after) if before[path] != after[path])
    return {"created": sorted(new), "modified": modified, "deleted": sorted(gone), "moved": sorted(moved)}
