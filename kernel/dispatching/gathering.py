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
from kernel.remembering.bulk import FIRST, kept
from permissions.labels import Label, join
from skills.model import EffectClass, Tool

MOST_ITEMS = 200
"""So many items a task may be made for."""

_ITEM_ERRORS = ("tool.", "task.field", "task.nothing", "task.many", "task.form", "condition.", "ensures.", "requires.")


def items_of(outcome: Outcome) -> list[Outcome]:
    """Return what a task found, item by item. Raises TaskFailed where there are too many."""
    value = outcome.value
    items = value if isinstance(value, list) else [] if value is None else [value]
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
    return code.startswith("condition.") or (tool.effect is EffectClass.PURE and code.startswith(_ITEM_ERRORS))


def unmade(task: TaskId) -> Outcome:
    """Return the outcome of a task that would have taken what was not made: nothing more is said of it."""
    return Outcome(task, True, skipped=True)


def not_done(task: Task, condition: Condition, found: Held, floor: Floor) -> Outcome:
    """Return the outcome of a task whose condition does not hold, in words."""
    german = floor.language == "de"
    why = condition_words(condition, floor.language)
    tool = floor.around.tool(task.tool)
    what = task.text.strip(" ,.;") or tool.said(tool.summary, floor.language).rstrip(".")
    answer = f"Nicht getan ({what}): nur wenn {why}; es ist {found.found}." if german else (
        f"Not done ({what}): only if {why}; it is {found.found}."
    )  # fmt: skip
    return Outcome(task.id, True, answer=answer, skipped=True)


def gathered(task: Task, made: Sequence[Outcome], language: str) -> Outcome:
    """Return what came of all the calls of a task as one outcome: a list of their values, and what was left out."""
    good = [one for one in made if one.ok and not one.skipped]
    bad = [one for one in made if not one.ok]
    if bad and not good:
        return Outcome(task.id, False, error=bad[0].error)
    lines = [one.answer for one in good if one.answer]
    if bad:
        lines.append(_told_left_out(bad, len(made), language))
    lines += list(dict.fromkeys(one.answer for one in made if one.skipped and one.answer))
    if not made:
        lines.append(
            "Es gab nichts, wofür etwas zu tun war." if language == "de" else "There was nothing to do it for."
        )
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


def _told_left_out(bad: Sequence[Outcome], count: int, language: str) -> str:
    said = list(dict.fromkeys(str((one.error or {}).get("message", "")) for one in bad))
    named = "\n".join(f"  {one}" for one in said[:FIRST]) + ("\n  …" if len(said) > FIRST else "")
    head = f"Ausgelassen: {len(bad)} von {count}." if language == "de" else f"Left out: {len(bad)} of {count}."
    return f"{head}\n{named}"


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
