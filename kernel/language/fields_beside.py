"""Fields that are named behind a first one: "their names and sizes", "ihre Namen und Größen".

What is read here may be a field; whether the thing that is pointed at has one is for whoever takes it to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from kernel.fields import BESIDE
from kernel.language.function_words import is_function_word
from kernel.model import Reference, Token

_JOINING = frozenset({"and", "und", "sowie", "&", ","})
_BETWEEN = _JOINING | frozenset("their its the ihre deren die also auch".split())
_MOST = 4


def fields_beside(tokens: Sequence[Token], one: Reference, last: int) -> Iterator[Reference]:
    """Yield the field ``one`` with those that are named right behind it before ``last``, one more each time."""
    at, fields = one.last, [one.field]
    while at < last and tokens[at].norm in _JOINING and len(fields) < _MOST:
        while at < last and tokens[at].norm in _BETWEEN:
            at += 1
        if at >= last or not tokens[at].norm.isalpha() or is_function_word(tokens[at].norm):
            return
        fields.append(tokens[at].lemma.casefold())
        at += 1
        yield replace(one, last=at, field=BESIDE.join(fields))
