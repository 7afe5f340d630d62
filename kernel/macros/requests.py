"""How a macro is asked for, by itself and as a clause of a longer sentence: one table for requests and for rules.

What this stops: a macro's name that stands as a clause being read as some other deed. What it does not: look into a
quotation, or behind a word that a text is said with ("saying", "remind me"): there a name is the person's text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from kernel.language.clause_joints import LONGEST, is_own_text, joints
from kernel.macros.model import Macro
from kernel.macros.spoken import meant, plainly, spoken

_LEAD = re.compile(
    r"(?:(?:please|now|then|first|also|just|and|bitte|jetzt|nun|dann|zuerst|erst|auch|mal|und)\b[,\s]*)+", re.I
)
_CALLS = (
    re.compile(r"(?:do|run|start|perform|execute|carry out)\s+(?:(?:the|my)\s+)?(?:macro\s+)?(?P<name>.+)", re.I),
    re.compile(r"(?:(?:the|my|das|mein)\s+)?(?:macro|makro)\s+(?P<name>.+)", re.I),
    re.compile(
        r"(?:mache?|tue?|starte?|führe?|lass)\s+(?:(?:jetzt|bitte|dann|mal)\s+)*(?:(?:das|mein)\s+)?(?:makro\s+)?"
        r"(?P<name>.+?)(?:\s+(?:aus|laufen))?"
        r"|(?:(?:das|mein)\s+)?(?:makro\s+)?(?P<last>.+?)\s+(?:ausführen|machen|starten|laufen lassen)",
        re.I,
    ),
)
_DO = re.compile(r"(?:do|run|start|mache?|starte)\s+(?:(?:the|my|das|mein)\s+)?(?:(?:macro|makro)\s+)?", re.I)
_ENDS = re.compile(r"[\s,]+(?:please|bitte|thanks|danke)$", re.I)
_GOES_ON = re.compile(
    r",?\s+(?=(?:or|but|if|when|whenever|unless|while|until|before|after|once|every|each|at|on|tomorrow|today|tonight|"
    r"later|oder|aber|wenn|falls|sofern|bevor|ehe|nachdem|sobald|bis|jeden|jede|jedes|um|am|morgen|heute|später)\b)",
    re.I,
)
"""Where a clause ends because the sentence says when, or whether, it is done."""
_BEGINS = re.compile(r"\b(?:or|but|before|after|once|oder|aber|bevor|ehe|nachdem)\s+(?:(?:you|du)\s+)?", re.I)
_FOR_EACH = re.compile(r"\b(?:for\s+(?:each|every)|für\s+jede[nrs]?)\b", re.I)
_WORD = re.compile(r"(?<=\s)\S")
_AROUND_A_NAME = 60
"""Characters that may stand in a clause beside the name: "could you please run the macro"."""


def macro_in(said: str, macros: Iterable[Macro]) -> Macro | None:
    """Return the macro that ``said`` names, or asks for by its name or a phrase."""
    known = tuple(macros)
    return next((one for name in _names(said) if (one := meant(name, known)) is not None), None)


def called_first(said: str, macro: Macro) -> str:
    """Return what stands behind the name or a phrase of ``macro`` at the begin of a sentence; "" where none does."""
    plain = _LEAD.sub("", said.strip(" .,;!?"), count=1) if _LEAD.match(said) else said.strip(" .,;!?")
    plain = _ENDS.sub("", _DO.sub("", plain, count=1))
    for words in _said(macro):
        name = r"[\s_-]+".join(re.escape(one) for one in words.split())
        found = re.match(rf"{name}\s+(?P<rest>\S.*)", plain, re.IGNORECASE | re.DOTALL)
        if found:
            return found["rest"]
    return ""


def _names(said: str) -> Iterator[str]:
    """What a name may be in a sentence: all of it first, then all behind what leads to it, and what is to be done."""
    plain = said.strip(" .,;!?")
    for text in dict.fromkeys((plain, _LEAD.sub("", plain, count=1) if _LEAD.match(plain) else plain)):
        yield text
        for pattern in _CALLS:
            found = pattern.fullmatch(spoken(text)) if text else None
            yield from (name for name in (found.groupdict().values() if found else ()) if name)


Find = Callable[[str, Sequence[Macro]], Macro | None]


def mentioned(text: str, macros: Sequence[Macro], find: Find = macro_in) -> tuple[Macro, ...]:
    """Return the macros that stand as a clause in ``text``, in their order; ``find`` knows one by its clause."""
    if not _may_name(text, macros):
        return ()
    parting = list(joints(text))
    begins = {0, *(one.end() for one in parting), *(one.end() for one in _BEGINS.finditer(text))}
    begins |= {one.start() for one in _WORD.finditer(text)} if _FOR_EACH.search(text) else set()
    ends = {len(text), *(one.start() for one in parting), *(one.start() for one in _GOES_ON.finditer(text))}
    most = _longest(macros)
    found = [
        macro
        for begin in sorted(begins)
        for end in sorted(ends)
        if begin < end <= begin + most and _may_name(text[begin:end], macros)
        if (macro := find(text[begin:end], macros)) is not None and not is_own_text(text, begin)
    ]
    return tuple({one.key: one for one in found}.values())


def apart(text: str, macros: Sequence[Macro], find: Find = macro_in) -> tuple[str, ...]:
    """Return the clauses of ``text`` in their order, each macro a clause by itself; none where none stands in it."""
    if not _may_name(text, macros):
        return ()
    parting = list(joints(text))
    begins, ends = [0, *(one.end() for one in parting)], [*(one.start() for one in parting), len(text)]
    most, at, rest, clauses = _longest(macros), 0, 0, list[str]()
    while at < len(begins):
        near = [one for one in range(at, len(ends)) if ends[one] <= begins[at] + most]
        pieces = ((one, text[begins[at] : ends[one]]) for one in reversed(near))
        last = next((one for one, piece in pieces if _may_name(piece, macros) and find(piece, macros)), None)
        if last is not None:
            clauses += [text[rest : ends[at - 1]]] if at and rest < begins[at] else []
            clauses.append(text[begins[at] : ends[last]])
            rest = begins[last + 1] if last + 1 < len(begins) else len(text)
        at = at + 1 if last is None else last + 1
    tail = text[rest:]
    return tuple(one.strip(" ,;") for one in [*clauses, tail] if one.strip(" ,;.!?")) if clauses else ()


def _may_name(text: str, macros: Sequence[Macro]) -> bool:
    """Tell whether the words of a macro stand in a text at all; cheap, for every sentence is looked at."""
    if len(text) > LONGEST or not macros:
        return False
    plain = plainly(text).casefold()
    return any(all(word in plain for word in spoken(said).split()) for one in macros for said in _said(one))


def _longest(macros: Sequence[Macro]) -> int:
    return max(len(said) for one in macros for said in _said(one)) + _AROUND_A_NAME


def _said(one: Macro) -> tuple[str, ...]:
    return (one.name, *one.phrases)
