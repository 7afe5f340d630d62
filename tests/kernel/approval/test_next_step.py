"""After a denial that no grant changes: what was named, why, and what would do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kernel.approval.next_step import next_step
from permissions.model import Action, Decision, Principal, Right, Verdict
from permissions.policy import Policy, default_policy

Bench = Any  # tests/kernel/conftest.py
HOME = "/home/u"


@pytest.fixture(scope="module")
def policy() -> Policy:
    return default_policy(HOME, [(f"{HOME}/.ssh", "it holds keys or passwords")])


def denied(policy: Policy, right: Right) -> Decision:
    decision = policy.decide(Principal("files", "h", "files.find", "r", "t"), right, now_s=0.0)
    assert decision.verdict is Verdict.DENY
    return decision


@pytest.mark.parametrize(
    ("right", "english", "german"),
    [
        (Right(Action.FS_READ, "/etc/passwd"), "Copy what you need into ~", "Kopiere, was du brauchst, nach ~"),
        (Right(Action.FS_CREATE, "/etc/x"), "Name another file or folder in ~", "Nenne eine andere Datei"),
        (Right(Action.FS_READ, f"{HOME}/.ssh/id"), "Name another file or folder in ~", "Nenne eine andere Datei"),
        (Right(Action.FS_READ, "/opt/a b", True), "cd '/opt/a b' && ./steward ask", "cd '/opt/a b' && ./steward ask"),
        (Right(Action.FS_READ, "/opt/x/y.txt"), "cd /opt/x && ./steward ask", "cd /opt/x && ./steward ask"),
    ],
)
def test_a_denial_says_what_would_do(policy: Policy, right: Right, english: str, german: str) -> None:
    decision = denied(policy, right)
    assert english in next_step(decision, HOME, "en")
    assert german in next_step(decision, HOME, "de")


def test_a_copy_of_keys_is_never_advised(policy: Policy) -> None:
    for language, copy in (("en", "Copy"), ("de", "Kopie")):
        assert copy not in next_step(denied(policy, Right(Action.FS_READ, f"{HOME}/.ssh/id")), HOME, language)


def test_the_command_that_lifts_a_deny_goes_before() -> None:
    decision = Decision(Right(Action.FS_READ, "/home/u/a"), Verdict.DENY, "root/user", "you denied it", "./steward x")
    assert next_step(decision, HOME, "en") == "./steward x"


async def test_what_a_person_reads_names_the_place_the_reason_and_the_next_step(bench: Bench) -> None:
    view = await bench.ask("list the files in /etc")
    assert view["resolution"] == "blocked"
    assert view["answer"] == "Steward may not read everything in /etc: it belongs to the system. Nothing was changed."
    assert view["error"]["hint"] == "No grant opens it. Copy what you need into ~ and name the copy there."


async def test_the_next_step_from_outside_works(bench: Bench, tmp_path: Path) -> None:
    elsewhere = Path("/opt")
    if not elsewhere.is_dir():
        pytest.skip("needs a folder outside of the home: /opt")
    view = await bench.ask("list the files in /opt")
    assert 'cd /opt && ./steward ask "..."' in view["error"]["hint"]
    from kernel import Ask

    run = await bench.kernel.ask(Ask("list the files in /opt", conversation="d", cwd="/opt", yes=True, channel="test"))
    assert (await bench.kernel.settled(run))["resolution"] == "confirmed", "as the hint says"
