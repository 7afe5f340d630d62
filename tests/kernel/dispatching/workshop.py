"""A kernel with a skill whose tools nap, fail, hang, list and copy; and plans of them, without a sentence.

The calls go to real cells, or to a floor on which a call only sleeps: the simulated latency of a tool, and the only
thing about it that is simulated. Rights, staging, allotment and ledger are the kernel's own.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from kernel import Folders, Kernel, load_settings, open_kernel
from kernel.allotting import Raises
from kernel.authorize import authorize
from kernel.calling import Floor
from kernel.dispatch import dispatch
from kernel.model import Argument, Constant, ConversationId, FromTask, Outcome, Plan, RunId, Task, TaskId, Utterance
from kernel.remember import RunLog
from permissions import new_grant
from permissions.labels import USER_SAID
from permissions.model import Action, CellOutcome, CellStatus, GrantMode, Level, Principal, Right
from skills.model import Call, CallResult, SkillId, ToolId
from tests.kernel.small_skill import lay_skill

INPUTS = 8

CODE = '''
import os, time
from skills.sdk import Context, File, Quantity, Text, Title, ToolError
from decimal import Decimal


def nap(ctx: Context, seconds: float = 0.0, a: Text | None = None, b: Text | None = None, c: Text | None = None,
        d: Text | None = None, e: Text | None = None, f: Text | None = None, g: Text | None = None,
        h: Text | None = None) -> Text:
    """Sleep for a while.

    Args:
        seconds: how long.
        a: what it waits for.
        b: what it waits for.
        c: what it waits for.
        d: what it waits for.
        e: what it waits for.
        f: what it waits for.
        g: what it waits for.
        h: what it waits for.
    """
    time.sleep(seconds)
    ctx.say("napped")
    return "napped"


def fail(ctx: Context, a: Text | None = None) -> Text:
    """Refuse.

    Args:
        a: what it waits for.
    """
    raise ToolError("It will not.", hint="Nothing.", code="tool.will_not")


def crash(ctx: Context, a: Text | None = None) -> Text:
    """Die.

    Args:
        a: what it waits for.
    """
    os._exit(3)


def names(ctx: Context, count: int) -> list[Text]:
    """List names.

    Args:
        count: how many.
    """
    ctx.say(f"{count} names")
    return [f"name {n + 1}" for n in range(count)]


def more_names(ctx: Context, count: int) -> list[Text]:
    """List more names than were asked for.

    Args:
        count: how many.
    """
    return [f"name {n}" for n in range(count + 1)]


def measure(ctx: Context, name: Text) -> Quantity:
    """Measure a name; name 3 cannot be measured.

    Args:
        name: of what.
    """
    if name == "name 3":
        raise ToolError(f"{name} has no length.", code="tool.no_length")
    ctx.say(f"{name} is measured")
    return Quantity(Decimal(int(name.split()[1]) * 10), "km")


def double(ctx: Context, number: int) -> int:
    """Double a number.

    Args:
        number: which.
    """
    ctx.say(f"doubled {number}")
    return 2 * number


def one(ctx: Context, name: Text, number: int | None = None) -> Text:
    """Take one name.

    Args:
        name: which.
        number: which number.
    """
    ctx.say(f"took {name}" + (f" with {number}" if number is not None else ""))
    return f"{name}!"


def keep(ctx: Context, name: Title, text: Text) -> File:
    """Keep a text in a file.

    Args:
        name: of the file.
        text: what it holds.
    """
    ctx.say(f"kept {name}")
    path = os.path.join(ctx.home, "Kept", f"{name}.txt")
    ctx.write(path, text)
    return ctx.file(path)


def spy(ctx: Context) -> Text:
    """Look for names of what was staged, in everything that this process holds.

    """
    return _staged()


def trusted_spy(ctx: Context) -> Text:
    """The same, with a right to the place."""
    return _staged()


def _staged() -> str:
    import gc
    seen = set()
    for one in gc.get_objects():
        if type(one).__name__ == "View":
            seen.update(one._over)
        if isinstance(one, dict) and "op" in one and "path" in one:
            seen.add(str(one["path"]))
    return " ".join(sorted(seen)) or "nothing"
'''

EFFECTS = {"keep": "idempotent"}
RIGHTS = {"keep": '{ action = "fs.create", scope = "~/Kept/**", reason = "to keep it" }, '
                  '{ action = "fs.read", scope = "~/Kept/**", reason = "to see what is there" }',
          "trusted_spy": '{ action = "fs.read", scope = "~/Kept/**", reason = "to see what is there" }'}  # fmt: skip
TOOLS = ("nap", "fail", "crash", "names", "measure", "double", "one", "keep", "spy", "trusted_spy",
         "more_names")  # fmt: skip


def install(folders: Folders, more: Mapping[str, str] | None = None) -> None:
    """Put the workshop where a user's skills lie; ``more`` are lines of the manifest by tool."""
    lines: list[str] = []
    for name in TOOLS:
        lines += [f"[tools.{name}]", f'effect = "{EFFECTS.get(name, "pure")}"', f'examples.en = ["{name}ify"]',
                  f"rights = [{RIGHTS.get(name, '')}]", *([more[name]] if more and name in more else [])]  # fmt: skip
    lay_skill(folders, "workshop", "\n".join(lines) + "\n", CODE, "naps and counts")


