"""Experience: what the person's past and the moment add to the reasons for a tool, in one value that is handed in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from kernel.ranking.model import Moment, Question
from kernel.ranking.past import Past
from kernel.ranking.weights import Weights, shipped

_LIKELY = 8


@dataclass(frozen=True, slots=True)
class Experience:
    """The past, the moment, and the weights of the reasons for a stretch of a sentence."""

    past: Past = field(default_factory=Past)
    moment: Moment = field(default_factory=Moment)
    weights: Weights = field(default_factory=lambda: shipped("stretch"))

    def reasons(self, ids: Sequence[str], question: Question) -> dict[str, dict[str, float]]:
        """Return by tool what is known beyond the words; nothing where there is no past and nothing was given."""
        moment = self.moment
        known: dict[str, dict[str, float]] = {one: {} for one in ids}
        if len(self.past):
            columns = {name: values.tolist() for name, values in self.past.columns(ids, question, moment).items()}
            known = {one: {name: columns[name][at] for name in columns} for at, one in enumerate(ids)}
        for name, given in (("linked", moment.linked), ("granted", moment.granted)):
            for one in ids:
                if one in given:
                    known[one][name] = given[one]
        return known

    def likely(self, question: Question) -> list[str]:
        """Return tools that are candidates because something like ``question`` came to them."""
        return self.past.likely(question, _LIKELY) if len(self.past) else []
