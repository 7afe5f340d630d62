"""What a person is told of tasks that were not made, or made once for each item of a list.

An item for which a call that only reads could not be made is left out by name; so is a branch whose condition did not
hold. Nothing is left out in silence.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kernel.calling import Floor
from kernel.dispatching.connections import network_of
from kernel.dispatching.holding import Held
from kernel.errors import TaskFailed
from kernel.model import Condition, Outcome, Task, TaskId
from kernel.planning.condition_words import condition_words
from kernel.remembering.bulk import kept
from permissions.labels import Label, join
from skills import branches
from skills.branches import MOST_ITEMS, NOTHING, OF_ONE_ITEM, items_in
from skills.model import EffectClass, Tool


def items_of(outcome: Outcome) -> list[Outcome]:
    """Return what a task found, item by item. Raises TaskFailed where there are too many."""
    items = items_in(outcome.value)
    if len(items) > MOST_ITEMS:
        count = len(items)
        raise TaskFailed(
            "task.items", f"There are {count}, and at most {MOST_ITEMS} can be done one by one in a request.",
            subject=outcome.task, hint="Ask for fewer at once, for example for one folder or one month.",
            de=f"Es sind {count}, und höchstens {MOST_ITEMS} gehen einzeln in einer Anfrage.",
            de_hint="Verlange weniger auf einmal, zum Beispiel einen Ordner oder einen Monat.",
        )  # fmt: skip
    return [Outcome(outcome.task, True, item, label=outcome.label) for item in items]


def left_out(outcome: Outcome, tool: Tool) -> bool:
    """Tell whether a call that failed for one item leaves the others alone: it only reads, and it said why itself.

    So does one that was not even made, since nobody could tell whether its condition holds.
    """
    code = str((outcome.error or {}).get("code", ""))
    return code.startswith("condition.") or (tool.effect is EffectClass.PURE and code.startswith(OF_ONE_ITEM))


def unmade(task: TaskId) -> Outcome:
    """Return the outcome of a task that would have taken what was not made: nothing more is said of it."""
    return Outcome(task, True, skipped=True)


def not_done(task: Task, condition: Condition, found: Held, floor: Floor) -> Outcome:
    """Return the outcome of a task whose condition does not hold, in words."""
    why = condition_words(condition, floor.language)
    tool = floor.around.tool(task.tool)
    what = task.text.strip(" ,.;") or tool.said(tool.summary, floor.language).rstrip(".")
    answer = branches.not_done(why, found.found, floor.language, what)
    return Outcome(task.id, True, answer=answer, skipped=True)


def gathered(task: Task, made: Sequence[Outcome], language: str) -> Outcome:
    """Return what came of all the calls of a task as one outcome: a list of their values, and what was left out."""
    good = [one for one in made if one.ok and not one.skipped]
    bad = [one for one in made if not one.ok]
    if bad and not good:
        return Outcome(task.id, False, error=bad[0].error)
    lines = [one.answer for one in good if one.answer]
    if bad:
        why = (str((one.error or {}).get("message", "")) for one in bad)
        lines.append(branches.left_out(why, len(made), language))
    lines += list(dict.fromkeys(one.answer for one in made if one.skipped and one.answer))
    if not made:
        lines.append(NOTHING.get(language, NOTHING["en"]))
    return Outcome(
        task.id, True, [one.value for one in good], "\n".join(lines), _label(made),
        tuple(effect for one in good for effect in one.effects), good[0].table if len(good) == 1 else None,
        tuple(path for one in good for path in one.files), level=good[0].level if good else "",
        wall_s=sum(one.wall_s for one in good), peak_bytes=max((one.peak_bytes for one in good), default=0),
        reserved_bytes=max((one.reserved_bytes for one in good), default=0),
        connections=sum(one.connections for one in good), up_bytes=sum(one.up_bytes for one in good),
        down_bytes=sum(one.down_bytes for one in good), skipped=not good,
    )  # fmt: skip


def _label(made: Sequence[Outcome]) -> Label:
    return join([Label(), *(one.label for one in made if one.label is not None)])


def done_body(outcome: Outcome) -> dict[str, Any]:
    """Return what the event of a task's end keeps."""
    label = (outcome.label or Label()).to_json()
    body: dict[str, Any] = {
        "answer": outcome.answer, **kept("value", outcome.value), "table": outcome.table, "files": list(outcome.files),
        "level": outcome.level, "wall_ms": round(outcome.wall_s * 1000, 1), "peak_bytes": outcome.peak_bytes,
        "reserved_bytes": outcome.reserved_bytes,
        "label": label, **network_of(outcome),
    }  # fmt: skip
    return body | ({"skipped": True} if outcome.skipped else {})
