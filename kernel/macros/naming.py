"""What a macro may be called, and said by.

What this stops: a name or a phrase that means something already: the kernel's own sentences, an example of an installed
skill, what the person explained, another macro. What it does not: read what a phrase would come to as a request.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from kernel.composition.words import is_no, is_yes
from kernel.context.mind import Mind
from kernel.errors import BadRequest
from kernel.itself.own_words import own_request
from kernel.knowing.hearing import hear as hears_memory
from kernel.language import Line, guess_language, tokenize, words_of
from kernel.language.amounts.numbers import number_word, ordinals
from kernel.language.function_words import is_function_word
from kernel.language.leaning import leaning
from kernel.learning.hearing import hear as hears_words
from kernel.macros.model import Macro
from kernel.macros.spoken import meant, plainly, spoken
from kernel.model import Intent, Utterance
from kernel.recalling.hearing import hear as hears_past
from permissions.labels import USER_SAID
from permissions.naming import shown
from skills.model import Example

LONGEST_NAME, LONGEST_PHRASE = 60, 200
_NAME = re.compile(r"[^\W_]+(?:[ '-][^\W_]+)*")
_VALUE = "stewardsvalue"
_ANY_WORDS = r"\\S+(?: \\S+){0,7}"
_FEWEST_WORDS = 2  # beside its values: an example of fewer would be any sentence
_HINT = "Choose other words."
_HINT_DE = "Wähle andere Worte."


def checked_name(name: str) -> str:
    """Return a macro's name as it is kept. Raises BadRequest."""
    name = " ".join(name.split())
    if len(name) > LONGEST_NAME or not _NAME.fullmatch(name) or not _tells(name):
        raise BadRequest(
            "macro.name", f"{shown(name[:80])!r} is no name for a macro.",
            subject=shown(name[:80]), hint="Use words of letters and digits, 60 characters at most: monthly close",
            de=f"„{shown(name[:80])}“ ist kein Name für ein Makro.",
            de_hint="Nimm Wörter aus Buchstaben und Ziffern, höchstens 60 Zeichen: Monatsabschluss",
        )  # fmt: skip
    return name


def checked_phrase(phrase: str) -> str:
    """Return a phrase as it is kept. Raises BadRequest."""
    plain = " ".join(phrase.split())
    if len(plain) > LONGEST_PHRASE or not plain.isprintable() or not _tells(plain):
        raise BadRequest(
            "macro.phrase", f"{shown(plain[:80])!r} is no phrase by which a macro could be known.",
            subject=shown(plain[:80]), hint="Use a short sentence with a word of its own, 200 characters at most.",
            de=f"An „{shown(plain[:80])}“ wäre kein Makro zu erkennen.",
            de_hint="Nimm einen kurzen Satz mit einem eigenen Wort, höchstens 200 Zeichen.",
        )  # fmt: skip
    return plain


def refuse_taken(words: str, mind: Mind, macros: Iterable[Macro], utterance: Utterance) -> None:
    """Raise BadRequest where ``words`` mean something already. ``utterance`` says when and where they are said."""
    other = meant(words, macros)
    if other is not None:
        raise _taken(words, f"is what the macro {other.name} is said by", f"damit ist das Makro {other.name} gemeint")
    if _is_the_kernels(words, mind, utterance):
        raise _taken(words, "is a sentence of Steward's own", "das ist ein eigener Satz von Steward")
    said = spoken(words)
    if mind.phrases is not None and any(spoken(one.phrase) == said for one in mind.phrases.every):
        raise _taken(words, "is a phrase that you have explained", "diese Wendung hast du schon erklärt")
    tool = next((tool for tool in mind.toolbox.tools if any(_is_said_as(said, one) for one in tool.examples)), None)
    if tool is not None:
        raise _taken(words, f"asks for {tool.id} already", f"damit ist schon {tool.id} gemeint")


def _taken(words: str, en: str, de: str) -> BadRequest:
    said = shown(words)
    return BadRequest("macro.taken", f"“{said}” {en}.", subject=said, hint=_HINT, de=f"„{said}“: {de}.",
                      de_hint=_HINT_DE)  # fmt: skip


def _tells(words: str) -> bool:
    """Tell whether something stands in the words by which they can be known: more than "yes", "3" and "the first"."""
    return any(len(word) > 1 and not (_is_closed(word) or _is_number(word)) for word in spoken(words).split())


def _is_closed(word: str) -> bool:
    return is_function_word(word) or is_yes(word) or is_no(word)


def _is_number(word: str) -> bool:
    numbers = (number_word(word, "en"), number_word(word, "de"), ordinals().get(word))
    return word.isdecimal() or any(one is not None for one in numbers)


def _is_the_kernels(words: str, mind: Mind, utterance: Utterance) -> bool:
    lexicon = mind.lexicon
    known = lexicon.english, lexicon.german, lexicon.opens_de
    language = guess_language(words_of(words), *known, lean=leaning)
    tokens = tokenize(words, language)
    intent = Intent(words, language, tokens, (), (), (), USER_SAID)
    return (
        own_request(intent) is not None
        or hears_words(words) is not None
        or hears_memory(words, language, utterance.now) is not None
        or hears_past(Line(words, tokens, language, utterance.now), lexicon) is not None
    )


def _is_said_as(said: str, example: Example) -> bool:
    """Tell whether words mean what an example does: with its values, or with any others in their places."""
    words = said.split()
    plain = plainly(example.text).casefold()
    if all(word in plain for word in words) and spoken(example.text) == said:
        return True
    frame = _frame(example)
    if not frame or not set(words).issuperset(word for word in frame.split() if word != _VALUE):
        return False
    return re.fullmatch(re.sub(_VALUE, _ANY_WORDS, re.escape(frame)), said) is not None


@lru_cache(maxsize=16_384)
def _frame(example: Example) -> str:
    """Return the words of an example around its values; "" where that would be nearly any sentence."""
    if not example.slots:
        return ""
    words = spoken(_blank(example))
    told = [word for word in words.split() if word != _VALUE]
    return words if len(told) >= _FEWEST_WORDS and len(told) < len(words.split()) else ""


def _blank(example: Example) -> str:
    text, at = "", 0
    for slot in sorted(example.slots, key=lambda one: one.start):
        text, at = f"{text}{example.text[at : slot.start]} {_VALUE} ", slot.end
    return text + example.text[at:]
