"""A model that follows instructions is seen at work, turn by turn, in the terminal and on the page, and afterwards."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

pytest.importorskip("openai", reason="install the extra: ./steward setup models")

from kernel import Folders
from tests.kernel.agents.conftest import ASKED, act, lay
from tests.kernel.models.server import Line, served
from tests.portal.browser import MARKS, Tab
from tests.portal.conftest import Installation
from tests.portal.terminal import Terminal

pytestmark = [pytest.mark.slow, pytest.mark.sandbox]

STEPS = (act("look", "~/Reports"), act("read", "~/Reports/anna.txt"), act("read", "tom.txt"), act("done", text="Two."))
TURNS = ["turn 1 of 12: looks into ~/Reports", "turn 2 of 12: reads ~/Reports/anna.txt",
         "turn 3 of 12: reads ~/Reports/tom.txt", "turn 4 of 12: is done"]  # fmt: skip


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """A daemon with a skill of instructions."""
    made = Installation(tmp_path_factory.mktemp("worker"), {"STEWARD_ENCODER": "false"})
    made.home.mkdir(mode=0o700)
    folders = Folders(made.environ)
    folders.make()
    lay(folders)
    with made.daemon():
        yield made


@contextmanager
def worker_at_hand(running: Installation) -> Iterator[threading.Event]:
    """Let a model follow it, which waits before its third turn until it is let go on."""
    go = threading.Event()

    async def answer(line: Line) -> None:
        at = min(len(line.server.asked), len(STEPS)) - 1
        assert at < 2 or await asyncio.to_thread(go.wait, 60)
        await line.say(json.dumps(STEPS[at]))

    with served(answer) as server:
        assert running.steward("models", "set", "near", "--url", server.url, "--model", "m").code == 0
        assert running.steward("models", "use", "worker", "near").code == 0
        seen = f"model.see:files@127.0.0.1:{server.port}"
        assert running.steward("perms", "grant", "models", seen).code == 0
        try:
            yield go
        finally:
            go.set()
            running.steward("models", "remove", "near")


def test_in_a_terminal_each_turn_stays_a_line_and_is_found_again(running: Installation) -> None:
    with worker_at_hand(running) as go:
        terminal = Terminal(running, "ask", ASKED)
        terminal.read("Allow?")
        terminal.type("y\n")
        terminal.read(TURNS[1])
        go.set()
        code, said = terminal.end()
        assert code == 0, said
        assert all(turn in said for turn in TURNS[2:])
        assert "answered after" not in said, "the turn says it"
        run = running.steward("runs", "--limit", "1", "--json").json["runs"][0]["run"]
        shown = running.steward("runs", run).out
        assert [line.strip() for line in shown.splitlines() if line.strip().startswith("turn ")] == TURNS


LINES = "[...document.querySelectorAll('.run .turns li')].map(e => e.innerText)"


@pytest.mark.browser
@MARKS[1]
def test_on_the_page_each_turn_stays_a_line_also_after_a_reload_and_at_the_end(
    page: Tab, running: Installation
) -> None:
    with worker_at_hand(running) as go:
        page.ask(ASKED)
        page.until("document.querySelector('.run .card [data-answer=once]:enabled')")
        page.click(".run .card [data-answer=once]")
        page.until(f"({LINES}).length === 2")
        assert page.js(LINES) == TURNS[:2]
        page.call("Page.reload")
        page.until(f"({LINES}).length === 2")
        go.set()
        page.until("document.querySelector('.run .more')")
    page.click_open(".run .more")
    page.until(f"({LINES}).length === {len(TURNS)}")
    assert page.js(LINES) == TURNS
    assert not page.noise, page.noise
