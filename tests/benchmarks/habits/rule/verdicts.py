"""The verdict on one rule, by tests/golden/rules/README.md. What code cannot tell is unclear, and never right."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tests.benchmarks.habits.rule.conditions import of_conditions
from tests.benchmarks.habits.rule.model import Finding, Match, Place, Rule, Said, Verdict
from tests.benchmarks.habits.rule.plans import of_plan
from tests.benchmarks.habits.rule.triggers import of_trigger


@dataclass(frozen=True, slots=True)
class Judged:
    """A rule, its verdict, and why: what differs or cannot be told, with both sides."""

    rule: Rule
    verdict: Verdict
    why: tuple[str, ...] = ()


def judged(rule: Rule, said: Said, place: Place) -> Judged:
    """Return the verdict on what the kernel ``said`` to ``rule``."""
    if "asks" in rule:
        return _of_vague(rule, said)
    if said.kept is None:
        return Judged(rule, Verdict.MISSED, (said.answer,))
    trigger = of_trigger(rule, said.kept, place)
    if trigger.match is Match.OTHER:
        return Judged(rule, Verdict.WRONG_TRIGGER, (str(trigger),))
    parts = [*of_conditions(rule, said.kept), *of_plan(rule, said.kept, place)]
    wrong = [str(one) for one in parts if one.match is Match.OTHER]
    if wrong:
        verdict = Verdict.UNCLEAR if trigger.match is Match.UNCLEAR else Verdict.WRONG_PLAN
        return Judged(rule, verdict, tuple(wrong))
    unclear = _unclear([trigger, *parts])
    return Judged(rule, Verdict.UNCLEAR if unclear else Verdict.RIGHT, unclear)


def _unclear(parts: list[Finding]) -> tuple[str, ...]:
    return tuple(str(one) for one in parts if one.match is Match.UNCLEAR)


def _of_vague(rule: Rule, said: Said) -> Judged:
    if said.kept is not None:
        return Judged(rule, Verdict.WRONG_TRIGGER, (f"kept: {said.kept.trigger}",))
    if not said.asked:
        return Judged(rule, Verdict.MISSED, (said.answer,))
    if all(re.search(one, said.answer, re.IGNORECASE) for one in rule["names"]):
        return Judged(rule, Verdict.ASKED, (said.answer,))
    return Judged(rule, Verdict.UNCLEAR, (f"asks {rule['asks']!r}, was asked {said.answer!r}",))
