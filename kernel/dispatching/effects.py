"""Effects: what a tool described is held against what was decided for its task, before anything is staged.

What this stops: a description that reaches outside the task's rights, into a private place, or over a file that an
earlier task has changed already; a folder copied together with the private places in it (the kernel copies outside
the wall; to move or delete such a folder is denied by policy); a tool that changes who may read or run a file, which no
right and no card speaks of.
What it does not: form. ``permissions.transactions`` refuses what is malformed, compares with the disk, and has resolved
every path already: once, and it stages through what it found then. So nothing is resolved here.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass
from typing import Any

from kernel.authorize import Circumstances, forbidden, is_held
from kernel.errors import TaskFailed
from kernel.model import TaskRights
from permissions import covers
from permissions.model import Action, Right
from skills.model import EffectClass, Tool

_NEEDED = {
    "write": (("path", Action.FS_CREATE),),
    "mkdir": (("path", Action.FS_CREATE),),
    "copy": (("source", Action.FS_READ), ("path", Action.FS_CREATE)),
    "move": (("source", Action.FS_DELETE), ("path", Action.FS_CREATE)),
    "delete": (("path", Action.FS_DELETE),),
    "link": (("path", Action.FS_CREATE),),
    "attributes": (("path", Action.FS_WRITE),),
}

Effect = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Bounds:
    """What the effects of one task must keep to. ``private`` are the places that no skill may see.

    ``own_way`` says that they are not described but read from a tree that the task worked in: there it also decides who
    may read and run a file, as its rights on the whole tree, and the card, say.
    """

    tool: Tool
    rights: TaskRights
    around: Circumstances
    private: tuple[str, ...]
    own_way: bool = False


def check_effects(effects: Iterable[Effect], earlier: Iterable[Effect], bounds: Bounds) -> None:
    """Hold every effect against ``bounds``; ``earlier`` ones are staged. Their paths are real.

    Raises TaskFailed on the first outside.
    """
    tool, around = bounds.tool, bounds.around
    held, changed = frozenset(bounds.rights.needs), _Changed()
    for effect in earlier:
        changed.note(effect)
    for effect in effects:
        if tool.effect is EffectClass.PURE:
            raise _fault(tool, f"{tool.id} says it changes nothing and then described a change.")
        if effect.get("mode") is not None and not bounds.own_way:
            raise _fault(tool, f"{tool.id} wanted to set who may read or run a file, which no tool may.")
        for needed in needed_by(effect, changed.places):
            right = _on_what_was_made(needed, held, changed.made)
            if not is_held(right, held) or forbidden(right, tool, around) or _hides(right, effect, bounds):
                message = f"{tool.id} wanted {right}, which the plan did not ask for."
                raise TaskFailed(
                    "task.effect", message, subject=tool.id, hint="Name that place in the request.",
                    de=f"{tool.id} wollte etwas, wonach der Plan nicht gefragt hat: {right}.",
                    de_hint="Nenne diesen Ort in der Anfrage.",
                )  # fmt: skip
        changed.note(effect)


def _fault(tool: Tool, message: str) -> TaskFailed:
    return TaskFailed(
        "task.effect", message, subject=tool.id, hint="Report this to the skill's author.",
        de=f"{tool.id} hat eine Änderung beschrieben, die kein Werkzeug oder dieses nicht machen darf.",
        de_hint="Melde das dem Autor der Fähigkeit.",
    )  # fmt: skip


def needed_by(effect: Effect, changed: Set[str]) -> Iterable[Right]:
    """Yield the rights that one effect needs, where the files ``changed`` have been changed before."""
    for key, action in _NEEDED[effect["op"]]:
        overwrites = effect["op"] == "write" and (effect.get("base") is not None or effect[key] in changed)
        yield Right(Action.FS_WRITE if overwrites else action, effect[key])


def _on_what_was_made(right: Right, held: frozenset[Right], made: Set[str]) -> Right:
    """Of a file that an earlier call of the plan has made, the right to change files there is enough."""
    change = Right(Action.FS_WRITE, right.scope)
    made_before = right.action is Action.FS_CREATE and right.scope in made
    return change if made_before and is_held(change, held) else right


def _hides(right: Right, effect: Effect, bounds: Bounds) -> bool:
    """Tell whether a folder that is to be copied holds a private place."""
    if effect["op"] != "copy" or right.action is not Action.FS_READ:
        return False
    tree = Right(right.action, right.scope, True)
    return any(covers(tree, Right(right.action, place)) and os.path.lexists(place) for place in bounds.private)


def beside(path: str, resolve: Callable[[str], str]) -> str:
    """Resolve the folder of ``path`` but not its last component, which may be a link or not exist yet."""
    path = os.path.normpath(path)
    return os.path.join(resolve(os.path.dirname(path)), os.path.basename(path))


class _Changed:
    """The files of the person's that the plan has changed so far: new content for them is never a creation.

    ``made`` are the files that it has written where there was none.
    """

    def __init__(self) -> None:
        self.places: set[str] = set()
        self.made: set[str] = set()

    def note(self, effect: Effect) -> None:
        """Take in one effect that was staged or checked."""
        if effect.get("op") == "write" and effect.get("base") is not None:
            self.places.add(effect["path"])
        elif effect.get("op") == "write" and effect["path"] not in self.places:
            self.made.add(effect["path"])
        elif effect.get("op") == "move" and self.places:
            path, source = effect["path"], effect["source"]
            moved = {place for place in self.places if place == source or place.startswith(f"{source}/")}
            self.places |= {path + place[len(source) :] for place in moved}
