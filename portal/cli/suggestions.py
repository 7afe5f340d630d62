"""The commands of suggestions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from portal.cli.house import connected, shown
from portal.cli.outcome import say, tell
from portal.cli.words import one_line, visible

View = Mapping[str, Any]

_NONE = "Nothing is suggested now. Suggestions come of what you do again and again, from the third time on."
_LOOKING = "Steward is still looking through what was done ({percent} % so far). Ask again in a moment."


def listed(as_json: bool) -> int:
    """List what may be offered."""
    with connected() as client:
        found = client.suggestions()
    return shown(found, as_json, _print)


def _print(told: View) -> None:
    found: Sequence[View] = told["suggestions"]
    for one in found:
        tell(one_line(str(one["what"]), 300))
        say(f"  {one_line(str(one['why']), 200)} {one_line(str(one['saves']), 200)}")
        say(f"  keep it: ./steward suggestions accept {one['key']}")
    if left := told.get("left"):
        tell(_LOOKING.format(percent=round(100 * (1 - left))))
    elif not found:
        tell(_NONE)


def show(key: str, as_json: bool) -> int:
    """Show one."""
    with connected() as client:
        found = client.suggestion(key)
    return shown(found, as_json, _print_whole)


def _print_whole(one: View) -> None:
    tell(visible(str(one["what"])))
    for words in (one["why"], one["sure"], one["saves"]):
        say(f"  {visible(str(words))}")
    say(f"  name: {visible(str(one['name']))}")
    for step in one["steps"]:
        out = " (left out)" if step["left_out"] else ""
        say(f"  {step['number']}. {one_line(str(step['text']), 200)}{out}")
        asked = [f"{step['number']}.{each['name']}" for each in step["arguments"] if each["asked"]]
        if asked:
            say(f"     asked each time: {visible(', '.join(asked))}")
    say(f"  seen in: {', '.join(one['runs'])}")


def accept(key: str, name: str, as_json: bool) -> int:
    """Keep one as a macro."""
    with connected() as client:
        made = client.accept_suggestion(key, name)
    return shown(made, as_json, _print_made)


def _print_made(made: View) -> None:
    name = visible(str(made["macro"]["name"]))
    tell(f"Kept as {name}: {visible(str(made['macro']['text']))}")
    say(f'Have it done: ./steward macros run "{name}"')
    if made["rule"]:
        say(f'Have it done by itself: ./steward ask "{visible(str(made["rule"]))}"')


def edit(key: str, changes: Mapping[str, Any], as_json: bool) -> int:
    """Change what would be kept of one."""
    with connected() as client:
        found = client.edit_suggestion(key, changes)
    return shown(found, as_json, _print_whole)


def snooze(key: str, days: int, as_json: bool) -> int:
    """Put one off."""
    with connected() as client:
        found = client.snooze_suggestion(key, days)
    return shown(found, as_json, lambda one: tell(f"It is not suggested before {str(one['until'])[:10]}."))


def never(key: str, as_json: bool) -> int:
    """Refuse one for good."""
    with connected() as client:
        client.refuse_suggestion(key)
    return shown({"never": key}, as_json, lambda _: tell("It is never suggested again."))
