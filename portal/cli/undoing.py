"""``undo``: says which run it takes back, with its sentence and what happens, before anything does.

A bare ``undo`` means the last run that had effects; once that is taken back, the next one further down. A terminal asks
and says so; without a terminal the command is the consent, and the answer names the run and its sentence.
"""

from __future__ import annotations

from portal.cli.changes import ChangeSet, change_lines
from portal.cli.daemon import ensure_running
from portal.cli.outcome import DENIED, OK, Failure, Json, emit, is_interactive, run_object, say, tell
from portal.cli.phrases import language_of, phrase
from portal.cli.words import one_line, visible
from portal.client import Client
from portal.locate import find_places

LONGEST_TEXT = 300


def undo(run: str | None, *, as_json: bool, yes: bool) -> int:
    """Take a run back. In a terminal it is named, what happens is shown, and a yes is asked for first."""
    places = find_places()
    ensure_running(places)
    with Client(places) as client:
        what = client.undoable(run)
        asks = not yes and not as_json and is_interactive()
        if asks and not _confirmed(what):
            raise Failure("undo.refused", phrase(language_of(what), "undo.refused"), exit_code=DENIED)
        taken = client.undo(what["run"])
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
    return confirm(phrase(language, "undo.ask"))


def _list(what: Json) -> None:
    for line in change_lines(ChangeSet.of(what.get("effects")), language_of(what), str(what["run"])):
        say("  " + line)


def _sentence(what: Json) -> str:
    return visible(one_line(str(what.get("text") or ""), LONGEST_TEXT))
