"""A run gone through once more in the order of the source, for the recording that the skill's test replays. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from kernel.authoring.savable import Looked
from kernel.dispatching.holding import held
from kernel.errors import TaskFailed
from kernel.model import Comparison, Condition, Measure, Outcome, TaskId
from skills.authoring.drafting import Check, Loop, Played, Replayed, Statement, Step
from skills.branches import NOTHING, items_in, not_done

_HERE = TaskId("here")


@dataclass(slots=True)
class Replaying:
    """One run, gone through."""

    looked: Looked
    calls: list[Played] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    _held: dict[str, bool] = field(default_factory=dict)
    _values: dict[str, Any] = field(default_factory=dict)  # by what the source calls them

    def replayed(self, statements: Sequence[Statement]) -> Replayed:
        """Return what it came to. Raises BadRequest where the run does not say what came of a step."""
        for one in statements:
            match one:
                case Step():
                    self._step(one)
                case Check():
                    self._check(one)
                case Loop():
                    self._loop(one)
        return Replayed(tuple(self.calls), "\n".join(self.lines))

    def _goes_on(self, only_if: Sequence[str]) -> bool:
        return all(self._held[name] for name in only_if)

    def _step(self, step: Step) -> None:
        if not self._goes_on(step.only_if):
            return
        outcome = self._outcome(step)
        self._values[f"step_{step.number}"] = outcome.value
        self._play(step, outcome.value, outcome.answer)
        self.lines.append(outcome.answer)

    def _outcome(self, step: Step) -> Outcome:
        task = self.looked.plan.tasks[step.number - 1].id
        outcome = self.looked.outcomes.get(task)
        if outcome is None or outcome.skipped:
            raise self.looked.refused(task, "was left out in the run, so what comes of it is not known")
        return outcome

    def _check(self, check: Check) -> None:
        self._held[check.name] = False
        if not self._goes_on(check.only_if):
            return
        condition = Condition(_HERE, Measure(check.measure), Comparison(check.comparison), check.value, check.of.field)
        found = held(condition, {_HERE: Outcome(_HERE, True, self._values[check.of.step])})
        self._held[check.name] = found.holds
        self._play(check, found.holds, found.found)
        if not found.holds:
            language = self.looked.plan.language
            self.lines.append(not_done(check.words.get(language, check.words["en"]), found.found, language))

    def _loop(self, loop: Loop) -> None:
        if not self._goes_on(loop.only_if):
            return
        items = items_in(self._values[loop.over])
        if not items:
            self.lines.append(NOTHING.get(self.looked.plan.language, NOTHING["en"]))
        left = {step.number: _Left.of(self.looked, step, len(items)) for step in loop.steps()}
        for item in items:
            self._values["item"] = item
            for one in loop.body:
                if isinstance(one, Check):
                    self._item_check(one, loop)
                elif self._goes_on(one.only_if):
                    made, answer = left[one.number].next()
                    self._values[f"one_{one.number}"] = made
                    self._play(one, made, answer)
                    self.lines.append(answer)
        for step in loop.steps():
            self._values[f"step_{step.number}"] = left[step.number].all()

    def _item_check(self, check: Check, loop: Loop) -> None:
        try:
            self._check(check)
        except TaskFailed as error:
            raise _left_out(self.looked, loop.steps()[-1]) from error

    def _play(self, done: Step | Check, value: Any, answer: str) -> None:
        self.calls.append(Played(done, value, answer))


@dataclass(slots=True)
class _Left:
    """What came of a step for the items of a list, of which some are still to come."""

    looked: Looked
    step: Step
    values: list[Any]
    answers: list[str]
    at: int = 0

    @classmethod
    def of(cls, looked: Looked, step: Step, count: int) -> _Left:
        outcome = looked.outcomes.get(looked.plan.tasks[step.number - 1].id)
        values = list(outcome.value or ()) if outcome is not None and not outcome.skipped else []
        lines = outcome.answer.split("\n") if outcome is not None and values else []
        if len(lines) != len(values):  # what was said of all of them stands with the first
            lines = ["\n".join(lines)] + [""] * (len(values) - 1) if values else []
        return cls(looked, step, values, lines)

    def next(self) -> tuple[Any, str]:
        if self.at >= len(self.values):
            raise _left_out(self.looked, self.step)
        self.at += 1
        return self.values[self.at - 1], self.answers[self.at - 1]

    def all(self) -> list[Any]:
        if self.at != len(self.values):
            raise _left_out(self.looked, self.step)
        return self.values


def _left_out(looked: Looked, step: Step) -> Exception:
    task = looked.plan.tasks[step.number - 1].id
    return looked.refused(
        task, "left out some of what it was to be done for", "Ask once more for those that it can be done for."
    )
