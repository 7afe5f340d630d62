"""Spoken arithmetic in signs: "15 percent off 80" becomes ``80 - 15%``, "the square root of 144" ``sqrt 144``."""

from __future__ import annotations

import re
from decimal import Decimal

_SIGNS = str.maketrans({
    "×": "*", "·": "*", "⋅": "*", "÷": "/", "−": "-", "–": "-", "√": " sqrt ", "π": " pi ",
    "²": "^2", "³": "^3", "½": "(1/2)", "¼": "(1/4)", "¾": "(3/4)", "⅓": "(1/3)", "⅔": "(2/3)",
    "€": " ", "$": " ", "£": " ", "[": "(", "]": ")", "{": "(", "}": ")",
})  # fmt: skip

_NUMBER = r"[\d.,]*\d"
_RULES: dict[str, tuple[tuple[str, str], ...]] = {
    "en": (
        (r"^(?:what(?:'s| is| are| do you get for)|how much (?:is|are|would)|calculate|compute|work out|solve)\b", " "),
        (r"\b(?:please|equals? what|equals|euros?|dollars?|pounds?)\b|=\s*\??$|\?+$", " "),
        (r"\b(?:one|a) half of\b|\bhalf of\b|\bhalf\b", " 1/2 of "),
        (r"\b(?:one|a) third of\b", " 1/3 of "),
        (r"\btwo thirds of\b", " 2/3 of "),
        (r"\b(?:one|a) quarter of\b", " 1/4 of "),
        (r"\bthree quarters of\b", " 3/4 of "),
        (r"\b(?:double|twice)\b", " 2 * "),
        (r"\btriple\b", " 3 * "),
    ),
    "de": (
        (r"^(?:was (?:ist|sind|ergibt)|wie ?viel (?:ist|sind|macht)|berechne|rechne)\b", " "),
        (r"\b(?:bitte|aus)\s*$|\bist gleich\b|\b(?:bitte|euro)\b|=\s*\??$|\?+$", " "),
        (r"\b(?:die hälfte von|ein halb(?:es)? von)\b", " 1/2 of "),
        (r"\bein drittel von\b", " 1/3 of "),
        (r"\bzwei drittel von\b", " 2/3 of "),
        (r"\bein viertel von\b", " 1/4 of "),
        (r"\bdrei viertel von\b", " 3/4 of "),
        (r"\b(?:das )?doppelte von\b", " 2 * "),
    ),
}
"""Before spoken numerals become digits."""

_WORDS: dict[str, tuple[tuple[str, str], ...]] = {
    "en": (
        (r"\bper ?cent\b|\bpct\b", "%"),
        (r"\bto the power of\b|\braised to(?: the power(?: of)?)?\b", "^"),
        (r"\bto the (\d+)(?:st|nd|rd|th)(?: power)?\b", r"^\1"),
        (r"\bsquared\b", "^2"),
        (r"\bcubed\b", "^3"),
        (r"\b(?:the )?(?:cube|cubic) root of\b|\b3rd root of\b", " cbrt "),
        (r"\b(?:the )?(?:square )?root of\b", " sqrt "),
        (r"\b(?:the )?factorial of\b", " fact "),
        (r"\bfactorial\b", "!"),
        (r"\bplus\b|\bincreased by\b", "+"),
        (r"\bminus\b|\bless\b|\bdecreased by\b", "-"),
        (r"\btimes\b|\bmultiplied (?:by|with)\b", "*"),
        (r"\bdivided by\b|\bover\b", "/"),
        (r"\bmodulo\b|\bmodulus\b", " mod "),
        (r"\bthe\b", " "),
    ),
    "de": (
        (r"\bprozent\b", "%"),
        (r"\bhoch\b", "^"),
        (r"\b(?:zum|im) quadrat\b", "^2"),
        (r"\b(?:die )?(?:quadrat)?wurzel (?:aus|von)\b", " sqrt "),
        (r"\b(?:die )?(?:kubikwurzel|3\.? wurzel) (?:aus|von)\b", " cbrt "),
        (r"\b(?:die )?fakultät von\b", " fact "),
        (r"\bfakultät\b", "!"),
        (r"\bplus\b|\bund\b", "+"),
        (r"\bminus\b|\bweniger\b", "-"),
        (r"\bmal\b|\bmultipliziert mit\b", "*"),
        (r"\b(?:geteilt |dividiert )?durch\b", "/"),
        (r"\bmodulo\b", " mod "),
        (r"\bvon\b|\bauf\b", " of "),
    ),
}
"""After that."""

