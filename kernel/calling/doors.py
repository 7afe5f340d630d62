"""The daemon's doors for a call: facts of this machine, ending a program, and the person's desktop.

What this stops: a call asking at a door without the right to exactly what it asks for, or that a person has denied it
since; a tool that says it changes nothing, or that it may be repeated, acting at one; an answer that is too large.
What it does not: judge why a tool asks. What comes back is as untrusted as any result.
"""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from kernel.authorize import Circumstances, forbidden, is_held
from kernel.calling.refusals import malformed
from kernel.errors import TaskFailed
from permissions.model import Action, Right
from skills.model import EffectClass, Tool

Given = Mapping[str, Any]
MOST_BYTES = 32 << 20
"""So large an answer may be: a picture of the screen fits, as text."""


@dataclass(frozen=True, slots=True)
class Door:
    """What can be asked for: the right that it needs, who does it, and whether that changes anything."""

    right: Callable[[Given], Right]
    act: Callable[[Given], Awaitable[Any]]
    changes: bool = False


@dataclass(frozen=True, slots=True)
class Knock:
    """What a call asks for at a door; nothing in it was judged."""

    door: str
    given: Given


def read_knock(question: bytes) -> Knock | None:
    """Return what is asked for at a door; None where the question is another one. Raises TaskFailed."""
    try:
        body = json.loads(question)
    except (ValueError, RecursionError) as error:
        raise malformed("no JSON") from error
    if not isinstance(body, dict) or "door" not in body:
        return None
    door, given = body["door"], body.get("given")
    if not isinstance(door, str) or door not in DOORS or not isinstance(given, dict):
        raise malformed("no such door")
    return Knock(door, given)


async def through(knock: Knock, tool: Tool, held: Iterable[Right], around: Circumstances) -> tuple[Right, Any]:
    """Do what is asked for and return the right that it needed and what came of it. Raises TaskFailed."""
    door = DOORS[knock.door]
    right = door.right(knock.given)
    if not is_held(right, frozenset(held)) or forbidden(right, tool, around):
        raise _lacking(tool, right)
    if door.changes and tool.effect is not EffectClass.ONCE:
        raise _effect(tool, knock.door)
    value = await door.act(knock.given)
    if await asyncio.to_thread(_bytes_of, value) > MOST_BYTES:
        raise _too_much(tool, knock.door)
    return right, value


def _bytes_of(value: Any) -> int:
    return len(json.dumps(value, default=dict, ensure_ascii=False).encode("utf-8", "surrogatepass"))


def _text(given: Given, name: str) -> str:
    text = given.get(name)
    if not isinstance(text, str):
        raise malformed(f"no {name}")
    return text


def _fact(given: Given) -> Right:
    return Right(Action.SYSTEM_READ, _text(given, "fact"))


async def _look_up(given: Given) -> Any:
    from kernel.system import FACTS  # what nobody asks for is not loaded

    fact = FACTS.get(_text(given, "fact"))
    if fact is None:
        raise malformed("no such fact")
    return await asyncio.to_thread(fact)


async def _stop(given: Given) -> Any:
    from kernel.system import stop

    return await asyncio.to_thread(stop, _text(given, "program"), force=given.get("force") is True)


async def _open(given: Given) -> Any:
    from kernel.desktop import open_place

    await open_place(_text(given, "place"))


async def _paste(_given: Given) -> Any:
    from kernel.desktop import copied

    return await copied()


async def _copy(given: Given) -> Any:
    from kernel.desktop import put_on_clipboard

    await put_on_clipboard(_text(given, "text"))


async def _screenshot(_given: Given) -> Any:
    from kernel.desktop import screenshot

    return base64.b64encode(await screenshot()).decode()


async def _notify(given: Given) -> Any:
    from kernel.desktop import notify

    return await notify(_text(given, "title"), _text(given, "text"))


def _use(scope: str) -> Callable[[Given], Right]:
    return lambda _given: Right(Action.DESKTOP_USE, scope)


DOORS: Mapping[str, Door] = {
    "system": Door(_fact, _look_up),
    "stop": Door(lambda given: Right(Action.SYSTEM_STOP, _text(given, "program")), _stop, changes=True),
    "open": Door(lambda given: Right(Action.DESKTOP_OPEN, _text(given, "place")), _open, changes=True),
    "clipboard.read": Door(_use("clipboard.read"), _paste),
    "clipboard.write": Door(_use("clipboard.write"), _copy, changes=True),
    "screenshot": Door(_use("screenshot"), _screenshot),
    "notify": Door(_use("notify"), _notify, changes=True),
}


def _lacking(tool: Tool, right: Right) -> TaskFailed:
    return TaskFailed(
        "door.right", f"{tool.id} may not do that: it has no right {right}.", subject=str(right),
        hint=f"./steward perms explain {tool.id} {right}",
        de=f"{tool.id} darf das nicht: Ihm fehlt das Recht {right}.",
        de_hint=f"./steward perms explain {tool.id} {right}",
    )  # fmt: skip


def _too_much(tool: Tool, door: str) -> TaskFailed:
    return TaskFailed(
        "door.size",
        f"The answer of the door {door} is larger than {MOST_BYTES >> 20} MiB, so {tool.id} did not get it.",
        subject=tool.id, hint="Ask for less at once.",
        de=f"Die Antwort der Tür {door} ist größer als {MOST_BYTES >> 20} MiB, {tool.id} hat sie nicht bekommen.",
        de_hint="Frag nach weniger auf einmal.",
    )  # fmt: skip


def _effect(tool: Tool, door: str) -> TaskFailed:
    return TaskFailed(
        "door.effect", f"{tool.id} is declared {tool.effect} and may not act at the door {door}.", subject=tool.id,
        hint="Only a tool that steward.toml declares `once` acts there.",
        de=f"{tool.id} ist als {tool.effect} erklärt und darf an der Tür {door} nichts tun.",
        de_hint="Nur ein Werkzeug, das steward.toml als `once` erklärt, handelt dort.",
    )  # fmt: skip
