"""Words that lead to a part of a request: "from" to where something comes from, "called" to a name.

For tools that are known by their schema alone: there a parameter's name and a preposition are all that say which of two
values is which. Grammar only; what a parameter is called stands in its schema.
"""

from __future__ import annotations

from collections.abc import Mapping

_PLACES = (
    "location city place town country region zone timezone area site path folder directory repo repository project "
    "room channel group team board list calendar account"
)
_LEADS: Mapping[str, str] = {
    "from von vom aus ab": "source from origin start sender base begin old since departure input",
    "to into onto nach zu zum zur": "target to destination dest end recipient receiver new output channel group",
    "in at on within inside im am bei auf unter under": f"{_PLACES} date day time language format unit currency",
    "of des": f"{_PLACES} file document object item",
    "for für": "query search name user customer person topic subject time date city location term text keyword",
    "with mit": "message content text title body comment key value password",
    "about über regarding concerning": "topic query subject theme search",
    "by durch": "author sort order key user creator step increment factor",
    "as als": "name title format type alias kind role",
    "since seit after": "start since after from begin",
    "until till before bis vor": "end until before to",
}
_NAMES = frozenset("called named titled labelled labeled entitled namens genannt betitelt heißt".split())
_NAMED = frozenset("name title label identifier id".split())
_SAYING = frozenset("saying says reading reads lautet sagt".split())
_SAID = frozenset("message text content body comment note value input string".split())


def _by_word() -> dict[str, frozenset[str]]:
    found = {word: frozenset(roles.split()) for words, roles in _LEADS.items() for word in words.split()}
    return found | dict.fromkeys(_NAMES, _NAMED) | dict.fromkeys(_SAYING, _SAID)


_ROLES = _by_word()


def roles_of(word: str) -> frozenset[str]:
    """Return what the part of a request that ``word`` leads to may be called; nothing when it leads to none."""
    return _ROLES.get(word, frozenset())


def says_something(word: str) -> bool:
    """Tell whether somebody's own words follow the word: "saying", "lautet"."""
    return word in _SAYING


def names_something(word: str) -> bool:
    """Tell whether a name follows the word: "called", "namens"."""
    return word in _NAMES
