"""Parts of an event, a mail or a file that a rule says without saying whose: "the subject", "wo er stattfindet".

What comes is one thing, and of it alone a rule can speak: "the subject" is its subject, "where it is" its place.
Words that a person is to be told ("dass der Ort sich geändert hat") and quotations stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache

from kernel.language import Line
from kernel.language.free_text import covered, quotes
from kernel.language.line import stretches
from kernel.routines.hearing.model import Words, meets
from kernel.routines.rewording.part_words import part_of

_IT_DE = r"(?:er|es|sie|das|die mail|der termin|das treffen|die besprechung|das ganze)"
_IT_EN = r"(?:it|that|this|the (?:meeting|event|appointment|mail|email))"
_ASKED: Mapping[str, tuple[tuple[str, str], ...]] = {
    "event": (
        ("place", rf"(?:wo|wohin) {_IT_DE} (?:stattfindet|ist|steigt|hingeht)|(?:wo|wohin) (?:ich|wir|i) "
         r"(?:da )?(?:hin ?)?(?:muss|müssen|soll|sein muss|hin muss)"),
        ("start", rf"(?:wann|um wie ?viel uhr) {_IT_DE} (?:anfängt|beginnt|losgeht|los geht|startet)"),
        ("end", rf"wann {_IT_DE} (?:endet|aufhört|aus ist|vorbei ist|zu ende ist)"),
        ("people", r"wer (?:alles )?(?:kommt|dabei ist|teilnimmt|mitkommt|eingeladen ist|da ist)"),
        ("title", rf"worum es (?:da )?geht|wie {_IT_DE} heißt"),
        ("place", rf"where {_IT_EN} (?:is|takes place|happens|will be)|where (?:i|we) (?:have to|need to|must) "
         r"(?:be|go)"),
        ("start", rf"when {_IT_EN} (?:starts|begins)|what time {_IT_EN} (?:starts|begins)"),
        ("end", rf"when {_IT_EN} (?:ends|is over)"),
        ("people", r"who (?:is coming|comes|takes part|will be there|is invited|attends)"),
        ("title", rf"what {_IT_EN} is (?:about|called)"),
    ),
    "task": (
        ("title", r"welche (?:aufgabe )?(?:es|das|sie) ist|wie (?:sie|die aufgabe) heißt|was (?:da |es |sie )*"
         r"(?:fällig|überfällig|zu tun|zu erledigen|dran) ist|worum es (?:da )?geht|"
         r"was (?:ich|da) (?:tun|machen|erledigen) muss"),
        ("day", r"(?:bis )?wann (?:sie|es|das|die aufgabe) fällig ist"),
        ("title", r"which (?:one|task) (?:it|that) is|which (?:one|task) (?:is|it is) (?:over)?due|"
         r"what (?:it|the task) (?:is(?: called)?|says)|what (?:is|'s) (?:over)?due|what (?:i|we) (?:have|need) to do|"
         r"what is to be done|which (?:one|task)|what it is about"),
        ("day", r"(?:by )?when (?:it|the task) is due"),
    ),
    "mail": (
        ("sender", rf"von wem {_IT_DE} (?:ist|kommt|stammt)|wer (?:{_IT_DE} )?(?:mir )?(?:geschickt|geschrieben|"
         r"gesendet) hat|wer (?:mir )?schreibt"),
        ("subject", r"worum es (?:da )?geht|was im betreff steht|wie der betreff (?:lautet|heißt|ist)"),
        ("sender", rf"who {_IT_EN} (?:is|came|was sent) (?:from|by)|who (?:sent|wrote) {_IT_EN}"),
        ("subject", rf"what {_IT_EN} is about|what the subject (?:is|says)"),
    ),
}  # fmt: skip
_NOUNS: Mapping[str, frozenset[str]] = {
    "event": frozenset({"title", "place", "people", "start", "end"}),
    "mail": frozenset({"subject", "sender"}),
    "task": frozenset({"title", "priority"}),
}
_THE = frozenset("the der die das den dem des".split())
_WITH = frozenset("with mit namens called".split())
_TOLD = frozenset("that dass daß".split())
_ITS = {"event": {"de": "seinem", "en": "its"}, "mail": {"de": "ihrem", "en": "its"},
        "task": {"de": "ihrem", "en": "its"}}  # fmt: skip
_ASKS = frozenset("wieviel wo wohin wann wer wen wem worum wie where when who what".split())
_WHICH = frozenset("which welche".split())
_NAME = frozenset("name namen".split())
_FILE_NAME = frozenset("filename dateiname dateinamen".split())
_LINE_OF = frozenset("line zeile".split())


def parts_asked(line: Line, kind: str, taken: frozenset[int], brings: tuple[Words, ...]) -> dict[Words, str]:
    """Return the stretches outside the tokens ``taken`` that mean a part of the thing of ``kind``, as its own part."""
    if kind not in _ASKED:
        return {}
    its = _ITS[kind]["de" if line.language == "de" else "en"]
    told = next((at for at in range(line.size) if line.norm(at) in _TOLD and at not in taken), line.size)
    out = covered(quotes(line)) | taken | frozenset(range(told, line.size))
    found: dict[Words, str] = {}
    words = _ASKS | _WHICH if kind == "task" else _ASKS
    asks = [at for at in range(line.size) if line.norm(at) in words and at not in out]
    questions = list(_questions(line, kind, out)) if len(asks) == 1 else []  # several are the whole of it
    for stretch, part in (*questions, *_named(line, kind, out)):
        if not meets(stretch, (*found, *(one for one in brings if one[1] - one[0] > 1))):
            found[stretch] = f"{its} {part}"
    return found


def file_names(line: Line, taken: frozenset[int]) -> Iterator[Words]:
    """Yield the stretches outside the tokens ``taken`` that mean what the file that comes is called."""
    for at in range(line.size - 1):
        last = at + 2 + (line.norm(at + 1) == "file" and line.norm(at + 2) == "name")
        alone = line.norm(at) in _THE and not taken & {at, at + 1} and not _goes_on(line, last)
        if alone and "".join(map(line.norm, range(at + 1, last))) in _FILE_NAME:
            yield at, last


def with_name(line: Line, stretch: Words) -> Words:
    """Return the words that mean the name of the file that ``stretch`` means: "dem Namen der Datei", "the file's name".

    Where there are none around it, the stretch itself.
    """
    first, last = stretch
    if line.norm(last) == "'s" and line.norm(last + 1) in _NAME | _FILE_NAME:
        return first, last + 2
    before = first - 1 - (line.norm(first - 1) == "of")
    named = line.norm(before) in _NAME and line.norm(before - 1) in _THE
    return (before - 1, last) if named and (line.language == "de" or before < first - 1) else stretch


def _questions(line: Line, kind: str, out: frozenset[int]) -> Iterator[tuple[Words, str]]:
    for part, pattern in _compiled(kind):
        yield from ((stretch, part) for stretch in stretches(line, out, pattern))


@cache
def _compiled(kind: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """No start waits for them: most sentences have no trigger."""
    return tuple((part, re.compile(rf"(?<![\w-])(?:{form})(?![\w-])")) for part, form in _ASKED[kind])


def _named(line: Line, kind: str, out: frozenset[int]) -> Iterator[tuple[Words, str]]:
    """ "The subject", and no "the subject of Lena's mail", "with the title Lunch"."""
    for at in range(line.size - 1):
        part = part_of(kind, line.norm(at + 1))
        if line.norm(at) not in _THE or part not in _NOUNS[kind] or out & {at, at + 1}:
            continue
        last = at + 2 + (line.norm(at + 2) in _LINE_OF)
        named = line.norm(at - 1) in _WITH or _goes_on(line, last)
        if not named:
            yield (at, last), part


def _goes_on(line: Line, at: int) -> bool:
    """Tell whether the noun before the token is more closely described: "of", a genitive, a name."""
    if at >= line.size:
        return False
    whose = line.norm(at) in {"of", "von", "der", "des", "vom"}
    return whose or (line.is_content(at) and (line.language != "de" or line.raw(at)[:1].isupper()))
