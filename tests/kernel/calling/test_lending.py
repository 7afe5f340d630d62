"""What is lent: never more than the caller holds, never more than the called tool needs."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernel.authorize import Circumstances, Reach, is_held
from kernel.calling.deciding import Answered
from kernel.calling.lending import check_effect, check_hidden, check_sinks, lend, may_ask
from kernel.errors import TaskFailed
from permissions import default_policy, private_places
from permissions.model import Action, Right, Verdict
from permissions.policy import Rule, covers
from skills.model import EffectClass, Parameter, ParamRole, Skill, SkillId, Tool, ToolId, ValueKind, ValueType

HOME, ROOM = "/home/u", "/home/u/.local/share/steward/transactions/runs/r/tasks/t1"
POLICY = default_policy(HOME, private_places(HOME, ["/home/u/.local/share/steward"]))


def tool(name: str = "hand.do", effect: EffectClass = EffectClass.IDEMPOTENT) -> Tool:
    skill = SkillId(name.partition(".")[0])
    return Tool(ToolId(name), skill, "do", "", effect, (), ValueType(ValueKind.ANY), (), ())


def around(**more: Any) -> Circumstances:
    skill = Skill(SkillId("hand"), "1", "Hand", "", "/x", "hash", False, ())
    return Circumstances(tool=lambda _: tool(), skill=lambda _: skill, policy=more.get("policy", POLICY), run="r",
                         home=HOME, now_s=0, resolve=os.path.normpath)  # fmt: skip


def read(path: str, tree: bool = False) -> Right:
    return Right(Action.FS_READ, path, tree)


PATHS = st.sampled_from([HOME, f"{HOME}/a", f"{HOME}/a/b", f"{HOME}/a/b/c", f"{HOME}/ab", f"{HOME}/d"])
READS = st.builds(read, PATHS, st.booleans())
PLACES = [f"{host}:{port}" for host in ("a.test", "*.a.test", "x.a.test", "b.test") for port in ("80", "443", "*")]
HOSTS = st.builds(lambda place: Right(Action.NET_CONNECT, place), st.sampled_from(PLACES))
TOOLS = st.builds(lambda name: Right(Action.SKILL_CALL, name), st.sampled_from(["aa", "aa.b", "aa.c", "dd.e"]))
RIGHTS = st.lists(st.one_of(READS, HOSTS, TOOLS), max_size=8, unique=True)


@given(RIGHTS, RIGHTS)
def test_a_loan_is_held_by_the_caller_and_needed_by_the_called(needs: list[Right], held: list[Right]) -> None:
    loan = lend(tool(), needs, held, [], around())
    for right in loan.rights:
        assert any(covers(have, right) for have in held)
        assert any(covers(need, right) for need in needs)
    for need in needs:
        whole = is_held(need, frozenset(held))
        assert whole == is_held(need, frozenset(loan.rights)) == (need not in loan.withheld)
        for have in held:  # nothing of the meet is lost
            for both in (need, have):
                if covers(need, both) and covers(have, both):
                    assert is_held(both, frozenset(loan.rights))


def test_what_is_lent_is_the_narrower_of_both() -> None:
    wide, narrow = read(HOME, True), read(f"{HOME}/a", True)
    assert lend(tool(), [wide], [narrow], [], around()).rights == (narrow,)
    assert lend(tool(), [narrow], [wide], [], around()).rights == (narrow,)
    apart = lend(tool(), [read(f"{HOME}/a", True)], [read(f"{HOME}/ab", True)], [], around())
    assert (apart.rights, apart.withheld) == ((), (read(f"{HOME}/a", True),))


@pytest.mark.parametrize("step", [False, True])
def test_what_works_with_its_skill_s_own_folder_is_not_called_without_it(step: bool) -> None:
    kept = f"{HOME}/.local/share/steward/own"
    places = around(policy=default_policy(HOME, private_places(HOME, ["/home/u/.local/share/steward"]), own=kept))
    book = read(f"{kept}/hand", True)
    with pytest.raises(TaskFailed) as refused:
        lend(tool(), [book], [read(HOME)], [], places, step=step)
    assert refused.value.code == "call.own"
    assert lend(tool(), [book], [book], [], places, step=step).rights == (book,)  # one of the same skill's has it
    assert lend(tool(), [read(f"{HOME}/a")], [], [], places, step=step).withheld  # any other may go without


@pytest.mark.parametrize("action", [Action.FS_CREATE, Action.FS_WRITE, Action.FS_DELETE])
def test_nothing_of_the_person_s_is_lent_for_changing(action: Action) -> None:
    right = Right(action, f"{HOME}/a", True)
    with pytest.raises(TaskFailed) as refused:
        lend(tool(), [right], [right], [ROOM], around())
    assert refused.value.code == "call.changes"
    for outside in (ROOM, f"{ROOM}x", f"{ROOM}/../t2", HOME):
        with pytest.raises(TaskFailed):
            lend(tool(), [Right(action, os.path.normpath(outside), True)], [], [ROOM], around())
    inside = Right(action, f"{ROOM}/work", True)
    assert lend(tool(), [inside], [], [ROOM], around()).own == (inside,)


def test_what_is_private_or_denied_to_the_called_tool_is_not_lent() -> None:
    for private in (f"{HOME}/.ssh/id_rsa", f"{ROOM}x/secret"):
        with pytest.raises(TaskFailed) as refused:
            lend(tool(), [read(private)], [read("/", True)], [ROOM], around())
        assert refused.value.code == "call.denied"
    node = POLICY.node("root/user/workspace/hand")
    rule = Rule(read(f"{HOME}/a", True), Verdict.DENY, "you denied it", "d-1")
    denying = around(policy=POLICY.with_nodes([node.with_rules([rule])]))
    held = [read(HOME, True)]
    with pytest.raises(TaskFailed):
        lend(tool(), [read(f"{HOME}/a/b")], held, [], denying)
    assert lend(tool(), [read(f"{HOME}/d")], held, [], denying).rights == (read(f"{HOME}/d"),)


@given(RIGHTS, RIGHTS, st.lists(PATHS, max_size=2))
def test_what_is_hidden_from_a_caller_in_what_it_holds_is_lent_to_nobody(
    needs: list[Right], held: list[Right], hidden: list[str]
) -> None:
    loan = lend(tool(), needs, held, [], around())
    stray = [one for one in loan.rights if one.action is Action.FS_READ for place in hidden
             if covers(read(place, True), one)
             and not any(covers(read(place, True), have) and covers(have, one) for have in held)]  # fmt: skip
    if not stray:
        check_hidden(tool("boss.do"), held, hidden, loan.rights)
        return
    with pytest.raises(TaskFailed) as refused:
        check_hidden(tool("boss.do"), held, hidden, loan.rights)
    assert refused.value.code == "call.denied"


@pytest.mark.parametrize(
    ("values", "may"),
    [
        ((f"{ROOM}/work",), True),
        ((f"{ROOM}/work", f"{HOME}/a"), False),
        ((f"{HOME}/a",), False),
        ((ROOM,), False),
        (("rm  -rf",), False),
        ((), False),
    ],
)
def test_a_sink_takes_a_place_in_a_private_folder_alone(values: tuple[str, ...], may: bool) -> None:
    parameter = Parameter("it", ValueType(ValueKind.FOLDER), True, "where", role=ParamRole.SINK)
    steered, free = (replace(tool(), parameters=(replace(parameter, role=role),)) for role in
                     (ParamRole.SINK, ParamRole.NEUTRAL))  # fmt: skip
    reaches = {"it": tuple(map(Reach, values))}
    given = {"it": [{"path": value} for value in values]}
    nobody = Answered(frozenset())
    check_sinks(free, given, reaches, [ROOM], nobody)
    if may:
        check_sinks(steered, given, reaches, [ROOM], nobody)
        return
    with pytest.raises(TaskFailed) as refused:
        check_sinks(steered, given, reaches, [ROOM], nobody)
    assert refused.value.code == "call.sink"


@pytest.mark.parametrize(("value", "may"), [({"text": "x"}, True), ({"text": "x", "to": "a@b"}, False)])
def test_what_decides_in_a_record_comes_from_no_caller(value: dict[str, str], may: bool) -> None:
    parameter = Parameter("options", ValueType(ValueKind.RECORD), True, "how")
    called = replace(tool(), parameters=(parameter,), effect=EffectClass.ONCE)
    nobody = Answered(frozenset())
    if may:
        check_sinks(called, {"options": value}, {"options": ()}, [], nobody)
        return
    with pytest.raises(TaskFailed, match="only a person decide"):
        check_sinks(called, {"options": value}, {"options": ()}, [], nobody)


def test_who_may_be_asked_for() -> None:
    held = [Right(Action.SKILL_CALL, "hand.do"), Right(Action.SKILL_CALL, "notes")]
    for name in ("hand.do", "notes.create", "notes"):
        may_ask(tool("boss.do"), held, name)
    for name in ("hand.other", "hand", "hand.do.x", "*", "", "handxdo", "hand.do\n"):
        with pytest.raises(TaskFailed):
            may_ask(tool("boss.do"), held, name)


@pytest.mark.parametrize("caller", EffectClass)
@pytest.mark.parametrize("called", EffectClass)
def test_nobody_calls_what_does_more_than_itself(caller: EffectClass, called: EffectClass) -> None:
    order = [EffectClass.PURE, EffectClass.IDEMPOTENT, EffectClass.ONCE]
    if order.index(called) <= order.index(caller):
        check_effect(tool("boss.do", caller), tool("hand.do", called))
        return
    with pytest.raises(TaskFailed) as refused:
        check_effect(tool("boss.do", caller), tool("hand.do", called))
    assert refused.value.code == "call.effect"
