"""Names that are given to a folder that is still to be made: "a folder called Letters", "einen neuen Ordner Briefe".

Such a name is free, also where some other folder has it already.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kernel.composition.words import is_free, is_indefinite
from kernel.language.place.place_words import FOLDER_NOUNS, NAMING
from kernel.model import Span, Token
from skills.model import ValueKind

NEW = frozenset("new another empty neu neue neuen neuer neues weiteren leeren leerer".split())
_AND = frozenset("and then und dann".split())


def is_new(tokens: Sequence[Token], span: Span) -> bool:
    """Tell whether the folder's name stands in "a folder called ..." or "new folder ..."."""
    if span.kind is not ValueKind.FOLDER:
        return False
    first = noun_before(tokens, span.first)
    after = tokens[span.last].norm if span.last < len(tokens) else ""
    nouns = {tokens[at].norm for at in range(first, span.last)} | {after}
    if nouns.isdisjoint(FOLDER_NOUNS):
        return False
    at, new = first - 1, False
    while at >= 0 and tokens[at].norm in NEW:
        at, new = at - 1, True
    return new or (at >= 0 and is_indefinite(tokens[at].norm) and not _leads_in(tokens, at))


def new_names(tokens: Sequence[Token], spans: Iterable[Span]) -> int:
    """Return the mask of all words that stand in such names."""
    mask = 0
    for span in spans:
        if is_new(tokens, span):
            mask |= ((1 << (span.last - span.first)) - 1) << span.first
    return mask


def noun_before(tokens: Sequence[Token], first: int) -> int:
    """Return where "folder called X" begins, when only X was recognised."""
    at = first
    while at > 0 and tokens[at - 1].norm in NAMING | FOLDER_NOUNS:
        at -= 1
    return at


def _leads_in(tokens: Sequence[Token], at: int) -> bool:
    """ "Into a folder called X": it may well be there."""
    return at > 0 and is_free(tokens[at - 1]) and tokens[at - 1].norm not in _AND