def step(number: int, tool: str, after: Sequence[int] = (), /, **arguments: Any) -> Task:
    """Return a task of the workshop; what is no argument yet is the person's own word."""
    made: dict[str, Argument] = {
        name: value if isinstance(value, FromTask) else Constant(value, USER_SAID) for name, value in arguments.items()
    }
    return Task(task(number), ToolId(f"workshop.{tool}"), made, tuple(map(task, after)), f"{tool} {number}")


def task(number: int) -> TaskId:
    """Return the id of a task."""
    return TaskId(f"t{number}")


def of(number: int, part: str = "", index: int | None = None) -> FromTask:
    """Return a reference to what a task found."""
    return FromTask(task(number), part, index)


def nap(number: int, seconds: float, after: Sequence[int] = ()) -> Task:
    """Return a nap that takes what the tasks ``after`` which it comes have found."""
    taken = dict(zip("abcdefgh", map(of, after), strict=False))
    return step(number, "nap", after[INPUTS:], seconds=seconds, **taken)


@dataclass(slots=True)
class Workshop:
    """A kernel whose calls go to real cells, or, with ``run_call``, wherever it says."""

    kernel: Kernel
    home: Path
    events: list[tuple[str, str | None, Mapping[str, Any]]] = field(default_factory=list)
    runs: int = 0

    async def run(
        self, *tasks: Task, run_call: Any = None, parallel: int = 64, timeout_s: float = 60.0, language: str = "en",
        prepare: Callable[[Floor], Floor] = lambda floor: floor,
    ) -> dict[TaskId, Outcome]:  # fmt: skip
        """Dispatch a plan of ``tasks``; what it staged is dropped."""
        house = self.kernel._house
        self.runs += 1
        name, cwd = f"w{self.runs}", str(self.home)
        log, staging = RunLog(house.ledger, RunId(name)), house.transactions.begin(name)
        self.events = []

        async def say(kind: str, about: str | None, body: Mapping[str, Any], durable: bool = True) -> None:
            self.events.append((kind, about, body))
            await log.say(kind, about, body, durable)

        plan = Plan(tasks, language)
        around = house.circumstances(name, cwd)
        moment = datetime(2026, 3, 12, 10, 0, tzinfo=ZoneInfo("Europe/Berlin"))
        floor = prepare(Floor(
            around=around, run_call=run_call or house.run_call, allot=house.allotter(name, cwd, say, Raises()),
            more=_no_more, vouch=_nobody, tasks={one.id: one for one in tasks}, staging=lambda: staging, say=say,
            utterance=Utterance("", ConversationId("w"), cwd, cwd, moment), private=house.private,
            timeout_s=timeout_s, parallel=parallel, seed=1, language=language,
        ))  # fmt: skip
        try:
            return await dispatch(plan, authorize(plan, around), floor)
        finally:
            await asyncio.to_thread(staging.drop)

    def kinds(self, kind: str) -> list[Mapping[str, Any]]:
        """Return the bodies of the events of one kind, of the last run."""
        return [body for one, _, body in self.events if one == kind]


async def _no_more(_short: Any) -> str:
    return "Nobody is there."


async def _nobody(_concerns: Any) -> str:
    return "Nobody is there."


@dataclass(frozen=True, slots=True)
class Ran:
    """What a simulated call gives back."""

    result: CallResult
    cell: CellOutcome


async def sleeping(call: Call, *_: Any) -> Ran:
    """A call that takes as long as it says, and does nothing else."""
    await asyncio.sleep(float(call.arguments.get("seconds") or 0))
    return Ran(CallResult(value="napped", answer="napped"), CellOutcome(CellStatus.RETURNED, Level.L3))


def soon(floor: Floor) -> Floor:
    """A floor whose calls are not waited for after their time."""
    return replace(floor, grace_s=0.05)


async def _allow(kernel: Kernel, home: Path) -> None:
    """Allow the workshop to keep things."""
    house = kernel._house
    skill = house.registry.skill(SkillId("workshop"))
    who = [Principal(skill.id, skill.hash, f"workshop.{tool}", "", "") for tool in ("keep", "trusted_spy")]
    rights = [Right(action, f"{home}/Kept", True) for action in (Action.FS_CREATE, Action.FS_READ)]
    now_s = house.now_s()
    await house.grant([new_grant(one, right, GrantMode.ALWAYS, now_s) for one in who for right in rights], None)


@asynccontextmanager
async def workshop(root: Path, more: Mapping[str, str] | None = None) -> AsyncIterator[Workshop]:
    """Open a kernel below ``root`` with the workshop in it."""
    home = root / "home"
    (home / "Kept").mkdir(parents=True)
    folders = Folders({"HOME": str(home), "STEWARD_HOME": str(root / "steward")})
    install(folders, more)
    kernel = await open_kernel(load_settings(encoder=False), folders)
    try:
        await _allow(kernel, home)
        yield Workshop(kernel, home)
    finally:
        await kernel.close()
