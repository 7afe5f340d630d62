"""Why a call that another tool asks for is not made, or not kept, in both languages."""

from __future__ import annotations

from kernel.errors import TaskFailed
from skills.model import Tool


def malformed(why: str) -> TaskFailed:
    """What was asked is no question."""
    return TaskFailed(
        "call.question", f"What was asked for is no call: {why}.", subject=why, hint="Ask with ctx.call.",
        de=f"Das ist kein Aufruf: {why}.", de_hint="Frag mit ctx.call.",
    )  # fmt: skip


def too_deep(caller: Tool, most: int) -> TaskFailed:
    """Calls have called calls."""
    return TaskFailed(
        "call.depth", f"{caller.id} was itself called through {most} others and may call nothing more.",
        subject=caller.id, hint="Let the tools call each other less deeply.",
        de=f"{caller.id} wurde selbst über {most} andere aufgerufen und darf nichts mehr aufrufen.",
        de_hint="Lass die Werkzeuge einander weniger tief aufrufen.",
    )  # fmt: skip


def nothing_left(caller: Tool, what: str) -> TaskFailed:
    """The caller has used up its time, or its memory."""
    german = {"time": "keine Zeit", "memory": "zu wenig Speicher"}[what]
    return TaskFailed(
        "call.left", f"{caller.id} has too little {what} left to call anything.", subject=caller.id,
        hint="Its steward.toml must ask for more (limits).",
        de=f"{caller.id} hat {german} mehr, um etwas aufzurufen.",
        de_hint="Seine steward.toml muss mehr verlangen (limits).",
    )  # fmt: skip


def described(called: Tool) -> TaskFailed:
    """It described a change, which a called tool cannot."""
    return TaskFailed(
        "call.effects", f"{called.id} described a change, which a tool that another one calls may not.",
        subject=called.id, hint="Report this to the skill's author.",
        de=f"{called.id} hat eine Änderung beschrieben; ein aufgerufenes Werkzeug darf das nicht.",
        de_hint="Melde das dem Autor der Fähigkeit.",
    )  # fmt: skip


def too_much(called: Tool) -> TaskFailed:
    """A step wants more changed than its caller can be told."""
    return TaskFailed(
        "call.size", f"{called.id} wants more changed than another tool can take on.", subject=called.id,
        hint="Let it be a step of the plan of its own.",
        de=f"{called.id} will mehr ändern, als ein anderes Werkzeug übernehmen kann.",
        de_hint="Lass es einen eigenen Schritt des Plans sein.",
    )  # fmt: skip


def fault(call: str, error: Exception) -> TaskFailed:
    """The kernel's own fault."""
    what = f"{type(error).__name__}: {error}"
    return TaskFailed(
        "call.fault", f"The call {call} stopped on an internal fault: {what}", subject=call, hint="./steward doctor",
        de=f"Der Aufruf {call} brach mit einem inneren Fehler ab: {what}", de_hint="./steward doctor",
    )  # fmt: skip
