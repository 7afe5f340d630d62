"""The worker: what runs inside a cell. ``python -P -m skills.worker`` is the zygote; each call is one forked child.

What this stops: a tool's fault ending in anything else than a worded error; code of a skill's packages running in the
zygote, which is in no cell: only a call can import from an environment, and only after it was confined.
What it does not: confine. By the time ``run`` is called, ``permissions.confine`` has done so.
"""

from __future__ import annotations

import dataclasses
import errno
import importlib
import json
import re
import sys
import traceback
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import NoReturn
from zoneinfo import ZoneInfo

from permissions.egress import Line
from skills import compiled, modules
from skills.asking import Asking
from skills.errors import SkillError
from skills.model import Call, CallResult, Offered, ToolId, ValueKind
from skills.sdk import Context, ToolError
from skills.values import to_json, to_python
from skills.wire import Request, decode_request, encode_reply

Emit = Callable[[bytes], None]

BUILTIN = Path(__file__).resolve().parent / "builtin"
REHEARSAL = BUILTIN.parent / "rehearsal"
"""A skill of ours that does nothing."""
KERNELS = BUILTIN.parents[1] / "gpu_skills"
"""A room that only its own skill imports, in its call: what the worker has not imported has to be shown to it."""
ENVIRONMENT = "--environment"
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


def run(request: bytes, emit: Emit) -> bytes:
    """Run one call and return its reply. A tool's refusal and a tool's fault are both replies, never exceptions."""
    asked = decode_request(request)
    try:
        return encode_reply(_answer(asked, emit))
    except ToolError as error:
        message, hint = error.words(asked.call.language)
        says = error.choices or error.asks
        offered = Offered(error.instead_of, error.choices, error.asks) if says else None
        return _failed(error.code, message, hint, offered)
    except SkillError as error:
        return _failed(error.code, str(error), error.hint)
    except MemoryError:
        return _out_of_memory(asked.call)
    except OSError as error:
        return _os_failed(asked.call, error)
    except Exception as error:  # the task edge: whatever a skill's code raises
        return _fault(asked.call, error)


def run_within(environment: str, request: bytes, emit: Emit) -> bytes:
    """``run`` for a skill with packages of others, which lie in the folder ``environment``."""
    from skills.environments import finder  # with what it reads: most workers need none of it

    finder.enter(environment)
    return run(request, emit)


def _answer(asked: Request, emit: Emit) -> CallResult:
    call = asked.call
    arguments = {
        name: to_python(value, asked.types[name], name) for name, value in call.arguments.items() if value is not None
    }
    context = _context(asked, emit)
    function = getattr(modules.load(Path(call.folder)), call.function)
    value = to_json(function(context, **arguments))
    told = context.told()
    return CallResult(value, told.answer, told.effects, told.table, told.files, read=told.read, holds=told.holds)


def _context(asked: Request, emit: Emit) -> Context:
    call, asking = asked.call, Asking.of_cell()

    def progress(fraction: float | None, text: str) -> None:
        emit(json.dumps({"fraction": fraction, "text": text}).encode())

    asking = Asking.of_cell()
    return Context(
        home=call.home,
        now=_now(call),
        language=call.language,
        cwd=call.cwd,
        seed=call.seed,
        staging=Path(call.staging) if call.staging else None,
        view=call.view,
        ignored=asked.ignored,
        progress=progress,
        network=Line.of_cell(),
        calls=asking,
        doors=asking.knock if asking else None,
        called=call.called,
        runs=call.programs,
        own=call.own,
        reminds=call.reminds,
        mailbox=asking.mailbox if asking else None,
    )


def _now(call: Call) -> datetime:
    now = datetime.fromisoformat(call.now)
    try:
        return now.astimezone(ZoneInfo(call.timezone))
    except (KeyError, ValueError, OSError):  # an offset such as "UTC+02:00" has no name in the database
        return now if now.tzinfo else now.astimezone()


_NO_ROOM = re.compile(r"failed to map segment from shared object(?:: Cannot allocate memory)?\s*\Z")
"""What the loader says where there is no memory for a library (glibc, elf/dl-map-segments.h).

glibc 2.36 leaves the reason out; where one is said ("Operation not permitted" on a disk without programs) it counts.
"""


def _fault(call: Call, error: Exception) -> bytes:
    """Say what a skill's code raised. A library with an allocator of its own has an error of its own for no memory."""
    kind = type(error).__name__
    if "OutOfMemory" in kind or (isinstance(error, ImportError) and _NO_ROOM.search(str(error))):
        return _out_of_memory(call)
    traceback.print_exc()
    message = f"{call.tool} stopped on a fault of its own: {kind}: {error}"
    return _failed("tool.fault", message, "Report this to the skill's author.")


def _out_of_memory(call: Call) -> bytes:
    return _failed("task.memory", f"{call.tool} ran out of memory.", "")


def _failed(code: str, message: str, hint: str, offered: Offered | None = None) -> bytes:
    return encode_reply(CallResult(error={"code": code, "message": message, "hint": hint}, offered=offered))


def _os_failed(call: Call, error: OSError) -> bytes:
    traceback.print_exc()
    if error.errno in _FULL:
        hint = "Free some space, or lift the quota, and ask again."
        return _failed("tool.disk_full", f"The disk is full, so {call.tool} could not write its result.", hint)
    place = f" ({error.filename})" if error.filename else ""
    return _failed("tool.os", f"{call.tool} failed: {error.strerror or error}{place}.", "Check the file and ask again.")


def rehearse(timezone: str = "UTC") -> bytes:
    """Do once what every call does, with a tool of our own that does nothing; return its reply."""
    moment = "2000-01-01T00:00:00+00:00"
    arguments = {"text": "", "place": {"path": "/"}}
    call = Call(ToolId("rehearsal.nothing"), str(REHEARSAL), "nothing", arguments, "en", "/", "/", moment, timezone, 0)
    fields = {field.name: getattr(call, field.name) for field in dataclasses.fields(call)}
    types = {"text": [ValueKind.TEXT, False, []], "place": [ValueKind.FOLDER, False, []]}
    reply = run(json.dumps({"call": fields, "types": types, "ignored": []}).encode(), lambda _: None)
    modules.unload(REHEARSAL)
    return reply


def main(words: Sequence[str]) -> NoReturn:
    """Serve calls until the daemon is gone. What is imported by now is shared by every call.

    ``words``: the time zone in which calls will be made, then folders of skills besides the built-in ones; or the zone,
    ``--environment``, and the folder with the packages of the one skill, or few, whose calls these will be.
    """
    from permissions.confine import serve

    zone, *others = words or ["UTC"]
    if others[:1] == [ENVIRONMENT]:
        importlib.import_module("skills.environments.finder")
        rehearse(zone)  # nothing else is imported ahead: the skill's own versions must be what its calls get
        serve(partial(run_within, others[1]), partial(rehearse, zone), others[1:])
    modules.precompile_ours(BUILTIN, compiled.default_file())
    modules.import_ahead(BUILTIN)
    for folder in others:
        modules.precompile_foreign(Path(folder))
    rehearse(zone)
    serve(run, partial(rehearse, zone), [str(KERNELS)])


if __name__ == "__main__":
    main(sys.argv[1:])
