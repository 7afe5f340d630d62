"""Which of them: "get my mail and tell me which ones are unread" asks which mails are.

What this stops: that a question about what was just named has no noun, and no tool. What it does not: guess among
several nouns. It is the object of the request before, up to where that says where, when or whose. Nor is it more than a
question: what follows another verb ("and move which ones are old") says what is to be done to some of them.
"""

from __future__ import annotations

from kernel.language.function_words import PREPOSITIONS, is_function_word
from kernel.language.whole_values import TIMELY
from kernel.model import Intent, Token

_ONES = {"en": (("ones",), ("of", "them"), ("of", "those"), ("of", "these")),
         "de": (("davon",), ("von", "ihnen"), ("von", "denen"), ("von", "diesen"))}  # fmt: skip
_WHICH = {"en": frozenset({"which"}), "de": frozenset("welche welcher welches".split())}
_JOINTS = frozenset("and then und dann".split())
_ASKING = {
    "en": _JOINTS | frozenset("me us say tell know see check out , . ; : ! ?".split()),
    "de": _JOINTS | frozenset("mir uns sag sage sagen schau schaue guck prüf prüfe . ; : ! ?".split()),
}
"""What stands before a question; in German a comma stands before every clause, and what is before that tells."""


def with_its_noun(intent: Intent) -> str:
    """Return the text with the noun of the request before it for "which ones"; "" where nothing is asked so."""
    german = intent.language == "de"
    language = "de" if german else "en"
    for at, token in enumerate(intent.tokens):
        pro = next((one for one in _ONES[language] if _follows(intent.tokens, at + 1, one)), None)
        asked = pro and token.norm in _WHICH[language] and _is_asked(intent.tokens, at, language)
        noun = _object(intent, at, language) if asked else None
        if noun is None or pro is None:
            continue
        text, last = intent.text, intent.tokens[at + len(pro)]
        plural = noun.text if german or noun.norm.endswith("s") else f"{noun.text}s"
        return f"{text[: token.end]} {plural}{text[last.end :]}"
    return ""


def _follows(tokens: tuple[Token, ...], at: int, words: tuple[str, ...]) -> bool:
    return tuple(one.norm for one in tokens[at : at + len(words)]) == words


def _is_asked(tokens: tuple[Token, ...], at: int, language: str) -> bool:
    before = at - 2 if language == "de" and at > 1 and tokens[at - 1].norm == "," else at - 1
    return before >= 0 and tokens[before].norm in _ASKING[language]


def _object(intent: Intent, end: int, language: str) -> Token | None:
    """The last word of the object of the first request before ``end``: "mail" of "get my new mail today"."""
    times = {at for one in intent.spans if one.kind in TIMELY for at in range(one.first, one.last)}
    tokens = [one for at, one in enumerate(intent.tokens[:end]) if at not in times]
    said = [at for at, one in enumerate(tokens) if one.norm.isalpha() and not is_function_word(one.norm, language)]
    if not said:
        return None
    noun: Token | None = None
    for token in tokens[said[0] + 1 :]:
        if token.norm in PREPOSITIONS[language] or token.norm in _JOINTS or not token.norm[:1].isalpha():
            break
        noun = noun if is_function_word(token.norm, language) else token
    return noun
