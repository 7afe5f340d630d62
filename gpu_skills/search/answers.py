"""What the workshop says: from the journal while it has the answer, and then from the workshop itself."""

from __future__ import annotations

import hashlib
import math
from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gpu_skills.errors import KernelsError
from gpu_skills.model import Built, Candidate, Genome, Language
from gpu_skills.search.journal import Journal, Line
from gpu_skills.search.model import Author, Brief, Duel, Proposal, Refusal, Workshop

_SYNC_FROM = 4
"""Lines of so many samples (the second rung and those above) are written through to the disk."""
Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Kept:
    """What an earlier run knew of a proposal that this one has not come to."""

    proposal: Proposal
    built: Built | Refusal
    samples: tuple[float, ...]
    judged: bool
    refusal: Refusal | None


class Answers:
    """Asks the workshop, and keeps what it said. ``seconds`` is what the last answer took when it was given."""

    def __init__(self, workshop: Workshop, journal: Journal, clock: Callable[[], float]) -> None:
        self._workshop, self._journal, self._clock = workshop, journal, clock
        self._kept: dict[Key, deque[Line]] = defaultdict(deque)
        for line in journal.lines:
            self._kept[str(line.get("ask")), str(line.get("of"))].append(line)
        self._at = 0.0
        self._before = max((float(line.get("at", 0.0)) for line in journal.lines), default=0.0)
        self._began: float | None = None if journal.lines else clock()
        self._trusted: set[str] = set()
        self._proposals: dict[str, Proposal] = {}
        self.seconds = 0.0

    @property
    def elapsed(self) -> float:
        """Seconds of this search, those of earlier runs among them."""
        return self._at if self._began is None else self._before + self._clock() - self._began

    @property
    def live(self) -> bool:
        """Tell whether something was asked that the journal does not have."""
        return self._began is not None

    def build(self, proposal: Proposal) -> Built | Refusal:
        """Have a proposal built."""
        self._proposals[proposal.id] = proposal
        line = self._taken("build", proposal.id)
        if line is None:
            line = self._asked("build", proposal.id, lambda: self._built(proposal), sync=False)
        return _built_of(line)

    def inspect(self, built: Built) -> Refusal | float | None:
        """Have a library looked at."""
        line = self._taken("inspect", built.candidate.id)
        if line is None:
            line = self._asked("inspect", built.candidate.id,
                               lambda: _said(self._workshop.inspect(self._sound(built)), "foreseen"))  # fmt: skip
        return _refusal_of(line) or line.get("foreseen")

    def measure(self, built: Built, samples: int) -> tuple[float, ...] | Refusal:
        """Have a library timed; what an earlier run measured counts first, even where that is another number."""
        line = self._taken("measure", built.candidate.id)
        if line is None:
            line = self._asked("measure", built.candidate.id, lambda: self._samples(built, samples),
                               sync=samples >= _SYNC_FROM)  # fmt: skip
        return _refusal_of(line) or tuple(line["ns"])

    def judge(self, built: Built) -> Refusal | None:
        """Have a candidate judged."""
        line = self._taken("judge", built.candidate.id)
        if line is None:
            line = self._asked("judge", built.candidate.id,
                               lambda: _said(self._workshop.judge(self._sound(built)), "accepted"))  # fmt: skip
        return _refusal_of(line)

    def duel(self, first: Built, against: Built | None) -> Duel | Refusal:
        """Have two raced, or one against the fastest baseline."""
        key = f"{first.candidate.id} {against.candidate.id if against else ''}"
        line = self._taken("duel", key)
        if line is None:
            other = against and self._sound(against)
            line = self._asked("duel", key, lambda: _dueled(self._workshop.duel(self._sound(first), other)))
        return _refusal_of(line) or Duel(**line["duel"])

    def author(self, author: Author, brief: Brief) -> Sequence[object] | Refusal:
        """Have an author propose. What cannot be written as JSON is not there; who raises has nothing to say."""
        line = self._taken("author", author.name)
        if line is None:
            line = self._asked("author", author.name, lambda: _thought(author, brief))
        return _refusal_of(line) or list(line["proposed"])

    @property
    def floor_ns(self) -> float | None:
        """Return the workshop's floor."""
        return self._workshop.floor_ns

    def left_over(self) -> list[Kept]:
        """Return what the journal knows of proposals that were not asked for, and forget that it was not."""
        ids = [key[1] for key, lines in self._kept.items() if key[0] == "build" and lines]
        return [self._left(one) for one in ids]

    def _left(self, name: str) -> Kept:
        line = self._kept["build", name].popleft()
        proposal = self._proposals[name] = Proposal(
            **line["proposal"] | {"parents": tuple(line["proposal"]["parents"])}
        )
        measured = [self._kept["measure", name].popleft() for _ in range(len(self._kept["measure", name]))]
        judged = self._taken_from("judge", name)
        refused = [_refusal_of(one) for one in (*measured, *judged)]
        samples = tuple(ns for one in measured for ns in one.get("ns", ()))
        return Kept(proposal, _built_of(line), samples, bool(judged), next((one for one in refused if one), None))

    def _taken_from(self, ask: str, name: str) -> list[Line]:
        return [self._kept[ask, name].popleft()] if self._kept[ask, name] else []

    def _taken(self, ask: str, name: str) -> Line | None:
        if not self._kept[ask, name]:
            return None
        line = self._kept[ask, name].popleft()
        self.seconds, self._at = float(line.get("s", 0.0)), max(self._at, float(line.get("at", 0.0)))
        return line

    def _asked(self, ask: str, name: str, answer: Callable[[], Line], *, sync: bool = True) -> Line:
        if self._began is None:
            self._began = self._clock()
        began = self._clock()
        said = answer()
        self.seconds = self._clock() - began
        line = {"ask": ask, "of": name, "at": self.elapsed, "s": self.seconds, **said}
        self._journal.append(line, sync=sync)
        return line

    def _built(self, proposal: Proposal) -> Line:
        made = self._workshop.build(proposal)
        told = {"proposal": {"genome": dict(proposal.genome), "source": proposal.source, "made_by": proposal.made_by,
                             "parents": list(proposal.parents)}}  # fmt: skip
        if isinstance(made, Refusal):
            return told | _refused(made)
        self._trusted.add(made.candidate.id)
        return told | {"built": _written(made)}

    def _samples(self, built: Built, count: int) -> Line:
        made = self._workshop.measure(self._sound(built), count)
        if isinstance(made, Refusal):
            return _refused(made)
        ns = [float(one) for one in made]
        if len(ns) < count or not all(math.isfinite(one) and one > 0 for one in ns):
            return _refused(Refusal("timing", f"{len(ns)} samples of {count}, or some that are no times"))
        return {"ns": ns}

    def _sound(self, built: Built) -> Built:
        """Return a library that is what it was: one of an earlier run is believed by its hash, or built anew."""
        name = built.candidate.id
        if name in self._trusted:
            return built
        if _hash(built.library) == built.sha256:
            self._trusted.add(name)
            return built
        again = self._workshop.build(self._proposals[name])
        if isinstance(again, Refusal):
            raise KernelsError(
                "search.not_built_again",
                f"{name} could be built before and cannot be now: {again.said}",
                hint="Has the compiler changed? Begin with an empty folder.",
            )
        self._trusted.add(name)
        return again


