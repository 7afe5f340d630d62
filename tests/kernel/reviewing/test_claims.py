"""An answer cut into claims by our code, and evidence under handles."""

from __future__ import annotations

import pytest

from kernel.model import Constant, Outcome, Plan, Task, TaskId
from kernel.models.model import Seen
from kernel.reviewing.claims import LONGEST, claims_of, statements
from kernel.reviewing.evidence import MOST_CHANGES, evidence_of, seen_in
from permissions.labels import USER_SAID, Label
from permissions.model import Change, ChangeKind
from permissions.transactions import FileDiff
from skills.model import EffectClass, RightTemplate, SkillId, Tool, ToolId, ValueKind, ValueType

T1, T2 = TaskId("t1"), TaskId("t2")


@pytest.mark.parametrize(("answer", "claims"), [
    ("3 files. The largest is big.iso.", ["3 files.", "The largest is big.iso."]),
    ("  1. big.iso  5 kB\n  2. middle.zip  3 kB\n---\n", ["1. big.iso  5 kB", "2. middle.zip  3 kB"]),
    ("Es ist der 12. März. Dr. Stone kommt um 3.", ["Es ist der 12. März.", "Dr. Stone kommt um 3."]),
    ("It holds 1.5 GB. Done", ["It holds 1.5 GB.", "Done"]), ("", []), ("\n \n…\n", []),
])  # fmt: skip
def test_an_answer_is_cut_at_lines_and_sentences(answer: str, claims: list[str]) -> None:
    assert list(statements(answer)) == claims


def test_the_first_claim_is_that_the_request_was_done_and_each_other_knows_its_step() -> None:
    plan = Plan((Task(T1, ToolId("a.b"), {}), Task(T2, ToolId("a.c"), {})), "en")
    outcomes = {T1: Outcome(T1, True, answer="One. Two."), T2: Outcome(T2, True, answer="x" * 999 + "\u202e")}
    found = claims_of("do\nit", plan, outcomes)
    assert [(one.number, one.task) for one in found] == [(0, None), (1, T1), (2, T1), (3, T2)]
    assert found[0].text == "do it"
    assert len(found[3].text) <= LONGEST + 1


def test_evidence_is_results_and_changes_under_handles_and_the_home_is_no_part_of_it() -> None:
    plan = Plan((Task(T1, ToolId("a.b"), {}), Task(T2, ToolId("a.c"), {})), "en")
    value = [{"path": "/home/u/a"}, {"path": "/home/u/b"}, {"path": "/home/u/c"}]
    outcomes = {T1: Outcome(T1, True, value), T2: Outcome(T2, True, skipped=True)}
    changes = [Change(f"/home/u/n{n}", ChangeKind.CREATED) for n in range(MOST_CHANGES + 5)]
    found = evidence_of(plan, outcomes, changes, "/home/u")
    assert [one.handle for one in found][:3] == ["r1", "r2", "c1"]
    assert len(found) == 2 + MOST_CHANGES
    assert found[0].counts == {3}
    assert "/home/u" not in "".join(one.text for one in found)
    assert "not made" in found[1].text


def test_of_a_worker_its_own_words_are_claimed_and_no_evidence_and_what_it_changes_is() -> None:
    plan = Plan((Task(T1, ToolId("a.follow"), {}),), "en", why={"worker": "near"})
    value = {"text": "Seven larks sang.", "files": [{"path": "/home/u/t.md"}]}
    said = "The model near followed a and says:\nSeven larks sang.\nIt was not allowed to: reads ~/x"
    outcomes = {T1: Outcome(T1, True, value, said)}
    changes = [Change(ChangeKind.MODIFIED, "/home/u/t.md"), Change(ChangeKind.DELETED, "/home/u/o.md")]
    lines = [FileDiff("/home/u/t.md", ChangeKind.MODIFIED, "-larks: 2\n+larks: 7\n", truncated=True)]
    assert [one.text for one in claims_of("go", plan, outcomes)] == ["go", "Seven larks sang."]
    r1, c1, c2 = evidence_of(plan, outcomes, changes, "/home/u", lines)
    assert ("sang" in r1.text, "~/t.md" in r1.text) == (False, True)
    assert "-larks: 2" in c1.text
    assert '"cut": true' in c1.text
    assert "lines" not in c2.text
    assert Seen.FILES in seen_in(plan, lambda _: tool())


def tool(*actions: str) -> Tool:
    rights = tuple(RightTemplate(action, "x", "") for action in actions)
    return Tool(ToolId("a.b"), SkillId("a"), "b", "", EffectClass.PURE, (), ValueType(ValueKind.TEXT), (), rights)


@pytest.mark.parametrize(("actions", "label", "more"), [
    ((), USER_SAID, set()), (("fs.read",), USER_SAID, {Seen.FILES}), (("graph.read",), USER_SAID, {Seen.FACTS}),
    ((), Label(), {Seen.FILES}), (("skill.call",), USER_SAID, {Seen.FILES, Seen.FACTS}),
    (("system.read",), USER_SAID, set()),
])  # fmt: skip
def test_what_evidence_may_hold_is_declared(actions: tuple[str, ...], label: Label, more: set[Seen]) -> None:
    plan = Plan((Task(T1, ToolId("a.b"), {"x": Constant("y", label)}),), "en")
    assert seen_in(plan, lambda _: tool(*actions)) == {Seen.REQUEST, Seen.TOOLS, Seen.RESULTS} | more


def test_whose_work_a_result_is_is_what_its_plan_says() -> None:
    whys = ({"model": "a"}, {"worker": "b"}, {"t1": {}})
    assert [Plan((), "en", why=why).maker for why in whys] == ["a", "b", ""]
