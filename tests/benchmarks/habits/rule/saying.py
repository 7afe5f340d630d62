"""Saying golden rules to a real kernel on a furnished home, and what it made of them."""

from __future__ import annotations

import time
import tomllib
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import closing
from datetime import date, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from kernel import Ask, Folders, Kernel, load_settings, open_kernel
from kernel.model import Constant, Plan, Task, TaskId
from kernel.routines import Recurring
from kernel.routines.routine import Routine
from kernel.system.senses import Senses
from permissions.labels import USER_SAID
from skills.model import ToolId, ValueKind
from tests.benchmarks.habits.rule.model import Compiled, Place, Rule, Said
from tests.kernel.conftest import knowing
from tests.kernel.homes import furnish
from tests.kernel.routines.conftest import Setting
from tests.kernel.system.box import Box
from tests.kernel.system.logind import Logind, bus_in

GOLDEN = Path(__file__).parents[3] / "golden" / "rules"
HALVES = ("first", "second")
SETS = (*HALVES, "third", "fourth", "fifth", "sixth")
"""Each one after the halves was written when the compiler was there, by somebody who had seen nothing of it."""

_CONTENTS: Mapping[str, str] = {
    "Finance/expenses.csv": "date,vendor,amount,category\n2026-02-03,Lidl,12.50,groceries\n",
    "Finance/umsätze.csv": "Datum;Kunde;Betrag;Region\n03.02.2026;Meyer;12,50;Nord\n",
    "Contacts/contacts.vcf": "".join(
        f"BEGIN:VCARD\r\nVERSION:3.0\r\nFN:{name}\r\nEMAIL:{name.lower()}@example.org\r\nEND:VCARD\r\n"
        for name in ("Lena", "Vogt")
    ),
    "Calendar/Calendar.ics": "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//golden//EN\r\nEND:VCALENDAR\r\n",
}
"""What has to be read in a file, as first.toml tells it."""


def set_of(name: str) -> dict[str, Any]:
    """Return one of ``SETS``: its rules, its home and its moment."""
    return tomllib.loads((GOLDEN / f"{name}.toml").read_text())


def home_of(golden: Mapping[str, Any], home: Path) -> Path:
    """Furnish ``home`` for a set."""
    furnish(home, golden["home"])
    for name, text in _CONTENTS.items():
        if (home / name).exists():
            (home / name).write_text(text)
    return home


async def said_of(
    golden: Mapping[str, Any], root: Path, prepare: Callable[[Folders], None] = lambda _: None
) -> AsyncIterator[tuple[Rule, Said, Place]]:
    """Say each rule of a set once, by itself: none finds what an earlier one kept. ``prepare`` may bind a model."""
    home = home_of(golden, root / "home")
    now = datetime.fromisoformat(golden["now"]).replace(tzinfo=ZoneInfo(golden["zone"]))
    clock = Setting(now, time.monotonic())
    folders = Folders({"HOME": str(home), "STEWARD_HOME": str(root / "steward")})
    prepare(folders)
    kernel = knowing(await open_kernel(load_settings(encoder=False), folders, clock))
    (root / "bus").mkdir()
    with bus_in(root / "bus") as bus, closing(Logind(bus)):
        kernel._house.machine = _laptop(root / "machine", bus)
        async for one in _each(kernel, golden, home, now, clock):
            yield one


async def _each(
    kernel: Kernel, golden: Mapping[str, Any], home: Path, now: datetime, clock: Setting
) -> AsyncIterator[tuple[Rule, Said, Place]]:
    place = Place(str(home), now, kernel._house.registry.tool)
    try:
        for rule in golden["rule"]:
            clock.at, clock.begun = now, time.monotonic()
            yield rule, await said(kernel, rule, place), place
    finally:
        await kernel.close()


def _laptop(root: Path, bus: str) -> Senses:
    """A machine with a battery, a charger, a network, a sensor, and a desktop that tells whether anybody uses it."""
    box = Box(root, bus)
    box.battery(50)
    box.network(there=True)
    box.memory(used=50)
    box.heat(50)
    box.write("free", 50 * 10**9)
    return box.senses()


async def said(kernel: Kernel, rule: Rule, place: Place) -> Said:
    """Say one rule, with a yes to keep it and to nothing else, and take away what was kept."""
    run = await kernel.ask(Ask(rule["text"], conversation=rule["id"], cwd=place.home, channel="test"))
    view = await kernel.settled(run)
    plan = view["plan"]
    if view["resolution"] == "pending":
        await kernel.approve(run, "once" if view["stage"] == "routine" else "no")
        view = await kernel.settled(run)
    (routine,) = kernel._house.routines.kept_by(run) or (None,)
    if routine is not None:
        await kernel.routines.remove(routine.name)
        return Said(str(view["answer"]), kept=_routine(routine))
    answer, asks = _asked(view)
    return Said(answer, asks, handed(view | {"plan": plan or view["plan"]}, place))


def _asked(view: Mapping[str, Any]) -> tuple[str, bool]:
    """What was answered, and whether it asks about the rule. An offer to do something now is no such question."""
    question = view["question"] or {}
    unclear = (view["error"] or {}).get("code") == "routine.unclear"
    return str(view["answer"] or question.get("text")), unclear or bool(question and not question.get("choices"))


def _routine(one: Routine) -> Compiled:
    such = tuple((str(about), str(said)) for about, said in getattr(one, "such", ()))
    return Compiled(one.trigger, one.plan, one.limits, such)


def handed(view: Mapping[str, Any], place: Place) -> Compiled | None:
    """Return the rule that one tool keeps by repeating, None where nothing repeats: that would be done once, now."""
    tasks = (view["plan"] or {}).get("tasks", ())
    if len(tasks) != 1:
        return None
    (task,) = tasks
    tool = place.tool(ToolId(task["tool"]))
    values = {one.type.kind: task["arguments"].get(one.name) for one in tool.parameters}
    rule = values.get(ValueKind.RECURRENCE)
    if not isinstance(rule, str) or not rule.startswith("FREQ="):
        return None
    if "BYHOUR" not in rule:
        at = datetime.fromisoformat(f"2000-01-01T{str(values.get(ValueKind.HOURS) or '09:00')[:5]}")
        rule += f";BYHOUR={at.hour};BYMINUTE={at.minute}"
    day = values.get(ValueKind.DATE)
    begins = date.fromisoformat(str(day)[:10]) if day else place.now.date()
    arguments = {str(name): Constant(value, USER_SAID) for name, value in task["arguments"].items()}
    plan = Plan((Task(TaskId("t1"), ToolId(task["tool"]), arguments),), str(view["language"]))
    return Compiled(Recurring(rule, begins), plan, handed=True)
