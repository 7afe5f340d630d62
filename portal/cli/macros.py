"""The commands of macros."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from portal.cli.house import connected, list_rows, shown
from portal.cli.outcome import is_interactive, refuse, say, tell
from portal.cli.phrases import language_of, phrase
from portal.cli.words import one_line, visible

View = Mapping[str, Any]

_NONE = "There is no macro. Make one of a run that went well: ./steward macros new NAME --run RUN (./steward runs)"


def listed(as_json: bool) -> int:
    """List the macros."""
    with connected() as client:
        found = client.macros()
    return shown({"macros": found}, as_json, lambda _: _print(found))


def _print(found: Sequence[View]) -> None:
    rows = [
        (one["name"], one_line(one["text"], 60), ", ".join(_named(one)) or "-", "changed" if one["changed"] else "")
        for one in found
    ]
    list_rows(("macro", "does", "is told", ""), rows, _NONE)
    if found:
        say("More of one: ./steward macros show NAME")


def _named(one: View) -> list[str]:
    return [str(parameter["name"]) for parameter in one["parameters"]]


def new(name: str, run: str, asked: Sequence[str], phrases: Sequence[str], as_json: bool) -> int:
    """Make one of a run."""
    with connected() as client:
        made = client.new_macro(name, run, asked, phrases)
    return shown(made, as_json, _print_made)


def _print_made(one: View) -> None:
    tell(f"Kept as {visible(str(one['name']))}: {visible(str(one['text']))}")
    told = "".join(f" {name}=VALUE" for name in _named(one))
    say(f'Have it done: ./steward macros run "{visible(str(one["name"]))}"{told}')


def show(name: str, as_json: bool) -> int:
    """Show one macro."""
    with connected() as client:
        found = client.macro(name)
    return shown(found, as_json, _print_whole)


def _print_whole(one: View) -> None:
    from portal.cli import cards

    language = language_of(one)
    tell(visible(str(one["text"])))
    facts = [("macro.said", words) for words in one["phrases"]]
    facts += [("macro.told", f"{parameter['name']} ({parameter['kind']})") for parameter in one["parameters"]]
    facts += [("macro.changed", tool) for tool in one["changed"]]
    for key, words in facts:
        say(f"  {phrase(language, key):<14}{visible(str(words))}")
    if one["plan"] is not None:
        cards.show_plan(one["plan"], language)


def run(name: str, given: Sequence[str], *, yes: bool, as_json: bool) -> int:
    """Have one done, and follow it."""
    from portal.cli.asking import close, followed, follower, replied, terminal_conversation, working_directory

    values = _told(name, given)
    with connected() as client:
        begun = client.run_macro(name, values, conversation=terminal_conversation(), cwd=working_directory(), yes=yes)
        view = followed(client, begun, follower(client, begun))
        view = view if as_json else replied(client, begun, view, yes=yes)
        return close(view, as_json, asked_back=is_interactive())


def try_out(name: str, given: Sequence[str], as_json: bool) -> int:
    """Try one out, and follow that."""
    from portal.cli.asking import close, followed, follower, working_directory

    values = _told(name, given)
    with connected() as client:
        begun = client.try_macro(name, values, working_directory())
        return close(followed(client, begun, follower(client, begun)), as_json, asked_back=False)


def _told(name: str, given: Sequence[str]) -> dict[str, Any]:
    """Read what a macro is told."""
    values: dict[str, Any] = {}
    for one in given:
        key, mark, value = one.partition("=")
        if not mark or not key:
            refuse(f"{visible(one)} is not KEY=VALUE.", f"./steward macros show {name}")
        values[key] = [*_listed(values[key]), value] if key in values else value
    return values


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def rename(name: str, new: str, as_json: bool) -> int:
    """Call one by another name."""
    with connected() as client:
        found = client.rename_macro(name, new)
    return shown(found, as_json, lambda one: tell(f"{name} is called {one['name']} now."))


def phrased(name: str, words: str, as_json: bool) -> int:
    """Have one done by other words too."""
    with connected() as client:
        found = client.phrase_macro(name, words)
    return shown(found, as_json, lambda _: tell(f"{name} is done by “{visible(words)}”, too."))


def remove(name: str, as_json: bool) -> int:
    """Take one away."""
    with connected() as client:
        gone = client.remove_macro(name)
    return shown(gone, as_json, lambda _: tell(f"{name} is gone; what its runs did stays."))
