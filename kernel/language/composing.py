"""A text that somebody is asked to make up: "write a haiku about goats", "schick Ida ein Gedicht über Schafe".

What this stops: that the name of a text which nobody has written yet is taken for the text.
What it does not: stand in the way of words that are given ("...: five goats", "saying that ..."), of a quotation, of an
entry of a list, or of a thing with a name of its own ("a list called haiku").
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from kernel.language.function_words import is_function_word

_VERBS = {
    "en": frozenset("write compose draft pen invent make create generate produce craft".split()),
    "de": frozenset(
        "schreib schreibe verfass verfasse dicht dichte reim reime erfind erfinde entwirf formulier formuliere "
        "mach mache erstell erstelle".split()
    ),
}
_LAST = frozenset("schreiben verfassen dichten reimen erfinden entwerfen formulieren ausdenken erstellen".split())
_WRITES = frozenset(
    "write compose draft pen schreib schreibe schreiben verfass verfasse verfassen formulier formuliere "
    "formulieren entwirf entwerfen".split()
)
_PUTS = {
    "en": frozenset("put save add note jot stick pin record store keep enter drop append paste".split()),
    "de": frozenset(
        "setz setze pack packe tu leg lege speicher speichere füg füge notier notiere trag trage häng hänge heft hefte "
        "nimm halt halte".split()
    ),
}
_SENDS = {
    "en": frozenset("send mail email e-mail message text".split()),
    "de": frozenset("schick schicke send sende mail maile texte".split()),
}
_LAST_PUTS = frozenset("setzen packen tun legen speichern hinzufügen notieren eintragen aufnehmen schreiben".split())
_LAST_SENDS = frozenset("schicken senden mailen".split())
_ARTICLES = {
    "en": frozenset("a an another some one".split()),
    "de": frozenset("ein eine einen nen noch".split()),
}
_MADE_UP = frozenset(
    "poem poems haiku haikus limerick limericks sonnet rhyme rhymes verse verses ballad ode song lyrics joke jokes "
    "story fairytale essay speech toast eulogy apology parable riddle gedicht gedichte reim reime vers verse ballade "
    "lied witz witze geschichte märchen aufsatz rede ansprache entschuldigung rätsel parabel".split()
)
_ANSWERS = frozenset("reply answer response antwort erwiderung".split())
_ABOUT = frozenset("about regarding concerning über".split())
_GIVEN = frozenset("saying says say reading reads list liste calendar kalender".split())
_TEXT = frozenset("text wording words wortlaut worten".split())
_OF_A_TEXT = frozenset("the with dem den mit".split())  # "with the text five goats"
_THAT = frozenset({"that", "which"})
_WITH, _INSIDE = frozenset({"with", "containing", "mit"}), frozenset({"a", "an", "einem", "einer"})
_VERY = frozenset("very really quite rather sehr ganz recht ziemlich".split())
_CALLED = frozenset("called named titled entitled namens".split())
_MARKS = frozenset(':„“”"«»')
_BESIDE = frozenset("me mir us uns please bitte mal doch up".split())
_ENDS_PHRASE = frozenset("to by via per as an in into als please bitte".split())
_MOST_NAMED = 4  # words between a verb of sending and what is sent: "send Anna and Ben a poem"
_LONGEST = 4  # words between the article and what is made up: "a very short funny"


def made_up(norms: Sequence[str], language: str, is_known: Callable[[str], bool]) -> str:
    """Return what is to be made up (its noun), "" where nothing is; ``is_known``: some tool makes a thing of the name.

    ``norms`` are the words and marks of a sentence.
    """
    if any(map(_is_given, ("", *norms), norms)):
        return ""
    verb, first = _verb(norms, language)
    if not verb or first >= len(norms) or norms[first] not in _ARTICLES.get(language, frozenset()):
        return ""
    return _noun(norms, first + 1, verb, is_known)


@dataclass(frozen=True, slots=True)
class Unwritten:
    """Where the noun of a text that is put or sent somewhere stands, and whether the words alone say it is made up.

    Of "put a joke in my notes" only what it is put into says so: a list has entries.
    """

    at: int
    surely: bool
    sent: bool


def put_or_sent(norms: Sequence[str], language: str) -> Unwritten | None:
    """Return what of a made-up kind is put or sent somewhere with "a", if something is.

    ``norms`` are the words and marks of a sentence. "Send Anna the poem" is about one that is there.
    """
    if any(map(_is_given, ("", *norms), norms)):
        return None
    sends, first = _putting_verb(norms, language)
    behind = range(first, min(len(norms), first + 1 + (_MOST_NAMED if sends else 0))) if first else range(0)
    article = next((at for at in behind if norms[at] in _ARTICLES.get(language, ())), None)
    noun = _put_noun(norms, article + 1, sends=sends) if article is not None else None
    if noun is None:
        return None
    following = norms[noun + 1] if noun + 1 < len(norms) else ""
    ends = not following[:1].isalnum() or following in _ENDS_PHRASE or following in _LAST_SENDS
    return Unwritten(noun, following in _ABOUT or (sends and ends), sends)


def _putting_verb(norms: Sequence[str], language: str) -> tuple[bool, int]:
    """Tell whether the verb that opens or ends the sentence sends, and where what belongs to it begins; 0 for none."""
    puts, sends = _PUTS.get(language, frozenset()), _SENDS.get(language, frozenset())
    articles = _ARTICLES.get(language, frozenset())
    at = next((at for at, one in enumerate(norms) if one in puts | sends | articles or not _is_beside(one)), len(norms))
    if at < len(norms) and norms[at] in puts | sends:
        return norms[at] in sends, at + 1
    last = next((one for one in reversed(norms) if one[0].isalnum()), "")
    return last in _LAST_SENDS, at if last in _LAST_SENDS | _LAST_PUTS else 0


def _is_beside(norm: str) -> bool:
    return is_function_word(norm) or norm in _BESIDE or not norm[0].isalnum()


def _put_noun(norms: Sequence[str], first: int, *, sends: bool) -> int | None:
    """Where the made-up noun stands, be it in a mail: "an email with a joke about cats"."""
    at = first
    while at < min(len(norms), first + _LONGEST):
        if norms[at] in _MADE_UP:
            return at if _ends_there(norms, at + 1) else None
        if sends and norms[at] in _WITH and norms[at + 1 : at + 2] and norms[at + 1] in _INSIDE:
            at = first = at + 2
        elif (is_function_word(norms[at]) and norms[at] not in _VERY) or norms[at] in _CALLED:
            return None
        else:
            at += 1
    return None


def _is_given(before: str, one: str) -> bool:
    """Tell whether words follow, or an entry of something is meant."""
    listed = one in _GIVEN or one in _MARKS or one.endswith("liste")
    return listed or (one in _TEXT and before in _OF_A_TEXT)


def _verb(norms: Sequence[str], language: str) -> tuple[str, int]:
    """The verb that opens the sentence, or ends it, and where its object begins; "" where it has none."""
    at = 0
    while (
        at < len(norms) and norms[at] not in _VERBS.get(language, ()) and norms[at] not in _ARTICLES.get(language, ())
    ):
        if not (is_function_word(norms[at]) or norms[at] in _BESIDE or not norms[at][0].isalnum()):
            return "", at
        at += 1
    if at < len(norms) and norms[at] in _VERBS.get(language, ()):
        start = at + 1
        while start < len(norms) and norms[start] in _BESIDE:
            start += 1
        return norms[at], start
    last = next((one for one in reversed(norms) if one[0].isalnum()), "")
    return (last, at) if at and last in _LAST else ("", at)


def _noun(norms: Sequence[str], first: int, verb: str, is_known: Callable[[str], bool]) -> str:
    at = first
    while at < min(len(norms), first + _LONGEST):
        if norms[at] in _MADE_UP:
            return norms[at] if _ends_there(norms, at + 1) else ""
        if norms[at] in _ANSWERS:
            return norms[at] if verb in _WRITES and _is_told_of(norms[at + 1 :]) else ""
        following = norms[at + 1] if at + 1 < len(norms) else ""
        if following in _ABOUT:
            return norms[at] if verb in _WRITES and not is_known(norms[at]) else ""
        if following in _WITH and norms[at + 2 : at + 3] and norms[at + 2] in _INSIDE:
            at = first = at + 3
        elif (is_function_word(norms[at]) and norms[at] not in _VERY) or norms[at] in _CALLED:
            return ""
        else:
            at += 1
    return ""


def _ends_there(norms: Sequence[str], at: int) -> bool:
    """Tell whether no further noun follows: "a song folder" is a folder."""
    if at == len(norms) or norms[at] in _LAST or not norms[at][0].isalnum():
        return True
    return is_function_word(norms[at]) or norms[at] in _ABOUT | _LAST_PUTS | _LAST_SENDS or norms[at].endswith("ing")


def _is_told_of(norms: Sequence[str]) -> bool:
    """Tell whether it is said what an answer is to do: "a reply that apologises", "eine Antwort, die absagt"."""
    words = [one for one in norms[:_LONGEST] if one != ","]
    return not _THAT.isdisjoint(words) or any(one == "," and other == "die" for one, other in pairwise(norms))
