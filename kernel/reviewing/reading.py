"""Reading what a reviewer answered: nothing of it is believed that the evidence does not bear out.

What this stops: evidence that is not there; a "supported" with a number, a name or a path that the evidence lacks; two
verdicts on one claim; words of the reviewer's own (there is no place for any in what is kept).
What it does not: make a doubt go away. "Not supported" counts without evidence: it only asks for a second look.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kernel.reviewing.matching import lacking
from kernel.reviewing.model import Claim, Doubt, Exhibit, Finding, Verdict

_MOST_HANDLES = 8


def findings_of(
    value: Any, claims: Sequence[Claim], exhibits: Sequence[Exhibit], *, home: str, german: bool
) -> tuple[Finding, ...] | None:
    """Return what a reply comes to, a finding a claim; None where it is of no form at all."""
    given = value.get("claims") if isinstance(value, Mapping) else None
    if not isinstance(given, list):
        return None
    said: dict[int, list[Mapping[str, Any]]] = {}
    for one in given:
        if isinstance(one, Mapping) and isinstance(one.get("number"), int) and not isinstance(one["number"], bool):
            said.setdefault(one["number"], []).append(one)
    known = {one.handle: one for one in exhibits}
    return tuple(_finding(claim, said.get(claim.number, []), known, home, german) for claim in claims)


def _finding(
    claim: Claim, said: Sequence[Mapping[str, Any]], known: Mapping[str, Exhibit], home: str, german: bool
) -> Finding:
    verdicts = {str(one.get("verdict")) for one in said}
    if len(verdicts) != 1 or not verdicts <= set(Verdict):
        return Finding(claim, Verdict.UNCLEAR, doubt=Doubt.TWICE if len(verdicts) > 1 else Doubt.SILENT)
    verdict, handles = Verdict(next(iter(verdicts))), _handles(said)
    there = tuple(one for one in handles if one in known)
    if verdict is not Verdict.SUPPORTED:
        return Finding(claim, verdict, there)
    if len(there) < len(handles) or not there:
        return Finding(claim, Verdict.UNCLEAR, there, Doubt.UNKNOWN if handles else Doubt.NONE)
    named = [known[one] for one in there]
    counts = frozenset().union(*(one.counts for one in named))
    gone = lacking(claim.text, "\n".join(one.text for one in named), counts, home=home, german=german)
    if gone:
        return Finding(claim, Verdict.UNCLEAR, there, Doubt.ABSENT, gone)
    return Finding(claim, verdict, there)


def _handles(said: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """Return the first handles that are named, each once; what is no text is one that there is not."""
    named = [one.get("evidence") for one in said]
    each = [str(handle) for group in named if isinstance(group, list) for handle in group]
    return tuple(dict.fromkeys(each))[:_MOST_HANDLES]
