"""What is said where a tool of a server is not called, or its server is over: in both languages, with a next step."""

from __future__ import annotations

from kernel.errors import TaskFailed
from kernel.serving.cell import ServerOver
from permissions.naming import shown
from skills.mcp.texts import plain
from skills.model import CallResult, Tool


def changed(tool: Tool, *, gone: bool) -> TaskFailed:
    """Refuse a tool that is not what was reviewed."""
    what, was = ("is not there any more", "gibt es dort nicht mehr") if gone else (
        "describes itself in another way than when you looked at it", "beschreibt sich anders, als du es gesehen hast"
    )  # fmt: skip
    return TaskFailed(
        "server.changed", f"{tool.id} {what}, so it was not called.", subject=tool.id,
        hint=f"See what has changed: ./steward mcp review {tool.skill}",
        de=f"{tool.id} {was} und wurde deshalb nicht aufgerufen.",
        de_hint=f"Sieh dir an, was anders ist: ./steward mcp review {tool.skill}",
    )  # fmt: skip


def with_staged(tool: Tool) -> TaskFailed:
    """Refuse a call whose server would not see what the plan is about to change where it reads."""
    return TaskFailed(
        "server.staged", f"{tool.id} would not see what the steps before have changed: a server sees what is on disk.",
        subject=tool.id, hint="Ask for both one after the other.",
        de=f"{tool.id} sähe nicht, was die Schritte davor geändert haben: Ein Server sieht, was auf der Platte steht.",
        de_hint="Verlange beides nacheinander.",
    )  # fmt: skip


def outside(tool: Tool, path: str) -> TaskFailed:
    """Refuse an argument that names a place which the server was not given."""
    place = shown(path)
    return TaskFailed(
        "server.place", f"{tool.id} cannot see {place}: its server was not given that place.", subject=place,
        hint="Name something in its folders, or add the server again with --read FOLDER or --write FOLDER.",
        de=f"{tool.id} sieht {place} nicht: Der Server hat diesen Ort nicht bekommen.",
        de_hint="Nenne etwas aus seinen Ordnern, oder füge ihn neu hinzu, mit --read ORDNER oder --write ORDNER.",
    )  # fmt: skip


def after_a_death(skill: str, why: str, left_s: float) -> TaskFailed:
    """Refuse a call of a server that has died several times, while it rests."""
    return TaskFailed(
        "server.rests", f"The server {skill} keeps ending ({why}); it is started again in {left_s:.0f} seconds.",
        subject=skill, hint=f"Ask again then, or look at it: ./steward mcp review {skill}",
        de=f"Der Server {skill} endet immer wieder ({why}); in {left_s:.0f} Sekunden wird er neu gestartet.",
        de_hint=f"Frag dann noch einmal, oder sieh ihn dir an: ./steward mcp review {skill}",
    )  # fmt: skip


def busy(tool: Tool, waited_s: float) -> TaskFailed:
    """Refuse a call that waited in line for as long as it may take."""
    return TaskFailed(
        "server.busy", f"The server of {tool.id} was busy with other calls for {waited_s:g} s; it was not called.",
        subject=tool.id, hint="Ask again when those are over.",
        de=f"Der Server von {tool.id} war {waited_s:g} s mit anderen Aufrufen beschäftigt; nichts wurde gefragt.",
        de_hint="Frag noch einmal, wenn sie vorbei sind.",
    )  # fmt: skip


def too_late(tool: Tool, wall_s: float, language: str) -> CallResult:
    """Say that a call took too long."""
    if language == "de":
        said = f"{tool.id} brauchte länger als {wall_s:g} Sekunden; der Server wurde beendet."
        return _failure("task.time", said, "Verlange weniger auf einmal.")
    said = f"{tool.id} took longer than {wall_s:g} seconds; its server was ended."
    return _failure("task.time", said, "Ask for less at once.")


def ended(tool: Tool, over: ServerOver, language: str) -> CallResult:
    """Say that a server is over, and why."""
    if language == "de":
        last = f" Seine letzten Worte: {over.last_words}" if over.last_words else ""
        hint = f"Frag noch einmal, dann wird er neu gestartet. Was er ist: ./steward mcp review {tool.skill}"
        return _failure(over.code, f"Der Server von {tool.id} ist am Ende: {over}.{last}", hint)
    last = f" Its last words: {over.last_words}" if over.last_words else ""
    hint = f"Ask again: it is started anew. What it is: ./steward mcp review {tool.skill}"
    return _failure(over.code, f"The server of {tool.id} is over: {over}.{last}", hint)


def _failure(code: str, message: str, hint: str) -> CallResult:
    return CallResult(error={"code": code, "message": plain(message, 1200), "hint": hint})
