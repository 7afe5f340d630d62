"""What a person says of their own wants behind a request, with no mark before it: "… i want to send her a card".

What this stops: that such a clause is taken for words of the request, or keeps it from being understood.
What it does not: decide that it may be passed over ("i want to delete it" may well be a request), or see one in what
says more of a noun: "the file i want to send to Tom" is one file.
"""

from __future__ import annotations

from collections.abc import Sequence

from kernel.language.function_words import DETERMINERS, PREPOSITIONS

_SPEAKERS = {"en": frozenset("i we i'd we'd i've we've".split()), "de": frozenset("ich wir".split())}
_WANTS = {
    "en": frozenset("want need have wanna gotta gonna must should like love hate got".split()),
    "de": frozenset("will wollen muss müssen möchte möchten soll sollen brauch brauche brauchen wollte würde".split()),
}
_BETWEEN = frozenset("just really also still kinda sorta only actually then probably don't do not won't never".split())
_ITSELF = frozenset("it them that this something someone somebody anything".split())
_FEWEST = 3


def wishes(words: Sequence[str], first: int, last: int, language: str) -> bool:
    """Tell whether [first, last) is what somebody wants or has to do, whole in itself.

    In English it has an object of its own, without which it belongs to the noun before it; in German its verb comes
    second, where in a clause about a noun it is the last word.
    """
    if last - first < _FEWEST or words[first] not in _SPEAKERS.get(language, ()):
        return False
    at = first + 1
    while at < last and words[at] in _BETWEEN:
        at += 1
    if at >= last or (words[at] not in _WANTS[language] and words[first] in {"i", "we", "ich", "wir"}):
        return False
    return language == "de" or _has_own_object(words, at + 1, last)


def _has_own_object(words: Sequence[str], first: int, last: int) -> bool:
    """ "Send her a card", "need it": an object behind a verb, not only behind a preposition."""
    for at in range(first, last):
        opens = words[at] in _ITSELF or (words[at] in DETERMINERS["en"] and at + 1 < last)
        if opens and (words[at - 1] not in PREPOSITIONS["en"] or words[at - 1] == "like"):
            return True
    return words[last - 1].endswith("ing") and last - first > 1
