"""Slips of the fingers: a word that nobody knows is read as the one known word that is nearest, if there is only one.

Only the reading changes (``norm`` and ``lemma``); offsets and ``text`` stay, so whatever becomes a value keeps the
person's own spelling. A word is left alone when a dictionary, the tools or the person's files know it, when it stands
in quotation marks or after words such as "saying", and when a capital inside the sentence makes it a name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, lru_cache

from rapidfuzz.distance import OSA

from kernel.language.free_text import covered, opens_text, own_text, quotes
from kernel.language.function_words import BY_LANGUAGE, DETERMINERS, is_function_word
from kernel.language.lemmas import LANGUAGES, is_known, lemma_of
from kernel.language.lexicon import Lexicon
from kernel.language.line import Line
from kernel.language.tokens import normalise
from kernel.model import Token

_SHORTEST, _SHORT, _LONG = 3, 5, 8
_MOST_MENDED = 12
_CONTRACTIONS = {
    word.replace("'", ""): word
    for word in (
        "what's where's who's how's when's that's there's don't doesn't didn't isn't aren't wasn't weren't haven't "
        "hasn't hadn't couldn't wouldn't shouldn't can't won't i'm i've you've we've they've you're they're let's"
    ).split()
}
_CASUAL = {
    "en": {
        "gimme": "give", "lemme": "let", "wanna": "want", "gonna": "going", "gotta": "need", "u": "you",
        "pls": "please", "plz": "please", "thx": "thanks", "cuz": "because", "coz": "because", "dunno": "don't",
        "til": "until", "em": "them", "ppl": "people", "abt": "about", "btw": "also",
        "ur": "your", "ya": "you", "hafta": "have", "outta": "out", "tomoz": "tomorrow", "bday": "birthday",
        "msg": "message", "msgs": "messages", "pic": "picture", "pics": "pictures", "appt": "appointment",
        "evry": "every", "calender": "calendar", "todays": "today's", "tomorrows": "tomorrow's",
    },
    "de": {
        "ne": "eine", "nen": "einen", "nem": "einem", "ner": "einer", "wenns": "wenn", "gibts": "gibt", "obs": "ob",
        "vllt": "vielleicht", "bzgl": "wegen", "ausm": "aus", "aufm": "auf", "inner": "in",
        "fürn": "für", "isses": "ist", "wars": "war", "hats": "hat", "nich": "nicht", "nix": "nichts", "ichs": "ich",
        "is": "ist", "heut": "heute", "drüber": "darüber", "jetz": "jetzt", "jz": "jetzt", "net": "nicht",
        "mitm": "mit", "mim": "mit", "aufn": "auf", "übern": "über", "vonner": "von", "bissl": "bisschen",
        "hätt": "hätte", "bräucht": "bräuchte", "brauch": "brauche", "wolln": "wollen", "solln": "sollen",
        "ham": "haben", "gehn": "gehen", "sehn": "sehen", "stehn": "stehen", "anschaun": "anschauen",
        "schaun": "schauen", "andern": "anderen", "morgn": "morgen", "evtl": "eventuell", "bday": "geburtstag",
        "pics": "bilder", "msg": "nachricht", "grad": "gerade", "n": "ein",
    },
}  # fmt: skip
"""Words as they are typed or spoken in haste."""
_WITH_YOU = frozenset("kannste haste willste sollste machste schickste kriegste zeigste sagste".split())
"""German verbs with their "du" in one word."""
_MEASURED = frozenset("viel wieviel wieviele viele in ein einen paar minus plus".split())
_DRAWL = re.compile(r"([^\W\d_])\1{2,}")
_PLACES = frozenset("downloads documents pictures videos desktop dokumente bilder schreibtisch".split())
"""Folders that are there in every home."""
_TWO_LETTERS = (("ae", "ä"), ("oe", "ö"), ("ue", "ü"))


def mend(line: Line, lexicon: Lexicon, is_name: Callable[[str], bool]) -> Line:
    """Return ``line`` with misspelt words read as what they mean. ``is_name`` knows the words of the person's names."""
    mended = {}
    for index in _doubtful(line, lexicon):
        token = line.tokens[index]
        meant = _in_full(line, index) or _without_drawl(token, lexicon)
        meant = meant or _with_umlauts(token, lexicon, is_name)
        meant = meant or _with_e(token, lexicon, line.language) or nearest(token.norm, lexicon, line.language)
        if _is_called(line, index) and not _is_surely(line, index, meant):
            continue
        if meant and not is_name(token.norm):
            mended[index] = replace(token, norm=meant, lemma=_lemma(meant, line.language))
        if len(mended) >= _MOST_MENDED:
            break
    if not mended:
        return line
    whole = enumerate(line.tokens)
    read = (one for at, token in whole for one in (_pieces(mended[at]) if at in mended else (token,)))
    return replace(line, tokens=tuple(read), memo={})


