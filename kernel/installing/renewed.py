"""An update of Steward: skills that ship with it are other bytes now, and what was granted to them goes on or does not.

    start -> what each shipped skill may do, written down once for each of its contents (``noted``)
          -> a later start finds grants of an earlier content -> wants the new one more? no: they count for it, too
             (``carried_over``), yes: they end, and the next request asks

What this stops: an update that reads another folder, reaches another host or guards a place no longer, by the yes of
the version before. A grant that somebody revokes living on in the bytes of an earlier version: what goes on is moved.
What it does not: judge the code. Who changes the files of Steward has all its rights already.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from kernel.house import House
from memory import Ledger
from memory.model import Draft
from permissions import Grant
from permissions.labels import KERNEL_SAID
from permissions.model import Principal
from permissions.policy import new_grant
from skills import Registry, one_import
from skills.model import Skill, SkillId

NOTED, RENEWED = "skills.shipped", "skill.renewed"

if TYPE_CHECKING:
    from skills.packages import Powers

_log = logging.getLogger("steward.kernel")

Known = Mapping[tuple[str, str], "Powers"]
"""What skills could do, by skill and content."""


def noted(house: House) -> None:
    """Write down what each shipped skill may do, where its content is new here. For a thread."""
    with one_import:  # with the readers of manifests: no start waits for them
        from skills.packages import powers_of

    known = _known(house.ledger)
    new = [one for one in house.registry.skills() if one.shipped and (one.id, one.hash) not in known]
    if new:
        skills: dict[str, Any] = {
            one.id: {"hash": one.hash, "version": one.version, "powers": powers_of(one).to_json()} for one in new
        }
        house.ledger.submit(Draft(kind=NOTED, body={"skills": skills}, label=KERNEL_SAID.to_json()))


async def carried_over(house: House) -> None:
    """Let standing grants of shipped skills count for what those are now, where that wants nothing more.

    It comes before anything is asked, and is cheap: no manifest is read while the bytes are those of the grants.
    """
    standing = house.policy.standing(house.now_s())
    stale = await asyncio.to_thread(_stale, house.registry, standing) if standing else []
    if not stale:
        return
    skills, known = await asyncio.to_thread(lambda: (house.registry.skills(), _known(house.ledger)))
    for skill in skills:
        for digest in sorted({one.skill_hash for one in stale if one.skill == skill.id}):
            before = known.get((skill.id, digest))
            grants = [one for one in stale if (one.skill, one.skill_hash) == (skill.id, digest)]
            if skill.shipped:
                await _renew(house, skill, before, grants)


async def _renew(house: House, skill: Skill, before: Powers | None, grants: list[Grant]) -> None:
    """Move ``grants`` to the content that ``skill`` has now; where that wants more, or nobody knows, they end."""
    with one_import:  # with the readers of manifests: no start waits for them
        from skills.packages import powers_of, widened

    more = [one.to_json() for one in widened(before, powers_of(skill))] if before is not None else []
    kept = before is not None and not more
    if kept:
        now = house.now_s()
        had = {_what(one) for one in house.policy.standing(now)}
        new = [one for one in (_again(grant, skill, now) for grant in grants) if _what(one) not in had]
        if new:
            await house.grant(new, None)
    else:
        _log.warning("%s is another since the last update of Steward, and asks anew", skill.id)
    await house.revoke(*(one.id for one in grants))
    body: dict[str, Any] = {"skill": skill.id, "hash": skill.hash, "version": skill.version, "wants_more": more,
            "known": before is not None, "kept": len(grants) if kept else 0}  # fmt: skip
    house.ledger.submit(Draft(kind=RENEWED, body=body, label=KERNEL_SAID.to_json()))


def _again(grant: Grant, skill: Skill, now_s: float) -> Grant:
    principal = Principal(SkillId(skill.id), skill.hash, "", "", "", grant.client)
    why = f"kept from {grant.id}: Steward was updated, and {skill.id} wants nothing more"
    made = new_grant(principal, grant.right, grant.mode, now_s, grant.expires_s, why=why)
    return replace(made, by=grant.by)


def _what(grant: Grant) -> tuple[object, ...]:
    return (grant.skill, grant.skill_hash, grant.client, grant.right, grant.mode, grant.expires_s)


def _stale(registry: Registry, standing: Sequence[Grant]) -> list[Grant]:
    """Return the grants of shipped skills that were given to another content than they have now."""
    now = registry.shipped_contents({one.skill for one in standing})
    return [one for one in standing if now.get(one.skill, one.skill_hash) != one.skill_hash]


def _known(ledger: Ledger) -> Known:
    with one_import:  # with the readers of manifests: no start waits for them
        from skills.packages import Powers

    found: dict[tuple[str, str], Powers] = {}
    for event in ledger.events(kinds=(NOTED,)):
        body: Mapping[str, Any] = event.body or {}
        for skill, said in body.get("skills", {}).items():
            found[skill, said["hash"]] = Powers.from_json(said["powers"])
    return found
