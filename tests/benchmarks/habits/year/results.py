"""What the tools come to in the simulated year: values, answers and changed files of the forms that the real ones have.

Only as much as a plan needs to go on and a ledger to look like one: nothing is computed, no file is touched.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

Json = Any
OWN = ".local/share/steward/own"
"""Where, in a home, the skills keep what is their own."""


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a call: its value, its answer, the paths of files it found, and what it changed."""

    value: Json
    answer: str
    files: tuple[str, ...] = ()
    changes: tuple[Mapping[str, Json], ...] = ()


def file_of(path: str) -> dict[str, Json]:
    """Return a file as a tool returns one."""
    pure = PurePosixPath(path)
    return {"path": path, "name": pure.name, "stem": pure.stem, "suffix": pure.suffix, "folder": str(pure.parent),
            "size_bytes": 1000 + _number(path) % 900_000, "modified": "2027-01-01T08:00:00+00:00"}  # fmt: skip


def part_of(value: Json, name: str, index: int | None) -> Json:
    """Return an item and a field of what a call came to."""
    if index is not None and isinstance(value, list):
        value = value[index]
    return value.get(name) if name and isinstance(value, Mapping) else value


def path_of(value: Json) -> str:
    """Return the path that a value stands for."""
    if isinstance(value, list):
        return path_of(value[0]) if value else ""
    if isinstance(value, Mapping):
        return str(value.get("path") or value.get("source") or "")
    return str(value)


def paths_of(value: Json) -> tuple[str, ...]:
    """Return the paths that a value stands for, in order."""
    return tuple(path_of(one) for one in value) if isinstance(value, list) else (path_of(value),)


def result_of(tool: str, given: Mapping[str, Json], home: str, name: str, german: bool) -> Result:
    """Return what ``tool`` comes to; ``name`` tells this call from others, and names what it finds."""
    for prefix, make in _MAKERS.items():
        if tool == prefix or tool.startswith(prefix + "."):
            return make(tool, given, home, name, german)
    return Result({"text": f"{tool} {name}"}, _done(german))


def _done(german: bool) -> str:
    return "Erledigt." if german else "Done."


