"""The relations that every graph knows. Others are declared at run time and kept in the ledger."""

from __future__ import annotations

from memory.graph.model import Kind, Predicate, Type

_YEARS = 3650.0
_PEOPLE = "sister brother parent child partner friend colleague boss neighbour doctor relative".split()
_MUTUAL = frozenset(("partner", "friend", "colleague", "neighbour", "relative"))
_ONE = frozenset(("boss", "partner"))

_DECLARED = (
    Predicate("email", Type.TEXT, half_life_days=_YEARS),
    Predicate("phone", Type.TEXT, half_life_days=_YEARS),
    Predicate("address", Type.TEXT, functional=True, half_life_days=_YEARS),
    Predicate("birthday", Type.DAY, functional=True, half_life_days=_YEARS, prior=1.2),
    Predicate("works_at", Type.ENTITY, functional=True, half_life_days=730),
    Predicate("role", Type.TEXT, functional=True, half_life_days=730),
    Predicate("lives_in", Type.ENTITY, functional=True, half_life_days=1460),
    Predicate("knows", Type.ENTITY, symmetric=True, half_life_days=1460, prior=0.8),
    Predicate("prefers", Type.TEXT, Kind.PREFERENCE, half_life_days=180, prior=1.2),
    Predicate("dislikes", Type.TEXT, Kind.PREFERENCE, half_life_days=180, prior=1.2),
    Predicate("located_at", Type.ENTITY, functional=True, half_life_days=365),
    Predicate("part_of", Type.ENTITY, half_life_days=_YEARS, prior=0.8),
    Predicate("made_by", Type.ENTITY, half_life_days=_YEARS),
    Predicate("owns", Type.ENTITY, half_life_days=1460),
    Predicate("mentions", Type.ENTITY, Kind.EVENT, half_life_days=60, prior=0.4),
    Predicate("uses", Type.ENTITY, Kind.EVENT, half_life_days=30, prior=0.6),
    Predicate("attends", Type.ENTITY, Kind.EVENT, half_life_days=30),
    Predicate("total", Type.AMOUNT, functional=True, half_life_days=365),
    Predicate("amount", Type.AMOUNT, Kind.EVENT, half_life_days=365),
    Predicate("due", Type.DAY, functional=True, half_life_days=30, prior=1.4),
    Predicate("happened_at", Type.TIME, functional=True, half_life_days=365),
    Predicate("created", Type.DAY, functional=True, half_life_days=_YEARS),
    Predicate("pages", Type.NUMBER, functional=True, half_life_days=365, prior=0.8),
    Predicate("title", Type.TEXT, functional=True, half_life_days=_YEARS),
    Predicate("remembered", Type.TEXT, half_life_days=_YEARS, prior=1.5),
    *(
        Predicate(word, Type.ENTITY, functional=word in _ONE, symmetric=word in _MUTUAL, half_life_days=_YEARS)
        for word in _PEOPLE
    ),
)

BUILT_IN = {predicate.name: predicate for predicate in _DECLARED}
"""Predicates by name."""
