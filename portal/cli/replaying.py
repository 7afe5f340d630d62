"""``replay``: a run gone through once more by what was recorded of it, and what came out otherwise."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from portal.cli.house import connected, list_rows
from portal.cli.outcome import DECLINED, FAILED, OK, emit, tell
from portal.cli.words import homely, one_line

_LONGEST = 70
_COMPARED = "compared"


def replay(run: str, *, as_json: bool, tools: bool) -> int:
    """Replay a run; the exit code says whether it came out as it did then, or that there is nothing to replay."""
    with connected() as client:
        found = client.replay(run, tools=tools)
    if as_json:
        emit(found)
    else:
        _print(found)
    if found["standing"] != _COMPARED:
        return DECLINED
    return OK if found["same"] else FAILED


def _print(found: Mapping[str, Any]) -> None:
    steps = found["steps"]
    if steps:
        rows = [(_name(step), _words(step["kind"], step["then"]), _beside(step)) for step in steps]
        list_rows(("step", "then", "now"), rows, "")
    for step in steps:
        for why in step["why"]:
            tell(f"{_name(step)}: {one_line(str(why), 300)}")
    tell(one_line(str(found["said"]), 300))
    for one in found["today"].values():
        tell(f"  {one_line(str(one), 200)}")


def _name(step: Mapping[str, Any]) -> str:
    kind, name = str(step["kind"]), str(step["name"])
    return one_line(name if name.startswith(kind) else f"{kind} {name}", 40)


def _beside(step: Mapping[str, Any]) -> str:
    """Say what a step is now: the same, taken from the record, or otherwise."""
    if step["taken"]:
        return "(as recorded)" if step["now"] == step["then"] else _words(step["kind"], step["now"])
    return "same" if step["same"] else _words(step["kind"], step["now"])


def _words(kind: str, value: Any) -> str:
    """Say a side of a step on one line."""
    if value is None:
        return "(none)"
    words = (
        _SAYS.get(kind, str)(value) if not (isinstance(value, Mapping) and "would" in value) else str(value["would"])
    )
    return one_line(homely(words), _LONGEST)


def _intent(value: Any) -> str:
    return f"{value.get('language')}: {' | '.join(map(str, value.get('clauses') or ()))}"


def _plan(value: Any) -> str:
    if isinstance(value, Mapping):
        return _answer(value)
    return ", ".join(f"{task['id']} {task['tool']}" for task in value)


def _answer(value: Any) -> str:
    if isinstance(value, list):
        return _plan(value)
    asked = value.get("question")
    return str(asked) if asked else f"{value.get('resolution')}: {value.get('answer')}"


def _task(value: Any) -> str:
    given = value.get("arguments") or {}
    said = ", ".join(f"{name}: {_value(one)}" for name, one in given.items())
    ended = f" → {value['ended']}" if value.get("ended") else ""
    return f"{value.get('tool', '')}({said}){ended}"


def _value(value: Any) -> str:
    return str(value["path"]) if isinstance(value, Mapping) and "path" in value else str(value)


def _effects(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(f"{one['kind']} {one['path']}" for one in value)
    return f"{value.get('count', len(value))} changes" if isinstance(value, Mapping) else str(value)


_SAYS: Mapping[str, Callable[[Any], str]] = {
    "intent": _intent, "plan": _plan, "question": _answer, "answer": _answer, "task": _task, "effect": _effects,
    "tools": lambda value: ", ".join(map(str, value)),
    "model": lambda value: f"{value['endpoint']} {str(value['digest'])[:12]} {value['failed']}".strip(),
    "approval": lambda value: str(value.get("answer")),
    "output": lambda value: str(value)[:12],
}  # fmt: skip