def _number(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big")


def _written(path: str, kind: str = "modified") -> dict[str, Json]:
    return {"path": path, "kind": kind}


def _found(_tool: str, given: Mapping[str, Json], home: str, name: str, german: bool) -> Result:
    folder, count = path_of(given.get("folder") or home), int(given.get("count") or 1 + _number(name) % 4)
    paths = tuple(f"{folder}/{name}-{n}.pdf" for n in range(1, count + 1))
    answer = f"{count} Dateien gefunden." if german else f"{count} files found."
    return Result([file_of(path) for path in paths], answer, paths)


def _put(tool: str, given: Mapping[str, Json], _home: str, _name: str, german: bool) -> Result:
    sources = paths_of(given.get("files") or given.get("folders") or "")
    goals = tuple(f"{path_of(given['to'])}/{PurePosixPath(source).name}" for source in sources)
    changes = tuple(
        {"path": goal, "kind": "moved", "source": source} if ".move" in tool else _written(goal, "created")
        for goal, source in zip(goals, sources, strict=True)
    )
    return Result([file_of(goal) for goal in goals], _done(german), goals, changes)


def _renamed(_tool: str, given: Mapping[str, Json], _home: str, _name: str, german: bool) -> Result:
    source = PurePosixPath(path_of(given["file"]))
    goal = str(source.with_name(f"{given['name']}{source.suffix}"))
    return Result(file_of(goal), _done(german), (goal,), ({"path": goal, "kind": "moved", "source": str(source)},))


def _deleted(_tool: str, given: Mapping[str, Json], _home: str, _name: str, german: bool) -> Result:
    gone = paths_of(given["files"])
    return Result([file_of(path) for path in gone], _done(german), (), tuple(_written(one, "deleted") for one in gone))


def _organized(_tool: str, given: Mapping[str, Json], _home: str, name: str, german: bool) -> Result:
    folder = path_of(given["folder"])
    pairs = [(f"{folder}/{name}-{n}.pdf", f"{folder}/PDF/{name}-{n}.pdf") for n in range(1, 5)]
    changes = tuple({"path": goal, "kind": "moved", "source": source} for source, goal in pairs)
    return Result([file_of(goal) for _, goal in pairs], _done(german), tuple(goal for _, goal in pairs), changes)


def _beside(tool: str, given: Mapping[str, Json], home: str, name: str, german: bool) -> Result:
    """What data tools write beside their table: a picture, or the table in another format."""
    source = path_of(given.get("table")) or f"{home}/table-{name}.csv"
    goal = str(PurePosixPath(source).with_suffix(".png" if tool == "data.plot" else f".{given.get('format', 'csv')}"))
    return Result(file_of(goal), _done(german), (goal,), (_written(goal, "created"),))


def _table(_tool: str, given: Mapping[str, Json], _home: str, _name: str, german: bool) -> Result:
    source = path_of(given.get("table"))
    return Result({"source": source, "columns": ["Datum", "Betrag"], "rows": [["2027-01-04", 12.5]]}, _done(german))


def _line(_tool: str, given: Mapping[str, Json], _home: str, _name: str, german: bool) -> Result:
    path = path_of(given["file"])
    return Result(file_of(path), _done(german), (path,), (_written(path),))


def _note(tool: str, given: Mapping[str, Json], home: str, _name: str, german: bool) -> Result:
    title = str(given.get("title") or "Notes")
    path = f"{home}/Notes/{title}.md"
    text = str(given.get("text") or f"{title}: …")
    value = {"title": title, "text": text, "file": file_of(path)}
    kinds = {"notes.create": "created", "notes.delete": "deleted"}
    quiet = tool in ("notes.read", "notes.search", "notes.contents")
    return Result(value, text if quiet else _done(german), (),
                  () if quiet else (_written(path, kinds.get(tool, "modified")),))  # fmt: skip


def _kept(tool: str, given: Mapping[str, Json], home: str, name: str, german: bool) -> Result:
    """What calendars, to-do lists, timers and contacts keep in a file of their own."""
    skill, verb = tool.split(".")
    place = {"calendar": "Calendar/steward.ics", "contacts": "Contacts/steward.vcf"}.get(skill)
    path = f"{home}/{place}" if place else f"{home}/{OWN}/{skill}/list.txt"
    value = {"text": " ".join(str(one) for one in given.values()) or name}
    looks = verb in ("agenda", "upcoming", "find", "free", "clashes", "show", "left", "people", "birthdays")
    return Result(value, _done(german), (), () if looks else (_written(path),))


def _saved(tool: str, given: Mapping[str, Json], home: str, name: str, german: bool) -> Result:
    folder = path_of(given.get("to") or given.get("folder") or f"{home}/Downloads")
    last = str(given.get("url", "")).rpartition("/")[2]
    path = f"{folder}/{last or f'{name}.pdf'}"
    value = [file_of(path)] if tool.startswith("mail.") else file_of(path)
    return Result(value, _done(german), (path,), (_written(path, "created"),))


def _mail(_tool: str, given: Mapping[str, Json], _home: str, name: str, german: bool) -> Result:
    sender = str(given.get("sender") or "info@post.example")
    address = f"{sender.casefold().replace(' ', '.')}@post.example"
    value = {"sender": address, "subject": f"Nr. {name}", "text": f"{sender} schreibt: {name}.", "day": "2027-01-01"}
    return Result(value, value["text"])


def _value(_tool: str, given: Mapping[str, Json], _home: str, name: str, german: bool) -> Result:
    amount = 10 + _number(name) % 900 / 10
    return Result({"name": str(given.get("name", "")), "value": amount, "text": f"{amount} EUR"}, f"{amount} EUR")


_MAKERS = {
    "files.find": _found, "files.largest": _found, "files.duplicates": _found, "files.contents": _found,
    "files.move": _put, "files.copy": _put, "files.copy_folder": _put, "files.move_folder": _put,
    "files.rename": _renamed, "files.delete": _deleted, "files.organize": _organized,
    "data.plot": _beside, "data.convert": _beside, "data.enter": _line, "data": _table,
    "notes": _note, "calendar": _kept, "tasks": _kept, "timers": _kept, "contacts": _kept,
    "mail.save_attachments": _saved, "web.download": _saved, "mail.find": _mail, "mail.read": _mail,
    "documents.value": _value, "documents.totals": _value,
}  # fmt: skip
