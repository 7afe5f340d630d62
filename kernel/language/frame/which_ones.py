"""Which of them: "get my mail and tell me which ones are unread" asks which mails are.

What this stops: that a question about what was just named has no noun, and no tool. What it does not: guess among
several nouns. It is the object of the request before, up to where that says where or whose.
"""

from __future__ import annotations

from kernel.language.function_words import PREPOSITIONS, is_function_word
from kernel.model import Intent, Token

_ONES = {"en": (("ones",), ("of", "them"), ("of", "those"), ("of", "these")),
         "de": (("davon",), ("von", "ihnen"), ("von", "denen"), ("von", "diesen"))}  # fmt: skip
_WHICH = {"en": frozenset({"which"}), "de": frozenset("welche welcher welches".split())}
_JOINTS = frozenset("and then und dann".split())


def with_its_noun(intent: Intent) -> str:
    """Return the text with the noun of the request before it for "which ones"; "" where nothing is asked so."""
    german = intent.language == "de"
    language = "de" if german else "en"
    for at, token in enumerate(intent.tokens):
        pro = next((one for one in _ONES[language] if _follows(intent.tokens, at + 1, one)), None)
        noun = _object(intent.tokens[:at], language) if token.norm in _WHICH[language] and pro else None
        if noun is None or pro is None:
            continue
        text, last = intent.text, intent.tokens[at + len(pro)]
        plural = noun.text if german or noun.norm.endswith("s") else f"{noun.text}s"
        return f"{text[: token.end]} {plural}{text[last.end :]}"
    return ""


def _follows(tokens: tuple[Token, ...], at: int, words: tuple[str, ...]) -> bool:
    return tuple(one.norm for one in tokens[at : at + len(words)]) == words


def _object(tokens: tuple[Token, ...], language: str) -> Token | None:
    """The last word of the object of the first request among ``tokens``: "mail" of "get my new mail from Anna"."""
    said = [at for at, one in enumerate(tokens) if one.norm.isalpha() and not is_function_word(one.norm, language)]
    if not said:
        return None
    noun: Token | None = None
    for token in tokens[said[0] + 1 :]:
        if token.norm in PREPOSITIONS[language] or token.norm in _JOINTS or not token.norm[:1].isalpha():
            break
        noun = noun if is_function_word(token.norm, language) else token
    return noun
