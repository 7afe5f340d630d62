"""What a whole sentence says to memory: tell, ask, forget, or nothing of the kind. Pure; nobody is looked up.

Only a whole sentence means one of them. What names a note is a note's business.
"""

from __future__ import annotations

import re
from datetime import datetime

from kernel.knowing import forms
from kernel.knowing.model import ONESELF, About, Asked, Forget, Heard, Search, Tell, Unsay
from kernel.knowing.statements import has_form, statements
from kernel.knowing.times import at_of

_GERMAN = frozenset("merk merke vergiss behalte behalt denk denke wo wer wann was wie welche welcher lösche sag "
"zeig erzähl "
                    "bitte kannst könntest es mit bei nenn ich".split())  # fmt: skip
_ENGLISH = frozenset("remember keep memorize memorise please can could would i don't forget what where who when "
"which tell "
                     "show give do how it delete erase make under the".split())  # fmt: skip
_A_NOTE = re.compile(r"\b(?:in|into|to|as|on|under) (?:an?|my|the) (?:new )?(?:\w+ )?notes?\b|\bNotiz", re.IGNORECASE)
_LEAD = re.compile(r"(?:(?:hey|hi|hello|hallo|ok|okay|also|and|und) )?(?:steward[,:]? )?", re.IGNORECASE)
_END = re.compile(r"(?:,? (?:please|bitte))?[\s?!.…]*\Z", re.IGNORECASE)
_OF_MEMORY = ("remember", "in mind", "memori", "forget", "mental note", "merk", "behalt", "vergiss", "denk",
"unlearn", "true",
              "wrong", "stimmt", "falsch", "nicht wahr", "erase", "delete", "lösch")  # fmt: skip
"""One of these stands in every sentence that tells or wants something forgotten."""
_OF_KNOWING = ("know", "remember", "stored", "have you got", "do we", "weiss", "bekannt")
_QUESTION = frozenset("what what's what’s where who who's who’s when which wie was wo wer wann welche welcher how "
"bei mit sag nenn tell "
                      "give do under".split())  # fmt: skip
ONESELF_WORDS = frozenset("me myself i ich mich mir".split())
_ASKS = (
    r"(?:what(?:['’]s| is| are| was)|wie (?:ist|lautet|heißt)|was (?:ist|sind|war)|which is|"
    r"welche[rs]? ist) (?P<w>.+)"
)


def hear(text: str, language: str, now: datetime) -> Heard | None:
    """Return what the sentence says to memory; None when it is a task like any other."""
    said = _LEAD.sub("", " ".join(text.split()), count=1)
    if not said or _A_NOTE.search(said):
        return None
    language, low = _language(said, language), said.casefold()
    found: Heard | None = None
    if any(word in low for word in _OF_MEMORY):
        found = _told(said, language, now) or _unsaid(said, language, now) or _forgotten(said, language)
    return found or _asked(said, language, now)


def _language(said: str, usual: str) -> str:
    word = re.split(r"[\s,:]", said, maxsplit=1)[0].casefold()
    return "de" if word in _GERMAN else "en" if word in _ENGLISH else usual


def _told(said: str, language: str, now: datetime) -> Tell | None:
    for match in forms.first(forms.TELLS, said):
        return Tell(statements(match["t"], language, now), match["t"], language)
    if bare := forms.whole(forms.MAYBE_TELLS, said):
        text = bare["t"] or bare["t2"]
        found = statements(text, language, now)
        return Tell(found, text, language) if has_form(found) else None
    return None


def _unsaid(said: str, language: str, now: datetime) -> Unsay | None:
    for match in forms.first(forms.UNSAYS, said):
        return Unsay(statements(match["t"], language, now), match["t"], language)
    return None


def _forgotten(said: str, language: str) -> Forget | None:
    plain = _END.sub("", said)
    for match in forms.first(forms.FORGETS, plain):
        return Forget(_who(match), language)
    if bare := forms.whole(forms.MAYBE_FORGETS, plain):
        return Forget(_who(bare), language, sure=False)
    return None


def _asked(said: str, language: str, now: datetime) -> About | Asked | Search | None:
    plain = _END.sub("", said)
    low = plain.casefold()
    for match in forms.first(forms.ABOUT, plain) if any(word in low for word in _OF_KNOWING) else ():
        return About(_who(match), language)
    return _questioned(plain, language, now) if low.partition(" ")[0] in _QUESTION else None


def _questioned(plain: str, language: str, now: datetime) -> About | Asked | Search | None:
    dated, at_ns = at_of(plain, language, now)
    for asking, match in forms.asked_in(dated):
        sure = asking.predicate in ("works_at", "lives_in")
        return Asked(_who(match), (asking.predicate,), language, asking.inverse, at_ns, sure=sure)
    if whose := forms.whole(forms.WHO_TO_WHOM, dated):
        return Asked(_who(whose), (forms.relation_of(whose["w"]),), language, at_ns=at_ns, sure=False)
    if who := forms.whole(forms.MAYBE_ABOUT, plain):
        return About(_who(who), language, sure=False)
    what = forms.whole(_ASKS, plain)
    return Search(what["w"], language) if what else None


def _who(match: re.Match[str]) -> str:
    given = match.groupdict()
    if given.get("my"):
        return ONESELF
    name = str(given.get("s") or "").strip(" \"“”„'‚‘’,")
    return ONESELF if name.casefold() in ONESELF_WORDS else name or "?"
