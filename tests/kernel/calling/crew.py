"""Two skills of these tests: ``boss`` calls, ``hand`` is called; both also try what they should not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kernel import Folders
from tests.kernel.hostile import attack, said, step
from tests.kernel.small_skill import lay_skill

if TYPE_CHECKING:
    from tests.kernel.conftest import Bench

_BOSS = '''"""Has others do things."""

from __future__ import annotations

import json
import os
import signal
import threading
from pathlib import Path

from skills.sdk import Context, File, Folder, Text, ToolError


def _asked(ctx: Context, tool: str, arguments: str) -> str:
    try:
        called = ctx.call(tool, **json.loads(arguments))
    except ToolError as error:
        ctx.say(f"{error.code}: {error}")
        return error.code
    ctx.say(f"{called.value} | {called.answer} | {', '.join(called.withheld)}")
    return str(called.value)


def ask(ctx: Context, folder: Folder, whom: Text, arguments: Text) -> str:
    """Ask.

    Args:
        folder: where it may look.
        whom: whom it asks.
        arguments: what for.
    """
    return _asked(ctx, whom, arguments)


def order(ctx: Context, folder: Folder, whom: Text, arguments: Text) -> str:
    """Order.

    Args:
        folder: where it may look.
        whom: whom it asks.
        arguments: what for.
    """
    room = ctx.workroom("given")
    Path(room.path, "in.txt").write_text("from the boss")
    Path(room.path, "inner").mkdir()
    os.symlink(folder.path, Path(room.path, "link"))
    answer = _asked(ctx, whom, arguments.replace("ROOM", room.path))
    made = Path(room.path, "out.txt")
    if made.exists():
        ctx.write(f"{folder.path}/made.txt", made.read_text())
    return answer


def hurry(ctx: Context, whom: Text, arguments: Text) -> str:
    """Hurry.

    Args:
        whom: whom it asks.
        arguments: what for.
    """
    return _asked(ctx, whom, arguments)


def stay(ctx: Context, whom: Text, arguments: Text) -> str:
    """Stay until the other one is done.

    Args:
        whom: whom it asks.
        arguments: what for.
    """
    return _asked(ctx, whom, arguments)


def modest(ctx: Context, whom: Text, arguments: Text) -> str:
    """Ask with little memory.

    Args:
        whom: whom it asks.
        arguments: what for.
    """
    return _asked(ctx, whom, arguments)


def poor(ctx: Context, whom: Text, arguments: Text) -> str:
    """Ask with less memory than two can have.

    Args:
        whom: whom it asks.
        arguments: what for.
    """
    return _asked(ctx, whom, arguments)


def leave(ctx: Context, whom: Text, arguments: Text) -> str:
    """Leave without waiting.

    Args:
        whom: whom it asks.
        arguments: what for.
    """
    threading.Thread(target=lambda: ctx.call(whom, **json.loads(arguments)), daemon=True).start()
    threading.Event().wait(1.0)
    return "left"


def crash(ctx: Context, whom: Text, arguments: Text) -> str:
    """Die while another one works for it.

    Args:
        whom: whom it asks.
        arguments: what for.
    """
    threading.Thread(target=lambda: ctx.call(whom, **json.loads(arguments)), daemon=True).start()
    threading.Event().wait(1.0)
    os.kill(os.getpid(), signal.SIGKILL)
    return "never"


def crowd(ctx: Context, count: int) -> list[str]:
    """Ask from many threads at once.

    Args:
        count: how many.
    """
    found = [""] * count

    def one(number: int) -> None:
        found[number] = ctx.call("hand.echo", text=str(number)).value

    threads = [threading.Thread(target=one, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def nag(ctx: Context, count: int) -> list[str]:
    """Ask again and again for what it may not have.

    Args:
        count: how often.
    """
    codes = []
    for _ in range(count):
        try:
            ctx.call("notes.create", title="x", text="y")
        except ToolError as error:
            codes.append(error.code)
    return codes


def babble(ctx: Context, words: Text) -> str:
    """Say something that is no question.

    Args:
        words: what.
    """
    return ctx._calls._asker.ask(words.encode()).decode()


def swap(ctx: Context, folder: Folder) -> str:
    """Hand over a folder and put a link to another one in its place, again and again.

    Args:
        folder: where the link leads.
    """
    room, over = ctx.workroom("given"), threading.Event()
    inner = Path(room.path, "inner")
    inner.mkdir()

    def flip() -> None:
        while not over.is_set():
            inner.rename(Path(room.path, "away"))
            os.symlink(folder.path, inner)
            inner.unlink()
            Path(room.path, "away").rename(inner)

    thread = threading.Thread(target=flip)
    thread.start()
    ends = []
    try:
        for _ in range(12):
            try:
                ends.append(ctx.call("hand.build", folder=Folder(str(inner))).value)
            except ToolError as error:
                ends.append(error.code)
    finally:
        over.set()
        thread.join()
    ctx.say(" ".join(sorted(set(ends))))
    return "done"
'''

_HAND = '''"""Does what it is asked."""

from __future__ import annotations

import json
import os
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from skills.sdk import Context, File, Folder, Text, ToolError


@dataclass(frozen=True, slots=True)
class Found:
    """What was found."""

    text: str
    size: int


def echo(ctx: Context, text: Text) -> str:
    """Echo.

    Args:
        text: what.
    """
    ctx.say(f"You said {text}.")
    return text


def peek(ctx: Context, file: File) -> str:
    """Peek.

    Args:
        file: what to read.
    """
    return Path(file.path).read_text() if Path(file.path).exists() else "nothing there"


def measure(ctx: Context, file: File) -> Found:
    """Measure.

    Args:
        file: what to read.
    """
    text = Path(file.path).read_text()
    return Found(text, len(text))


def anywhere(ctx: Context, path: Text) -> str:
    """Read whatever it may.

    Args:
        path: what.
    """
    return Path(path).read_text() if Path(path).exists() else "nothing there"


def listed(ctx: Context) -> str:
    """Tell what it sees of the home."""
    return " ".join(sorted(os.listdir(ctx.home))) if os.path.isdir(ctx.home) else "no home"


def refuse(ctx: Context) -> str:
    """Refuse."""
    raise ToolError("The hand will not.", hint="Ask nicely.", code="hand.no", de="Die Hand will nicht.")


def describe(ctx: Context, path: Text) -> str:
    """Describe a change by the rules.

    Args:
        path: where.
    """
    ctx.write(path, "x")
    return "described"


def sneak(ctx: Context, path: Text) -> str:
    """Describe a change behind the SDK's back.

    Args:
        path: where.
    """
    ctx._effects.append({"op": "mkdir", "path": path})
    return "sneaked"


def build(ctx: Context, folder: Folder) -> str:
    """Build.

    Args:
        folder: where.
    """
    ran = ctx.run(["/bin/sh", "-c", "cat in.txt > out.txt && echo ' and the hand' >> out.txt"], cwd=folder)
    if ran.status:
        raise ToolError(ran.stderr, code="hand.failed")
    return "built"


def started(ctx: Context, folder: Folder) -> str:
    """Run a program that was made in the folder.

    Args:
        folder: where.
    """
    program = Path(folder.path, "program")
    program.write_text("#!/bin/sh\\necho made here")
    program.chmod(0o700)
    return ctx.run([str(program)], cwd=folder).stdout.strip()


def wait(ctx: Context, mark: Text) -> str:
    """Wait very long.

    Args:
        mark: a number of seconds that nobody else waits.
    """
    return str(ctx.run(["/bin/sleep", mark]).status)


def watch(ctx: Context, file: File, mark: Text) -> str:
    """Wait very long with a file in sight.

    Args:
        file: what it may read.
        mark: a number of seconds that nobody else waits.
    """
    return str(ctx.run(["/bin/sleep", mark]).status)


def dive(ctx: Context, depth: int) -> int:
    """Call itself.

    Args:
        depth: how deep.
    """
    return 0 if depth == 0 else 1 + ctx.call("hand.dive", depth=depth - 1).value


def eat(ctx: Context, mib: int) -> int:
    """Use memory.

    Args:
        mib: how much.
    """
    return len(b"x" * (mib << 20)) >> 20


def send(ctx: Context, text: Text) -> str:
    """Send, once.

    Args:
        text: what.
    """
    return text


def steer(ctx: Context, text: Text) -> str:
    """Go where it is told.

    Args:
        text: where.
    """
    return text


def clock(ctx: Context) -> float:
    """Tell for how long its own processor time may last."""
    import resource

    return float(resource.getrlimit(resource.RLIMIT_CPU)[0])
'''

_CALLED = ("echo", "peek", "measure", "anywhere", "listed", "refuse", "describe", "sneak", "build", "started", "wait",
           "watch", "dive", "eat", "send", "steer", "clock")  # fmt: skip
_LOOK = '{ action = "fs.read", scope = "{folder}/**", reason = "to look" }'
_MAKE = '{ action = "fs.create", scope = "{folder}/**", reason = "to add" }'
_CALLS = ", ".join(f'{{ action = "skill.call", scope = "hand.{name}", reason = "to have it done" }}'
                   for name in (*_CALLED, "gone"))  # fmt: skip
_OTHERS = '{ action = "skill.call", scope = "notes.create", reason = "to have a note" }'

_BOSS_TOOLS = {
    "ask": ("pure", f"{_LOOK}, {_CALLS}", ""),
    "order": ("idempotent", f"{_LOOK}, {_MAKE}, {_CALLS}, {_OTHERS}", "limits = { wall_s = 20 }"),
    "hurry": ("idempotent", _CALLS, "limits = { wall_s = 10, memory_mib = 600 }"),
    "stay": ("idempotent", _CALLS, ""),
    "leave": ("idempotent", _CALLS, ""),
    "modest": ("pure", _CALLS, "limits = { memory_mib = 200 }"),
    "poor": ("pure", _CALLS, "limits = { memory_mib = 100 }"),
    "crash": ("idempotent", _CALLS, ""),
    "crowd": ("pure", '{ action = "skill.call", scope = "hand.echo", reason = "to ask" }', ""),
    "nag": ("pure", '{ action = "skill.call", scope = "hand.echo", reason = "to ask" }', ""),
    "babble": ("pure", '{ action = "skill.call", scope = "hand.echo", reason = "to ask" }', ""),
    "swap": ("idempotent", f"{_LOOK}, {_MAKE}, {_CALLS}", "limits = { wall_s = 60 }"),
}
_HAND_TOOLS = {
    "peek": ("pure", '{ action = "fs.read", scope = "{file}", reason = "to read" }', ""),
    "measure": ("pure", '{ action = "fs.read", scope = "{file}", reason = "to read" }', ""),
    "anywhere": ("pure", '{ action = "fs.read", scope = "~/**", reason = "to read" }', ""),
    "listed": ("pure", '{ action = "fs.read", scope = "~/**", reason = "to read" }', ""),
    "describe": ("idempotent", "", ""),
    "sneak": ("idempotent", "", ""),
    "build": ("idempotent", "", 'works_in = ["folder"]\nruns_programs = "to build"'),
    "started": ("idempotent", "", 'works_in = ["folder"]\nruns_programs = "to build"'),
    "wait": ("pure", "", 'runs_programs = "to wait"\nlimits = { wall_s = 60 }'),
    "watch": ("pure", '{ action = "fs.read", scope = "{file}", reason = "to read" }', 'runs_programs = "to wait"'),
    "dive": ("pure", '{ action = "skill.call", scope = "hand.dive", reason = "to dive" }', ""),
    "eat": ("pure", "", "limits = { memory_mib = 4096 }"),
    "send": ("once", "", ""),
    "steer": ("pure", "", '[tools.steer.roles]\ntext = "sink"'),
    "clock": ("pure", "", "limits = { wall_s = 900 }"),
}


def install(folders: Folders) -> None:
    """Put both where a user's skills lie."""
    folders.make()
    write_skill(folders, "boss", _BOSS, _BOSS_TOOLS)
    write_skill(folders, "hand", _HAND, {name: _HAND_TOOLS.get(name, ("pure", "", "")) for name in _CALLED})