_LISTS: tuple[tuple[str, str], ...] = (
    (r"^(?:the )?(?:sum of|add(?: up)?|die summe (?:aus|von)|addiere)\s+(.+)$", "+"),
    (r"^(?:the )?(?:product of|multiply|das produkt (?:aus|von)|multipliziere)\s+(.+)$", "*"),
    (r"^(?:the )?(?:difference (?:between|of)|die differenz (?:zwischen|von))\s+(.+)$", "-"),
    (r"^(?:the )?(?:quotient of|divide|teile|dividiere)\s+(.+)$", "/"),
    (r"^(?:the )?(?:average|mean) of\s+(.+)$|^(?:der )?(?:durchschnitt|mittelwert) (?:aus|von)\s+(.+)$", "mean"),
)
_SEPARATOR = re.compile(r",\s+(?:and\s+|und\s+)?|\s+(?:and|und|by|with|durch|mit)\s+")

_SHARES = (
    r"^what (?:%|percentage) of (?P<whole>.+) is (?P<part>.+)$",
    r"^what (?:%|percentage) is (?P<part>.+) of (?P<whole>.+)$",
    r"^(?P<part>.+) (?:is|as) (?:what |a |an )?(?:%|percentage) of (?P<whole>.+)$",
    r"^(?:wie ?viel|was) % (?:von|of) (?P<whole>.+) (?:ist|sind) (?P<part>.+)$",
    r"^wie ?viel % (?:ist|sind) (?P<part>.+) (?:von|of) (?P<whole>.+)$",
)
_DISCOUNTS = (
    rf"(?P<share>{_NUMBER})\s*%\s*(?:off(?: of)?|discount (?:on|from)|(?:rabatt|nachlass)\s+(?:auf|of|von))"
    rf"\s+(?P<whole>{_NUMBER})",
)


def with_number(text: str, number: float | None) -> str:
    """Return the expression with ``number``, as a fraction of whole numbers, where "x" stands for it.

    A fraction reads the same in every language, which a decimal point does not.
    """
    if number is None:
        return text
    over, under = Decimal(str(number)).as_integer_ratio()
    shown = f"({over})" if under == 1 else f"({over} / {under})"
    return re.sub(r"(?<![\w.])x(?![\w.])", shown, text)


def in_signs(text: str, language: str) -> tuple[str, bool]:
    """Return the expression in signs and whether its result is a percentage."""
    known = language if language in _RULES else "en"
    plain = text.casefold().translate(_SIGNS).strip().rstrip("?. ")
    plain = re.sub(r"(?<=\d)\s*x\s*(?=\d)", " * ", plain)
    for pattern in _SHARES:
        early = re.sub(r"\bper ?cent\b|\bprozent\b", "%", plain)
        if (match := re.match(pattern, early)) is not None:
            part, whole = (in_signs(match[name], language)[0] for name in ("part", "whole"))
            return f"({part}) / ({whole}) * 100", True
    plain = _apply(_RULES[known], plain).strip()
    plain = _with_digits(plain, known)
    plain = _spread(plain)
    plain = _apply(_WORDS[known], plain)
    for pattern in _DISCOUNTS:
        plain = re.sub(pattern, r"(\g<whole> - \g<share>%)", plain)
    return plain.strip(), False


def _apply(rules: tuple[tuple[str, str], ...], text: str) -> str:
    for pattern, sign in rules:
        text = re.sub(pattern, sign, text)
    return text


def _with_digits(text: str, language: str) -> str:
    """Write spoken numerals in digits ("forty-eight" as 48)."""
    if not re.search(r"[^\W\d_]{3,}", text):
        return text
    from text_to_num import alpha2digit

    return str(alpha2digit(text, language, threshold=0))


def _spread(text: str) -> str:
    """Write "sum of 3, 4 and 5" as ``(3)+(4)+(5)``, and likewise products, differences, quotients and means."""
    for pattern, sign in _LISTS:
        if (match := re.match(pattern, text)) is None:
            continue
        items = [f"({item})" for item in _SEPARATOR.split(next(group for group in match.groups() if group)) if item]
        if len(items) < 2:
            return text if sign != "+" else items[0]
        if sign == "mean":
            return f"({'+'.join(items)}) / {len(items)}"
        return sign.join(items)
    return text
