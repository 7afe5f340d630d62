"""An answer cut into claims: a line each, and a sentence each where a line has several."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from kernel.model import Outcome, Plan, TaskId
from kernel.reviewing.model import REQUEST, Claim
from permissions.naming import readable

MOST = 24
LONGEST = 300
"""Characters of one claim; what is longer is cut, and said to be."""

_END = re.compile(r"(?<=[.!?])\s+(?=[\"'„“»(]?[A-ZÄÖÜ0-9~/])")
_SHORT = re.compile(r"(?:\b(?:[A-Za-zÄÖÜäöü]|Dr|Mr|Mrs|Ms|St|Nr|No|bzw|etc|ca|vs)|\b\d{1,2})\.$")
"""A full stop behind these ends no sentence: "Dr. Stone", "12. März", "e.g."."""


def claims_of(request: str, plan: Plan, outcomes: Mapping[TaskId, Outcome]) -> list[Claim]:
    """Return all claims: that the request was done, and what each step says, in the order of the plan."""
    found = [Claim(REQUEST, _cut(" ".join(request.split())))]
    for task in plan.tasks:
        for text in statements(_said(plan, outcomes.get(task.id))):
            found.append(Claim(len(found), _cut(text), task.id))
    return found


def _said(plan: Plan, outcome: Outcome | None) -> str:
    """Return what a step says; of a worker its own words, without what Steward says around them."""
    if outcome is None:
        return ""
    own = outcome.value.get("text") if plan.worker and isinstance(outcome.value, Mapping) else None
    return own if isinstance(own, str) else outcome.answer


def statements(answer: str) -> Iterator[str]:
    """Yield the statements of an answer; a line without a letter or a figure states nothing."""
    for line in answer.splitlines():
        whole = ""
        for part in _END.split(line.strip()):
            whole = f"{whole} {part}".strip()
            if _SHORT.search(whole):
                continue
            if any(map(str.isalnum, whole)):
                yield whole
            whole = ""
        if any(map(str.isalnum, whole)):
            yield whole


def _cut(text: str) -> str:
    shown = readable(text)
    return shown if len(shown) <= LONGEST else f"{shown[:LONGEST]}…"
