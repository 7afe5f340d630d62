"""The same of another file: "and what about the acme one?", "und die von Nordwind?" after the total of an invoice.

What this stops: that the name of another thing is taken for what is to be read of the last one.
What it does not: go on where the last request changed something, or choose among several: then it asks.
"""

from __future__ import annotations

from collections.abc import Sequence

from kernel.asking import wording
from kernel.asking.ask import MOST_CHOICES, shown
from kernel.composition.build import only_reads, with_argument
from kernel.composition.profiles.profile import Box
from kernel.composition.scene import Scene
from kernel.context.naming import Wanted, parts_of, plain, split_name
from kernel.context.walk import nearness
from kernel.context.world import World
from kernel.model import Constant, Plan, Question, Task
from skills.model import ValueKind

K = ValueKind
_ONES = frozenset({"one", "ones"})
_THAT = frozenset("die der das den".split())
_OF = frozenset("von vom".split())
_FEW = 3


def likewise(scene: Scene, first: int, plan: Plan, box: Box, world: World | None) -> Plan | Question | None:
    """Return ``plan`` with the other file that the words from ``first`` on name, or ask which of several."""
    words = _name(scene, first)
    found = _file_of(plan, box) if world is not None and words else None
    if found is None or world is None:
        return None
    task, name, path = found
    paths = _others(world, words, path)
    if not paths:
        return None
    many = box.tool(task.tool).parameter(name).type.many
    values = [[one] if many else one for one in paths[:MOST_CHOICES]]
    said = " ".join(words)
    if len(paths) == 1:
        return with_argument(plan, task.id, name, Constant(values[0], scene.intent.label, said))
    text = wording.say(plan.language, "several", count=len(paths), words=said)
    return Question(text, task.id, name, plan, tuple(shown(one, plan.language) for one in values), tuple(values))


def _name(scene: Scene, first: int) -> list[str]:
    """The words of "the acme one" and "die von Nordwind"; none of anything else."""
    at = [one for one in range(first, scene.end) if scene.words[one]]
    norms = [scene.tokens[one].norm for one in at]
    english = len(norms) > 2 and norms[0] in ("the", "that") and norms[-1] in _ONES
    german = len(norms) > 2 and norms[0] in _THAT and norms[1] in _OF
    if not (english or german):
        return []
    content = [plain(scene.tokens[one].norm) for one in at if not scene.free[one]]
    plain_words = all(one.isalnum() for one in content)
    return content if 0 < len(content) <= _FEW and plain_words and not scene.pointing else []


def _file_of(plan: Plan, box: Box) -> tuple[Task, str, str] | None:
    """The last file that a plan was given as its only one, where nothing of it changes anything."""
    if not only_reads(plan, box):
        return None
    for task in reversed(plan.tasks):
        for name, held in task.arguments.items():
            kind = box.tool(task.tool).parameter(name).type.kind
            value = held.value if isinstance(held, Constant) else None
            only = value[0] if isinstance(value, list) and len(value) == 1 else value
            if kind in (K.FILE, K.TABLE) and isinstance(only, str) and only.startswith("/"):
                return task, name, only
    return None


def _others(world: World, words: Sequence[str], path: str) -> list[str]:
    """The files of that name and of the same kind; those that share a further word with the last one, if some do."""
    fitting = [one for one in world.such(Wanted(frozenset(words))) if one != path]
    alike = [one for one in fitting if split_name(one)[1] == split_name(path)[1]]
    nouns = _nouns(path)
    close = [one for one in alike if nouns & _nouns(one)]
    return sorted(close or alike, key=nearness)


def _nouns(path: str) -> set[str]:
    return {run[0] for run in parts_of(path) if run[0].isalpha()}
