"""The tests of a skill, run as the skill will run: every tool call with the rights that its manifest names, no more.

    a cell (no network, nothing of the person's) -> pytest -> PracticeHome.do -> a child that sees what the call may see

What this stops: a test that passes because the tool reads or changes what it would never be shown. In the child the
practice home is closed but for the call's rights (``see_only``), and what the tool describes is held against them, by
the same code that holds it in the daemon.
What it does not: network, other tools and layers are not tried here; the report says so. A test that calls a function
of the skill directly, without a practice home, runs with what the cell has.
"""

from __future__ import annotations

import os
import pickle
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any, NoReturn, Protocol

from permissions.confine import see_only
from permissions.model import Action, Right
from skills.model import EffectClass, RightTemplate, Skill, Tool
from skills.sdk import ToolError
from skills.sdk.asks import Called, no_calls
from skills.sdk.context import Context, Told
from skills.sdk.view import View
from skills.values import to_json

_MOST_SEEN = 20_000


class Rights(Protocol):
    """How the kernel reads rights: from a tool's manifest and arguments, and from an effect."""

    def of(self, tool: Tool, template: RightTemplate, arguments: Mapping[str, Any], home: str) -> tuple[Right, ...]:
        """Return the rights that one line of the manifest comes to."""

    def check(self, tool: Tool, rights: Sequence[Right], effects: Sequence[Mapping[str, Any]], home: str) -> None:
        """Raise ToolError where an effect lies outside of ``rights``."""

    def needed(self, effect: Mapping[str, Any]) -> Iterable[Right]:
        """Yield the rights that an effect needs."""

    def covers(self, wide: Right, narrow: Right) -> bool:
        """Tell whether one right implies another."""


@dataclass(slots=True)
class _Seen:
    """What one call did: the places it looked at, the tools it called."""

    places: set[str] = field(default_factory=set)
    called: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class _Reply:
    """What a child gives back: its value and what it told, or the error that it raised."""

    value: Any
    told: Told | None
    error: BaseException | None
    seen: _Seen


class Guard:
    """Runs the tools of one skill in children that have the rights of the call, and notes which rights were used."""

    def __init__(self, skill: Skill, rights: Rights) -> None:
        self._skill = skill
        self._rights = rights
        self._module = "_skill_" + skill.id.replace("-", "_")
        self._tools = {tool.function: tool for tool in skill.tools}
        self._used: dict[tuple[str, RightTemplate], bool] = {
            (tool.id, one): False for tool in skill.tools for one in tool.rights
        }
        self._called: set[str] = set()

    def __call__(
        self, function: Callable[..., Any], context: Context, arguments: Mapping[str, Any]
    ) -> tuple[Any, Told]:
        """Run one tool call. What is no tool of this skill runs as it always does."""
        tool = self._tools.get(getattr(function, "__name__", ""))
        if tool is None or getattr(function, "__module__", "") != self._module:
            return function(context, **arguments), context.told()
        self._called.add(tool.id)
        values = {name: to_json(value) for name, value in arguments.items() if value is not None}
        home = os.path.realpath(context.home)
        held = {one: self._rights.of(tool, one, values, home) for one in tool.rights}
        every = [right for some in held.values() for right in some]
        reply = _in_child(function, context, arguments, _Shown.of(tool, every, context, values))
        self._note(tool, held, reply)
        if reply.error is not None:
            raise reply.error
        assert reply.told is not None
        self._rights.check(tool, every, reply.told.effects, home)
        return reply.value, reply.told

    def _note(self, tool: Tool, held: Mapping[RightTemplate, Sequence[Right]], reply: _Reply) -> None:
        effects = reply.told.effects if reply.told else ()
        needed = [right for effect in effects for right in self._rights.needed(effect)]
        needed += [Right(Action.FS_READ, place) for place in reply.seen.places]
        needed += [Right(Action.SKILL_CALL, name) for name in reply.seen.called]
        for template, rights in held.items():
            if any(self._rights.covers(right, one) for right in rights for one in needed):
                self._used[tool.id, template] = True

    def report(self) -> list[dict[str, Any]]:
        """Return every right of the manifest: was its tool called by a test, and did it use the right."""
        return [
            {"tool": tool, "right": f"{one.action}:{one.scope}", "used": used, "called": tool in self._called,
             "tried": one.action.startswith("fs.") or one.action == Action.SKILL_CALL}
            for (tool, one), used in self._used.items()
        ]  # fmt: skip

    def uncalled(self) -> list[str]:
        """Return the tools that no test has called."""
        return sorted(tool.id for tool in self._skill.tools if tool.id not in self._called)


