"""Forgetting somebody: what it would reach is shown first, then a person says yes, then it is done; for good.

What this stops: a forget that nobody was asked about; one that leaves a run half readable; one that goes on over a run
that still writes.
What it does not: reach exports and copies of backups, or the person's own files. Backups that Steward wrote and still
finds are written anew, the others named (``kernel.backup``).
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kernel.backup.forgetting import within_reach
from kernel.errors import NotNow
from kernel.knowing.apart import sought
from kernel.knowing.finding import SELF
from kernel.knowing.own_folders import Kept, OwnStore, kept_about
from kernel.knowing.stores import Reach, mentions_in, reached
from kernel.knowing.wording import name_in, word
from kernel.macros.macro_json import to_json as macro_to_json
from kernel.macros.managing import take_away as take_macro_away
from kernel.routines.removing import take_away
from kernel.routines.routine import to_json
from memory.graph.errors import shown
from memory.graph.mentions import Mentions
from memory.graph.model import Entity, Forgotten
from permissions.naming import shown as shown_path

if TYPE_CHECKING:
    from kernel.house import House
    from kernel.macros.model import Macro
    from kernel.routines.routine import Routine

View = dict[str, Any]

_TITLES = frozenset("dr prof mr mrs ms miss sir herr frau".split())
_NAMED = 8


@dataclass(frozen=True, slots=True)
class Preview:
    """What a forget would reach. ``also`` are names to look for beside the entity's own; ``words`` all of them.

    ``undo`` counts runs that could be taken back now; ``live`` are runs that are not over, which it waits for; ``own``
    is what skills keep for themselves, ``routines`` what would be done by itself no more, ``macros`` what would
    be done by its name no more; ``backups`` are written anew, ``backups_stay`` cannot be reached.
    """

    name: str
    entity: Entity | None
    also: tuple[str, ...]
    words: tuple[str, ...]
    facts: int
    reach: Reach
    undo: int
    kept: tuple[str, ...]
    live: tuple[str, ...]
    own: Kept
    routines: tuple[str, ...] = ()
    macros: tuple[str, ...] = ()
    backups: tuple[str, ...] = ()
    backups_stay: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Tell whether there is nothing to forget."""
        there = (self.facts, self.reach.seqs, self.reach.runs, self.own.counts, self.routines, self.macros)
        return self.entity is None and not any(there)

    @property
    def seal(self) -> str:
        """A digest of what was shown, for an answer to be about just that."""
        said = repr((self.entity and self.entity.id, self.words, self.facts, self.reach.runs, self.own.counts,
                     self.routines, self.macros))  # fmt: skip
        return "forget:" + hashlib.sha256(said.encode()).hexdigest()[:16]

    def to_json(self) -> View:
        """Return it as a client shows it."""
        return {
            "name": self.name, "entity": self.entity.id if self.entity else None, "words": list(self.words),
            "facts": self.facts, "events": len(self.reach.seqs), "runs": list(self.reach.runs), "undo": self.undo,
            "own": self.own.to_json(), "own_stays": list(self.own.stays),
            "routines": list(self.routines), "macros": list(self.macros), "kept": list(self.kept),
            "stays": list(self.reach.stays),
            "backups": list(self.backups), "backups_stay": list(self.backups_stay),
            "waits_for": list(self.live), "seal": self.seal,
        }  # fmt: skip


def preview(house: House, name: str, entity: Entity | None, also: tuple[str, ...] = (), besides: str = "") -> Preview:
    """Return what forgetting would reach, and change nothing. ``besides`` is the run that asks."""
    graph = house.knowledge.graph()
    further = tuple(dict.fromkeys([*also, *(_first_names(entity) if entity else (name,))]))
    seen = graph.foresee(entity.id if entity else None, further)
    found = reached(house.ledger, house.transactions, sought(house, seen.words)) if seen.words else Reach((), (), ())
    others = tuple(run for run in found.runs if run != besides)
    reach = Reach(others, found.seqs, found.stays)
    busy = tuple(run for run in others if _is_busy(house, run))
    undo = sum(run in house.with_effects for run in others)
    kept = tuple(graph.entity(id).name for id in seen.kept)
    own = kept_about(house.folders.kept, seen.words)
    routines = tuple(one.name for one in _routines_about(house, seen.words))
    macros = tuple(one.name for one in _macros_about(house, seen.words))
    backups = within_reach(house)
    return Preview(name, entity, further, seen.words, len(seen.facts), reach, undo, kept, busy, own, routines, macros,
                   (*backups.reachable, *backups.before), backups.stays)  # fmt: skip


