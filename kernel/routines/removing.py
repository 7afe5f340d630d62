"""A routine taken away, and brought back by an undo: with its versions, its marks, and what stood at its node.

What this stops: rights at a node whose routine is gone; a routine that comes back beside a namesake, or without the
denies and limits that a person had set for it; one that makes up for what happened while it was gone.
What it does not: bring back what runs in its name did not end; they were stopped.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from kernel.clients.bounds import must_be_a_persons
from kernel.errors import NotNow
from kernel.model import Resolution
from kernel.routines.book import LEFT, REMOVED, RETURNED, Gone
from kernel.routines.routine import Routine
from kernel.routines.sayings import say
from kernel.run import Run, Stop, unbroken
from memory.model import Draft
from permissions.labels import KERNEL_SAID
from permissions.policy import Bound, Grant, Rule, node_path

if TYPE_CHECKING:
    from kernel.house import House

_WORDS = (
    ("en", re.compile(r"(?:please )?(?:forget|remove|delete|drop|take away|take(?=.* away\b)) (?:the|my) "
                      r"(?:routine|rule) [\"“']?(?P<name>[\w-]+)[\"”']?(?: away)?(?:,? please)?", re.IGNORECASE)),
    ("de", re.compile(r"(?:bitte )?(?:vergiss|entfern|entferne|lösch|lösche|nimm(?=.* weg\b)) (?:die|meine) "
                      r"(?:routine|regel) [\"„']?(?P<name>[\w-]+)[\"“']?(?: weg)?(?: bitte)?", re.IGNORECASE)),
)  # fmt: skip


def unwanted(text: str) -> tuple[str, str]:
    """Return the name of the routine that a sentence wants taken away, and its language; empty where it wants none."""
    said = text.strip().rstrip(".!")
    found = ((one["name"].casefold(), language) for language, words in _WORDS if (one := words.fullmatch(said)))
    return next(found, ("", ""))


async def in_words(run: Run) -> None:
    """Take a routine away where the sentence of ``run`` wants that of one there is. Raises Stop."""
    name, language = unwanted(run.utterance.text)
    house = run.house
    if house.routines.get(name) is None:
        return
    run.language = language
    must_be_a_persons(run)
    async with house.routines.keeping:
        one = house.routines.get(name)
        if one is None:  # another request was quicker
            return
        gone = await unbroken(take_away(house, one, run.id))
        house.with_effects.append(run.id)
    text = say(language, "removed", name=name)
    raise Stop(Resolution.EXECUTED, text, result={"removed": name, "revoked": gone})


async def take_away(house: House, one: Routine, run: str = "") -> list[str]:
    """Write down that a routine is no more, and take away what stands at its node: grants, denies and limits, which the
    next one of its name is not to have; return the grants. What ``run`` took away can be brought back.
    """
    runs = {version.run for version in house.routines.versions(one.name)}
    grants = [grant for grant in house.policy.standing(house.now_s()) if grant.client == one.node]
    denies, limits = _set_at(house, one.node)
    body = {"name": one.name, "at": house.clock().isoformat()}
    written = [_draft(REMOVED, body, run)]
    if run and (grants or denies or limits):
        written.append(_draft(LEFT, {
            "grants": [grant.to_json() for grant in grants],
            "denies": [{"node": path, **rule.to_json()} for path, rule in denies],
            "limits": [{"node": path, **bound.to_json()} for path, bound in limits],
        }, run))  # fmt: skip
    await house.write_routine(*written)
    ids = [grant.id for grant in grants]
    if grants or denies:
        await house.revoke(*ids, *(rule.id for _, rule in denies))
    for path, bound in limits:
        await house.limit(path, bound.meter, None, total=bound.total, why="")
    for kept in runs:  # of the requests that made it what it was nothing is left
        with suppress(ValueError):
            house.with_effects.remove(kept)
    return ids


def must_be_free(house: House, run: str) -> None:
    """Check that what ``run`` took away can have its name again. Raises NotNow where another routine has it."""
    gone = house.routines.gone(run)
    if gone is not None and house.routines.get(gone.past.now.name) is not None:
        language, name = gone.past.now.language, gone.past.now.name
        raise NotNow("undo.name_taken", say(language, "name taken", name=name), subject=run,
                     hint=say(language, "free the name", name=name, run=run))  # fmt: skip


def rights_of(house: House, gone: Gone) -> list[Grant]:
    """Return the grants that come back with a routine: those whose time is not over."""
    grants = (Grant.from_json(one) for one in gone.left.get("grants", ()))
    return [one for one in grants if not one.has_ended(house.now_s())]


async def bring_back(house: House, run: str) -> Routine | None:
    """Bring back what ``run`` took away; it counts from now. None where it took nothing away. Raises NotNow.

    What holds it back stands before it does, and what it may do comes last: wherever a daemon ends, it may do less.
    """
    gone = house.routines.gone(run)
    if gone is None:
        return None
    async with house.routines.keeping:
        must_be_free(house, run)
        for one in gone.left.get("denies", ()):
            rule = Rule.from_json(one)
            if not rule.origin.has_ended(house.now_s()):
                await house.deny(str(one["node"]), rule.right, rule.origin.why, rule.origin.expires_s)
        for one in gone.left.get("limits", ()):
            bound = Bound.from_json(one)
            if not bound.origin.has_ended(house.now_s()):
                await house.limit(str(one["node"]), bound.meter, bound.amount, total=bound.total,
                                  why=bound.origin.why, expires_s=bound.origin.expires_s)  # fmt: skip
        body = {"name": gone.past.now.name, "at": house.clock().isoformat()}
        await house.write_routine(_draft(RETURNED, body, run))
        if grants := rights_of(house, gone):
            await house.grant(grants, None)
    for one in gone.past.versions:
        _can_be_undone(house, one.run)
    return gone.past.now


def _can_be_undone(house: House, run: str) -> None:
    """Have ``run`` be one that can be taken back, where it stood among the others."""
    order = {one: at for at, one in enumerate(house.talk.every())}
    later = (at for at, one in enumerate(house.with_effects) if order.get(one, -1) > order.get(run, -1))
    if run not in house.with_effects:
        house.with_effects.insert(next(later, len(house.with_effects)), run)


def _draft(kind: str, body: dict[str, Any], run: str) -> Draft:
    return Draft(kind=kind, body=body, run=run or None, label=KERNEL_SAID.to_json())


def _set_at(house: House, name: str) -> tuple[list[tuple[str, Rule]], list[tuple[str, Bound]]]:
    """Return the denies and the limits that a person set at the node of this name, and below, each with its node."""
    top = node_path(name)
    nodes = [one for path, one in house.policy.nodes.items() if path == top or path.startswith(f"{top}/")]
    denies = [(node.path, rule) for node in nodes for rule in node.rules if rule.id]
    return denies, [(node.path, bound) for node in nodes for bound in node.bounds]