def _hash(library: Path) -> str:
    try:
        return hashlib.sha256(library.read_bytes()).hexdigest()
    except OSError:
        return ""


def _thought(author: Author, brief: Brief) -> Line:
    try:
        proposed = author.propose(brief)
    except KernelsError as error:
        return _refused(Refusal("author", error.args[0]))
    return {"proposed": [one if isinstance(one, str) else _plain(one) for one in proposed]}


def _plain(genome: Genome) -> dict[str, int | str | bool]:
    kept = genome.items() if isinstance(genome, dict) else ()
    return {str(name): value for name, value in kept if isinstance(value, int | str | bool)}


def _refused(one: Refusal) -> Line:
    return {"refused": [one.why, one.said]}


def _refusal_of(line: Line) -> Refusal | None:
    return Refusal(*line["refused"]) if line.get("refused") else None


def _said(answer: Refusal | float | None, name: str) -> Line:
    return _refused(answer) if isinstance(answer, Refusal) else {name: answer}


def _dueled(answer: Duel | Refusal) -> Line:
    if isinstance(answer, Refusal):
        return _refused(answer)
    return {"duel": {"against": answer.against, "ratio": answer.ratio, "low": answer.low, "high": answer.high}}


def _written(built: Built) -> Line:
    of = built.candidate
    candidate = {"id": of.id, "structure": of.structure, "language": of.language.value, "source": of.source,
                 "genome": dict(of.genome), "made_by": of.made_by, "parents": list(of.parents)}  # fmt: skip
    return {"candidate": candidate, "library": str(built.library), "sha256": built.sha256,
            "command": list(built.command), "seconds": built.seconds}  # fmt: skip


def _built_of(line: Line) -> Built | Refusal:
    refusal = _refusal_of(line)
    if refusal:
        return refusal
    told: dict[str, Any] = line["built"]
    of = told["candidate"]
    candidate = Candidate(of["id"], of["structure"], Language(of["language"]), of["source"], of["genome"],
                          of["made_by"], tuple(of["parents"]))  # fmt: skip
    return Built(candidate, Path(told["library"]), told["sha256"], tuple(told["command"]), told["seconds"])