def _routines_about(house: House, words: tuple[str, ...]) -> list[Routine]:
    """Return the routines that mention one of these names: without it they would do something else."""
    in_text = sought(house, words).in_text
    return [one for one in house.routines.every() if words and mentions_in(to_json(one), in_text)]


def _forget_versions(house: House, words: tuple[str, ...]) -> None:
    """Drop what routines were before they were changed, or taken away, where that mentions one of these names."""
    in_text = sought(house, words).in_text
    house.cannot_undo(house.routines.forget(lambda one: bool(words) and mentions_in(one, in_text)))


def _macros_about(house: House, words: tuple[str, ...]) -> list[Macro]:
    """Return the macros that mention one of these names."""
    in_text = sought(house, words).in_text
    return [one for one in house.macros.every() if words and mentions_in(macro_to_json(one), in_text)]


def _is_busy(house: House, run: str) -> bool:
    """Tell whether a run is not over: it has no end yet, or waits for its disk."""
    if run in house.half_done("en"):
        return True
    return run in house.live and next(house.ledger.events(run=run, kinds=("run.finished",), limit=1), None) is None


def _first_names(entity: Entity) -> tuple[str, ...]:
    """The names by which somebody is called for short. Where another is called so too, nobody looks for it."""
    if entity.kind not in ("person", "name"):
        return ()
    parts = (name.split() for name in entity.names)
    short = (next((part for part in words if part.strip(".").casefold() not in _TITLES), "") for words in parts)
    return tuple(one for one in short if one)


def must_be_possible(found: Preview, language: str) -> None:
    """Raise NotNow while a run that would go is not over."""
    if found.live:
        runs = ", ".join(found.live[:_NAMED])
        de = f"Das geht erst, wenn diese Aufträge beendet sind: {runs}."
        message = f"These requests mention it and are not over: {runs}." if language != "de" else de
        raise NotNow("forget.live", message, subject=runs, hint=f"./steward approve {found.live[0]}")


async def carry_out(house: House, found: Preview) -> Forgotten:
    """Forget it: routines, macros and grants that name it are taken away first, then everything else.

    Raises NotNow, StoreFailed.
    """
    for routine in _routines_about(house, found.words):
        await take_away(house, routine)
    _forget_versions(house, found.words)
    for macro in _macros_about(house, found.words):
        await take_macro_away(house, macro)
    in_text = sought(house, found.words).in_text
    granted = [grant.id for grant in house.policy.grants if mentions_in(grant.to_json(), in_text)]
    if granted and found.words:
        await house.revoke(*granted)
    graph = await asyncio.to_thread(house.knowledge.graph)
    try:
        return await asyncio.to_thread(graph.forget, found.entity.id if found.entity else None, found.also)
    finally:
        if house.ahead is not None:
            house.ahead.forget()


