"""What was asked and done, read back from the record: a request with its answers, and "what did you just do?".

A run that answers a question says so in its events (``answers``: the run that asked); a person sees the sentence that
began it, with the answer behind it: ``delete the invoice → 1``. Nothing here is kept: it is a fold over the ledger.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any

from kernel.model import Resolution
from kernel.paths import short
from kernel.remember import run_view
from memory import Ledger

if TYPE_CHECKING:
    from kernel.house import House

View = Mapping[str, Any]

ARROW = " → "
NAMED = 3
"""So many changes are named; of more, the number."""

LONGEST = 300


def request_words(ledger: Ledger, run: str, view: View | None = None) -> str:
    """Return what ``run`` was asked, a run that only answered with the sentence that it answered before it."""
    said: list[str] = []
    seen: set[str] = set()
    while run and run not in seen:
        seen.add(run)
        view = view or run_view(ledger.events(run=run))
        said.append(str(view["text"] or ""))
        run, view = str(view["answers"] or ""), None
    return ARROW.join(text for text in reversed(said) if text)


# --- what was done last -------------------------------------------------------------------------------------------


def last_done(house: House, conversation: str, before: str, language: str, client: str = "") -> str:
    """Say what the last run before ``before`` was asked and what it did: of the conversation, else of all.

    A ``client`` is told of its own conversation alone.
    """
    words = _WORDS.get(language, _WORDS["en"])
    view = next(_with_a_plan(house, conversation, before, alone=bool(client)), None)
    if view is None:
        return words["nothing"]
    key = "undone" if view["undone"] else str(view["resolution"])
    sentences = [words["asked"].format(text=one_line(request_words(house.ledger, view["run"], view)), run=view["run"])]
    sentences.append(words.get(key, words["other"]))
    done = key in (Resolution.EXECUTED, Resolution.CONFIRMED)
    if done and view["effects"]:
        sentences += [_changed(view["effects"], str(house.folders.home), words), words["undo"]]
    elif view["answer"] and key != "undone":
        sentences.append(one_line(short_answer(str(view["answer"]))))
    return " ".join(sentences)


def _with_a_plan(house: House, conversation: str, before: str, *, alone: bool) -> Iterator[View]:
    """Yield the runs that came as far as a plan, or asked, the latest first: those of the conversation, then others."""
    latest = chain(reversed(house.talk.runs(conversation)), () if alone else reversed(house.talk.every()))
    for run in (run for run in latest if run != before):
        view = run_view(house.ledger.events(run=run))
        if view["trial"]:
            continue  # nothing was done, and nobody asked for anything
        if view["plan"] or view["question"] or view["resolution"] in (Resolution.DECLINED, Resolution.BLOCKED):
            yield view


def short_answer(answer: str) -> str:
    """Return the first line of an answer that says something."""
    return next((line.strip() for line in answer.splitlines() if line.strip()), "")


def _changed(effects: Any, home: str, words: Mapping[str, str]) -> str:
    summary = isinstance(effects, Mapping)
    first, count = (effects["first"], int(effects["count"])) if summary else (effects, len(effects))
    named = [_change(change, os.path.realpath(home), words) for change in first[:NAMED]]
    more = [words["more"].format(count=count - NAMED)] if count > NAMED else []
    return words["changed"].format(changes="; ".join([*named, *more]))


def _change(change: View, home: str, words: Mapping[str, str]) -> str:
    place, source = short(str(change["path"]), home), change.get("source")
    said = f"{short(str(source), home)}{ARROW}{place}" if source else place
    return f"{words.get(str(change['kind']), str(change['kind']))} {said}"


def one_line(text: str, longest: int = LONGEST) -> str:
    """Return ``text`` on one line, cut to ``longest`` characters."""
    line = " ".join(text.split())
    return line if len(line) <= longest else line[: longest - 1] + "…"


_WORDS = {
    "en": {
        "nothing": "Nothing has been done yet.",
        "asked": "The last request was “{text}” ({run}).",
        "executed": "I did it.",
        "confirmed": "I did it, after your yes.",
        "undone": "It was done, and taken back since.",
        "clarify": "I asked back and did nothing:",
        "declined": "I did nothing:",
        "blocked": "I did nothing:",
        "failed": "It failed:",
        "rolled_back": "It was rolled back:",
        "pending": "It still waits for your answer.",
        "other": "It ended.",
        "changed": "What it changed: {changes}.",
        "more": "… and {count} more",
        "undo": "To take it back, say “undo that”.",
        "created": "created", "modified": "changed", "deleted": "deleted", "moved": "moved",
    },
    "de": {
        "nothing": "Bisher wurde nichts getan.",
        "asked": "Zuletzt wolltest du: „{text}“ ({run}).",
        "executed": "Das habe ich getan.",
        "confirmed": "Das habe ich getan, nach deinem Ja.",
        "undone": "Das wurde getan und inzwischen zurückgenommen.",
        "clarify": "Ich habe nachgefragt und nichts getan:",
        "declined": "Ich habe nichts getan:",
        "blocked": "Ich habe nichts getan:",
        "failed": "Das ist fehlgeschlagen:",
        "rolled_back": "Das wurde zurückgerollt:",
        "pending": "Das wartet noch auf deine Antwort.",
        "other": "Das ist beendet.",
        "changed": "Geändert wurde: {changes}.",
        "more": "… und {count} weitere",
        "undo": "Rückgängig machst du es mit „mach das rückgängig“.",
        "created": "angelegt", "modified": "geändert", "deleted": "gelöscht", "moved": "verschoben",
    },
}  # fmt: skip
