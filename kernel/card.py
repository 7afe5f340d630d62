"""The card: what a plan is about to do, and the rights it asks for, in words a person can answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from kernel.authorize import Circumstances
from kernel.binding import as_text
from kernel.model import Argument, Authorization, FromTask, Plan, Task
from permissions.model import Action, Change, ChangeKind, Right
from permissions.transactions import FileDiff

_WORDS: Mapping[str, Mapping[Action, tuple[str, str]]] = {
    "en": {
        Action.FS_READ: ("read {}", "read everything in {}"),
        Action.FS_CREATE: ("create {}", "create files in {}"),
        Action.FS_WRITE: ("change {}", "change files in {}"),
        Action.FS_DELETE: ("remove {}", "remove files from {}"),
        Action.NET_CONNECT: ("connect to {}", "connect to {}"),
        Action.SKILL_CALL: ("use the skill {}", "use the skill {}"),
    },
    "de": {
        Action.FS_READ: ("{} lesen", "alles in {} lesen"),
        Action.FS_CREATE: ("{} anlegen", "Dateien in {} anlegen"),
        Action.FS_WRITE: ("{} ändern", "Dateien in {} ändern"),
        Action.FS_DELETE: ("{} entfernen", "Dateien aus {} entfernen"),
        Action.NET_CONNECT: ("sich mit {} verbinden", "sich mit {} verbinden"),
        Action.SKILL_CALL: ("die Fähigkeit {} benutzen", "die Fähigkeit {} benutzen"),
    },
}


def right_words(right: Right, home: str, language: str) -> str:
    """Say a right in words: ``read everything in ~/Downloads``."""
    one, tree = _WORDS.get(language, _WORDS["en"])[right.action]
    return (tree if right.tree else one).format(short(right.scope, home))


def short(path: str, home: str) -> str:
    """Write a path below the home with ``~``."""
    if path == home:
        return "~"
    return "~" + path[len(home) :] if path.startswith(home.rstrip("/") + "/") else path


def plan_view(plan: Plan, around: Circumstances) -> dict[str, Any]:
    """Return the plan in the form a client shows."""
    return {"tasks": [_task_view(task, around) for task in plan.tasks], "score": round(plan.score, 3)}


def _task_view(task: Task, around: Circumstances) -> dict[str, Any]:
    tool = around.tool(task.tool)
    after = {value.task for value in task.arguments.values() if isinstance(value, FromTask)} | set(task.after)
    return {
        "id": task.id, "tool": task.tool, "title": tool.summary, "after": sorted(after), "text": task.text,
        "effect": str(tool.effect),
        "arguments": {name: _argument_words(value, around.home) for name, value in task.arguments.items()},
    }  # fmt: skip


def _argument_words(value: Argument, home: str) -> str:
    if isinstance(value, FromTask):
        part = f".{value.field}" if value.field else ""
        index = "" if value.index is None else f"[{value.index + 1 if value.index >= 0 else value.index}]"
        return f"← {value.task}{index}{part}"
    return _constant_words(value.value, home)


def _constant_words(value: Any, home: str) -> str:
    if isinstance(value, list):
        return ", ".join(_constant_words(item, home) for item in value)
    if isinstance(value, Mapping) and (value.get("path") or value.get("source")):
        return short(str(value.get("path") or value.get("source")), home)
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {item}" for name, item in value.items() if item is not None)
    return as_text(value)


def card_view(authorization: Authorization, around: Circumstances, plan: Plan, level: str, note: str) -> dict[str, Any]:
    """Return the one card of a plan: each right with its verdict, reason and words."""
    tools = {task.id: around.tool(task.tool) for task in plan.tasks}
    rights = [
        {
            "task": held.task, "tool": tools[held.task].id, "skill": tools[held.task].skill,
            "action": str(decision.right.action), "scope": str(decision.right), "verdict": str(decision.verdict),
            "reason": reason, "words": right_words(decision.right, around.home, plan.language),
        }
        for held in authorization.tasks
        for decision, reason in zip(held.decisions, held.reasons, strict=True)
    ]  # fmt: skip
    return {"rights": rights, "level": level, "level_note": note}


def change_view(change: Change) -> dict[str, Any]:
    """Return a change as the command line contract shows it."""
    view: dict[str, Any] = {"path": change.path, "kind": str(change.kind)}
    if change.source is not None:
        view["source"] = change.source
    if change.folder:
        view["folder"] = True
    return view


_BACK = {
    ChangeKind.CREATED: ChangeKind.DELETED,
    ChangeKind.DELETED: ChangeKind.CREATED,
    ChangeKind.MODIFIED: ChangeKind.MODIFIED,
    ChangeKind.MOVED: ChangeKind.MOVED,
}


def taken_back(change: Change) -> Change:
    """Return what undoing ``change`` does: the created goes, the deleted is there again, the moved moves back."""
    path, source = (change.source or change.path, change.path) if change.source else (change.path, None)
    return replace(change, kind=_BACK[change.kind], path=path, source=source, appends=False)


def diff_view(diff: FileDiff) -> dict[str, Any]:
    """Return what one change does, as a client shows it."""
    return {"path": diff.path, "kind": str(diff.kind), "text": diff.text, "summary": diff.summary,
            "truncated": diff.truncated}  # fmt: skip