def _in_full(line: Line, index: int) -> str:
    """What a word stands for that is written as it is spoken, or without its apostrophe; "" for any other word."""
    word = line.norm(index)
    if line.language == "en":
        return _CASUAL["en"].get(word) or _CONTRACTIONS.get(word, "")
    if line.language != "de" or _is_degree(line, index):
        return ""
    return word if word in _WITH_YOU else _CASUAL["de"].get(word, "")


def _is_degree(line: Line, index: int) -> bool:
    """ "20 grad", "wie viel grad", "in grad", "grad celsius": the measure, and not "just now"."""
    before, behind = line.norm(index - 1), line.norm(index + 1)
    measured = before[:1].isdigit() or before in _MEASURED or behind in {"celsius", "fahrenheit"}
    return line.norm(index) == "grad" and measured


def _pieces(token: Token) -> Iterator[Token]:
    """A word typed without its apostrophe is two words where it would be with one: "whats"; "kannste" is two, too."""
    if token.norm in _WITH_YOU:
        yield _cut(token, 0, -1, token.norm[:-1])
        yield _cut(token, -1, None, "du")
        return
    word = token.norm.removesuffix("'s")
    if word == token.norm or token.text.casefold() != f"{word}s":
        yield token
        return
    yield _cut(token, 0, -1, word)
    yield _cut(token, -1, None, "'s")


def _cut(token: Token, first: int, last: int | None, norm: str) -> Token:
    """A part of the token, from letter ``first`` to ``last``, that is read as ``norm``."""
    start, end, _ = slice(first, last).indices(len(token.text))
    text = token.text[start:end]
    return replace(token, text=text, start=token.start + start, end=token.start + end, norm=norm, lemma=norm)


def _without_drawl(token: Token, lexicon: Lexicon) -> str:
    """ "Sooo", "pleeease": a known word with one of its letters drawn out. "" where it is none."""
    if not _DRAWL.search(token.norm):
        return ""
    words = (_DRAWL.sub(r"\1" * times, token.norm) for times in (1, 2))
    known = (word for word in words if _is_known(replace(token, norm=word, lemma=word), lexicon))
    return next(known, "")


def _with_umlauts(token: Token, lexicon: Lexicon, is_name: Callable[[str], bool]) -> str:
    """ "fuer", "Kaesekuchen": typed without umlauts, and known with them. "" where it is not."""
    word = token.norm
    for two, one in _TWO_LETTERS:
        word = word.replace(two, one)
    if word == token.norm:
        return ""
    known = is_function_word(word, "de") or is_name(word) or is_known(word, "de")
    return word if known or lexicon.knows(replace(token, norm=word, lemma=_lemma(word, "de"))) else ""


def _with_e(token: Token, lexicon: Lexicon, language: str) -> str:
    """ "Brauchn", "Datein": an ending as it is spoken, without its e. "" where that gives no known word."""
    word = f"{token.norm[:-1]}e{token.norm[-1]}"
    if language != "de" or token.norm[-1] not in "nt" or len(token.norm) < _SHORT:
        return ""
    return word if lexicon.knows(replace(token, norm=word, lemma=_lemma(word, "de"))) else ""


