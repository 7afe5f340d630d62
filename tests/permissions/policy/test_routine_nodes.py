"""A routine is a branch of the tree: narrower than the person, and nobody else's."""

from __future__ import annotations

from dataclasses import replace

import pytest

from permissions.model import Action, Right, Verdict
from permissions.model import GrantMode as Mode
from permissions.policy import Rule, for_node, new_grant, node_path, path_of
from tests.permissions.policy.test_clients import CLAUDE, ME, POLICY, WORKSPACE

RIGHT = Right(Action.FS_READ, "/home/u/Documents", True)
REPORT = replace(ME, client="routine:report")
OTHER = replace(ME, client="routine:other")


def test_what_a_routine_was_granted_is_its_own() -> None:
    tree = POLICY.with_grant(new_grant(REPORT, RIGHT, Mode.ALWAYS, 1.0))
    decided = {one.client: tree.decide(one, RIGHT, now_s=2.0).verdict for one in (REPORT, OTHER, CLAUDE, ME)}
    assert decided == {"routine:report": Verdict.ALLOW, "routine:other": Verdict.ASK, "mcp:claude": Verdict.ASK,
                       "": Verdict.ASK}  # fmt: skip


def test_what_the_person_was_granted_or_a_client_is_no_routines() -> None:
    tree = POLICY.with_grant(new_grant(ME, RIGHT, Mode.ALWAYS, 1.0))
    tree = tree.with_grant(new_grant(CLAUDE, RIGHT, Mode.ALWAYS, 1.0))
    assert tree.decide(REPORT, RIGHT, now_s=2.0).verdict is Verdict.ASK


def test_a_deny_of_the_person_counts_for_a_routine_whatever_it_was_granted() -> None:
    tree = POLICY.with_grant(new_grant(REPORT, RIGHT, Mode.ALWAYS, 1.0))
    files = tree.node(f"{WORKSPACE}/files").with_rules([Rule(RIGHT, Verdict.DENY, "not these", id="d-1")])
    assert tree.with_nodes([files]).decide(REPORT, RIGHT, now_s=2.0).verdict is Verdict.DENY


def test_its_calls_pass_the_persons_nodes_and_then_its_own() -> None:
    assert path_of("files", "files.find", "routine:report")[-3:] == (
        f"{WORKSPACE}/routine:report", f"{WORKSPACE}/routine:report/files", f"{WORKSPACE}/routine:report/files/find",
    )  # fmt: skip
    assert f"{WORKSPACE}/files/find" in path_of("files", "files.find", "routine:report")


@pytest.mark.parametrize("name", ["routine:report", "routine:report.files", "routine:report.files.find"])
def test_a_node_is_called_by_its_name(name: str) -> None:
    found = for_node(node_path(name), "")
    assert found.client == "routine:report"
    assert (found.skill, found.tool) == {
        "routine:report": ("routine:report", ""), "routine:report.files": ("files", ""),
        "routine:report.files.find": ("files", "files.find"),
    }[name]  # fmt: skip
