"""What a definition leaves open in words: "the N largest files in a folder", "some file", "für einen Monat".

Each such place is planned with something that stands in it, of the kind that the words name; wherever that comes out in
the plan is a parameter. One that comes out nowhere leaves the definition undone: it would mean something else.

What this stops: "a folder" being read as a folder of that name, or passed over. What it does not: plan (``defining``).
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kernel.macros.model import Parameter
from kernel.model import Constant, Plan, Task
from kernel.paths import short
from skills.model import Tool

_NUMBERS = ("97", "89", "83", "79")
_MONTHS = {"en": "March 2019", "de": "März 2019"}
_DAYS = {"en": "12 March 2019", "de": "12. März 2019"}
_YEARS = {"en": "2019", "de": "2019"}
_A = r"(?:an?|some|any|one|the given|ein|eine[mnrs]?|irgendein(?:e[mnrs]?)?)"
_OPEN = re.compile(
    r"(?<![\w./-])(?:(?P<letter>[NKXYZ])(?=\s+[^\W\d_]*[a-zäöüß])"
    rf"|{_A}\s+(?P<noun>folder|directory|Ordners?|Verzeichnis(?:ses)?|file|Datei)"
    rf"|(?:(?<=for\s)|(?<=of\s)|(?<=für\s)|(?<=von\s)){_A}\s+(?P<time>months?|Monats?|day|Tag(?:es)?|year|Jahr(?:es)?))"
    r"(?![\w./-])",
)
"""A time is left open behind "for" and "of" alone: "in a month" is an amount."""
_KINDS = {
    "folder": "folder", "directory": "folder", "ordner": "folder", "verzeichnis": "folder", "file": "file",
    "datei": "file", "month": "month", "monat": "month", "day": "day", "tag": "day", "year": "year", "jahr": "year",
}  # fmt: skip
_LINKS = re.compile(r"\s+(?:for|of|in|from|on|by|with|für|von|vom|aus|im|am|mit)\s*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Place:
    """A place that a text leaves open: its words, what its value is called, and what stands in it meanwhile."""

    words: str
    name: str
    kind: str
    stands: str


class NoPlace(Exception):
    """What stood for ``words`` is nowhere in the plan."""

    def __init__(self, words: str) -> None:
        super().__init__(words)
        self.words = words


def opened(text: str, language: str, folders: Sequence[str], file: str) -> tuple[str, tuple[Place, ...]]:
    """Return ``text`` with something in each place that it leaves open, and the places.

    ``folders`` are some that are there, ``file`` is the path of one that counts as there.
    """
    places: list[Place] = []
    numbers, free = iter(_NUMBERS), (one for one in folders if os.path.basename(one).casefold() not in text.casefold())

    def put(found: re.Match[str]) -> str:
        stands = _stand_in(found, language, numbers, free, file)
        if not stands:
            return found[0]
        kind = _kind(found)
        name = found["letter"] or kind
        taken = [one.name for one in places]
        name = next(one for one in (name, *(f"{name}-{n}" for n in range(2, 9))) if one not in taken)
        places.append(Place(found[0], name, kind, stands))
        return stands

    return _OPEN.sub(put, text), tuple(places)


def with_words(places: Sequence[Place], home: str, text: str) -> str:
    """Return what is said of a plan with the words of each place, and not with what stands in it."""
    for place in places:
        stands = "|".join(map(re.escape, (place.stands, short(place.stands, home))))
        text = re.sub(rf"(?<!\w)(?:{stands})(?!\w)", lambda _, words=place.words: words, text)  # type: ignore[misc]
    return text


def named_without(name: str, places: Sequence[Place]) -> str:
    """Return a name without the open place at its end: "report for a month" is called "report". Raises NoPlace."""
    found = next((one for one in _OPEN.finditer(name) if one.end() == len(name.rstrip()) and not one["letter"]), None)
    if found is None:
        return name
    if not any(one.kind == _kind(found) for one in places):
        raise NoPlace(found[0])
    return _LINKS.sub("", name[: found.start()].rstrip()) or name


def parameters(plan: Plan, places: Sequence[Place], tool: Callable[[str], Tool]) -> tuple[Plan, tuple[Parameter, ...]]:
    """Return ``plan`` without what stood in the places, and what it is to be told in them. Raises NoPlace."""
    found: list[Parameter] = []
    for place in places:
        at = [(task, name) for task in plan.tasks for name, value in task.arguments.items() if _is_it(value, place)]
        names = {name for _, name in at}
        if len(names) != 1:
            raise NoPlace(place.words)
        (argument,) = names
        kind = tool(at[0][0].tool).parameter(argument).type
        tasks = tuple(task.id for task, _ in at)
        found.append(Parameter(place.name, kind.kind, tasks, argument, kind.many))
        plan = replace(plan, tasks=tuple(_without(one, argument) if one.id in tasks else one for one in plan.tasks))
    for place in places:
        if any(_is_in(value, place) for task in plan.tasks for value in task.arguments.values()):
            raise NoPlace(place.words)
    return replace(plan, tasks=tuple(_as_said(task, places) for task in plan.tasks)), tuple(found)


def _stand_in(
    found: re.Match[str], language: str, numbers: Iterator[str], folders: Iterator[str], file: str
) -> str:  # fmt: skip
    language = "de" if language == "de" else "en"
    match _kind(found):
        case "number":
            return next(numbers, "")
        case "folder":
            return next(folders, "")
        case "file":
            return file
        case "month":
            return _MONTHS[language]
        case "day":
            return _DAYS[language]
        case _:
            return _YEARS[language]


def _kind(found: re.Match[str]) -> str:
    if found["letter"]:
        return "number"
    plain = (found["noun"] or found["time"]).casefold()
    return next(kind for word, kind in _KINDS.items() if plain.startswith(word))


def _is_it(value: object, place: Place) -> bool:
    return isinstance(value, Constant) and (value.text == place.stands or _holds(value.value, place.stands))


def _holds(value: Any, stands: str) -> bool:
    if isinstance(value, list):
        return len(value) == 1 and _holds(value[0], stands)
    if isinstance(value, dict):
        return _holds(value.get("path"), stands)
    return str(value) == stands


def _is_in(value: object, place: Place) -> bool:
    """Tell whether what stands in a place is a part of another value: that would be kept."""
    pattern = rf"(?<!\w){re.escape(place.stands)}(?!\w)"
    return isinstance(value, Constant) and re.search(pattern, f"{value.text} {value.value}") is not None


def _as_said(task: Task, places: Sequence[Place]) -> Task:
    text = task.text
    for place in places:
        text = text.replace(place.stands, place.words)
    return replace(task, text=text)


def _without(task: Task, name: str) -> Task:
    return replace(task, arguments={key: value for key, value in task.arguments.items() if key != name})