def question(found: Preview, language: str) -> View:
    """Return the request for consent: a card that says what goes, what stays, and that nothing brings it back."""
    say = _CARD.get(language, _CARD["en"])
    who = name_in(found.entity, found.name, language)
    more = ", ".join(shown(one) for one in found.words[:_NAMED])
    lines = [(say["for_good"], who), (say["words"], more or "-"), (say["facts"], str(found.facts)),
             (say["runs"], f"{len(found.reach.runs)} ({len(found.reach.seqs)} {say['events']})")]  # fmt: skip
    if found.own.counts:
        lines.append((say["own"], ", ".join(f"{skill} {count}" for skill, count in found.own.counts)))
    if found.own.stays:
        lines.append((say["own_stays"], ", ".join(shown(one) for one in found.own.stays[:_NAMED])))
    if found.routines:
        lines.append((say["routines"], ", ".join(shown(one) for one in found.routines[:_NAMED])))
    if found.macros:
        lines.append((say["macros"], ", ".join(shown(one) for one in found.macros[:_NAMED])))
    if found.undo:
        lines.append((say["undo"], str(found.undo)))
    for kind, paths in (("backups", found.backups), ("backups_stay", found.backups_stay)):
        if paths:
            lines.append((say[kind], ", ".join(shown_path(one) for one in paths[:_NAMED])))
    if found.kept:
        lines.append((say["kept"], ", ".join(shown(one) for one in found.kept[:_NAMED])))
    if found.reach.stays:
        lines.append((say["stays"], ", ".join(shown(one) for one in found.reach.stays[:_NAMED])))
    card = {"rights": [], "concerns": [{"why": why, "subject": what} for why, what in lines], "changes": [],
            "forget": found.to_json()}  # fmt: skip
    return {"stage": "commit", "seal": found.seal, "card": card, "diff": []}


def said(found: Preview, done: Forgotten, language: str, behind: Sequence[str] = ()) -> str:
    """Return the answer; it names nobody, for it stays in the record. ``behind`` are backups that were not reached."""
    own, backups = done.stores.get(OwnStore.name, 0), done.stores.get("backups", 0)
    events = done.events + sum(done.stores.values()) - own - backups
    text = [word(language, "forgot", facts=found.facts, runs=len(found.reach.runs), events=events)]
    text += [word(language, "forgot_own", count=own)] if own else []
    text += [word(language, "forgot_backups", count=backups)] if backups else []
    in_text = Mentions(found.words).in_text
    named = ", ".join(shown_path(one) for one in behind[:_NAMED] if not in_text(one))
    text += [word(language, "forgot_not_backups", paths=named)] if named else []
    return " ".join(text)


def is_oneself(found: Preview) -> bool:
    """Tell whether it is the speaker that is to be forgotten."""
    return found.entity is not None and found.entity.kind == SELF


_CARD = {
    "en": {
        "for_good": "forgets for good, nothing brings it back", "words": "looks for these names everywhere",
        "facts": "facts that go", "runs": "requests whose words, results and undo go",
        "events": "entries of the record", "own": "entries that go of what skills keep, by skill",
        "routines": "is no longer done by itself", "macros": "is no longer done by its name",
        "backups": "backups that are written anew without it",
        "backups_stay": "stays in backups that cannot be reached: remove them yourself",
        "own_stays": "stays: only the skill itself can take it out of its file",
        "undo": "of them, changes that can no longer be taken back", "kept": "called alike, and not touched",
        "stays": "stays: a deny or limit that you set for this place",
    },
    "de": {
        "for_good": "vergisst endgültig, nichts bringt es zurück", "words": "sucht überall nach diesen Namen",
        "facts": "Aussagen, die verschwinden", "runs": "Aufträge, deren Worte, Ergebnisse und Rücknahme verschwinden",
        "events": "Einträge im Protokoll", "own": "Einträge, die aus dem gehen, was Fähigkeiten behalten",
        "routines": "geschieht nicht mehr von selbst", "macros": "geschieht nicht mehr auf seinen Namen",
        "backups": "Sicherungen, die ohne das neu geschrieben werden",
        "backups_stay": "bleibt in Sicherungen, die nicht erreichbar sind: entferne sie selbst",
        "own_stays": "bleibt: nur die Fähigkeit selbst kann es aus ihrer Datei nehmen",
        "undo": "davon Änderungen, die sich nicht mehr zurücknehmen lassen",
        "kept": "heißt ähnlich und bleibt unberührt",
        "stays": "bleibt: was du für diesen Ort verboten oder begrenzt hast",
    },
}  # fmt: skip