def write_skill(folders: Folders, name: str, code: str, tools: dict[str, tuple[str, str, str]]) -> None:
    """Write one skill: its code, and of each tool effect, rights and further lines."""
    lines: list[str] = []
    for tool, (effect, rights, more) in tools.items():
        lines += [f"[tools.{tool}]", f'effect = "{effect}"', f'examples.en = ["{name} {tool}ify"]']
        lines += [f"rights = [{rights}]", more]
    lay_skill(folders, name, "\n".join(lines) + "\n", code, "one of the crew")


async def tell(bench: Bench, boss: str, tool: str, where: Path | None = None, **arguments: Any) -> dict[str, Any]:
    """Let a tool of the boss ask for ``tool``; return the view of the run."""
    folder = (
        {}
        if boss in ("hurry", "stay", "leave", "crash", "modest", "poor")
        else {"folder": said({"path": str(where or bench.home / "Documents")})}
    )
    asked = {"whom": said(tool), "arguments": said(json.dumps(arguments))}
    return await attack(bench, step(1, f"boss.{boss}", **folder, **asked))


def calls(bench: Bench, run: str) -> list[tuple[str, dict[str, Any]]]:
    """Return the events of calls that tools asked for in a run."""
    events = bench.kernel._house.ledger.events(run=run)
    return [(event.kind, dict(event.body or {})) for event in events if event.kind.startswith("call.")]
