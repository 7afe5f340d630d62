"""The commands of routines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from portal.cli.house import connected, list_rows, shown
from portal.cli.outcome import say, tell
from portal.cli.words import one_line, visible

View = Mapping[str, Any]

_NONE = 'There is no routine. Say one: ./steward ask "every weekday at eight show me my tasks"'


def listed(as_json: bool) -> int:
    """List the routines."""
    with connected() as client:
        found = client.routines()
    return shown({"routines": found}, as_json, lambda _: _print(found))


def _print(found: Sequence[View]) -> None:
    rows = [(one["name"], one_line(one["when"], 60), one_line(one["said"], 60), _state(one)) for one in found]
    list_rows(("routine", "when", "does", "next"), rows, _NONE)
    if found:
        say("More of one: ./steward routines show NAME")


def _state(one: View) -> str:
    """Say when it is next due, or that it rests."""
    return "rests" if one["paused"] else _moment(str(one["next"]))


def _moment(text: str) -> str:
    return text[:16].replace("T", " ")


def show(name: str, as_json: bool) -> int:
    """Show one routine."""
    with connected() as client:
        found = client.routine(name)
    return shown(found, as_json, _print_whole)


def _print_whole(one: View) -> None:
    from portal.cli import cards

    tell(visible(str(one["text"])))
    say(f"  when   {visible(str(one['when']))}")
    for limit in one["limits"]:
        say(f"  but    {visible(str(limit))}")
    say(f"  next   {_state(one) or 'never again'}")
    if one["last"]:
        late = " (missed, done late)" if one["missed"] else ""
        say(f"  last   {_moment(str(one['last']))}, run {one['last_run']}{late}")
    cards.show_plan(one["plan"], str(one["language"]))
    for right in one["rights"]:
        say(f"  may {visible(str(right['words']))}")
    say(f"Its rights: ./steward perms show {one['node']}")


def pause(name: str, as_json: bool) -> int:
    """Let one rest."""
    with connected() as client:
        found = client.change_routine(name, "pause")
    return shown(found, as_json, lambda _: tell(f"{name} rests. Go on with: ./steward routines resume {name}"))


def resume(name: str, as_json: bool) -> int:
    """Let one go on."""
    with connected() as client:
        found = client.change_routine(name, "resume")
    return shown(found, as_json, lambda one: tell(f"{name} goes on; next: {_state(one) or 'never again'}"))


def run(name: str, as_json: bool) -> int:
    """Have one run now, and follow it."""
    from portal.cli.asking import close, followed, follower

    with connected() as client:
        begun = client.run_routine(name)
        language = str(client.routine(name)["language"])
        view = followed(client, begun, follower(client, begun, after=0, language=language))
        return close(view, as_json, asked_back=False)


def remove(name: str, as_json: bool) -> int:
    """Take one away."""
    with connected() as client:
        gone = client.remove_routine(name)
    return shown(gone, as_json, lambda _: tell(f"{name} is gone, and what it was allowed."))
