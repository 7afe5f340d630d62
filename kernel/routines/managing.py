"""What a person does with their routines: look, let rest, go on, run now, take away.

What this stops: a routine that goes on with rights after it was taken away. What it does not: change one, which words
do (``editing``).
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC
from typing import TYPE_CHECKING, Any

from kernel.approval.rights_words import right_words
from kernel.clients.book import digest_of, new_token
from kernel.errors import BadRequest, NotNow, UnknownRun
from kernel.model import Resolution
from kernel.receiving import new_run_id
from kernel.request import Ask, conversation_of
from kernel.routines.book import HOOKED, KEPT, PAUSED, RESUMED
from kernel.routines.firing import Come
from kernel.routines.model import Called
from kernel.routines.ready import ready
from kernel.routines.removing import must_be_free, take_away
from kernel.routines.routine import Fire, Routine, to_json
from kernel.routines.sayings import say
from kernel.routines.triggers_json import to_json as to_json_of
from kernel.routines.views import latest_of, next_of, routine_view
from memory.model import Draft
from permissions.labels import KERNEL_SAID
from permissions.naming import shown
from skills import one_import

if TYPE_CHECKING:
    from kernel.house import House
    from kernel.model import Plan
    from kernel.run import Run


LONGEST_MESSAGE = 4000


class Routines:
    """The routines as a person manages them. All methods belong to one event loop."""

    def __init__(
        self, house: House, fire: Fire, hand_in: Callable[[Routine, Come], bool],
        start: Callable[[Run, Plan], None], ask: Callable[[Ask], Awaitable[str]],
        settled: Callable[[str], Awaitable[dict[str, Any]]],
    ) -> None:  # fmt: skip
        """``hand_in`` has an event wait for its routine, and says whether anything takes it in yet; ``start`` sets a
        dry run going, ``ask`` a request, and ``settled`` waits for one.
        """
        self._house, self._fire, self._hand_in, self._start = house, fire, hand_in, start
        self._ask, self._settled = ask, settled

    def every(self) -> list[dict[str, Any]]:
        """Return all routines, by name, each with when it is next due and what its last run was."""
        return [self.view(one.name) for one in self._house.routines.every()]

    def view(self, name: str) -> dict[str, Any]:
        """Return one routine: its last moment, and the latest run in its name (``latest``). Raises UnknownRun."""
        one, house = self._known(name), self._house
        last = house.routines.last(one)
        found = {
            "last": str(last.get("at", "")),
            "last_run": str(last.get("run", "")),
            "missed": bool(last.get("missed")),
            "latest": latest_of(one, house),
            "unread": [say(one.language, "unread", why=why) for why in house.routines.unread.of(one)],
        }
        return routine_view(one, str(house.folders.home), next_of(one, house)) | found

    def whole(self, name: str) -> dict[str, Any]:
        """Return one routine with its plan, its graph, its rights, what would set it off, and what it was; the
        ``files`` that it may be tried out on (None: on none), and its ``hook``, with whether a token opens that.

        Raises UnknownRun.
        """
        one, house = self._known(name), self._house
        around = house.circumstances(f"routine-{name}", one.cwd, one.node)
        with one_import:
            from kernel.planning.plan_graph import mermaid
            from kernel.routines.showing import plan_shown
            from kernel.routines.trying import MOST_TO_TRY, lying_there, would_fire
            from kernel.routines.versions import versions_view

        plan = plan_shown(one, around)
        rights = [
            {"grant": grant.id, "skill": grant.skill, "right": str(grant.right),
             "words": right_words(grant.right, str(house.folders.home), one.language)}
            for grant in house.policy.standing(house.now_s()) if grant.client == one.node
        ]  # fmt: skip
        there = lying_there(house, one)
        return self.view(name) | {
            "plan": plan, "graph": mermaid(plan, one.language), "rights": rights,
            "trigger": to_json_of(one.trigger), "versions": versions_view(house, name),
            "fires": would_fire(house, one, there), "files": None if there is None else there[0][:MOST_TO_TRY],
            "has_token": house.routines.has_token(name),
            "hook": one.trigger.name if isinstance(one.trigger, Called) else "",
        }  # fmt: skip

    def versions(self, name: str) -> list[dict[str, Any]]:
        """Return what a routine was and is, the oldest first. Raises UnknownRun."""
        with one_import:
            from kernel.routines.versions import versions_view

        return versions_view(self._house, self._known(name).name)

    async def back(self, name: str, version: int, conversation: str | None = None) -> str:
        """Ask that a routine be what it was as ``version``; return the run that waits for a yes. Raises UnknownRun."""
        one = self._known(name)
        words = say(one.language, "back", name=name, version=str(version))
        return await self._ask(Ask(words, conversation, channel="routines"))

    async def pause(self, name: str) -> None:
        """Let a routine rest: nothing sets it off until ``resume``. Raises UnknownRun."""
        await self._write(PAUSED, self._known(name))

    async def resume(self, name: str) -> None:
        """Let a routine go on; what came while it rested is not made up for. Raises UnknownRun."""
        await self._write(RESUMED, self._known(name))

    async def remove(self, name: str, conversation: str | None = None) -> dict[str, Any]:
        """Take a routine away with its grants, and stop what runs in its name; return the ``run`` that did, which an
        undo takes back, and the grants (``revoked``). Raises UnknownRun, NotNow.
        """
        one = self._known(name)
        words = say(one.language, "remove", name=name)
        view = await self._settled(await self._ask(Ask(words, conversation, channel="routines")))
        if view["resolution"] != Resolution.EXECUTED:
            raise NotNow("routine.not_removed", f"{name} was not taken away.", subject=name,
                         hint="./steward routines lists what is there.")  # fmt: skip
        return {"run": view["run"], "revoked": view["result"]["revoked"]}

    async def run(self, name: str) -> str:
        """Have a routine run now, whatever its trigger; return the run's id. Raises UnknownRun, NotNow."""
        one, run, house = self._known(name), new_run_id(), self._house
        with one_import:
            from kernel.routines.bringing import kind_of, takes_any
            from kernel.routines.watching.newest import newest

        come = await newest(house, one) if takes_any(one.plan) else None
        if come is None and takes_any(one.plan):
            key = f"broken.none {kind_of(one.trigger, str(house.folders.home))}"
            raise NotNow("routine.nothing", say(one.language, key), subject=name,
                         hint=f"./steward routines show {name} says what it waits for.")  # fmt: skip
        value, words = (come.value, come.words) if come is not None else (None, "")
        await self._fire(one, ready(house, one, house.clock(), value, words), run)
        return run

    async def try_out(self, name: str, path: str = "", shown_in: str | None = None) -> str:
        """Begin a dry run of a routine, or of the rule whose card waits, called by its name or its run; return its id.

        It is done on the file at ``path``, else on the latest thing that would have set it off, and seen in the
        conversation ``shown_in``. Raises UnknownRun, NotNow, BadRequest.
        """
        place = conversation_of(Ask("", shown_in), "") if shown_in else ""
        proposed = self._house.routines.proposed
        one = self._house.routines.get(name)
        waits = proposed.get(name) or next((each for each in proposed.values() if each.name == name), None)
        with one_import:
            from kernel.routines.trying import trial_of, tried_plan
            from kernel.trying import begun

        kept = one is not None
        one = one or waits or self._known(name)
        plan = await tried_plan(self._house, one, path, kept=kept)
        live = await begun(self._house, replace(trial_of(one, kept=kept, asks=True), shown_in=place))
        self._start(live, plan)
        return live.id

    async def token(self, name: str) -> str:
        """Make the token that opens a routine's webhook; an earlier one opens nothing any more. Raises UnknownRun,
        NotNow.
        """
        one = self._known(name)
        if not isinstance(one.trigger, Called):
            raise NotNow("routine.no_hook", say(one.language, "no hook"), subject=name,
                         hint=f"./steward routines show {name} says what it waits for.")  # fmt: skip
        token = new_token()
        body = {"name": one.name, "key": one.key, "digest": digest_of(token).hex()}
        await self._house.write_routine(Draft(kind=HOOKED, body=body, label=KERNEL_SAID.to_json()))
        return token

    def hook_of(self, token: str) -> str | None:
        """Return the name of the webhook that ``token`` opens; None where it opens none."""
        found = self._house.routines.whose(token)
        return found.trigger.name if found is not None and isinstance(found.trigger, Called) else None

    def called(self, hook: str, text: str) -> list[str]:
        """Take in a call of the webhook ``hook`` with its message; return the routines that it sets off. Raises NotNow,
        BadRequest.
        """
        if len(text) > LONGEST_MESSAGE:
            raise BadRequest("hook.long", f"A message has at most {LONGEST_MESSAGE} characters.", hint="Send less.")
        house = self._house
        waiting = [one for one in house.routines.every() if one.trigger == Called(hook) and not one.paused]
        if not waiting:
            raise NotNow("hook.rests", "Nothing waits for this webhook now.", hint="./steward routines lists who does.")
        come = Come(secrets.token_hex(12), house.clock().astimezone(UTC), 0, text, hook)
        for one in waiting:
            if not self._hand_in(one, come):
                raise NotNow("hook.early", "Steward has just started.", hint="Call again in a moment.")
        return [one.name for one in waiting]

    async def _write(self, kind: str, one: Routine) -> None:
        body = {"name": one.name, "at": self._house.clock().isoformat()}
        await self._house.write_routine(Draft(kind=kind, body=body, label=KERNEL_SAID.to_json()))

    def _known(self, name: str) -> Routine:
        found = self._house.routines.get(name)
        if found is None:
            raise UnknownRun("routine.unknown", f"There is no routine {shown(name)}.", subject=shown(name),
                             hint="./steward routines lists them.")  # fmt: skip
        return found


def must_stand(house: House, run: str) -> None:
    """Check that what ``run`` made of a routine can be taken back. Raises NotNow where the routine was changed since,
    what it was before is forgotten, or the name of one that it took away is another's.
    """
    must_be_free(house, run)
    later = house.routines.changed_since(run)
    if later is not None:
        raise NotNow("undo.changed", say(later.language, "changed since", name=later.name), subject=run,
                     hint=say(later.language, "undo first", run=later.run))  # fmt: skip
    for one in house.routines.kept_by(run):
        if one.version > 1 and len(house.routines.versions(one.name)) == 1:
            raise NotNow("undo.forgotten", say(one.language, "before forgotten", name=one.name), subject=run,
                         hint=f"./steward routines remove {one.name}")  # fmt: skip


async def take_back(house: House, one: Routine) -> None:
    """Take back what a routine was made: it is gone, or what it was before (``must_stand``), and counts from now."""
    if one.version == 1:
        await take_away(house, one)
        return
    before = house.routines.versions(one.name)[-2]
    body = to_json(before) | {"again": house.clock().isoformat()}
    await house.write_routine(Draft(kind=KEPT, body=body, label=KERNEL_SAID.to_json()))
