"""The card: the rights that a plan asks for, and the changes it is about to make, in words a person can answer."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kernel.approval.rights_words import deed_words, right_lines, right_words
from kernel.authorize import Circumstances
from kernel.model import Authorization, Plan
from kernel.paths import short
from kernel.remembering.bulk import FEW
from permissions import holds_path
from permissions.model import Action, Change, ChangeKind
from permissions.transactions import FileDiff


def card_view(authorization: Authorization, around: Circumstances, plan: Plan, level: str, note: str) -> dict[str, Any]:
    """Return the one card of a plan: each right with verdict, reason and words, and the ``lines`` a person reads."""
    tools = {task.id: around.tool(task.tool) for task in plan.tasks}
    held = [
        (task.task, tools[task.task], decision, tools[task.task].said(reason, plan.language))
        for task in authorization.tasks
        for decision, reason in zip(task.decisions, task.reasons, strict=True)
    ]
    rights = [
        {
            "task": task, "tool": tool.id, "skill": tool.skill, "action": str(decision.right.action),
            "scope": str(decision.right), "verdict": str(decision.verdict), "reason": reason,
            "words": right_words(decision.right, around.home, plan.language),
        }
        for task, tool, decision, reason in held
    ]  # fmt: skip
    said = ((tool.skill, decision.right, str(decision.verdict), reason) for _, tool, decision, reason in held)
    strangers = {tool.skill for tool in tools.values() if not around.skill(tool.skill).shipped}
    lines = right_lines(said, around.home, plan.language, strangers)
    rights = _few_rights(rights, around.home, plan.language)
    return {"rights": rights, "lines": lines, "level": level, "level_note": note} | made_by(plan)


def made_by(plan: Plan) -> dict[str, str]:
    """Return which model made ``plan`` and which works in it, and on which other host; nothing of what there is not."""
    made = {"model": plan.model, "worker": plan.worker, "worker_host": plan.worker_host}
    return {name: said for name, said in made.items() if said}


_FILES_IN = {"en": "{} files in {}", "de": "{} Dateien in {}"}


def _few_rights(rights: list[dict[str, Any]], home: str, language: str) -> list[dict[str, Any]]:
    """Say very many rights on single files as one line for each folder; every one of them is still asked for."""
    if len(rights) <= FEW:
        return rights
    groups: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for right in rights:
        folder = right["scope"] if right["scope"].endswith("/**") else right["scope"].rpartition("/")[0]
        key = (folder, *(str(right[name]) for name in ("task", "action", "verdict", "reason")))
        groups.setdefault(key, []).append(right)
    return [_one_line(folder, same, home, language) for (folder, *_), same in groups.items()]


def _one_line(folder: str, same: list[dict[str, Any]], home: str, language: str) -> dict[str, Any]:
    if len(same) == 1:
        return same[0]
    place = short(folder.partition(":")[2] or "/", home)
    several = _FILES_IN.get(language, _FILES_IN["en"]).format(len(same), place)
    words = deed_words(Action(same[0]["action"]), several, language)
    return same[0] | {"scope": f"{folder}/… ({len(same)})", "count": len(same), "words": words}


def change_view(change: Change) -> dict[str, Any]:
    """Return a change as the command line contract shows it."""
    view: dict[str, Any] = {"path": change.path, "kind": str(change.kind)}
    if change.source is not None:
        view["source"] = change.source
    if change.folder:
        view["folder"] = True
    if change.files:
        view |= {"files": change.files, "size_bytes": change.size_bytes}
    if change.note:
        view["note"] = change.note
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


def diff_view(diff: FileDiff, own: str = "") -> dict[str, Any]:
    """Return what one change does, as a client shows it; of a file below ``own``, the folders that skills keep, only
    that it changed: its other lines may be of private requests.
    """
    secret = bool(own) and holds_path(own, diff.path)
    view: dict[str, Any] = {
        "path": diff.path, "kind": str(diff.kind), "text": "" if secret else diff.text, "summary": diff.summary,
        "truncated": diff.truncated,
    }  # fmt: skip
    if diff.opaque:
        view["opaque"] = True
    if diff.lies and not secret:
        view["lies"] = diff.lies
    return view
