"""What a rule would have done: when it would have been set off, and a dry run of its plan on the latest such thing.

What this stops: a card that fails, or waits long, because of what is only told beside it; a dry run on it that uses a
right which nobody has given; a look at mails or appointments for a rule that is not kept. What it does not: ask for a
right. A person who wants to see more says "try".
"""

from __future__ import annotations

import asyncio
import os
from datetime import UTC, datetime
from itertools import islice
from typing import TYPE_CHECKING, Any

from kernel.errors import BadRequest, KernelError, NotNow
from kernel.model import Plan
from kernel.routines.bringing import kind_of, takes_any
from kernel.routines.contents import reads_contents
from kernel.routines.firing import Come
from kernel.routines.limiting import OF_ONE_MOMENT, is_out_of_time
from kernel.routines.model import Added, Change, Elapsed, FileSeen, Happened, Once, Recurring
from kernel.routines.moments import coming
from kernel.routines.parts import Part
from kernel.routines.ready import ready
from kernel.routines.routine import Routine
from kernel.routines.sayings import say as told
from kernel.routines.waited_for import LOOKED_AT, is_mail
from kernel.routines.watching.additions import last_added
from kernel.routines.watching.deeds import last_deeds
from kernel.routines.watching.newest import newest, with_file
from kernel.routines.watching.things import lying
from kernel.trying import Trial
from kernel.trying.beside import beside
from kernel.trying.sayings import say
from permissions.errors import PermissionsError
from permissions.naming import shown
from skills.errors import SkillError

if TYPE_CHECKING:
    from kernel.house import House
    from kernel.run import Run

FEW = 3
MOST_TO_TRY = 10
_MOST_MOMENTS = 500
"""So many times of a rule are looked at for the next that its limits allow."""


Lying = tuple[list[str], bool]
"""Files that lie there and would have set a rule off, newest first, and whether there may be more of them."""


def lying_there(house: House, routine: Routine) -> Lying | None:
    """Return the files that a routine waits for; None where it waits for none that is there. Which file is such a mail
    nobody knows without a look, so none is named.
    """
    trigger = routine.trigger
    if not isinstance(trigger, FileSeen) or trigger.change is Change.DELETED:
        return None
    return ([], True) if is_mail(trigger, str(house.folders.home)) else lying(house, routine)


def would_fire(house: House, routine: Routine, there: Lying | None) -> list[str]:
    """Say when a routine is next due, or what lies ``there`` or was done that would set it off. Reads no content."""
    language, trigger = routine.language, routine.trigger
    if there is not None:
        return [_files(house, routine, *there)]
    try:
        if isinstance(trigger, Once | Recurring | Elapsed):
            at = ", ".join(f"{one:%Y-%m-%d %H:%M}" for one in _moments(house, routine))
            return [say(language, "due", at=at) if at else say(language, "never due")]
        if isinstance(trigger, Happened | Added):
            deeds = _last_told(house, routine)
            return (
                [say(language, "deeds"), *(str(one.value[Part.TEXT]) for one in deeds)]
                if deeds
                else [say(language, "no deed")]
            )
    except OSError:
        return [say(language, "not known")]
    return [say(language, "not known")]


def _last_told(house: House, routine: Routine) -> list[Come]:
    """What the ledger tells that would have set it off, newest first."""
    return last_added(house, routine) if isinstance(routine.trigger, Added) else last_deeds(house, routine)


def _moments(house: House, routine: Routine) -> list[datetime]:
    now, last = house.clock(), house.routines.reached(routine)
    zone, held = now.tzinfo or UTC, {one: amount for one, amount in routine.limits if one in OF_ONE_MOMENT}
    if not isinstance(routine.trigger, Once | Recurring | Elapsed):
        return []
    times = (at.astimezone(zone) for at in coming(routine.trigger, routine.since, last, now, zone))
    return list(islice((at for at in islice(times, _MOST_MOMENTS) if not is_out_of_time(held, at, ())), FEW))


