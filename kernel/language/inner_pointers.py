"""What stands inside "the total of that bill": whoever reads totals of bills may take "that bill" alone."""

from __future__ import annotations

from collections.abc import Sequence

from kernel.model import Reference, ReferenceKind, Token

_OF = frozenset({"of", "von"})
_OF_IT = "davon"


def inside_field(tokens: Sequence[Token], one: Reference) -> Reference | None:
    """Return what the field's owner is pointed at with: "those" of "the amount of those"; None where no word does."""
    if one.kind is not ReferenceKind.FIELD:
        return None
    if tokens[one.last - 1].norm == _OF_IT:
        return Reference(ReferenceKind.RESULT, one.last - 1, one.last)
    of = next((at for at in range(one.first + 1, one.last - 1) if tokens[at].norm in _OF), -1)
    return None if of < 0 else Reference(ReferenceKind.RESULT, of + 1, one.last, one.plural, nouns=one.nouns)
