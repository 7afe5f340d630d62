"""``undo``: says which run it takes back, with its sentence and what happens, before anything does.

A bare ``undo`` means the last run that had effects; once that is taken back, the next one further down. A terminal asks
and says so; without a terminal the command is the consent, and the answer names the run and its sentence.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from portal.cli.changes import ChangeSet, change_lines
from portal.cli.daemon import ensure_running
from portal.cli.outcome import DENIED, OK, Failure, Json, emit, is_interactive, run_object, say, tell
from portal.cli.phrases import language_of, phrase
from portal.cli.words import one_line, visible
from portal.client import Client
from portal.locate import find_places

LONGEST_TEXT = 300


def undo(run: str | None, paths: Sequence[str] = (), *, as_json: bool, yes: bool) -> int:
    """Take a run back, or what it did at ``paths``. In a terminal what happens is shown, and a yes is asked for."""
    places = find_places()
    ensure_running(places)
    paths = [os.path.abspath(os.path.expanduser(path)) for path in paths]
    with Client(places) as client:
        what = client.undoable(run, paths)
        asks = not yes and not as_json and is_interactive()
        if asks and not _confirmed(what):
            raise Failure("undo.refused", phrase(language_of(what), "undo.refused"), exit_code=DENIED)
        taken = client.undo(what["run"], paths)
    if as_json:
        emit(run_object({"resolution": "executed", **taken}))
        return OK
    tell(str(taken.get("answer", "")))
    if not asks:  # a person has just seen the list
        _list(taken)
    return OK


def _confirmed(what: Json) -> bool:
    from portal.cli.prompt import confirm

    language = language_of(what)
    key = "undo.further" if what["further"] else "undo.what"
    say(phrase(language, key, text=_sentence(what), run=what["run"]) + ".")
    say(phrase(language, "undo.does"))
    _list(what)
    if facts := int(what.get("facts") or 0):
        say("  " + phrase(language, "undo.fact" if facts == 1 else "undo.facts", count=facts))
    for words in what.get("grants") or ():
        say("  " + phrase(language, "undo.right", words=visible(one_line(str(words), LONGEST_TEXT))))
    for words in what.get("returns") or ():
        say("  " + phrase(language, "undo.returns", words=visible(one_line(str(words), LONGEST_TEXT))))
    return confirm(phrase(language, "undo.ask"))


def _list(what: Json) -> None:
    for line in change_lines(ChangeSet.of(what.get("effects")), language_of(what), str(what["run"])):
        say("  " + line)


def _sentence(what: Json) -> str:
    return visible(one_line(str(what.get("text") or ""), LONGEST_TEXT))
