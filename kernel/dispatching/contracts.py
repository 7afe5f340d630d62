"""What a tool requires of its arguments and ensures of its result, held against what is there, by the daemon.

What this stops: a call that begins although what it is about is not there, and one that says it did what it did not:
the first promise that is broken ends its task, named in words, and nothing of the run is committed.
What it does not: trust the tool. What exists is looked up on the disk and in what was staged, never asked of the skill.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from kernel.authorize import path_of
from kernel.dispatching.holding import count_of
from kernel.errors import TaskFailed
from permissions import holds_path
from skills.model import Check, Clause, Tool

View = Sequence[Mapping[str, Any]]


def check_requires(tool: Tool, values: Mapping[str, Any], view: View) -> None:
    """Hold what ``tool`` requires against its concrete arguments. Raises TaskFailed for the first that is not so."""
    for clause in tool.requires:
        wrong = _broken(clause, values.get(clause.parameter), values, view) if clause.parameter in values else None
        if wrong is not None:
            raise _refusal("requires", tool, clause, wrong)


def check_ensures(tool: Tool, values: Mapping[str, Any], result: Any, view: View) -> None:
    """Hold what ``tool`` ensures against its result and what it staged. Raises TaskFailed for the first not so."""
    for clause in tool.ensures:
        about = values.get(clause.parameter) if clause.check is Check.GONE else result
        if clause.parameter and values.get(clause.parameter) is None:
            continue
        wrong = _broken(clause, about, values, view)
        if wrong is not None:
            raise _refusal("ensures", tool, clause, wrong)


def _broken(clause: Clause, about: Any, values: Mapping[str, Any], view: View) -> str | None:
    """What is not as the clause says, in words of its own; None where all is."""
    match clause.check:
        case Check.EXISTS:
            return next((path for path in _paths(about) if not is_there(path, view)), None)
        case Check.ABSENT | Check.GONE:
            return next((path for path in _paths(about) if is_there(path, view)), None)
        case Check.SOME:
            return None if count_of(about) else clause.parameter or "0"
        case Check.AS_MANY:
            return None if count_of(about) == count_of(values[clause.parameter]) else str(count_of(about))
        case Check.AT_MOST:
            return None if count_of(about) <= float(values[clause.parameter]) else str(count_of(about))


def _paths(value: Any) -> Iterator[str]:
    items: Iterable[Any] = value if isinstance(value, list | tuple) else [value]
    return (path for item in items if (path := path_of(item)))


def is_there(path: str, view: View) -> bool:
    """Tell whether something stands at ``path`` once what is staged so far is there."""
    for effect in reversed(view):
        if effect["op"] in ("delete", "move"):
            gone = str(effect["source"] if effect["op"] == "move" else effect["path"])
            if effect["op"] == "move" and holds_path(str(effect["path"]), path):
                return True
            if holds_path(gone, path):
                return False
        elif effect["path"] == path or (effect["op"] == "copy" and holds_path(str(effect["path"]), path)):
            return True
    return os.path.lexists(path)


_WORDS = {
    Check.EXISTS: ("that {} exists", "dass es {} gibt"),
    Check.ABSENT: ("that there is no {} yet", "dass es {} noch nicht gibt"),
    Check.GONE: ("that {} is gone", "dass {} weg ist"),
    Check.SOME: ("that there is something ({} is empty)", "dass etwas da ist ({} ist leer)"),
    Check.AS_MANY: ("as many results as there were things (it has {})", "so viele Ergebnisse wie Dinge (es sind {})"),
    Check.AT_MOST: ("no more results than asked for (it has {})", "nicht mehr Ergebnisse als verlangt (es sind {})"),
}


def _refusal(kind: str, tool: Tool, clause: Clause, wrong: str) -> TaskFailed:
    english, german = (words.format(wrong) for words in _WORDS[clause.check])
    code = f"{kind}.{clause.check.name.lower()}"
    if kind == "requires":
        return TaskFailed(
            code, f"{tool.id} needs {english}, and it is not so.", subject=wrong, hint="Look there, and ask again.",
            de=f"{tool.id} setzt voraus, {german}, und das ist nicht so.",
            de_hint="Sieh dort nach und frag noch einmal.",
        )  # fmt: skip
    return TaskFailed(
        code, f"{tool.id} promises {english}, and it is not so. Nothing was changed.", subject=wrong,
        hint="Report this to the skill's author.",
        de=f"{tool.id} verspricht, {german}, und das ist nicht so. Es wurde nichts geändert.",
        de_hint="Melde das dem Autor der Fähigkeit.",
    )  # fmt: skip
