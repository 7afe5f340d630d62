"""What is offered to a call that met a limit, and which limit a yes raises."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kernel.allotting import Raise, Raises, memory_at, offered
from kernel.allotting.met import Bound
from permissions.policy import Bound as Limit
from permissions.policy import Policy, path_of

MB = 1_000_000
NODES = path_of("data", "data.join")
SKILL = NODES[-2]


def limits(**amounts: int) -> Policy:
    """A tree with limits for memory at the nodes of these last names."""
    tree = Policy({})
    for node in NODES:
        if node.rpartition("/")[2] in amounts:
            tree = tree.with_nodes([tree.node(node).with_bound(Limit("memory", amounts[node.rpartition("/")[2]]))])
    return tree


@given(st.integers(10 * MB, 1 << 40), st.integers(0, 1 << 42))
def test_an_offer_is_worth_it_and_no_more_than_twice_or_the_machine_has(limit: int, spare: int) -> None:
    offer = offered(Bound(SKILL, "memory", limit), spare)
    assert offer == 0 or limit + limit // 4 <= offer <= min(2 * limit, spare)
    assert offer == 2 * limit or spare < 2 * limit, "twice as much, where the machine has it"


def test_an_offer_that_the_machine_bounds_is_a_round_one() -> None:
    assert offered(Bound(SKILL, "memory", 512 * MB), 789_123_456) == 780 * MB
    assert offered(Bound(SKILL, "memory", 512 * MB), 600 * MB) == 0


def test_a_raise_counts_for_its_task_and_its_node_and_its_amount_only() -> None:
    raises = Raises()
    raises.give(Raise(SKILL, 512 * MB, 1024 * MB, "t1"))
    tree = limits(data=512 * MB, user=2048 * MB)
    assert raises.applied(tree, "t1").limits(NODES[-1])["memory"] == (1024 * MB, SKILL)
    assert raises.applied(tree, "t2") == tree, "it was for another task"
    narrowed = limits(data=512 * MB, user=600 * MB)
    assert raises.applied(narrowed, "t1").limits(NODES[-1])["memory"][0] == 600 * MB, "another node was not raised"
    for changed in (limits(data=300 * MB), limits(data=3000 * MB), limits()):
        assert raises.applied(changed, "t1") == changed, "the person's limit is another one by now"


def test_a_second_raise_builds_on_the_first() -> None:
    raises = Raises()
    raises.give(Raise(SKILL, 512 * MB, 1024 * MB))
    raises.give(Raise(SKILL, 1024 * MB, 2048 * MB, "t1"))
    tree = limits(data=512 * MB)
    found = {task: memory_at(raises.applied(tree, task), SKILL) for task in ("t1", "t2")}
    assert {task: one.amount for task, one in found.items() if one} == {"t1": 2048 * MB, "t2": 1024 * MB}
