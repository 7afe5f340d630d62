"""Webhooks that are called: "when the webhook doorbell is called".

What a webhook is for may be told before: "My doorbell can ping you, I called the webhook doorbell. When it does, ...".
"""

from __future__ import annotations

import re

from kernel.routines.hearing.model import Lack
from kernel.routines.hearing.reading import QUOTATION, Clause, Doubt, Reading
from kernel.routines.model import Called

_CALLED = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?:the |my |a )?(?:web ?hook|hook|web-hook) (?:called |named |with the name )?(?P<n>.+?) (?:is|gets|"
        r"was) (?:called|hit|triggered|fired|invoked|rung|used)",
        r"(?:the |my )?(?P<n>[\w-]+) (?:web ?hook|hook|web-hook) (?:is|gets|was) (?:called|hit|triggered|fired|"
        r"invoked|used)",
        r"(?:the |my )?(?:web ?hook|hook|web-hook) (?:called |named )?(?P<n>.+?) (?:fires|rings|comes in|triggers|"
        r"goes off)",
        r"(?:the |my )?(?P<n>[\w-]+) (?:web ?hook|hook) (?:fires|rings|comes in|triggers|goes off)",
        r"(?:some(?:one|body)|something|anyone|anybody) (?:calls|hits|triggers) (?:the |my )?(?:web ?hook|hook|"
        r"web-hook) (?:called |named )?(?P<n>.+)",
        r"(?:some(?:one|body)|something|anyone|anybody) (?:calls|hits|triggers) (?:the |"
        r"my )?(?P<n>[\w-]+) (?:web ?hook|hook)",
        r"(?:(?:jemand|wer|einer) )?(?:der|den|mein|meinen|da|im)? ?(?:web ?hook|hook|web-hook) (?:namens |"
        r"mit (?:dem )?namen |der |)?(?P<n>.+?) "
        r"(?:aufgerufen wird|angerufen wird|gerufen wird|ausgelöst wird|aufruft|auslöst|anspringt|feuert|kommt|"
        r"aufgerufen wurde|ausgelöst wurde|heißt , aufgerufen wird)",
    )
)
_NOTED = re.compile(
    r"(?:web ?hook|hook|web-hook) (?P<n>[\w-]+)(?: (?:called|hit|triggered|fired|rings|aufgerufen|ausgelöst|gerufen))?"
)
"""As it is noted before an arrow: "webhook doorbell -> ..."."""
_HOOKS = frozenset("webhook hook web-hook webhooks".split())


def called(clause: Clause) -> Reading | Doubt | None:
    """Return the webhook that is called."""
    told = _told_before(clause)
    if told is not None:
        return told
    words = clause.words
    if not _HOOKS.intersection(words) and "web" not in words:
        return None
    text = clause.straight
    for pattern in (*_CALLED, _NOTED) if clause.opening.asked else _CALLED:
        found = pattern.fullmatch(text)
        if found is not None and found["n"] not in {"the", "my", "a", "der", "ein"}:
            shift = 1 if clause.opening.fronted else 0
            at = text[: found.start("n")].count(" ") + shift
            said = clause.said(at, at + found["n"].count(" ") + 1).strip(QUOTATION)
            return Reading(Called(said), nouns=frozenset({"message", "nachricht", "webhook"}))
    return (
        Doubt(Lack.UNKNOWN, clause.said(0, len(words)))
        if clause.lasting or "aufgerufen" in words or "called" in words
        else None
    )


_TOLD = re.compile(
    r"(?:\b(?:web ?hook|hook|web-hook) ?(?:, )?(?:(?:that|which|der|die|das) ?)?"
    r"(?:(?:is |'s |gets )?(?:called|named)|i (?:called|named) it|heißt|namens|"
    r"mit (?:dem )?namen|ist|is)? ?(?:, )?(?:\(|„|“|\"|')? ?|\b(?:i )?(?:called|named) (?:it|the (?:web ?hook|hook)) ?)"
    r"(?P<n>(?!that\b|which\b|der\b|die\b|das\b|und\b|and\b|called\b|named\b|angelegt\b|i\b|it\b|ist\b|is\b)[\w-]+)"
)
"""What a webhook is called, in a sentence that tells of it."""
_NAMED_LAST = re.compile(
    r"\b(?:web ?hook|hook|web-hook) ?, (?P<n>[\w-]+) (?:is (?:its name|what it(?: is| 's|'s)? called)|heißt (?:er|der)|"
    r"ist (?:sein|der) name)"
)
"""The same with the name before its verb: "a webhook, doorbell is its name"."""
_DOES = re.compile(
    r"(?:it|that|this|she|he|that one|the (?:web ?hook|hook|thing)|somebody|someone)(?: being| does| is|'s| 's| gets)?"
    r"(?: so| that| this)?(?: (?:does|called|fires|rings|happens|comes in|is called|is used|triggered|hit|pinged|rung|"
    r"pings you|"
    r"goes off|is rung|calls|pings|calls you))?|"
    r"(?:er|sie|es|das|der|die|jemand|dieser|der webhook)(?: das| dich| es| so)? (?:tut|macht|gerufen wird|"
    r"aufgerufen wird|passiert|geschieht|ruft|anruft|klingelt|läutet|anpingt|sich meldet|auslöst|ausgelöst wird|kommt)"
)
"""A clause that only says that it does what was told of it."""


def _told_before(clause: Clause) -> Reading | None:
    """A webhook that the sentences before have named, where the clause says that it is called."""
    gist, first = clause.gist, clause.opening.at
    before = gist.text(0, first)
    if clause.opening.each or not _HOOKS.intersection(gist.words[:first]) or not _DOES.fullmatch(clause.straight):
        return None
    found = list(_NAMED_LAST.finditer(before)) or list(_TOLD.finditer(before))
    if not found or gist.word(first - 1) not in {".", "!", ";"}:
        return None
    at = before[: found[-1].start("n")].count(" ")
    nouns = frozenset({"message", "nachricht", "webhook"})
    return Reading(Called(gist.said(at, at + 1).strip(QUOTATION)), nouns=nouns, told=(0, first))
