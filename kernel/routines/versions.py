"""What a routine was: its versions as a client sees them, and going back to one.

Going back is a change like any other: it is shown on a card, kept by a yes, and taken back by an undo.
"""

from __future__ import annotations

import re
import secrets
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn

from kernel.itself.record import request_words
from kernel.model import Resolution
from kernel.routines.bringing import bringing
from kernel.routines.consenting import authorized, keep_after_yes
from kernel.routines.routine import Routine
from kernel.routines.sayings import say
from kernel.routines.views import routine_view
from kernel.run import Run, Stop, error_view

if TYPE_CHECKING:
    from kernel.house import House

_NUMBER = re.compile(r"(?:back |zurück )?(?:to |auf |zu )?version (?P<number>[1-9]\d{0,5})(?: zurück)?", re.IGNORECASE)


def versions_view(house: House, name: str) -> list[dict[str, Any]]:
    """Return what a routine was and is, the oldest first: each since when, and by which words a person made it that.

    ``words`` are empty where they are not kept any more.
    """
    home, every = str(house.folders.home), house.routines.versions(name)
    seen = ((one, routine_view(one, home, None)) for one in every)
    return [
        {"version": one.version, "now": one is every[-1], "text": one.text, "when": view["when"],
         "limits": view["limits"], "since": (one.changed or one.made).isoformat(timespec="seconds"), "run": one.run,
         "words": request_words(house.ledger, one.run)}
        for one, view in seen
    ]  # fmt: skip


def number_in(words: str) -> int | None:
    """Return the number of the version that ``words`` want back; None where they want something else."""
    found = _NUMBER.fullmatch(words.strip())
    return int(found["number"]) if found else None


async def go_back(run: Run, now: Routine, number: int) -> NoReturn:
    """Have a routine be what it was as version ``number``, after a yes. Raises Stop."""
    run.language = now.language
    earlier = next((one for one in run.house.routines.versions(now.name)[:-1] if one.version == number), None)
    if earlier is None:
        text = say(now.language, "no version", name=now.name, version=str(number))
        raise Stop(Resolution.DECLINED, text, error=error_view("routine.version", text, ""))
    routine = replace(
        earlier, key=secrets.token_hex(8), run=run.id, version=now.version + 1, before=now.key, changed=None
    )
    thing = bringing(routine.trigger, run.house.registry.skills(), run.house.world.home, routine.language)
    await keep_after_yes(run, routine, thing, authorized(run, routine, thing))
