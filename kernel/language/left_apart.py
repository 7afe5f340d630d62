"""What a German verb leaves at the end of its clause, behind the person's own text: "lege eine Notiz … an".

What this stops: that the last word of a text ("Ruf mich an", "Bring Kuchen mit") is taken for a part of the verb that
orders. What it does not: tell "lege eine Notiz mit dem Inhalt Licht an" from a text that ends so; the verb has it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from kernel.language.function_words import SEPARABLE
from kernel.model import Token

_AS_WELL = frozenset(
    {("halten", "fest"), ("legen", "an"), ("schreiben", "auf"), ("setzen", "auf"), ("stellen", "fest")}
)
_APART = frozenset((*SEPARABLE, "fest", "mit", "los", "zurück", "weiter", "rein", "herein", "drauf", "dran", "dazu"))
_GOES_ON = frozenset("mit und dass".split())
_WHOM = frozenset("mich dich ihn sie uns euch mir dir ihm ihr ihnen".split())


def may_be_left(norm: str) -> bool:
    """Tell whether a German verb may leave this word behind at the end of its clause."""
    return norm in _APART


def is_left(tokens: Sequence[Token], begin: int, text: tuple[int, int], parted: Collection[tuple[str, str]]) -> bool:
    """Tell whether the last word of ``text`` is what a verb in [begin, first) left, one of ``parted`` (verb, particle).

    None that has stood before the text ("lege eine Notiz an: …"), nor of a text that orders in its own words.
    """
    first, last = text
    part = tokens[last - 1].norm
    if tokens[last - 2].norm != part and _orders(tokens, first, last, parted):
        return False
    verbs = [at for at in range(begin, first) if (one := (tokens[at].lemma, part)) in parted or one in _AS_WELL]
    return bool(verbs) and not any(_is_spent(tokens, at, part) for at in range(verbs[0] + 1, first))


def _orders(tokens: Sequence[Token], first: int, last: int, parted: Collection[tuple[str, str]]) -> bool:
    """ "Ruf mich an", "Mach das Licht aus": the text has a verb for its last word."""
    whom = first + 2 < last and tokens[first].text[:1].isupper() and tokens[first + 1].norm in _WHOM
    return whom or (tokens[first].lemma, tokens[last - 1].norm) in parted


def _is_spent(tokens: Sequence[Token], at: int, part: str) -> bool:
    """The particle ends its clause there: "… an: …", "… auf mit dem Text …"."""
    after = tokens[at + 1].norm
    return tokens[at].norm == part and (not after[:1].isalnum() or after in _GOES_ON)
