"""What a search found, as rows of knowledge: every genome that was built or refused, and what was measured of it."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from gpu_skills.building import Machine
from gpu_skills.knowledge import Features, Row
from gpu_skills.search import Found
from gpu_skills.search.model import Trial

GENERATOR = "1"
"""Goes up when the same genome becomes another kernel: rows of both stay apart."""
_OF_THE_MACHINE = frozenset(("foreseen",))


def learnt(found: Found, features: Features, machine: Machine) -> Iterator[Row]:
    """Yield a row for each genome of a search; free source has none, and what was only foreseen is no finding."""
    for one in found.trials:
        refused = one.refusal.why if one.refusal else ""
        if one.proposal.genome and (one.samples or refused) and refused not in _OF_THE_MACHINE:
            yield _row(one, refused, features, machine)


def _row(one: Trial, refused: str, features: Features, machine: Machine) -> Row:
    times = one.samples
    return Row(
        features, one.proposal.genome, min(times) if times else None, median(times) if times else None, len(times),
        verdict=refused, made_by=one.proposal.made_by, parents=one.proposal.parents, compiler=machine.compiler,
        generator=GENERATOR,
    )  # fmt: skip
