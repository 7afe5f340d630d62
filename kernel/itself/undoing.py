"""Taking back: which run "undo" means, what taking it back does, and the words in which that is said.

What this stops: walking back silently from run to run. An undo in words is carried out at once only where it can mean
one thing: the last change of the conversation, with none of its changes taken back since and nothing that failed or was
refused after it (where nothing was said in the conversation before: the last run of all that had effects, if that was
only just now). Everything else becomes a question that names the run and says when it was. What cannot be taken back is
said before anybody is asked.
What it does not: judge whether a later run needs what is taken back; the transaction compares every path with the disk.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from kernel.approval.card import change_view, taken_back
from kernel.errors import NotNow
from kernel.itself.record import NAMED, one_line, request_words
from kernel.itself.undoing_grants import grant_words, grants_of, take_grants_back
from kernel.macros.managing import take_away as take_macro_away
from kernel.model import Resolution
from kernel.paths import short
from kernel.remembering import bulk
from kernel.remembering.lapsing import NotKept, not_kept
from kernel.routines.managing import must_stand
from kernel.routines.managing import take_back as take_routine_back
from kernel.routines.removing import bring_back, rights_of
from memory.model import Draft
from permissions.errors import Conflict
from permissions.labels import KERNEL_SAID
from permissions.model import Change, ChangeKind

if TYPE_CHECKING:
    from kernel.house import House
    from memory import Ledger

View = dict[str, Any]

_JUST_NOW_NS = 15 * 60 * 10**9
"""So long after a change "undo" in a new conversation may mean it without a question."""

_DONE = (Resolution.EXECUTED, Resolution.CONFIRMED)


@dataclass(frozen=True, slots=True)
class Undoable:
    """A run that can be taken back, the sentence that began it, and what taking it back does.

    ``private`` says that no word of it may be written; ``further`` that a later run was taken back already; ``plain``
    that an undo in words can mean this run only; ``stays`` names an earlier change of the same things, which taking
    this one back leaves as it is; ``at_ns`` is when the change was made, 0 where nothing says so. ``elsewhere`` says
    that it was made in another conversation, ``facts`` how many facts come, go or change with it, ``grants`` in words
    which rights go that its card gave for good, ``returns`` which come back with a routine that it took away.
    """

    run: str
    text: str
    language: str
    changes: tuple[View, ...]
    further: bool = False
    plain: bool = True
    stays: str = ""
    elsewhere: bool = False
    at_ns: int = 0
    private: bool = False
    facts: int = 0
    grants: tuple[str, ...] = ()
    returns: tuple[str, ...] = ()


def last_change(
    house: House, conversation: str = "", before: str = "", language: str = "en", *, puts_back: bool = False
) -> Undoable:
    """Return what "undo" takes back in ``conversation``, said by run ``before``. Raises NotNow without anything.

    ``puts_back`` says that a thing is to be where it was: two changes of it in a row are then a question.
    """
    said = [run for run in house.talk.runs(conversation) if run != before]
    _must_be_done(house, said, language)
    if not house.with_effects:
        words = _words(language)
        raise NotNow("undo.nothing", words["nothing"], hint=words["runs"])
    chosen = _latest(house, [run for run in house.with_effects if run in said] or house.with_effects)
    scope = said if chosen in said else [run for run in house.talk.every() if run != before]
    later = scope[scope.index(chosen) + 1 :] if chosen in scope else []
    undone = {event.run for event in house.ledger.events(kinds=("run.undone",))}
    further = not undone.isdisjoint(later)
    stays = _earlier(house, chosen) if puts_back else ""
    meant = chosen in said or (not said and _is_just_now(house, chosen))
    plain = meant and not further and not stays and not any(_is_undone(house, run) for run in later)
    elsewhere = bool(said) and chosen not in said
    return _undoable(house, chosen, further=further, plain=plain, stays=stays, elsewhere=elsewhere)


def _latest(house: House, runs: Sequence[str]) -> str:
    """Return the last of ``runs`` that did something. What was noted while files were read is nothing that anybody
    asked for: a run that did no more is meant only where there is no other.
    """
    return next((run for run in reversed(runs) if not _only_noted(house, run)), runs[-1])


def _only_noted(house: House, run: str) -> bool:
    """Tell whether nothing is left of ``run`` but facts that its tasks found: what a person tells needs no task."""
    if house.transactions.effects(run):
        return False
    return next(house.ledger.events(run=run, kinds=("task.done",), limit=1), None) is not None


def _must_be_done(house: House, said: Sequence[str], language: str) -> None:
    """Raise NotNow where all that this conversation could mean still waits for a person and has changed nothing."""
    waits = [run for run in said if run in house.waiting]
    if waits and not any(run in house.with_effects for run in said):
        words = _words(language)
        text = shortened(request_words(house.ledger, waits[-1]))
        raise NotNow("undo.waiting", words["waiting"].format(text=text), subject=waits[-1], hint=words["off"])


def _is_undone(house: House, run: str) -> bool:
    """Tell whether "undo that" may mean ``run``, and there is nothing of it to take back: it failed, or still waits."""
    return run in house.waiting or _failed(house, run) or _has_sent(house, run)


def _has_sent(house: House, run: str) -> bool:
    """Tell whether ``run`` handed a letter over: nothing takes that back."""
    return any(True for _ in house.ledger.events(run=run, kinds=("mail.accepted",)))


def _failed(house: House, run: str) -> bool:
    """Tell whether ``run`` did not do what it was asked: "undo that" may mean it, and nothing of it can be undone."""
    ends = [event.body or {} for event in house.ledger.events(run=run, kinds=("run.finished",))]
    return bool(ends) and ends[-1].get("resolution") not in _DONE


def _is_just_now(house: House, run: str) -> bool:
    """Tell whether somebody who says "undo" in a new place may well still think of ``run``."""
    return time.time_ns() - _done_at(house, run) < _JUST_NOW_NS


def _done_at(house: House, run: str) -> int:
    return max((event.at_ns for event in house.ledger.events(run=run, kinds=("commit.done", "facts.told"))), default=0)


def _earlier(house: House, chosen: str) -> str:
    """Return the last run before ``chosen`` that brought something to where ``chosen`` took it from."""
    came = {change.source for change in house.transactions.effects(chosen) if change.source}
    runs = house.with_effects[: house.with_effects.index(chosen)]
    return next(
        (run for run in reversed(runs) if came & {change.path for change in house.transactions.effects(run)}), ""
    )


def change_of(house: House, run: str) -> Undoable:
    """Return what taking ``run`` back does. Raises NotNow when it has changed nothing, or was taken back."""
    _check(house, run)
    return _undoable(house, run)


def _check(house: House, run: str) -> None:
    language = next(_languages(house, run), "en")
    waits = house.half_done(language).get(run)
    if waits is not None:
        raise NotNow("run.half_done", waits["message"], subject=run, hint=waits["hint"])
    words, before = _words(language), any(house.ledger.events(run=run, kinds=("run.undone",)))
    lost = None if before else not_kept(house, run)
    if lost is not None:
        hint = words["kept" if lost is NotKept.LAPSED else "which"]
        raise NotNow(f"undo.{lost}", words[lost].format(run=run), subject=run, hint=hint)
    if run not in house.with_effects and not grants_of(house, run):
        raise NotNow("undo.nothing", words["again" if before else "never"].format(run=run), subject=run,
                     hint=words["which"])  # fmt: skip
    must_stand(house, run)


def _languages(house: House, run: str) -> Iterator[str]:
    for event in house.ledger.events(run=run, kinds=("run.finished", "run.planned", "run.interpreted")):
        if event.body is not None and event.body.get("language"):
            yield str(event.body["language"])


def _undoable(
    house: House, run: str, *, further: bool = False, plain: bool = True, stays: str = "", elsewhere: bool = False
) -> Undoable:
    language = ([*_languages(house, run)] or [""])[-1]
    changes = tuple(change_view(taken_back(change)) for change in house.transactions.effects(run))
    text = request_words(house.ledger, run)
    stays = request_words(house.ledger, stays) if stays else ""
    private = is_private(house.ledger, run)
    facts = sum(len(ids) for one in told(house, run) for ids in one.values())
    at_ns = _done_at(house, run)
    home = str(house.folders.home)
    grants = grant_words(grants_of(house, run), home, language)
    gone = house.routines.gone(run)
    returns = grant_words(rights_of(house, gone), home, language) if gone is not None else ()
    return Undoable(run, text, language, changes, further, plain, stays, elsewhere, at_ns, private, facts, grants,
                    returns)  # fmt: skip


def is_private(ledger: Ledger, run: str) -> bool:
    """Tell whether no word of ``run`` may be written."""
    return any((event.body or {}).get("private") for event in ledger.events(run=run, kinds=("run.created",)))


# --- whether it can be done ---------------------------------------------------------------------------------------


def must_be_possible(house: House, what: Undoable, language: str = "", *, among: Collection[str] | None = None) -> None:
    """Raise NotNow where what ``what`` left (``among`` these places) has changed since; say what can be undone first.

    Told before a person is asked; the transaction compares once more, and exactly, when it is done.
    """
    must_stand(house, what.run)
    changed = [path for path in _changed_since(house, what.run) if among is None or path in among]
    if not changed:
        return
    words = _words(language or what.language)
    first = _later_on(house, what.run, changed)
    text = shortened(request_words(house.ledger, first)) if first else ""
    hint = words["first" if first else "other"].format(text=text, run=first)
    raise NotNow("undo.changed", _not_now(house, what, changed, words), subject=what.run, hint=hint)


def _not_now(house: House, what: Undoable, changed: Sequence[str], words: Mapping[str, str]) -> str:
    home = os.path.realpath(house.folders.home)
    named = ", ".join(short(path, home) for path in changed[:NAMED])
    named += words["more"].format(count=len(changed) - NAMED) if len(changed) > NAMED else ""
    return words["changed"].format(text=shortened(what.text), run=what.run, paths=named)


def _changed_since(house: House, run: str) -> list[str]:
    """Return the places of ``run`` that are gone or were written after it."""
    ends = [event.at_ns for event in house.ledger.events(run=run, kinds=("commit.done",))]
    found = []
    for change in house.transactions.effects(run):
        if change.kind is ChangeKind.DELETED or (change.folder and change.kind is ChangeKind.CREATED):
            there = os.path.lexists(change.path)
            changed = there and change.kind is ChangeKind.DELETED
        elif not os.path.lexists(change.path):
            changed = True
        else:
            changed = bool(ends) and not change.folder and os.lstat(change.path).st_mtime_ns > ends[-1]
        if changed:
            found.append(change.path)
    return found


def _later_on(house: House, run: str, places: Sequence[str]) -> str:
    """Return the last run after ``run`` that changed one of ``places``."""
    later = house.with_effects[house.with_effects.index(run) + 1 :]
    for one in reversed(later):
        touched = {place for change in house.transactions.effects(one) for place in (change.path, change.source)}
        if any(place == path or path.startswith(f"{place}/") for place in touched if place for path in places):
            return one
    return ""


async def take_back(house: House, what: Undoable, language: str = "") -> View:
    """Take a run back and say so. Raises Conflict where something has changed since, NotNow when it is done already."""
    _check(house, what.run)  # it may have been taken back while a question waited
    await asyncio.wrap_future(house.ledger.submit(event_of(what.run, {}, kind="undo.started")))
    facts_told = told(house, what.run)
    kept, macros = house.routines.kept_by(what.run), house.macros.kept_by(what.run)
    gone = house.routines.gone(what.run)
    only = not facts_told and not grants_of(house, what.run) and not kept and not macros and gone is None
    try:
        house.causes.note(what.run, house.transactions.effects(what.run))
        back = await asyncio.to_thread(_undo_files, house, what.run, only=only)
    except Conflict as error:
        body = {"paths": list(error.paths[: bulk.FIRST])}
        await asyncio.wrap_future(house.ledger.submit(event_of(what.run, body, kind="undo.refused")))
        raise said_again(house, what, error, language) from error
    house.causes.made()
    facts = await asyncio.to_thread(_undo_facts, house, facts_told)
    returned = await bring_back(house, what.run)
    for routine in kept:
        await take_routine_back(house, routine)
    for macro in macros:
        await take_macro_away(house, macro)
    grants = await take_grants_back(house, what.run)
    await asyncio.to_thread(_undo_what_it_said, house, what.run)
    changes = [change_view(taken_back(change)) for change in back]
    written = replace(run_undone(what.run, changes), volatile=what.private)
    await asyncio.wrap_future(house.ledger.submit(written))
    house.with_effects[:] = [run for run in house.with_effects if run != what.run]
    count = len(changes) + facts + len(kept) + len(macros) + (returned is not None)
    answer = _answer(what, count, grants, language or what.language)
    return {"run": what.run, "effects": changes, "answer": answer, "text": what.text, "language": what.language}


def told(house: House, run: str) -> list[View]:
    """Return what a run has told memory, as ids."""
    return [dict(event.body) for event in house.ledger.events(run=run, kinds=("facts.told",)) if event.body]


def _undo_files(house: House, run: str, *, only: bool) -> Sequence[Change]:
    """Take the changes of files back. ``only``: there is nothing else, so that a run without any is refused."""
    return house.transactions.undo(run).changes if only or house.transactions.effects(run) else ()


def _undo_facts(house: House, told: Sequence[View]) -> int:
    """Take facts back that a run told; return how many."""
    if not told:
        return 0
    from kernel.knowing.telling import take_back as take_facts_back  # brings the graph along

    return sum(take_facts_back(house.knowledge.graph(), one) for one in told)


def _undo_what_it_said(house: House, run: str) -> None:
    """Take back what the graph has from the plan of a run that no longer stands."""
    if house.knowledge.is_empty():
        return
    from kernel.knowing import requested

    requested.take_back(house, run)


def run_undone(run: str, changes: Sequence[View]) -> Draft:
    """Return the event that says that ``run`` was taken back, and what that changed."""
    return event_of(run, {"changes": bulk.lean_changes(changes)}, kind="run.undone")


def event_of(run: str, body: View, *, kind: str) -> Draft:
    """Return what is written down of an undo."""
    return Draft(kind=kind, run=run, body=body, label=KERNEL_SAID.to_json())


def said_again(house: House, what: Undoable, error: Conflict, language: str = "") -> Conflict:
    """Return the same conflict, known as told: in the words of the request, its paths as a person writes them."""
    words = _words(language or what.language)
    message = _not_now(house, what, error.paths or (error.subject,), words)
    return Conflict("undo.changed", message, subject=error.subject, hint=words["other"], paths=error.paths)


def question(what: Undoable, language: str) -> View:
    """Return the request for consent to take ``what`` back: its card names the run, its sentence and each change."""
    words = _words(language)
    concerns = [{"why": _why(what, words), "subject": shortened(what.text)}]
    if what.stays:
        concerns.append({"why": words["stays"], "subject": shortened(what.stays)})
    concerns += [{"why": words["right"], "subject": one} for one in what.grants]
    concerns += [{"why": words["returns"], "subject": one} for one in what.returns]
    card = {"rights": [], "concerns": concerns, "changes": bulk.lean_changes(what.changes),
            "undo": {"run": what.run, "text": what.text}}  # fmt: skip
    return {"stage": "commit", "seal": "", "card": card, "diff": []}


def _why(what: Undoable, words: Mapping[str, str]) -> str:
    """Return what is said before the sentence: that it is taken back, when it was done, and where."""
    where = words["elsewhere"] if what.elsewhere else ""
    if not what.at_ns:
        return words["why"].format(when="", where=where)
    at = datetime.fromtimestamp(what.at_ns / 1e9)
    key = "today" if at.date() == datetime.now().date() else "day"
    return words["why"].format(when=at.strftime(words[key]), where=where)


def undoable_view(what: Undoable) -> View:
    """Return what a client shows before it takes something back."""
    return {"run": what.run, "text": what.text, "language": what.language, "effects": list(what.changes),
            "further": what.further, "facts": what.facts, "grants": list(what.grants),
            "returns": list(what.returns)}  # fmt: skip


def _answer(what: Undoable, count: int, grants: int, language: str) -> str:
    words = _words(language)
    parts = [words["one" if count == 1 else "many"].format(count=count)] if count or not grants else []
    parts += [words["grant" if grants == 1 else "grants"].format(count=grants)] if grants else []
    return words["done"].format(changes=", ".join(parts), run=what.run, text=shortened(what.text))


def shortened(text: str) -> str:
    """Return a sentence on one line, cut where it is very long."""
    return one_line(text, 120)


_WORDS = {
    "en": {
        "why": "takes back what was done{when}{where}",
        "today": " today at %H:%M",
        "day": " on %Y-%m-%d at %H:%M",
        "elsewhere": " in another conversation",
        "done": "I took back “{text}” ({changes}, run {run}).",
        "waiting": "There is nothing to take back: “{text}” still waits for your answer and has changed nothing.",
        "off": "Say “never mind” to call it off.",
        "one": "1 change",
        "many": "{count} changes",
        "grant": "1 right",
        "grants": "{count} rights",
        "right": "takes away the right that its card gave for good",
        "returns": "gives a routine this right back",
        "nothing": "There is nothing to take back: no change of any run is left.",
        "never": "The run {run} changed nothing that can be taken back.",
        "lapsed": "The run {run} can no longer be taken back: the old contents that it takes are not kept any more.",
        "forgotten": "The run {run} can no longer be taken back: what it did was forgotten, with what that takes.",
        "private": "The run {run} can no longer be taken back: it was private: what that takes is kept an hour.",
        "kept": "./steward status says how long and how much is kept; ./steward config set undo_keep_days DAYS, or "
                "undo_quota_gib GIB, changes it for later runs.",
        "again": "The run {run} has been taken back already.",
        "runs": "./steward runs shows what was done.",
        "which": "./steward runs shows which runs can be taken back.",
        "stays": "the change before it stays, and can be taken back next",
        "changed": "“{text}” ({run}) cannot be taken back now: changed since then: {paths}. Nothing was changed.",
        "more": " and {count} more",
        "first": "Take back “{text}” first: ./steward undo {run}",
        "other": "./steward runs shows what else can be taken back.",
    },
    "de": {
        "why": "nimmt zurück, was{when}{where} getan wurde",
        "today": " heute um %H:%M",
        "day": " am %d.%m.%Y um %H:%M",
        "elsewhere": " in einem anderen Gespräch",
        "done": "Ich habe „{text}“ zurückgenommen ({changes}, Lauf {run}).",
        "waiting": "Es gibt nichts zurückzunehmen: „{text}“ wartet noch auf eine Antwort und hat nichts geändert.",
        "off": "Mit „doch nicht“ wird es abgebrochen.",
        "one": "1 Änderung",
        "many": "{count} Änderungen",
        "grant": "1 Recht",
        "grants": "{count} Rechte",
        "right": "nimmt das Recht weg, das seine Karte auf Dauer gab",
        "returns": "gibt einer Routine dieses Recht zurück",
        "nothing": "Es gibt nichts zurückzunehmen: Von keinem Lauf ist noch eine Änderung da.",
        "never": "Der Lauf {run} hat nichts geändert, was sich zurücknehmen ließe.",
        "lapsed": "Der Lauf {run} lässt sich nicht mehr zurücknehmen: Die alten Inhalte, die es dafür braucht, werden "
                  "nicht mehr aufbewahrt.",
        "forgotten": "Der Lauf {run} lässt sich nicht mehr zurücknehmen: Was er tat, ist vergessen, und was es dafür "
                     "braucht, auch.",
        "private": "Der Lauf {run} lässt sich nicht mehr zurücknehmen: Er war privat, und was es dafür braucht, wird "
                   "nur eine Stunde aufbewahrt.",
        "kept": "./steward status sagt, wie lange und wie viel aufbewahrt wird; ./steward config set undo_keep_days "
                "TAGE oder undo_quota_gib GIB ändert es für spätere Läufe.",
        "again": "Der Lauf {run} ist schon zurückgenommen.",
        "runs": "./steward runs zeigt, was getan wurde.",
        "which": "./steward runs zeigt, was sich zurücknehmen lässt.",
        "stays": "die Änderung davor bleibt und lässt sich danach zurücknehmen",
        "changed": "„{text}“ ({run}) lässt sich jetzt nicht zurücknehmen; seitdem geändert: {paths}. "
                   "Nichts wurde geändert.",
        "more": " und {count} weitere",
        "first": "Zuerst „{text}“ zurücknehmen: ./steward undo {run}",
        "other": "./steward runs zeigt, was sich sonst zurücknehmen lässt.",
    },
}  # fmt: skip


def _words(language: str) -> dict[str, str]:
    return _WORDS.get(language, _WORDS["en"])
