"""Which task is meant: by words of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, time

from rapidfuzz import fuzz

from skills.sdk import ToolError, words

from .todo import Task

_WORD = re.compile(r"[^\W_]+")
_ALIKE, _LEAST = 86.0, 4
_ENDINGS = frozenset("|e|ed|d|ing|s|es|t|te|en|n|et|st".split("|"))
_SURPLUS = frozenset(
    "the my a an of for about to task tasks todo to-do item entry do list it this that "
    "der die das den dem des ein eine einen mein meine meinen meiner für zu zum zur aufgabe aufgaben todo liste punkt "
    "es dies diese diesen".split()
)


def matching(tasks: Sequence[Task], said: str) -> list[Task]:
    """Return the tasks that some words mean: the whole text, else all words are theirs, at least nearly."""
    whole = [one for one in tasks if words.fold(one.text) == words.fold(said)]
    wanted = [word for word in _WORD.findall(words.fold(said)) if word not in _FOLDED] or _WORD.findall(
        words.fold(said)
    )
    if whole or not wanted:
        return whole
    for alike in (_is_word, _is_beginning, _is_near, _is_inflected):
        found = [one for one in tasks if words.has_all(_WORD.findall(words.fold(one.text)), wanted, alike)]
        if found:
            return found
    return []


def the_one(tasks: Sequence[Task], said: str) -> Task:
    """Return the one task that is meant; of those with one text that which is due first.

    Raises ToolError where there is none, or more than one.
    """
    found = matching(tasks, said)
    if len(found) == 1 or (found and all(one.text == found[0].text for one in found)):
        return min(found, key=lambda one: (one.due or date.max, one.at or time.max))
    raise _several(found, said) if found else nothing(tasks, said)


def on_list(tasks: Sequence[Task], said: str) -> list[Task]:
    """Return the tasks of a list. Raises ToolError where there is no list of that name."""
    names = {words.fold(one.group): one.group for one in tasks if one.group}
    near = _list_called(list(names), words.fold(said)) or _list_called(list(names), _bare(words.fold(said)))
    if not near:
        raise _no_list(said, list(names.values()))
    return [one for one in tasks if words.fold(one.group) == near]


def _list_called(names: Sequence[str], wanted: str) -> str:
    return wanted if wanted in names else next((name for name in names if _is_near(wanted, name)), "")


def _bare(said: str) -> str:
    """The name of a list without the words for a list: "the shopping list" is "shopping", "Einkaufsliste" "Einkauf"."""
    words_of = [word for word in said.split() if word not in _FOLDED]
    return re.sub(r"(?<=\w{3})s?-?list[e]?$", "", " ".join(words_of))


def _is_word(said: str, name: str) -> bool:
    return said == name


def _is_beginning(said: str, name: str) -> bool:
    return said == name or (min(len(said), len(name)) >= _LEAST and (name.startswith(said) or said.startswith(name)))


def _is_near(said: str, name: str) -> bool:
    return fuzz.ratio(said, name) >= _ALIKE


def _is_inflected(said: str, name: str) -> bool:
    """ "Writing the speech" is "write the speech", "bezahlt" is "bezahlen": endings of one verb, and no two names."""
    stems = (at for at in range(_LEAST, min(len(said), len(name)) + 1) if said[:at] == name[:at])
    return said == name or any({said[at:], name[at:]} <= _ENDINGS for at in stems)


_FOLDED = frozenset(map(words.fold, _SURPLUS))


# --- errors -------------------------------------------------------------------------------------------------------


def _several(found: Sequence[Task], said: str) -> ToolError:
    texts = list(dict.fromkeys(one.text for one in found))[:8]
    return ToolError(
        f"More than one task could be “{said}”: {words.listing(texts)}.",
        hint="Say which one.",
        code="tool.ambiguous",
        instead_of=said,
        choices=texts,
        de=f"Mehr als eine Aufgabe könnte „{said}“ sein: {words.listing(texts, 'de')}.",
        de_hint="Sag, welche du meinst.",
    )


def nothing(tasks: Sequence[Task], said: str) -> ToolError:
    """Return the error of words that mean no task."""
    texts = [one.text for one in tasks][:8]
    return ToolError(
        f"No task on your list is “{said}”.",
        hint=f"There is: {words.listing(texts, most=5)}." if texts else "Your list is empty.",
        code="tool.missing",
        instead_of=said,
        choices=texts,
        de=f"Keine Aufgabe auf deiner Liste heißt „{said}“.",
        de_hint=f"Es gibt: {words.listing(texts, 'de', most=5)}." if texts else "Deine Liste ist leer.",
    )


def _no_list(said: str, names: Sequence[str]) -> ToolError:
    return ToolError(
        f"There is no list “{said}”.",
        hint=f"There is: {words.listing(names)}." if names else "Put a task on it first.",
        code="tool.missing",
        instead_of=said,
        choices=list(names)[:8],
        de=f"Eine Liste „{said}“ gibt es nicht.",
        de_hint=f"Es gibt: {words.listing(names, 'de')}." if names else "Setz zuerst eine Aufgabe darauf.",
    )
