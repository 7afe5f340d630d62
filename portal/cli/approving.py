"""``approve``: the runs that wait; of one of them its sentence, its plan and what it asks, then the answer."""

from __future__ import annotations

from collections.abc import Sequence

from portal.cli.asking import close, followed, follower
from portal.cli.changes import ChangeSet
from portal.cli.daemon import ensure_running
from portal.cli.outcome import FAILED, OK, Failure, Json, emit, is_interactive, refuse, run_object, say, tell
from portal.cli.phrases import language_of, origins, phrase, stage_of
from portal.cli.words import MAIL_LINE, one_line
from portal.client import Client
from portal.locate import find_places

ANSWERS = ("once", "run", "always", "no", "done")


def waiting(answer: str | None, *, as_json: bool) -> int:
    """List the runs that wait. An answer without a run is refused: nobody said what it is for."""
    if answer is not None:
        refuse("An answer needs a run.", "./steward approve shows which wait, then: ./steward approve RUN")
    places = find_places()
    ensure_running(places)
    with Client(places) as client:
        found = client.approvals()
    if as_json:
        emit({"approvals": found})
        return OK
    if not found:
        tell("Nothing waits for an answer.")
        return OK
    for entry in found:
        tell(f"{entry['run']}  {one_line(str(entry.get('request') or entry.get('text') or ''), 200)}")
        for line in _asks(entry):
            tell(f"    {line}")
    say("Look at one and answer it with: ./steward approve RUN")
    return OK


def _asks(entry: Json) -> Sequence[str]:
    """Say in a few lines what a run asks for."""
    card, language, stage = entry.get("card") or {}, language_of(entry), stage_of(entry)
    asks, changes = origins(card, language), ChangeSet.of(card.get("changes"))
    concerns = card.get("concerns") or ()
    told = (one_line(f"{one.get('why', '')}: {one.get('subject', '')}", MAIL_LINE) for one in concerns)
    if stage == "limit":
        return [*asks, one_line(str((card.get("limit") or {}).get("question", "")), 400)]
    if stage == "commit" and changes.total:
        count = phrase(language, "one change" if changes.total == 1 else "changes", count=changes.total)
        return [*asks, f"{phrase(language, 'card.commit')}: {count}"]
    if stage not in ("plan", "routine", "macro"):
        return [*asks, *told]
    asked = [right for right in card.get("lines") or card.get("rights") or () if right.get("verdict") == "ask"]
    wants = (phrase(language, "wants", skill=one["skill"], what=one_line(one["words"], 300)) for one in asked)
    return [*asks, *(told if stage in ("routine", "macro") else ()), *wants]


def approve(run: str, answer: str | None, *, as_json: bool, yes: bool = False) -> int:
    """Answer a run that waits, then follow it. Without a terminal the command itself is the yes.

    Whether a mail of which nobody knows was sent is no yes or no: it wants an answer by its name.
    """
    if answer is not None and answer not in ANSWERS:
        refuse(f"{answer!r} is no answer.", "One of: " + ", ".join(ANSWERS))
    places = find_places()
    ensure_running(places)
    with Client(places) as client:
        entry = next((entry for entry in client.approvals() if entry["run"] == run), None)
        if entry is None:
            return _not_waiting(client.view(run), as_json)
        if answer is None and not (yes and stage_of(entry) != "unknown") and is_interactive():
            answer = _answer_of(client, entry)
        if answer is None and stage_of(entry) == "unknown":
            refuse("Nobody knows whether that mail was sent.", "Add --answer done (it was sent), once (again) or no.")
        after = max((int(event["seq"]) for event in client.view(run)["events"]), default=0)
        client.approve(run, answer or "once", entry.get("seal") or "")
        follow = follower(client, run, after=after, language=language_of(entry), plan=entry.get("plan"))
        view = followed(client, run, follow)
        return close(view, as_json, asked_back=False)


def _answer_of(client: Client, entry: Json) -> str:
    """Show what was asked, how it is planned and what it needs now; return the person's answer."""
    from portal.cli import cards
    from portal.cli.follow import answered

    language = language_of(entry)
    cards.show_request(str(entry.get("request") or entry.get("text") or ""), language)
    if entry.get("plan"):
        cards.show_plan(entry["plan"], language)
    return answered(client, entry, language)


def _not_waiting(view: Json, as_json: bool) -> int:
    """Say that there is nothing to answer; a program gets the run as it is."""
    message = f"The run {view['run']} does not wait for an answer; it is {view.get('resolution')}."
    if not as_json:
        raise Failure("run.state", message, "./steward approve shows which do.")
    say(message)
    emit(run_object(view))
    return FAILED