def _files(house: House, routine: Routine, meant: list[str], more: bool) -> str:
    """Say which files lie there that it means. Their names are of others: they stand in quotation marks."""
    if not meant:
        return say(routine.language, "not known" if more else "no file")
    mark = say(routine.language, "quoted", text="{}")
    names = ", ".join(mark.format(shown(os.path.basename(path))) for path in meant[:FEW])
    if reads_contents(routine.such):
        kept = house.routines.get(routine.name)
        key = "may mean" if kept is None or kept.key != routine.key else "may mean kept"
        return say(routine.language, key, names=names, name=routine.name)
    key = "at least" if more else "one file" if len(meant) == 1 else "files" if len(meant) <= FEW else "more files"
    return say(routine.language, key, count=str(len(meant)), names=names)


async def tried_plan(house: House, routine: Routine, path: str = "", *, kept: bool) -> Plan:
    """Return the plan of a routine on the file at ``path``, or the latest thing that would have set it off.

    Raises NotNow where there is none, where it cannot be carried out any more, or where only a look could tell and the
    routine is not ``kept``, so that it has no right to one; BadRequest where it waits for no such file.
    """
    kind = kind_of(routine.trigger, str(house.folders.home))
    looks = kind in LOOKED_AT or reads_contents(routine.such)
    if looks and not kept and takes_any(routine.plan):
        raise NotNow("routine.look", say(routine.language, "own look"), subject=routine.name,
                     hint=say(routine.language, "own look hint", name=routine.name))  # fmt: skip
    come = await (_come_with(house, routine, path, kept) if path else _latest(house, routine, kind, kept))
    value, words = (come.value, come.words) if come is not None else (None, "")
    return await asyncio.to_thread(ready, house, routine, house.clock(), value, words)


async def _latest(house: House, routine: Routine, kind: str, kept: bool) -> Come | None:
    if not takes_any(routine.plan):
        return None
    if isinstance(routine.trigger, Happened | Added):
        come = next(iter(await asyncio.to_thread(_last_told, house, routine)), None)
        none = say(routine.language, "no deed")
    else:
        come = await newest(house, routine)
        none = (
            told(routine.language, f"broken.none {kind}")
            if kind in LOOKED_AT
            else say(routine.language, "no file" if kind == "file" else "not known")
        )
    if come is None or come.value is None:
        raise NotNow("routine.nothing", none, subject=routine.name,
                     hint=_hint(routine, "nothing hint", kept))  # fmt: skip
    return come


async def _come_with(house: House, routine: Routine, path: str, kept: bool) -> Come:
    come = await with_file(house, routine, path)
    if come is None:
        raise BadRequest("routine.with", say(routine.language, "not meant", name=shown(path)), subject=shown(path),
                         hint=_hint(routine, "with hint", kept))  # fmt: skip
    return come


def _hint(routine: Routine, key: str, kept: bool) -> str:
    """Say where to look; of one that is not kept all stands on its card."""
    return say(routine.language, key, name=routine.name) if kept else ""


def trial_of(routine: Routine, *, kept: bool, asks: bool) -> Trial:
    """Return the dry run of a routine: of one that is kept in its own name, else in that of the person who says it."""
    whose = (routine.node, routine.key) if kept else ("", "")
    return Trial({"routine": routine.name}, routine.said, routine.cwd, *whose, asks=asks)


async def on_card(run: Run, routine: Routine) -> dict[str, Any]:
    """Return what the card that keeps ``routine`` says of what it would have done.

    ``fires`` are lines; ``dry`` has what a dry run said, its ``changes`` and ``diff``, or which rights are ``missing``.
    """
    house = run.house
    try:
        dry = await _dry(run, routine)
    except (KernelError, PermissionsError, SkillError, OSError) as error:
        dry = {"said": str(error)}
    there = await asyncio.to_thread(lying_there, house, routine)
    fires = await asyncio.to_thread(would_fire, house, routine, there)
    return {"fires": fires, "dry": {"changes": [], "diff": [], "missing": [], "run": ""} | dry}


async def _dry(run: Run, routine: Routine) -> dict[str, Any]:
    plan = await tried_plan(run.house, routine, kept=False)
    trial = trial_of(routine, kept=False, asks=False)
    return await beside(run, plan, trial, routine.language, f"./steward routines try {run.id}")
