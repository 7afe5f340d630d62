"""What is done with one proposal: built, looked at, measured, judged; each step is told to whoever watches."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gpu_skills.model import Built
from gpu_skills.search.answers import Answers, Kept
from gpu_skills.search.ladder import RUNGS, next_rung, too_slow
from gpu_skills.search.model import Author, Brief, Event, Progress, Proposal, Refusal
from gpu_skills.search.standing import Entry, Standing


class Steps:
    """Takes proposals up the ladder. ``seconds`` counts what the workshop took for all of them."""

    def __init__(self, answers: Answers, standing: Standing, watch: Callable[[Progress], None]) -> None:
        self.answers, self.standing, self._watch = answers, standing, watch
        self.seconds = 0.0
        self._libraries: dict[str, str] = {}
        self._best = ""

    def tell(self, event: Event, entry: Entry | None = None, said: str = "") -> None:
        """Tell who watches."""
        of, best = entry.proposal if entry else Proposal(), self.standing.best
        self._watch(
            Progress(event, self.answers.elapsed, of.id if entry else "", of.made_by, said, entry.ns if entry else None,
                     len(entry.samples) if entry else 0, best.ns if best else None, of.genome)
        )  # fmt: skip

    def take_up(self, proposal: Proposal) -> Entry:
        """Build a proposal and measure it as often as it deserves."""
        entry = self.standing.add(proposal)
        self.tell(Event.PROPOSED, entry)
        if self._built(entry) and not self._is_twin(entry) and self._looked_at(entry) and self._measured(entry, 1):
            self.climb(entry)
        return entry

    def adopt(self, kept: Kept) -> None:
        """Take in what an earlier run knew, as if it had happened now."""
        if kept.proposal.id in self.standing.entries:
            return
        entry = self.standing.add(kept.proposal)
        entry.refusal = kept.built if isinstance(kept.built, Refusal) else kept.refusal
        entry.built = kept.built if isinstance(kept.built, Built) else None
        entry.samples, entry.accepted = list(kept.samples), kept.judged and kept.refusal is None
        if entry.built is not None and not self._is_twin(entry):
            self._tell_best()

    def author(self, author: Author, brief: Brief) -> Sequence[object]:
        """Have an author propose; one that cannot has nothing to say."""
        said = self.answers.author(author, brief)
        self.seconds += self.answers.seconds
        if isinstance(said, Refusal):
            self.refuse(f"author:{author.name}", said)
            return ()
        return said

    def refuse(self, made_by: str, refusal: Refusal) -> None:
        """Tell of something that is not even a proposal."""
        best = self.standing.best
        self._watch(Progress(Event.REJECTED, self.answers.elapsed, made_by=made_by, said=_words(refusal),
                             best_ns=best.ns if best else None))  # fmt: skip

    def climb(self, entry: Entry) -> None:
        """Measure an entry again while it may be the best; it is judged before the last rung."""
        while (rung := next_rung(entry, self.standing)) is not None:
            if rung == RUNGS[-1] and not self.judged(entry):
                break
            if not self._measured(entry, rung):
                break
        self._tell_best()

    def judged(self, entry: Entry) -> bool:
        """Tell whether the judge accepts an entry; it is asked once."""
        if entry.accepted or entry.refusal is not None or entry.built is None:
            return entry.accepted
        refusal = self.answers.judge(entry.built)
        self.seconds += self.answers.seconds
        entry.refusal, entry.accepted = refusal, refusal is None
        self.tell(Event.REJECTED if refusal else Event.JUDGED, entry, _words(refusal) if refusal else "accepted")
        return entry.accepted

    def measured_to(self, entry: Entry, rung: int) -> bool:
        """Have an entry measured up to ``rung`` samples, whatever its chances."""
        return len(entry.samples) >= rung or self._measured(entry, rung)

    def _built(self, entry: Entry) -> bool:
        made = self.answers.build(entry.proposal)
        self.seconds += self.answers.seconds
        if isinstance(made, Refusal):
            return self._out(entry, made)
        entry.built = made
        self.tell(Event.BUILT, entry)
        return True

    def _is_twin(self, entry: Entry) -> bool:
        """Tell whether a library was measured before, under another genome; then its samples count for this one too."""
        made = entry.built
        first = self._libraries.setdefault(made.sha256, entry.proposal.id) if made else ""
        if first == entry.proposal.id or first not in self.standing.entries:
            return False
        other = self.standing.entries[first]
        entry.twin, entry.samples, entry.refusal = first, other.samples, other.refusal
        self.tell(Event.REJECTED, entry, f"the same library as {first}")
        return True

    def _looked_at(self, entry: Entry) -> bool:
        assert entry.built is not None
        found = self.answers.inspect(entry.built)
        self.seconds += self.answers.seconds
        if isinstance(found, Refusal):
            return self._out(entry, found)
        entry.foreseen_ns = found
        if found is not None and too_slow(found, self.standing):
            return self._out(entry, Refusal("foreseen", f"{found / 1e3:.1f} µs are foreseen, too many"))
        return True

    def _measured(self, entry: Entry, rung: int) -> bool:
        while len(entry.samples) < rung:
            assert entry.built is not None
            found = self.answers.measure(entry.built, rung - len(entry.samples))
            self.seconds += self.answers.seconds
            if isinstance(found, Refusal):
                return self._out(entry, found)
            entry.samples.extend(found)
        self.tell(Event.MEASURED, entry)
        return True

    def _out(self, entry: Entry, refusal: Refusal) -> bool:
        entry.refusal = refusal
        self.tell(Event.REJECTED, entry, _words(refusal))
        return False

    def _tell_best(self) -> None:
        best = self.standing.best
        if best is not None and best.proposal.id != self._best:
            self._best = best.proposal.id
            self.tell(Event.BEST, best)


def _words(refusal: Refusal) -> str:
    return f"{refusal.why}: {refusal.said}" if refusal.said else refusal.why
