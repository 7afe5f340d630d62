"""The nouns of a review: what is claimed, what there is to show for it, and what came of holding the two together."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from kernel.model import TaskId

REQUEST = 0
"""The number of the first claim: that what was asked for was done."""


class Verdict(StrEnum):
    """What is said of a claim."""

    SUPPORTED = "supported"
    UNSUPPORTED = "not supported"
    UNCLEAR = "cannot tell"


class Doubt(StrEnum):
    """Why what the reviewer says of a claim is not believed."""

    NONE = "none"  # it names no evidence
    UNKNOWN = "unknown"  # it names evidence that there is not
    ABSENT = "absent"  # the evidence lacks a number, a name or a path of the claim
    TWICE = "twice"  # it says two things about it
    SILENT = "silent"  # it says nothing about it


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement of the answer; ``task`` is the step whose words it is, None for the request as a whole."""

    number: int
    text: str
    task: TaskId | None = None


@dataclass(frozen=True, slots=True)
class Exhibit:
    """One piece of evidence: ``handle`` names it, ``about`` says of what it is, ``text`` is what is looked at of it.

    ``counts`` are the lengths of the lists in it: who says "3 files" says something about a list.
    """

    handle: str
    about: str
    text: str
    counts: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of one claim; ``lacking`` are the words of it that the named evidence does not have."""

    claim: Claim
    verdict: Verdict
    evidence: tuple[str, ...] = ()
    doubt: Doubt | None = None
    lacking: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return what an event keeps of it."""
        view: dict[str, Any] = {"number": self.claim.number, "text": self.claim.text, "task": self.claim.task,
                                "verdict": str(self.verdict), "evidence": list(self.evidence)}  # fmt: skip
        if self.doubt is not None:
            view |= {"doubt": str(self.doubt), "lacking": list(self.lacking)}
        return view


@dataclass(frozen=True, slots=True)
class Review:
    """What a reviewer found. ``failed`` says why it found nothing, in the run's language; then there is no finding.

    ``unread`` are claims that were too many to be looked at; ``kinship`` is ``same``, ``other`` or ``unknown``: whether
    the model whose work it is and the reviewer are of one family.
    """

    endpoint: str
    family: str = ""
    kinship: str = "unknown"
    findings: tuple[Finding, ...] = ()
    unread: int = 0
    failed: str = ""

    def count(self, verdict: Verdict) -> int:
        """Return how many claims have ``verdict``."""
        return sum(one.verdict is verdict for one in self.findings)

    def to_json(self) -> dict[str, Any]:
        """Return what an event keeps of it."""
        view: dict[str, Any] = {"endpoint": self.endpoint, "family": self.family, "kinship": self.kinship,
                                "claims": [one.to_json() for one in self.findings], "unread": self.unread}  # fmt: skip
        return view | ({"failed": self.failed} if self.failed else {})