def _is_called(line: Line, index: int) -> bool:
    """A capital inside the sentence: in English a name, in German any noun."""
    return index > 0 and line.norm(index - 1)[:1] not in {*".!?:"} and not line.tokens[index].text.islower()


def _is_surely(line: Line, index: int, meant: str) -> bool:
    """A word that is too long for a chance, behind an article or with two neighbours swapped: no name is read so."""
    word = line.norm(index)
    swapped = sorted(word) == sorted(meant)
    return len(word) > _SHORT and (swapped or line.norm(index - 1) in DETERMINERS["de"])


def is_mended(token: Token) -> bool:
    """Tell whether the token is read as another word than the one that is written."""
    return token.norm != normalise(token.text)


@lru_cache(maxsize=2_000)
def nearest(word: str, lexicon: Lexicon, language: str) -> str:
    """Return the one known word that ``word`` is a slip of, "" when there is none or more than one.

    One insertion, deletion, replacement or swap of neighbours apart, two from eight letters on, and a swap is nearer
    than the others; the first letter agrees or is swapped with the second. A word of a closed class with fewer than
    five letters is only ever meant by a swap.
    """
    most = 2 if len(word) >= _LONG else 1
    found: dict[str, tuple[int, bool]] = {}
    for known in _starting(lexicon, language, word[0]) | _starting(lexicon, language, word[1]):
        if abs(len(known) - len(word)) <= most and _may_mean(word, known):
            apart = OSA.distance(word, known, score_cutoff=most)
            if apart <= most:
                found[known] = (apart, sorted(known) != sorted(word))
    least = min(found.values(), default=None)
    best = sorted(known for known, apart in found.items() if apart == least)
    best.sort(key=lambda known: abs(len(known) - len(word)))
    return best[0] if len({_lemma(one, language) for one in best}) == 1 else ""


def _doubtful(line: Line, lexicon: Lexicon) -> Iterator[int]:
    """The words that nobody knows, outside the person's own text."""
    inside = covered(quotes(line)) | own_text(line, lexicon)
    for index, token in enumerate(line.tokens):
        letters = token.norm.isalpha() and _SHORTEST <= len(token.norm) <= 30
        casual = bool(_in_full(line, index))
        if not (letters or casual) or index in inside or opens_text(line, index):
            continue
        if line.language != "de" and _is_called(line, index):
            continue
        if casual or not _is_known(token, lexicon) or _is_foreign_slip(token, lexicon, line.language):
            yield index


def _is_known(token: Token, lexicon: Lexicon) -> bool:
    return is_function_word(token.norm) or lexicon.knows(token) or is_known(token.norm)


def _is_foreign_slip(token: Token, lexicon: Lexicon, language: str) -> bool:
    """A word that only the other language's dictionary has, and that is one slip away from a word of grammar here."""
    if (
        language not in LANGUAGES
        or len(token.norm) < _SHORT - 1
        or is_function_word(token.norm)
        or lexicon.knows(token)
    ):
        return False
    meant = "" if is_known(token.norm, language) else nearest(token.norm, lexicon, language)
    return bool(meant) and len(meant) >= _SHORT and is_function_word(meant, language)


def _may_mean(word: str, known: str) -> bool:
    if known[0] != word[0] and known[:2] != word[1::-1]:
        return False
    if len(word) < _SHORT - 1 or (len(known) < _SHORT and is_function_word(known)):
        return is_function_word(known) and len(known) == len(word) and sorted(known) == sorted(word)
    return True


@cache
def _by_letter(lexicon: Lexicon, language: str) -> dict[str, frozenset[str]]:
    words = lexicon.spelt_de if language == "de" else lexicon.spelt_en
    known = {word for word in words | _PLACES | BY_LANGUAGE[language] if word.isalpha() and len(word) >= _SHORTEST}
    return {letter: frozenset(word for word in known if word[0] == letter) for letter in {word[0] for word in known}}


def _starting(lexicon: Lexicon, language: str, letter: str) -> frozenset[str]:
    return _by_letter(lexicon, language).get(letter, frozenset())


def _lemma(word: str, language: str) -> str:
    return word if is_function_word(word, language) else lemma_of(word, language)
