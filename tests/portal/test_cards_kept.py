"""Cards over the sudden end of a daemon: a rule that waits for its yes, one that is changed, a routine and a macro at
work. Each is asked again by the next daemon, does nothing without an answer, and does what it says with one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from portal.client import Client
from tests.portal.asked import RULE, RULE_DE
from tests.portal.conftest import Installation, wait_for

pytestmark = pytest.mark.slow

ASKED = "every day at 20:00 tell me what 17 * 4 is"
REFUSED = "every day at 22:00 show me the largest files in Downloads"
CHANGE = "change the routine {name} to 21:15"


@dataclass(frozen=True)
class Waiting:
    """The runs that waited when the daemon was killed, and the cards that they showed."""

    rule: str
    german: str
    change: str
    routine: str
    macro: str
    refused: str
    cards: dict[str, Any]


def _but_for_its_dry_run(part: Any) -> Any:
    """A part of a card without the run of its own in which the rule was tried out anew."""
    return {**part, "dry": {**part["dry"], "run": ""}} if isinstance(part, dict) and "dry" in part else part


@pytest.fixture
def killed(installation: Installation) -> Iterator[tuple[Client, Waiting]]:
    """A new daemon, after one was killed while six cards waited."""
    (installation.home / "Downloads").mkdir()
    (installation.home / "Downloads/big.iso").write_text("x" * 1000)
    with installation.daemon() as child, installation.client() as client:
        waiting = _asked(client)
        child.kill()
        child.wait(30)
    with installation.daemon(), installation.client() as client:
        wait_for(lambda: len(client.approvals()) == 6)
        yield client, waiting


def _asked(client: Client) -> Waiting:
    """Have six runs wait: three new rules, a rule that is changed, a routine that does what it does, and a macro."""
    kept = _done(client, client.ask(ASKED, conversation="a", yes=True))["result"]["routine"]["name"]
    reads = client.ask("every day at 19:00 show me the largest files in Downloads", conversation="b")
    client.view(reads, wait=True)
    client.approve(reads, "once")
    looks = _done(client, reads)["result"]["routine"]["name"]
    assert client.revoke_all("files")
    once = client.ask("make a note called Errands saying milk", conversation="c", yes=True)
    _done(client, once)
    client.new_macro("jot down", once, ["title"], [])
    runs = [
        client.ask(RULE, conversation="d"), client.ask(RULE_DE, conversation="e"),
        client.ask(CHANGE.format(name=kept), conversation="f"), client.run_routine(looks),
        client.run_macro("jot down", {"title": "Friday"}, conversation="g", cwd="", yes=False),
        client.ask(REFUSED, conversation="h"),
    ]  # fmt: skip
    cards = {run: client.view(run, wait=True) for run in runs}
    assert [cards[run]["resolution"] for run in runs] == ["pending"] * 6, cards
    return Waiting(*runs, cards)


def _done(client: Client, run: str) -> dict[str, Any]:
    view: dict[str, Any] = client.view(run, wait=True)
    assert view["resolution"] in ("executed", "confirmed"), view
    return view


def test_each_asks_the_same_again_and_only_a_yes_does_it(killed: tuple[Client, Waiting]) -> None:
    client, waiting = killed
    before = {one["name"]: one["when"] for one in client.routines()}
    assert sorted(before.values()) == ["every day at 19:00", "every day at 20:00"], "nothing without an answer"
    for run, card in waiting.cards.items():
        again = client.view(run)
        assert (again["stage"], again["text"]) == (card["stage"], card["text"])
        for part in card["card"].keys() - {"concerns"}:  # a plan that was read back has its arguments in another order
            assert _but_for_its_dry_run(again["card"][part]) == _but_for_its_dry_run(card["card"][part]), part
        client.approve(run, "no" if run == waiting.refused else "once")
    answers = {run: _done(client, run) for run in waiting.cards if run != waiting.refused}
    assert client.view(waiting.refused, wait=True)["resolution"] == "blocked"
    after = {one["name"]: one["when"] for one in client.routines()}
    kept = [answers[run]["result"]["routine"]["name"] for run in (waiting.rule, waiting.german)]
    assert [after.pop(name) for name in kept] == ["every day at 18:00", "jeden Tag um 18:00"]
    assert sorted(after.values()) == ["every day at 19:00", "every day at 21:15"], "one is changed, and none is new"
    assert after.keys() == before.keys()
    assert answers[waiting.routine]["client"].startswith("routine:")
    assert "big.iso" in answers[waiting.routine]["answer"]
    assert answers[waiting.macro]["macro"] == "jot down"
    assert "Friday" in repr(answers[waiting.macro]["effects"])
    done = _done(client, client.run_routine(kept[0]))
    assert "big.iso" in done["answer"], "it has the rights that its card named"
