"""What a person says and what they show: a request is cut apart before anything reads it.

What this stops: that words which somebody else wrote, and a person pasted, are read as that person's request. A shown
text is taken out whole; nothing that plans ever gets it (``binding`` puts it where it belongs when the plan stands).
Where it is open how far a shown text goes, it goes further: to the last mark that may close it, or to the end. So a
mark inside a pasted text ends nothing, and what is swallowed by mistake is asked for again.
What it does not: know a text as pasted that comes without any sign (one line among others); or know that a fence which
the person never closed was closed by the text.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from kernel.language.showing import (
    ANNOUNCED,
    FORWARDED,
    GERMAN,
    MAIL_HEADER,
    POINTED,
    REMINDED,
    REMINDS,
    SENDER_HEADER,
    TAG,
    WROTE,
)
from kernel.model import Shown, ShownAs, Utterance

_FENCE = re.compile(r"`{3,}|~{3,}|\"{3,}|'{3,}")
_OPENS = re.compile(r"(?<!\w)[\"“„«»](?=\S|\n)")
_CLOSES = {'"': '"', "“": '”“"', "„": '“”"', "«": "»", "»": "«"}
_MARK = re.compile(r"(?P<opens>(?<=[\s(])[\"“„«»](?=\w))|[\"“”„«»]")
_CITED = re.compile(r"[ \t]{0,3}>")
_CITED_ALONE = re.compile(r"\s*>+\s*[^\W\d]")
_DEEP = re.compile(r"(?: {4}|\t| {1,3}\t)\s*\S")
_ADDRESSED = re.compile(r"@|(?:subject|betreff)\W*:", re.IGNORECASE)
HANDLE = "\ue000"
"""What stands for a shown text while plans are made: a character of no language, taken out of what was said."""
_MOST = 32
"""So many texts are taken out; what is left behind the last of them is one more."""


@dataclass(frozen=True, slots=True)
class Parts:
    """A request cut apart: what was ``said``, and the texts that were ``shown`` with it."""

    said: str
    shown: tuple[Shown, ...] = ()


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    end: int
    text: str

    @property
    def is_blank(self) -> bool:
        return not self.text.strip()


def split(text: str) -> Parts:
    """Return what is said and what is shown in ``text``. Never raises; a text without a sign is said, every word."""
    if "\n" not in text and ":" not in text and ">" not in text and not _FENCE.search(text):
        return Parts(text)
    shown = tuple(_stretches(text))
    return Parts(_said(text, shown), shown) if shown else Parts(text)


def heard(utterance: Utterance) -> Utterance:
    """Return ``utterance`` with its text cut apart."""
    parts = split(utterance.text)
    return replace(utterance, text=parts.said, shown=parts.shown) if parts.shown else utterance


def loosely(utterance: Utterance) -> str:
    """Return what was said, with the texts that only a colon sets apart behind it."""
    loose = (one.text for one in utterance.shown if one.kind is ShownAs.ANNOUNCED)
    return "\n".join((utterance.text, *loose))


def _stretches(text: str) -> Iterator[Shown]:
    lines, at = _lines(text), 0
    for count in range(_MOST + 1):
        found = _next(text, lines, at)
        if found is None:
            return
        if count == _MOST:
            found = replace(found, end=len(text), text=text[found.start :].strip())
        if found.text.strip():
            yield found
        at = max(found.end, at + 1)


def _next(text: str, lines: list[_Line], at: int) -> Shown | None:
    """The first shown text from ``at`` on; of two that begin at one place the one whose end is marked."""
    marked = [one for find in _MARKED if (one := find(text, lines, at)) is not None]
    first = min(marked, key=lambda one: (one.start, -one.end), default=None)
    told = _announced(text, at)
    if told is None or (first is not None and first.start <= told.start):
        return first
    return told


def _lines(text: str) -> list[_Line]:
    found, start = [], 0
    for line in text.splitlines(keepends=True):
        found.append(_Line(start, start + len(line), line.rstrip("\r\n")))
        start += len(line)
    return found


# --- each finds the first text of its kind from a place on


def _fenced(text: str, lines: list[_Line], at: int) -> Shown | None:
    opening = _FENCE.search(text, at)
    if opening is None:
        return None
    closing = text.rfind(opening.group()[:3], opening.end())
    end = len(text) if closing < 0 else closing + 3
    inner = text[opening.end() : len(text) if closing < 0 else closing]
    while end < len(text) and text[end] == opening.group()[0]:
        end += 1
    first, mark, rest = inner.partition("\n")
    language = bool(mark) and re.fullmatch(r"[\w+-]{1,20}\s*", first) is not None
    return Shown(ShownAs.FENCED, opening.start(), end, (rest if language else inner).strip("\r\n`~ "))


def _quoted(text: str, lines: list[_Line], at: int) -> Shown | None:
    while (opening := _OPENS.search(text, at)) is not None:
        marks = _CLOSES[opening.group()]
        close = _closing(text, opening)
        if "\n" not in text[opening.start() : close].strip():
            if close == len(text):
                return None
            at = close + 1
            continue
        last = max((text.rfind(mark) for mark in marks), default=-1)
        closed = last >= opening.end()
        end = last + 1 if closed else len(text)
        return Shown(ShownAs.QUOTED, opening.start(), end, text[opening.end() : end - closed].strip())
    return None


def _closing(text: str, opening: re.Match[str]) -> int:
    """Where the mark stands that ends a quotation, past the quotations in it; the end of ``text`` where none does."""
    depth, own = 1, opening.group() + _CLOSES[opening.group()]
    for found in _MARK.finditer(text, opening.end()):
        if found["opens"] and found.group() in own:
            depth += 1
        elif found.group() in own[1:]:
            depth -= 1
        if depth == 0:
            return found.start()
    return len(text)


def _cited(text: str, lines: list[_Line], at: int) -> Shown | None:
    if len(lines) == 1:
        whole = at == 0 and _CITED_ALONE.match(text) is not None
        return Shown(ShownAs.CITED, 0, len(text), text.strip().lstrip("> ")) if whole else None
    first = next((index for index, one in enumerate(lines) if one.start >= at and _CITED.match(one.text)), None)
    if first is None:
        return None
    last = first
    for index in range(first, len(lines)):
        if _CITED.match(lines[index].text):
            last = index
        elif not lines[index].is_blank:
            break
    content = "\n".join(re.sub(r"^[ \t>]+", "", one.text) for one in lines[first : last + 1])
    head = first - 1
    while head > 0 and lines[head].is_blank:
        head -= 1
    led = head >= 0 and lines[head].start >= at and WROTE.match(lines[head].text) is not None
    return Shown(ShownAs.CITED, lines[head if led else first].start, lines[last].end, content.strip())


def _mail(text: str, lines: list[_Line], at: int) -> Shown | None:
    judged = 0
    for index, one in enumerate(lines):
        if one.start < at:
            continue
        if len(lines) > 1 and (FORWARDED.match(one.text) or WROTE.match(one.text)):
            following = next((other for other in lines[index + 1 :] if not other.is_blank), None)
            if following is None or not _CITED.match(following.text):
                return Shown(ShownAs.MAIL, one.start, len(text), text[one.start :].strip())
        if index >= judged and MAIL_HEADER.match(one.text):
            head = _headers(lines, index)
            if _is_head(head):
                return Shown(ShownAs.MAIL, one.start, len(text), text[one.start :].strip())
            judged = index + len(head)  # what is no head has none in it
    return None


def _headers(lines: list[_Line], index: int) -> list[str]:
    head: list[str] = []
    for one in lines[index:]:
        folded = bool(head) and one.text[:1] in (" ", "\t") and not one.is_blank
        if not MAIL_HEADER.match(one.text) and not folded:
            break
        head.append(one.text)
    return head


def _is_head(head: list[str]) -> bool:
    """Two headers and more in a row, one of whom it is from or when, and an address or a subject."""
    several = sum(MAIL_HEADER.match(one) is not None for one in head) > 1
    return several and any(map(SENDER_HEADER.match, head)) and _ADDRESSED.search("\n".join(head)) is not None


def _tagged(text: str, lines: list[_Line], at: int) -> Shown | None:
    while (opening := TAG.search(text, at)) is not None:
        closing = f"</{opening['name']}>".lower()
        last = text.lower().rfind(closing, opening.end())
        if last >= 0:
            return Shown(ShownAs.TAGGED, opening.start(), last + len(closing), text[opening.end() : last].strip())
        if "\n" in text[opening.end() :].rstrip():
            return Shown(ShownAs.TAGGED, opening.start(), len(text), text[opening.end() :].strip())
        at = opening.end()
    return None


def _indented(text: str, lines: list[_Line], at: int) -> Shown | None:
    """Behind a blank line or a colon, where something further out was said before."""
    outside = next((index for index, one in enumerate(lines) if not one.is_blank and not _DEEP.match(one.text)), None)
    for index in range(len(lines) if outside is None else outside + 1, len(lines)):
        before, one = lines[index - 1], lines[index]
        led = before.is_blank or before.text.rstrip().endswith(":")
        if one.start < at or not led or not _DEEP.match(one.text):
            continue
        last = index
        for further in range(index, len(lines)):
            if _DEEP.match(lines[further].text):
                last = further
            elif not lines[further].is_blank:
                break
        content = textwrap.dedent("\n".join(one.text.expandtabs(4) for one in lines[index : last + 1]))
        return Shown(ShownAs.INDENTED, one.start, lines[last].end, content.strip())
    return None


_MARKED: tuple[Callable[[str, list[_Line], int], Shown | None], ...] = (
    _fenced,
    _quoted,
    _cited,
    _mail,
    _tagged,
    _indented,
)


def _announced(text: str, at: int) -> Shown | None:
    """What stands behind "here is the mail:", to the end; a single quotation there ends with its last mark."""
    places = [found.end() for one in (ANNOUNCED, POINTED) if (found := one.search(text, at)) is not None]
    start = min((place for place in places if text[place:].strip()), default=None)
    if start is None:
        return None
    marks = _CLOSES.get(text[start], "")
    last = max((text.rfind(mark) for mark in marks), default=-1)
    if last > start:
        return Shown(ShownAs.ANNOUNCED, start, last + 1, text[start + 1 : last].strip())
    return Shown(ShownAs.ANNOUNCED, start, len(text), text[start:].strip())


# --- what is left


def _said(text: str, shown: tuple[Shown, ...]) -> str:
    """The words around the shown texts. One that stands inside a sentence leaves a word that points at it."""
    parts, at = [], 0
    for one in shown:
        parts += [_leading(text[at : one.start]), _instead(text, one)]
        at = one.end
    said = re.sub(r"[ \t]*\n\s*|[ \t]+", lambda gap: "\n" if "\n" in gap.group() else " ", "".join((*parts, text[at:])))
    said = said.replace(HANDLE, "\ufffd").strip()
    return said if any(letter.isalnum() for letter in said) else ""


def _leading(before: str) -> str:
    """What stands before a shown text, without the words that only announce it and without their colon."""
    announced = list(ANNOUNCED.finditer(before))
    if announced and not before[announced[-1].end() :].strip():
        before = before[: announced[-1].start()]
    stripped = before.rstrip()
    before = stripped[:-1] if stripped.endswith(":") else before
    last_line = before.rstrip().rpartition("\n")[2]
    return REMINDED.sub("", before) if REMINDS.search(last_line) else before


def _instead(text: str, one: Shown) -> str:
    before, after = text[: one.start].rpartition("\n")[2], text[one.end :].partition("\n")[0]
    inside = before.strip() and not before.rstrip().endswith((":", ".", "!", "?", ";")) and after.strip(" .!?")
    if not inside or not any(letter.isalnum() for letter in after):
        return "\n"
    return " das " if GERMAN.search(f"{before} {after}") else " this "
