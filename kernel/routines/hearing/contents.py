"""What is said of what stands in a file: "a PDF that mentions 'termination'", "in dem „Kündigung“ steht".

Words in quotation marks are those words. Without marks they are few, and none of them speaks of something else ("my
name", "more than three people"), or they are not understood.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from kernel.language import is_function_word
from kernel.routines.hearing.changes import CHANGES
from kernel.routines.hearing.folders import PREPOSITIONS
from kernel.routines.hearing.reading import QUOTATION, Clause
from kernel.routines.hearing.totals import Such, total_said
from kernel.routines.model import EITHER, About

_NOUN = (
    r"(?:the |an? )?(?:words?|phrases?|terms?|texts?|expressions?|names?) (?:of )?",
    r"(?:das |die |den |dem |der |ein |einem )?(?:wort|wörter|worte|worten|wörtern|begriffe?n?|text|ausdruck|namen?) ",
)
_SAYS = (r"(?:mentions?|contains?|says?|reads)", r"(?:enthält|enthalten|erwähnt|erwähnen|beinhaltet|nennt)")
_STANDS = (
    r"(?:appears?|occurs?|is mentioned|are mentioned|is said|comes up|stands)",
    r"(?:steht|stehen|vorkommt|vorkommen|auftaucht|auftauchen|drinsteht|drin steht|drin vorkommt|erwähnt wird|"
    r"genannt wird|zu finden ist|zu lesen ist)",
)
_INSIDE = (r" (?:in (?:it|its text|the text)|inside(?: it)?)", r" (?:darin|drin|im text|im inhalt)")
_FORMS = (
    (
        r"(?:, )?(?:that|which) (?:also )?{says} (?:{noun})?(?P<w>.+?)(?:{inside})?(?: ,)?",
        r"(?:, )?(?:that|which) (?:has|includes?|uses?) {noun}(?P<w>.+?)(?:{inside})?(?: ,)?",
        r"(?:, )?(?:that|which) has (?P<w>.+?){inside}(?: ,)?",
        r"(?:mentioning|containing|saying) (?:{noun})?(?P<w>.+?)(?:{inside})?",
        r"with {noun}(?P<w>.+?)(?:{inside})?",
        r"with (?P<w>.+?){inside}",
        r"(?:, )?(?:in which|where) (?:{noun})?(?P<w>.+?) {stands}(?:{inside})?(?: ,)?",
        r"(?:, )?whose (?:text|contents?) {says} (?:{noun})?(?P<w>.+?)(?: ,)?",
        r"(?:, )?(?:and|but only if|only if|if) (?:it |that |its text )?(?:also )?{says} (?:{noun})?(?P<w>.+?)"
        r"(?:{inside})?",
    ),
    (
        r"(?:, )?(?:das|die|der|welche[srn]?) (?:auch )?(?:{noun})?(?P<w>.+?) {says}(?: ,)?",
        r"(?:, )?(?:in|auf) (?:dem|der|denen|welche[mr]) (?:{noun})?(?P<w>.+?) {stands}(?: ,)?",
        r"(?:, )?wo (?:{noun})?(?P<w>.+?) {stands}(?: ,)?",
        r"mit {noun}(?P<w>.+?)(?:{inside})?",
        r"mit (?P<w>.+?){inside}",
        r"(?:, )?(?:dessen|deren) (?:text|inhalt) (?:{noun})?(?P<w>.+?) {says}(?: ,)?",
        r"(?:, )?(?:und|aber nur wenn|nur wenn|wenn) (?:es |sie |er |das |die |der )?(?:{noun})?(?P<w>.+?) {says}",
        r"(?:, )?(?:und|aber nur wenn|nur wenn|wenn) (?:darin|drin|in ihm|in ihr|da) (?:{noun})?(?P<w>.+?) {stands}",
        r"(?:, )?(?:und|aber nur wenn|nur wenn|wenn) (?:{noun})?(?P<w>.+?) (?:darin|drin) {stands}",
    ),
)
_OF_A_VERB = (
    (r"{says} (?:{noun})?(?P<w>.+?)(?:{inside})?",),
    (r"(?:{noun})?(?P<w>.+?) {says}", r"(?:{noun})?(?P<w>.+?) {stands}"),
)
_MAY_SAY = re.compile(
    r"#num:|\b(?:mention|contain|say|read|has|includ|uses?|with|in which|where|whose|enthält|enthalten|erwähn|"
    r"beinhaltet|nennt|genannt|steh|vorkomm|auftauch|drin|finden|lesen|mit)"
)
_LONGEST, _MOST_WORDS = 24, 4
_NOT = frozenset("not no never n't doesn't don't without nor nicht kein keine keinen nie ohne weder".split())
_MARKS = frozenset(QUOTATION.strip())
_JOINTS = {"en": ("or", "and"), "de": ("oder", "und")}


@cache
def _compiled(forms: tuple[str, ...], german: bool) -> tuple[re.Pattern[str], ...]:
    words = {"noun": _NOUN, "says": _SAYS, "stands": _STANDS, "inside": _INSIDE}
    return tuple(re.compile(one.format(**{name: two[german] for name, two in words.items()})) for one in forms)


def said_of_contents(clause: Clause, first: int, last: int) -> Such:
    """Read the words [first, last) of the clause as what must stand in a file; nothing where they say no such thing."""
    german = clause.gist.line.language == "de"
    text = " ".join(clause.words[first:last])
    if _NOT.intersection(clause.words[max(first - 1, 0) : last]) or not _MAY_SAY.search(text):
        return ()
    return total_said(text, clause.gist.line.language) or _held(clause, first, text, _compiled(_FORMS[german], german))


def said_by_verb(clause: Clause, first: int, last: int) -> Such:
    """Read the words [first, last) as a verb with what stands in the file before it: "says urgent"."""
    german = clause.gist.line.language == "de"
    if _NOT.intersection(clause.words[max(first - 1, 0) : last]):
        return ()
    return _held(clause, first, " ".join(clause.words[first:last]), _compiled(_OF_A_VERB[german], german))


def stretches(clause: Clause) -> Iterator[tuple[int, int, Such]]:
    """Yield the stretches of the clause that say what must stand in a file, the longest first, each with what."""
    if not _MAY_SAY.search(clause.text):
        return
    size = len(clause.words)
    for length in range(min(size, _LONGEST), 1, -1):
        for first in range(size - length + 1):
            such = said_of_contents(clause, first, first + length)
            if such:
                yield first, first + length, such


def _held(clause: Clause, first: int, text: str, forms: tuple[re.Pattern[str], ...]) -> Such:
    for form in forms:
        found = form.fullmatch(text)
        if found is not None:
            begin = first + text[: found.start("w")].count(" ")
            such = _words(clause, begin, begin + found["w"].count(" ") + 1)
            if such:
                return such
    return ()


def _words(clause: Clause, first: int, last: int) -> Such:
    """The words that have to stand there: each of those joined by "and", one of those joined by "or"."""
    either, each = _JOINTS["de" if clause.gist.line.language == "de" else "en"]
    groups, begin, is_quoted = [list[str]()], first, False
    for at in range(first, last + 1):
        word = clause.words[at] if at < last else each
        is_quoted = is_quoted != (word in _MARKS)
        if at < last and (is_quoted or word not in {either, each}):
            continue
        said = _plain(clause, begin, at)
        if not said:
            return ()
        groups[-1].append(said)
        begin = at + 1
        if at < last and word == each:
            groups.append([])
    return tuple((About.HOLDS, EITHER.join(one)) for one in groups)


def _plain(clause: Clause, first: int, last: int) -> str:
    """The words as they were written, without their marks; empty where they are more than words."""
    said = clause.said(first, last)
    bare = said.strip(QUOTATION)
    words = clause.words[first:last]
    is_quoted = len(said) > 1 and said[0] in QUOTATION and said[-1] in QUOTATION
    if not is_quoted and (len(words) > _MOST_WORDS or not all(map(_is_word, words))):
        return ""
    return " ".join(bare.replace(EITHER, " ").split()) if any(letter.isalnum() for letter in bare) else ""


def _is_word(word: str) -> bool:
    other = word in PREPOSITIONS or word in CHANGES or is_function_word(word) or word in _OTHER
    return not other and (word[0].isalnum() or word.startswith("#num:"))


_OTHER = frozenset(
    "something anything nothing everything etwas irgendwas irgendetwas nichts alles me it them goes belongs gehört "
    "geht wandert".split()
)
"""What stands for something else than itself, and verbs of a request behind."""
