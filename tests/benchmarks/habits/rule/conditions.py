"""Whether what limits a rule is what the golden one says in words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from kernel.routines import Once, Recurring
from kernel.routines.limiting import OF_THE_CLOCK
from kernel.routines.model import Elapsed, Limit
from tests.benchmarks.habits.rule.model import Compiled, Finding, Match, Rule, same
from tests.benchmarks.habits.rule.triggers import KINDS, is_such

Held = tuple[str, str | float]
_INVOICE = frozenset("invoice rechnung bill".split())


def _seconds(time: str) -> float:
    hours, minutes = time.split(":")
    return int(hours) * 3600.0 + int(minutes) * 60.0


_READ: tuple[tuple[str, Callable[[re.Match[str]], tuple[Held, ...]]], ...] = (
    (r"the battery is not charging", lambda _: ((Limit.CHARGING, 1.0),)),
    (r".*not \w+ within the last (\d+) minutes", lambda said: ((Limit.APART, int(said[1]) * 60.0),)),
    (r"it is (\d\d:\d\d) or later", lambda said: ((Limit.FROM, _seconds(said[1])),)),
    (r"it is between (\d\d:\d\d) and (\d\d:\d\d)", lambda said: tuple(
        one for one in ((Limit.FROM, _seconds(said[1])), (Limit.UNTIL, _seconds(said[2]))) if one[1])),
    (r"it has not run this (?:evening|day)", lambda _: ((Limit.A_DAY, 1.0),)),
    (r"it was offline for more than (\d+) minutes", lambda said: ((Limit.LASTED, int(said[1]) * 60.0),)),
    (r"it has been above \d+ percent for (\d+) minutes", lambda said: ((Limit.HELD, int(said[1]) * 60.0),)),
    (r"the event is not one of whole days", lambda _: (("not all day", ""),)),
    (r"the file is an invoice.*", lambda _: (("is", "invoice"),)),
    (r"the mail is from (\w+)", lambda said: (("sender", said[1]),)),
    (r"the mail has an attachment(?: (\*\.\w+))?", lambda said: (("attached", said[1] or "*"),)),
    (r"an? \.?(\w+)(?: file)? is attached to the mail", lambda said: (("attached", f"*.{said[1].lower()}"),)),
    (r"the battery is below (\d+) percent", lambda said: ((Limit.NOT_LOW, float(said[1])),)),
    (r"the time of the run is from (\d\d:\d\d) to (\d\d:\d\d)", lambda said: (
        (Limit.FROM, _seconds(said[1])), (Limit.UNTIL, _seconds(said[2])))),
    (r"the subject of the mail has (\w+)(?: or (\w+))? in it", lambda said: (
        ("subject", "|".join(filter(None, said.groups()))),)),
    (r"the mail has ([\w ]+) in its subject", lambda said: (("subject", said[1]),)),
    (r"the mail's subject has (\w+)", lambda said: (("subject", said[1]),)),
)  # fmt: skip
"""What is said of a limit, and what of a routine says it. A night from midnight on needs no start."""


def of_conditions(rule: Rule, kept: Compiled) -> Iterator[Finding]:
    """Compare what keeps the rule still: conditions that are missing, that nobody asked for, that are unclear."""
    held = _held(kept)
    for one in rule["when"]:
        wanted = _wanted(one, kept)
        if wanted is None:
            yield Finding(Match.UNCLEAR, "condition", one, _shown(held, kept))
            continue
        there = [next((has for has in held if _is(want, has)), None) for want in wanted]
        yield Finding(same(None not in there), "condition", one, _shown(held, kept))
        held = [has for has in held if has not in there]
    for has in held:
        yield Finding(Match.OTHER, "condition", "none", f"{has[0]} {has[1]}")
    if any(task.when or task.each is not None for task in kept.plan.tasks):
        yield Finding(Match.UNCLEAR, "conditions of the plan", "; ".join(rule["when"]) or "none", _shown([], kept))


def _held(kept: Compiled) -> list[Held]:
    """What limits a routine, without what its moments show already and what always holds."""
    clock = isinstance(kept.trigger, Once | Recurring | Elapsed)
    limits = [one for one in kept.limits if one[0] is not Limit.OWN and not (clock and one[0] in OF_THE_CLOCK)]
    midnight = [one for one in limits if one != (Limit.FROM, 0.0)]
    kinds = {said for one in KINDS if is_such(one, kept.such) for said in kept.such if said[0] == "is"}
    return [*midnight, *(one for one in kept.such if one not in kinds)]


def _wanted(said: str, kept: Compiled) -> tuple[Held, ...] | None:
    if said in KINDS:
        return ()  # by its name, which is the trigger's, or by what is said of it
    for pattern, meant in _READ:
        found = re.fullmatch(pattern, said)
        if found is not None:
            return meant(found)
    return None


def _is(want: Held, has: Held) -> bool:
    kind, value = want
    if kind != has[0]:
        return False
    match kind:
        case "sender" | "subject":
            return str(value).casefold() in str(has[1]).casefold()
        case "is":
            return str(has[1]).casefold() in _INVOICE
        case _:
            return value == has[1]


def _shown(held: list[Held], kept: Compiled) -> str:
    tests = [f"{task.tool} only when {one.text or one}" for task in kept.plan.tasks for one in task.when]
    return "; ".join([*(f"{kind} {value}" for kind, value in held), *tests]) or "none"
