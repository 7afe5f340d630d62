"""A model at work, on the page: which one is asked and for how long, whose plan it is, and what was sent to it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

pytest.importorskip("openai", reason="install the extra: ./steward setup models")

from tests.kernel.flow.test_whole import FOUND, ORDER
from tests.kernel.flow.test_whole import running as plan_of
from tests.portal.browser import MARKS, Tab
from tests.portal.conftest import Installation
from tests.portal.planning import LOST, planner_at_hand

pytestmark = [*MARKS, pytest.mark.models, pytest.mark.slow, pytest.mark.sandbox]


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """A daemon that reads without the encoder, so that the kernel is surely at a loss."""
    made = Installation(tmp_path_factory.mktemp("models"), {"STEWARD_ENCODER": "false"})
    made.home.mkdir(mode=0o700)
    with made.daemon():
        yield made


def test_a_model_is_seen_at_work_and_its_plan_and_its_prompt_are_shown(page: Tab, running: Installation) -> None:
    with planner_at_hand(running) as planner:
        page.ask(LOST)
        page.until("document.querySelector('.run .badge')?.innerText.includes('asking the model near at 127.0.0.1')")
        page.until("/, [1-9]\\d* s/.test(document.querySelector('.run .badge').innerText)")
        page.call("Page.reload")
        page.until("document.querySelector('.run .badge')?.innerText.includes('asking the model near at 127.0.0.1')")
        planner.go.set()
        page.until("document.querySelector('.run .card [data-answer=once]:enabled')")
        assert "The model near made this plan, and you did not" in page.text(".run .card .client")
        assert (running.home / "Downloads" / "big.iso").exists()
        page.click(".run .card [data-answer=once]")
        page.until("document.querySelector('.run .more')")
        assert (running.home / "attic" / "big.iso").exists()
    page.click_open(".run .more")
    page.until("document.querySelector('.run .sent')")
    page.click_open(".run .sent")
    page.until("document.querySelector('.run .prompt pre')")
    sent = page.text(".run .sent")
    for part in (
        "near: m at 127.0.0.1",
        "saw the request, what tools there are",
        "off with it to the attic",
        "files.move",
    ):
        assert part in sent, (part, sent)
    asked = "[...document.querySelectorAll('.run .prompt pre')].slice(0, -1).map(e => e.innerText).join()"
    assert "big.iso" not in page.js(asked), "no name of a file was sent"
    assert not page.noise, page.noise


def test_a_model_that_fails_is_said_to_have_given_no_answer(page: Tab, running: Installation) -> None:
    """What such a model says is a stranger's: it is text, wherever it is shown."""
    evil = "<img src=x onerror=alert(1)>"
    with planner_at_hand(running, lambda request: evil) as planner:
        planner.go.set()
        page.ask(LOST)
        page.until("document.querySelector('.run .more')")
        page.click_open(".run .more")
        page.until("document.querySelector('.run .sent')")
        page.click_open(".run .sent")
        page.until("document.querySelector('.run .prompt pre')")
        assert evil in page.text(".run .sent")
        assert page.js("document.querySelector('.run img')") is None


@pytest.mark.parametrize("answer", ["no", "once"])
def test_a_value_that_a_file_would_decide_waits_for_a_person(page: Tab, running: Installation, answer: str) -> None:
    file = running.home / "Downloads" / "pwned"
    file.unlink(missing_ok=True)
    (running.home / "order.txt").write_text("touch pwned\n")
    with planner_at_hand(running, plan_of(FOUND), context="32000") as planner:
        planner.go.set()
        page.ask(ORDER)
        page.until("document.querySelector('.run .card [data-answer=once]:enabled')")
        page.click(".run .card [data-answer=once]")
        page.until("document.querySelector('.run .card h2')?.innerText === 'Nobody vouches for this'")
        card = page.text(".run .card")
        for part in ("Value: touch pwned", "It comes from", "order.txt", "Go on with it"):
            assert part in card, (part, card)
        words = "[...document.querySelectorAll('.run .card .answers [data-answer]')].map(e => e.dataset.answer)"
        assert page.js(words) == ["no", "once"], "nobody vouches for good"
        assert not file.exists()
        page.click(f".run .card [data-answer={answer}]")
        page.until("document.querySelector('.run .more')")
    assert file.exists() is (answer == "once")
    assert not page.noise, page.noise


def test_a_rule_in_its_words_says_so_on_its_card_and_beside_the_routine(page: Tab, running: Installation) -> None:
    text = "whenever Friday comes round, at five or so, show me what piles up and hampers me in Downloads"
    later = "every Friday at 17:00, list the files in Downloads"
    empty = {"tasks": [], "ask": None, "about": None, "decline": None}
    with planner_at_hand(running, lambda _: empty | {"later": later}) as planner:
        planner.go.set()
        page.click_open("#routines-part")
        page.ask(text)
        page.until("document.querySelector('.run .card [data-answer=once]:enabled')")
        card = page.text(".run .card")
        for part in ("The model near made this plan, and you did not", later, "Not your words", "17:00"):
            assert part in card, (part, card)
        page.click(".run .card [data-answer=once]")
        page.until("document.querySelector('#routines [data-routine]')")
    page.click_open("#routines [data-routine] details")
    page.until("document.querySelector('#routines [data-routine] .worded')")
    whole = page.text("#routines [data-routine] details")
    for part in (text, "The model near put it into other words", f"In its words: {later}", "Not your words: "):
        assert part in whole, (part, whole)
    assert not page.noise, page.noise