@dataclass(frozen=True, slots=True)
class _Shown:
    """What a child may see of the practice home, and where it may write."""

    home: str
    readable: tuple[str, ...]
    writable: tuple[str, ...]

    @classmethod
    def of(cls, tool: Tool, rights: Sequence[Right], context: Context, values: Mapping[str, Any]) -> _Shown:
        readable = tuple(right.scope for right in rights if right.action is Action.FS_READ)
        works = [values[name]["path"] for name in tool.works_in if isinstance(values.get(name), Mapping)]
        staging = [str(context._staging)] if context._staging and tool.effect is not EffectClass.PURE else []
        scratch = os.path.realpath(tempfile.gettempdir())
        apart = not f"{os.path.realpath(context.home)}/".startswith(f"{scratch}/")
        writable = (*works, *staging, *([scratch] if apart else []))
        return cls(os.path.realpath(context.home), tuple(map(os.path.realpath, readable)),
                   tuple(map(os.path.realpath, writable)))  # fmt: skip


def _in_child(function: Callable[..., Any], context: Context, arguments: Mapping[str, Any], shown: _Shown) -> _Reply:
    ours, theirs = Pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if not child:
        ours.close()
        _perform(function, context, arguments, shown, theirs)
    theirs.close()
    try:
        return _heard(ours, context)
    finally:
        ours.close()
        os.waitpid(child, 0)


def _heard(line: Connection, context: Context) -> _Reply:
    """Answer what the child asks until it has ended; other tools run here, where the test sees what they did."""
    while True:
        try:
            kind, *rest = line.recv()
        except EOFError:
            error = ToolError("The tool ended its process, or gave back what cannot be handed on.",
                              hint="Return values of skills.sdk or dataclasses.", code="practice.ended")  # fmt: skip
            return _Reply(None, None, error, _Seen())
        if kind == "done":
            return _Reply(*rest)
        tool, arguments, step = rest
        try:
            line.send(("called", _called(context, tool, arguments, step)))
        except (ToolError, AssertionError) as error:
            line.send(("raised", error))


def _called(context: Context, tool: str, arguments: Mapping[str, Any], step: bool) -> Called:
    if context._calls is None:
        raise no_calls(tool)
    return context._calls(tool, arguments, step=step)


def _perform(
    function: Callable[..., Any], context: Context, arguments: Mapping[str, Any], shown: _Shown, line: Connection
) -> NoReturn:
    """Run the tool in this child, confined, and send what it gave; never returns."""
    seen = _Seen()
    try:
        see_only(shown.home, shown.readable, shown.writable)
        _watch(seen)
        context._calls = _Asked(line, seen)  # those of the practice home run in the parent
        value = function(context, **arguments)
        _send(line, _Reply(value, context.told(), None, seen))
    except BaseException as error:  # the edge of the child: whatever it is, the test hears of it
        _send(line, _Reply(None, None, _sendable(error), seen))
    finally:
        os._exit(0)


def _send(line: Connection, reply: _Reply) -> None:
    line.send(("done", reply.value, reply.told, reply.error, reply.seen))


def _sendable(error: BaseException) -> BaseException:
    """Return the error where it can be handed on, else one that says it."""
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301  (our own child's)
    except Exception:
        return RuntimeError("".join(traceback.format_exception(error)))
    return error


@dataclass(frozen=True, slots=True)
class _Asked:
    """Calls of other tools, asked of the parent."""

    line: Connection
    seen: _Seen

    def __call__(self, tool: str, arguments: Mapping[str, Any], *, step: bool = False) -> Called:
        self.seen.called.add(tool)
        self.line.send(("call", tool, dict(arguments), step))
        kind, answer = self.line.recv()
        if kind == "raised":
            raise answer
        assert isinstance(answer, Called)
        return answer


def _watch(seen: _Seen) -> None:
    """Note from here on which places a view is asked about; for a child process that does nothing else."""
    node, names = View.node, View.names

    def note(path: str) -> None:
        if len(seen.places) < _MOST_SEEN:
            seen.places.add(os.path.realpath(path))

    def noting_node(view: View, path: str) -> Any:
        note(path)
        return node(view, path)

    def noting_names(view: View, path: str) -> Any:
        note(path)
        return names(view, path)

    View.node, View.names = noting_node, noting_names  # type: ignore[method-assign,assignment]
