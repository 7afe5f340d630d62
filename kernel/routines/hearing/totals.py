"""What is said of a document's total: "an invoice over 500 euros", "eine Rechnung, deren Betrag unter 1.200 € liegt".

A sum has a currency, or is called the total; a bare number ("over 500") is neither.
"""

from __future__ import annotations

import re
from decimal import Decimal
from functools import cache

from kernel.language.amounts.measures import MEASURES
from kernel.language.amounts.units import MONEY
from kernel.routines.model import About, Comparison

Such = tuple[tuple[About, str], ...]

_CURRENCIES = {
    **{word: MEASURES[word][0] for word in MONEY if word in MEASURES},
    "bucks": "USD", "quid": "GBP", "£": "GBP", "pounds": "GBP", "pound": "GBP", "gbp": "GBP", "pfund": "GBP",
}  # fmt: skip
_WORD = "|".join(re.escape(word) for word in sorted(_CURRENCIES, key=len, reverse=True))
_SUM = rf"(?:(?P<sign>[€$£]) #num:(?P<a>[\d.]+)|#num:(?P<b>[\d.]+) (?P<word>{_WORD}))"
_BARE = rf"(?:{_SUM}|#num:(?P<c>[\d.]+))"
_THAN = {
    ">=": (
        r"(?:of |for |worth |with )?(?:at least|not less than|no less than)",
        r"(?:ab|(?:von |mit |in höhe von )?(?:mindestens|wenigstens))",
    ),
    "<=": (
        r"(?:of |for |worth )?(?:up to|at most|no more than|not more than)",
        r"(?:bis|bis zu|(?:von |mit )?(?:bis zu|höchstens|maximal))",
    ),
    ">": (
        r"(?:of |for |worth |from )?(?:over|above|more than|higher than|greater than|larger than|exceeding)",
        r"(?:(?:von |mit )?(?:über|mehr als|höher als|größer als|teurer als)|über mehr als)",
    ),
    "<": (
        r"(?:of |for |worth )?(?:under|below|less than|lower than|smaller than|cheaper than)",
        r"(?:von |mit |über )?(?:unter|weniger als|niedriger als|kleiner als|billiger als)",
    ),
}  # fmt: skip
_TOTAL = (
    r"(?:(?:grand |invoice |gross )?(?:total|amount|sum|price)(?: amount)?)",
    r"(?:(?:gesamt|rechnungs|end|brutto)?(?:betrag|summe|preis)|total)",
)
_FORMS = (
    (
        r"{than} {sum}",
        r"(?:with|at|of) (?:an? |its )?{total} (?:that is |of )?{than} {bare}",
        r"(?:, )?whose {total} (?:is|comes to|amounts to|runs to) {than} {bare}",
        r"(?:, )?(?:that|which) (?:is|costs?|comes to|amounts to|totals|is for|is worth) {than} {sum}",
        r"(?:, )?(?:and|but only if|only if|if) (?:its |the |it has an? )?{total} (?:is |of )?{than} {bare}",
        r"(?:, )?(?:and|but only if|only if|if) (?:it )?(?:is|costs|comes to|amounts to) {than} {sum}",
    ),
    (
        r"{than} {sum}",
        r"mit (?:einem |einer )?{total} (?:von )?{than} {bare}",
        r"(?:, )?(?:deren|dessen) {total} {than} {bare} (?:liegt|ist|beträgt|geht)(?: ,)?",
        r"(?:, )?(?:die|der|das) {than} {sum} (?:ist|liegt|kostet|hat|beträgt|geht|lautet)(?: ,)?",
        r"(?:, )?(?:und|aber nur wenn|nur wenn|wenn) (?:ihre?|seine?|die|der) {total} {than} {bare} "
        r"(?:liegt|ist|beträgt|geht)",
        r"(?:, )?(?:und|aber nur wenn|nur wenn|wenn) (?:sie|es|er) {than} {sum} (?:liegt|ist|beträgt|kostet)",
    ),
)
_PAST = (
    (r"(?:, )?(?:(?:whose|and its|and the) {total} exceeds {bare}|(?:that|which) exceeds? {sum})",),
    (r"(?:, )?(?:(?:deren|dessen|und ihre?|und seine?) {total} {bare} übersteigt|(?:die|der|das) {sum} übersteigt)"
     r"(?: ,)?",),
)  # fmt: skip
_BETWEEN = (
    rf"(?:of |for )?between (?P<s0>[€$£] )?#num:(?P<least>[\d.]+) (?:(?:{_WORD}) )?and {_SUM}",
    rf"(?:von )?zwischen #num:(?P<least>[\d.]+) (?:(?:{_WORD}) )?und {_SUM}",
)


@cache
def _compiled(german: bool) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The forms of a language, each with its comparison; of each, groups of one name stand once."""
    made = []
    for sign, than in _THAN.items():
        for form in _FORMS[german]:
            made.append((sign, _filled(form, german, than[german])))
    made += [(">", _filled(one, german, "")) for form in _PAST[german] for one in _parted(form)]
    return (*made, ("between", re.compile(_BETWEEN[german])))


def _parted(form: str) -> tuple[str, ...]:
    """A form with both ``{bare}`` and ``{sum}`` as two: a group's name may stand once in a pattern."""
    if "{bare}" not in form or "{sum}" not in form:
        return (form,)
    never = r"(?!)"
    return form.replace("{sum}", never), form.replace("{bare}", never)


def _filled(form: str, german: bool, than: str) -> re.Pattern[str]:
    return re.compile(form.format(than=than, sum=_SUM, bare=_BARE, total=_TOTAL[german]))


def total_said(text: str, language: str) -> Such:
    """Read the words of a gist as what a document's total has to be; nothing where they say no such thing."""
    if "#num:" not in text:
        return ()
    for sign, form in _compiled(language == "de"):
        found = form.fullmatch(text)
        if found is not None:
            return _such(sign, found)
    return ()


def _such(sign: str, found: re.Match[str]) -> Such:
    said = found.groupdict()
    number = said.get("a") or said.get("b") or said.get("c") or "0"
    word = said.get("sign") or said.get("word") or ""
    most = Comparison("<=" if sign == "between" else sign, Decimal(number), _CURRENCIES.get(word, ""))
    if sign != "between":
        return ((About.TOTAL, str(most)),)
    least = Comparison(">=", Decimal(said["least"] or "0"), most.currency)
    return (About.TOTAL, str(least)), (About.TOTAL, str(most))
