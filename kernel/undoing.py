"""Taking back: which run "undo" means, what taking it back does, and the words in which that is said.

What this stops: walking back silently from run to run. An undo in words is carried out at once only where it can mean
one thing: the last change of the conversation, with none of its changes taken back since (where nothing was said in the
conversation before: the last run of all that had effects). Everything else becomes a question that names the run.
What it does not: judge whether a later run needs what is taken back; the transaction compares every path with the disk.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kernel import bulk
from kernel.card import change_view, taken_back
from kernel.errors import NotNow
from memory.model import Draft
from permissions.labels import KERNEL_SAID

if TYPE_CHECKING:
    from kernel.house import House

View = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Undoable:
    """A run that can be taken back, the sentence that began it, and what taking it back does.

    ``further`` says that a later run was taken back already; ``plain`` that an undo in words can mean this run only.
    """

    run: str
    text: str
    language: str
    changes: tuple[View, ...]
    further: bool = False
    plain: bool = True


def last_change(house: House, conversation: str = "", before: str = "", language: str = "en") -> Undoable:
    """Return what "undo" takes back in ``conversation``, said by run ``before``. Raises NotNow without anything."""
    if not house.with_effects:
        words = _words(language)
        raise NotNow("undo.nothing", words["nothing"], hint=words["runs"])
    said = [run for run in house.talk.runs(conversation) if run != before]
    everything = [event.run for event in house.ledger.events(kinds=("run.created",)) if event.run not in (None, before)]
    chosen = next((run for run in reversed(house.with_effects) if run in said), house.with_effects[-1])
    scope = said if chosen in said else everything
    later = scope[scope.index(chosen) + 1 :] if chosen in scope else []
    undone = {event.run for event in house.ledger.events(kinds=("run.undone",))}
    further = not undone.isdisjoint(later)
    plain = not further and (chosen in said or not said)
    return _undoable(house, chosen, further=further, plain=plain)


def change_of(house: House, run: str) -> Undoable:
    """Return what taking ``run`` back does. Raises NotNow when it has changed nothing, or was taken back."""
    _check(house, run)
    return _undoable(house, run)


def _check(house: House, run: str) -> None:
    if run not in house.with_effects:
        before = any(house.ledger.events(run=run, kinds=("run.undone",)))
        what = "has been taken back already" if before else "changed nothing that can be taken back"
        raise NotNow("undo.nothing", f"The run {run} {what}.", subject=run,
                     hint="./steward runs shows which runs did.")  # fmt: skip


def _undoable(house: House, run: str, *, further: bool = False, plain: bool = True) -> Undoable:
    text, language = "", ""
    for event in house.ledger.events(run=run, kinds=("run.created", "run.interpreted", "run.finished")):
        body = event.body or {}
        text, language = str(body.get("text") or text), str(body.get("language") or language)
    changes = tuple(change_view(taken_back(change)) for change in house.transactions.effects(run))
    return Undoable(run, text, language, changes, further, plain)


async def take_back(house: House, what: Undoable, language: str = "") -> View:
    """Take a run back and say so. Raises Conflict where something has changed since, NotNow when it is done already."""
    _check(house, what.run)  # it may have been taken back while a question waited
    undone = await asyncio.to_thread(house.transactions.undo, what.run)
    changes = [change_view(taken_back(change)) for change in undone.changes]
    body = {"changes": bulk.lean_changes(changes)}
    draft = Draft(kind="run.undone", run=what.run, body=body, label=KERNEL_SAID.to_json())
    await asyncio.wrap_future(house.ledger.submit(draft))
    house.with_effects.remove(what.run)
    house.world.refresh()
    answer = _answer(what, len(changes), language or what.language)
    return {"run": what.run, "effects": changes, "answer": answer, "text": what.text, "language": what.language}


def question(what: Undoable, language: str) -> View:
    """Return the request for consent to take ``what`` back: its card names the run, its sentence and each change."""
    words = _words(language)
    concerns = [{"why": words["why"], "subject": shortened(what.text)}]
    card = {"rights": [], "concerns": concerns, "changes": bulk.lean_changes(what.changes),
            "undo": {"run": what.run, "text": what.text}}  # fmt: skip
    return {"stage": "commit", "seal": "", "card": card, "diff": []}


def undoable_view(what: Undoable) -> View:
    """Return what a client shows before it takes something back."""
    return {"run": what.run, "text": what.text, "language": what.language, "effects": list(what.changes),
            "further": what.further}  # fmt: skip


def _answer(what: Undoable, count: int, language: str) -> str:
    words = _words(language)
    changes = words["one" if count == 1 else "many"].format(count=count)
    return words["done"].format(changes=changes, run=what.run, text=shortened(what.text))


LONGEST = 120


def shortened(text: str) -> str:
    """Return a sentence on one line, cut where it is very long."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"


_WORDS = {
    "en": {
        "why": "takes back",
        "done": "Took back {changes} of run {run}: “{text}”.",
        "one": "1 change",
        "many": "{count} changes",
        "nothing": "There is nothing to take back: no change of any run is left.",
        "runs": "./steward runs shows what was done.",
    },
    "de": {
        "why": "nimmt zurück",
        "done": "Ich habe {changes} von Lauf {run} zurückgenommen: „{text}“.",
        "one": "1 Änderung",
        "many": "{count} Änderungen",
        "nothing": "Es gibt nichts zurückzunehmen: Von keinem Lauf ist noch eine Änderung da.",
        "runs": "./steward runs zeigt, was getan wurde.",
    },
}


def _words(language: str) -> dict[str, str]:
    return _WORDS.get(language, _WORDS["en"])
