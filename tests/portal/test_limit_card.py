"""The question of a call that met a person's limit: on the command line, for a program, and on the page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from kernel import Folders
from permissions.confine import cgroup
from tests.kernel.hungry import install
from tests.portal.browser import MARKS, Tab, signed_in
from tests.portal.conftest import Installation
from tests.portal.terminal import Terminal

pytestmark = [pytest.mark.slow, pytest.mark.sandbox]

FEED = "feed the hungry skill"
QUESTION = "hungry.feast needs more than 128 MB of memory; your limit for hungry is 128 MB. Let it have 256 MB?"


@pytest.fixture(scope="module")
def hungry(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """A daemon with the hungry skill and a limit on it."""
    if not cgroup.find_groups():
        pytest.skip("needs a control group of our own: run as root, or under systemd with Delegate=yes")
    made = Installation(tmp_path_factory.mktemp("hungry"))
    made.home.mkdir(mode=0o700)
    install(Folders(made.environ))
    with made.daemon():
        yield made


@pytest.fixture(autouse=True)
def _limited(hungry: Installation) -> Iterator[None]:
    assert hungry.steward("perms", "limit", "hungry", "memory", "128MB").code == 0
    yield
    with hungry.client() as client:
        for waiting in client.approvals():
            client.approve(waiting["run"], "no", waiting["seal"])


def test_a_program_is_told_that_it_waits_and_answers_it(hungry: Installation) -> None:
    waits = hungry.steward("ask", FEED, "--json", "--yes")
    assert (waits.code, waits.json["resolution"]) == (4, "pending")
    assert waits.json["card"]["limit"]["question"] == QUESTION
    plain = hungry.steward("approve")
    assert QUESTION in plain.out
    done = hungry.steward("approve", waits.json["run"], "--json")
    assert (done.code, done.json["resolution"], done.json["answer"]) == (0, "confirmed", "It was enough.")


def test_a_no_is_a_no_to_a_program_too(hungry: Installation) -> None:
    run = hungry.steward("ask", FEED, "--json").json["run"]
    done = hungry.steward("approve", run, "--answer", "no", "--json")
    assert (done.code, done.json["resolution"], done.json["error"]["code"]) == (5, "blocked", "approval.refused")
    assert done.json["error"]["hint"] == "To allow more: ./steward perms limit hungry memory 256MB"


def test_always_sets_the_limit_as_the_command_does(hungry: Installation) -> None:
    run = hungry.steward("ask", FEED, "--json").json["run"]
    assert hungry.steward("approve", run, "--answer", "always").code == 0
    assert "256 MB" in hungry.steward("perms", "explain", "hungry.feast", "memory").out
    assert "hungry.feast" in hungry.steward("perms", "history").out


@pytest.mark.parametrize(("text", "title", "ask", "question"), [
    (FEED, "A call needs more than you allow it", "Give it more?", "your limit for hungry is 128 MB"),
    ("füttere die hungrige Fähigkeit", "braucht mehr, als du ihm erlaubst", "Mehr geben?", "deine Grenze für hungry"),
])  # fmt: skip
def test_in_a_terminal_it_is_asked_in_the_run(
    hungry: Installation, text: str, title: str, ask: str, question: str
) -> None:
    terminal = Terminal(hungry, "ask", text)
    shown = terminal.read(ask)
    assert title in shown
    assert question in " ".join(shown.replace("│", " ").split())
    terminal.type("y\n")
    code, said = terminal.end()
    assert (code, "It was enough." in said) == (0, True)


@pytest.fixture
def page(tab: Tab, hungry: Installation) -> Tab:
    signed_in(tab, hungry)
    return tab


@pytest.mark.parametrize(("answer", "resolution"), [("run", "confirmed"), ("no", "refused")])
class TestOnThePage:
    """The card beneath the request."""

    pytestmark = MARKS

    def test_it_stands_beneath_its_request_and_is_answered_there(self, page: Tab, answer: str, resolution: str) -> None:
        page.ask(FEED)
        page.until("document.querySelector('.card .limit')")
        assert QUESTION in page.text(".card .limit")
        offered: Any = page.js("[...document.querySelectorAll('.card [data-answer]')].map(e => e.dataset.answer)")
        assert offered == ["no", "once", "run", "always"]
        page.until("document.querySelector('.card [data-answer=once]').disabled === false")
        page.click(f".card [data-answer={answer}]")
        page.until(f"document.querySelector('.run .badge').dataset.resolution === '{resolution}'")
