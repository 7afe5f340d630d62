"""The commands of routines."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from portal.cli.history import ending
from portal.cli.house import connected, list_rows, shown
from portal.cli.outcome import say, tell
from portal.cli.phrases import language_of, phrase
from portal.cli.words import moment, one_line, visible

View = Mapping[str, Any]

_NONE = 'There is no routine. Say one: ./steward ask "every day at 18:00 show me the largest files in Downloads"'


def listed(as_json: bool) -> int:
    """List the routines."""
    with connected() as client:
        found = client.routines()
    return shown({"routines": found}, as_json, lambda _: _print(found))


def _print(found: Sequence[View]) -> None:
    rows = [
        (one["name"], one_line(one["when"], 60), one_line(one["said"], 60), _next(one, "en"), _latest(one, "en"))
        for one in found
    ]
    list_rows(("routine", "when", "does", "next", "last run"), rows, _NONE)
    if found:
        say("More of one: ./steward routines show NAME")


def _next(one: View, language: str) -> str:
    """Say when it is next due, or that it rests."""
    if one["paused"]:
        return phrase(language, "routine.rests")
    return moment(str(one["next"])) or phrase(language, "routine.never" if one["clock"] else "routine.comes")


def _latest(one: View, language: str) -> str:
    """Say which run was its last, and how that ended, waits, or was late."""
    latest = one["latest"]
    if latest is None:
        return phrase(language, "routine.not yet")
    state = phrase(language, "routine.waits") if latest["waits"] else ending(latest, language)
    late = f" ({phrase(language, 'routine.late')})" if one["missed"] and latest["run"] == one["last_run"] else ""
    return f"{latest['run']} {state}{late}"


def show(name: str, as_json: bool) -> int:
    """Show one routine."""
    with connected() as client:
        found = client.routine(name)
    return shown(found, as_json, _print_whole)


def _print_whole(one: View) -> None:
    from portal.cli import cards

    language = language_of(one)
    tell(visible(str(one["text"])))
    facts = [("routine.model", one["worded"]["model"])] if one["worded"] else []
    facts += cards.worded_facts(one)
    facts += [("routine.when", one["when"]), *(("routine.but", limit) for limit in one["limits"])]
    facts += [("routine.answered", answer["said"]) for answer in one["answers"]]
    facts += [("routine.next", _next(one, language)), ("routine.last", _latest(one, language))]
    if one["version"] > 1:
        facts += [("routine.version", f"{one['version']} (./steward routines history {one['name']})")]
    for key, words in facts:
        say(f"  {phrase(language, key):<14}{visible(str(words))}")
    if one["broken"]:
        say(f"  {visible(str(one['broken']))}")
    for line in (*one["fires"], *one["unread"]):
        say(f"  {visible(str(line))}")
    cards.show_plan(one["plan"], language)
    for right in one["rights"]:
        skill, what = one_line(str(right["skill"]), 60), visible(str(right["words"]))
        say(f"  {phrase(language, 'routine.may', skill=skill, what=what)}")
    say(f"{phrase(language, 'routine.rights')}: ./steward perms show {one['node']}")


def history(name: str, as_json: bool) -> int:
    """Show what one was."""
    with connected() as client:
        found = client.routine_versions(name)
    return shown({"versions": found}, as_json, lambda _: _print_history(name, found))


def _print_history(name: str, found: Sequence[View]) -> None:
    rows = [
        (f"{one['version']}{' (now)' if one['now'] else ''}", moment(str(one["since"])),
         one_line(", ".join([str(one["when"]), *one["limits"]]), 60), one_line(str(one["words"] or one["text"]), 60))
        for one in found
    ]  # fmt: skip
    list_rows(("version", "since", "when", "by the words"), rows, "")
    if len(found) > 1:
        say(f"Back to one: ./steward routines back {name} VERSION")


def back(name: str, version: int, as_json: bool) -> int:
    """Ask for one to be what it was, and follow that."""
    from portal.cli.asking import close, followed, follower, terminal_conversation

    with connected() as client:
        begun = client.routine_back(name, version, terminal_conversation())
        language = str(client.routine(name)["language"])
        view = followed(client, begun, follower(client, begun, after=0, language=language))
        return close(view, as_json, asked_back=False)


def pause(name: str, as_json: bool) -> int:
    """Let one rest."""
    with connected() as client:
        found = client.change_routine(name, "pause")
    return shown(found, as_json, lambda _: tell(f"{name} rests. Go on with: ./steward routines resume {name}"))


def resume(name: str, as_json: bool) -> int:
    """Let one go on."""
    with connected() as client:
        found = client.change_routine(name, "resume")
    return shown(found, as_json, lambda one: tell(f"{name} goes on; next: {_next(one, 'en')}"))


def run(name: str, as_json: bool) -> int:
    """Have one run now, and follow it."""
    from portal.cli.asking import close, followed, follower

    with connected() as client:
        begun = client.run_routine(name)
        language = str(client.routine(name)["language"])
        view = followed(client, begun, follower(client, begun, after=0, language=language))
        return close(view, as_json, asked_back=False)


def try_out(name: str, file: str, as_json: bool) -> int:
    """Try one out, or the rule whose card waits, and follow that."""
    from portal.cli.asking import close, followed, follower

    with connected() as client:
        begun = client.try_routine(name, os.path.abspath(os.path.expanduser(file)) if file else "")
        return close(followed(client, begun, follower(client, begun)), as_json, asked_back=False)


def token(name: str, as_json: bool) -> int:
    """Make the token of one's webhook, and show it once."""
    with connected() as client:
        made = client.routine_token(name)
    return shown(made, as_json, _print_token)


def _print_token(made: View) -> None:
    tell(f"The token of {made['name']}, shown this once: {made['token']}")
    say(f"  curl -H 'Authorization: Bearer {made['token']}' --data 'its message' {made['address']}")
    say("  A new token ends this one; what has it can set the routine off and do nothing else.")


def remove(name: str, as_json: bool) -> int:
    """Take one away."""
    from portal.cli.asking import terminal_conversation

    with connected() as client:
        gone = client.remove_routine(name, terminal_conversation())
    return shown(gone, as_json, _print_gone)


def _print_gone(gone: View) -> None:
    tell(f"{gone['name']} is gone, and what it was allowed.")
    say(f"Back again: ./steward undo {gone['run']}")
