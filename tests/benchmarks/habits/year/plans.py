"""The plan of a simulated request, what its calls are made with, and its end, in the kernel's forms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kernel.model import Constant, FromTask, Plan, Resolution, Task, TaskId
from kernel.remembering.bulk import lean_changes, lean_result
from kernel.run import error_view
from permissions.labels import USER_SAID, Label
from skills.model import ToolId
from tests.benchmarks.habits.year.requests import Call, Given, Request
from tests.benchmarks.habits.year.results import part_of

_BACK = {"created": "deleted", "deleted": "created"}
_REFUSED = {"de": "Du hast nein gesagt; nichts wurde geändert.", "en": "You said no; nothing was changed."}
_BROKEN = {"de": "Das ging nicht: dort ist nichts.", "en": "That did not work: there is nothing."}


def plan_of(request: Request) -> Plan:
    """Return the plan of a request, one task a call."""
    tasks = []
    for number, call in enumerate(request.calls, 1):
        arguments = {
            name: Constant(one.value, USER_SAID if one.trusted else Label(), one.text) if isinstance(one, Given)
            else FromTask(TaskId(f"t{one.call + 1}"), one.field, one.index)
            for name, one in call.arguments.items()
        }  # fmt: skip
        tasks.append(Task(TaskId(f"t{number}"), ToolId(call.tool), arguments, text=request.text))
    why = {str(task.id): {"cost": 0.3, "similarity": 1} for task in tasks}
    return Plan(tuple(tasks), request.language, score=0.98, why=why)


def values_of(request: Request, call: Call) -> dict[str, Any]:
    """Return the arguments that a call is made with, links followed."""
    made = [one.result.value for one in request.calls]
    return {
        name: one.value if isinstance(one, Given) else part_of(made[one.call], one.field, one.index)
        for name, one in call.arguments.items()
    }


def error_of(request: Request) -> dict[str, str]:
    """Return why its last task failed."""
    return {"code": "tool.missing", "message": _BROKEN[request.language], "hint": ""}


def end_of(
    request: Request, resolution: Resolution, ms: Callable[[float], float], changes: list[dict[str, Any]] | None = None
) -> tuple[str, Mapping[str, Any], None]:
    """Return how the run ends, in the form of ``kernel.handling.ending``."""
    timings = {name: ms(5) for name in ("interpret_ms", "recommend_ms", "plan_ms", "authorize_ms", "ledger_ms")}
    body: dict[str, Any] = {"resolution": str(resolution), "language": request.language,
                            "timings": timings | {"total_ms": ms(200)}}  # fmt: skip
    if resolution in (Resolution.BLOCKED, Resolution.FAILED):
        code = "approval.refused" if resolution is Resolution.BLOCKED else "tool.missing"
        answer = (_REFUSED if resolution is Resolution.BLOCKED else _BROKEN)[request.language]
        return "run.finished", body | {"answer": answer, "error": error_view(code, answer, "")}, None
    answer = "\n".join(call.result.answer for call in request.calls)
    values = {f"t{number}": call.result.value for number, call in enumerate(request.calls, 1)}
    result = lean_result(values, tables=[], files=[path for call in request.calls for path in call.result.files])
    return "run.finished", body | {
        "answer": answer, "result": result, "effects": lean_changes(changes or []), "marks": [],
    }, None  # fmt: skip


def taken_back(change: Mapping[str, Any]) -> dict[str, Any]:
    """Return what undoing a change does."""
    if "source" in change:
        return {"path": change["source"], "kind": "moved", "source": change["path"]}
    return {**change, "kind": _BACK.get(change["kind"], change["kind"])}
