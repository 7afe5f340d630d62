"""Parentheses: what is put in between two commas and asks for nothing, "the folder robot arm, the one he filled, ...".

What this stops: that a remark in the middle of a request keeps it from being understood. The sentence without its
remarks is read where it could not be read with them, and then whole.
What it does not: take out a value, a name, a limit ("only", "except"), what the person quotes or dictates, or a thing
of a list. Whether a clause says which things are meant is not told from its form: who reads so, only reads
(``kernel.planning.proposing``). A remark begins like one: a relative clause, "there cannot", "it is", "he lived".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from kernel.language.frame.framing import excludes
from kernel.model import Intent, Token
from skills.model import ValueKind

K = ValueKind
_HELD = frozenset(
    {K.FILE, K.NEW_FILE, K.FOLDER, K.DATE, K.PERIOD, K.DURATION, K.QUANTITY, K.SIZE, K.EXPRESSION, K.CONDITION, K.URL}
)
_SURE = 0.6
_MOST_WORDS = 16
_RELATIVES = frozenset(
    "which who whom whose where the der die das den dem deren dessen denen welche welcher welches welchen welchem in "
    "an auf mit von für zu bei aus of from with on".split()
)
_JOINING = frozenset("and then und dann".split())
_QUOTES = frozenset("\"'“”„‘’`")
_DICTATES = frozenset("saying says say reading text sagt steht".split())
_BE = (
    "(?:is|are|was|were|has|had|have|can|can't|cannot|could|couldn't|must|should|will|won't|isn't|aren't|'s|may|might)"
)
_SEIN = "(?:ist|sind|war|waren|hat|hatte|haben|kann|müsste|müssten|dürfte|dürften|sollte|muss|wird|soll|bleibt)"
_REMARKS = re.compile(
    "|".join((
        # relative clauses
        "(?:(?:in|of|from|for|to|on|with|by) )?(?:which|who|whom|whose|where) (?:\\S+ )+",
        "the (?:one|ones|thing|place) (?:that |which |where |who )?(?:i|we|my|our|he|she|they|you|the) (?:\\S+ )+",
        "(?:(?:in|an|auf|mit|von|für|zu|bei|aus|über|um) )?(?:der|die|das|den|dem|deren|dessen|denen|welche[rnms]?|wo) "
        "(?:\\S+ ){2,}[a-zäöü]+(?:t|en|te|ten|st|ß|ne) ",
        # clauses of their own
        f"(?:there|it|that|this|those|these|he|she|they) {_BE} (?:\\S+ )+",
        f"(?:das|es|dies|er|sie|die) {_SEIN} (?:\\S+ )+",
        "(?:he|she|they|we|i) (?:lived|used|live|think|believe|guess|know|hope|suppose|suspect|am|was|were|fear|had|"
        "have) (?:\\S+ )*",
        "(?:as|so|if|when|while) (?:you|i|we|they) (?:see|know|said|say|say so|hear|are|'re|will|please|like|wish|can|"
        "have|must|might|always|may|often) (?:\\S+ )*",
        "(?:wenn|falls|sofern|wie|während) (?:\\w+ )?(?:du|sie|ihr|ich|wir|man) (?:\\S+ )*",
        "\\w+ wie (?:ich|wir|er|sie|es) (?:\\S+ )*(?:bin|sind|ist|war|waren) ",
        # set phrases and remarks about a thing
        "(?:you see|you know|mind you|bless (?:her|him|them)(?: heart)?|sorry to say|so to speak|as usual|of course|"
        "wie gesagt|wie immer|glaube ich|denke ich|soweit ich weiß|zum glück|leider|gott sei dank|wie du weißt|"
        "by the way|übrigens) ",
        "(?:an?|eine?|einen) (?:\\S+ ){1,4}(?:by the way|incidentally|actually|übrigens|nebenbei) ",
        "(?:thank|dem|god|gott) (?:\\S+ ){1,3}(?:dank|goodness|god|heavens) ",
    ))
)  # fmt: skip


def without_parentheses(intent: Intent) -> str:
    """Return the text without its remarks; "" where it has none."""
    found = list(_remarks(intent))
    if not found:
        return ""
    text, kept, at = intent.text, "", 0
    for first, last in found:
        kept += text[at : intent.tokens[first].start].rstrip()
        at = intent.tokens[last].end
        joins = last + 1 < len(intent.tokens) and intent.tokens[last + 1].norm in _JOINING
        kept += "," if joins else ""
    return kept + text[at:]


def reads_a_remark(intent: Intent, texts: Iterable[str]) -> bool:
    """Tell whether one of ``texts`` is read out of a remark that says nothing of the thing before it."""
    found = [(first, last) for first, last in _remarks(intent) if _is_its_own(intent.tokens[first + 1 : last])]
    remarks = [intent.text[intent.tokens[first].end : intent.tokens[last].start] for first, last in found]
    return any(text and text in remark for text in texts for remark in remarks)


def _is_its_own(tokens: tuple[Token, ...]) -> bool:
    """No relative clause: "das ist unser Stromanbieter", "there cannot be many"."""
    words = [token.norm for token in tokens]
    return words[0] not in _RELATIVES or re.fullmatch(_SEIN, words[1]) is not None


def _remarks(intent: Intent) -> Iterator[tuple[int, int]]:
    """The first and the last mark around every remark, left to right."""
    tokens = intent.tokens
    marks = [at for at, token in enumerate(tokens) if token.norm == ","]
    end = _dictated(tokens)
    taken = 0
    for first, last in pairwise(marks):
        if first >= taken and last < end and _is_remark(intent, first + 1, last):
            yield first, last
            taken = last


def _dictated(tokens: tuple[Token, ...]) -> int:
    """Where the person's own text begins, in which nothing is taken out."""
    own = (at for at, token in enumerate(tokens) if token.norm in _QUOTES | {":"} or token.norm in _DICTATES)
    return next((at for at in own if not _asks_what_it_says(tokens, at)), len(tokens))


def _asks_what_it_says(tokens: tuple[Token, ...], at: int) -> bool:
    """ "What does my note say": nothing is dictated behind it."""
    return tokens[at].norm in _DICTATES and at + 1 < len(tokens) and not tokens[at + 1].norm[0].isalnum()


def _is_remark(intent: Intent, first: int, last: int) -> bool:
    tokens = intent.tokens[first:last]
    words = [token.norm for token in tokens]
    if not 1 < len(words) <= _MOST_WORDS or excludes(words):
        return False
    if any(word[0].isdigit() for word in words) or _holds_value(intent, first, last):
        return False
    return _REMARKS.fullmatch("".join(f"{word} " for word in words)) is not None


def _holds_value(intent: Intent, first: int, last: int) -> bool:
    return any(
        one.kind in _HELD and first <= one.first and one.last <= last and one.confidence >= _SURE
        for one in intent.spans
        if one.source != "missing"
    )
