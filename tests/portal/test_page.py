"""The page in a real browser: signing in, asking, answering, taking back; and pages that attack it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from tests.portal.asked import WRITES
from tests.portal.browser import MARKS, Tab, link

Installation = Any  # tests/portal/conftest.py

pytestmark = MARKS


def test_a_browser_that_is_not_signed_in_is_told_what_to_do(tab: Tab, running: Installation) -> None:
    tab.call("Network.clearBrowserCookies")
    tab.open(link(running).partition("#")[0])
    tab.until("!document.getElementById('gate').hidden")
    assert "./steward open" in tab.text("#gate")
    assert tab.js("document.getElementById('house').hidden") is True


def test_the_code_leaves_the_address_and_a_reload_stays_signed_in(page: Tab) -> None:
    assert "c=" not in str(page.js("location.href"))
    page.call("Page.reload")
    page.until("document.getElementById('link')?.dataset.state === 'live'")
    assert page.js("document.cookie") == "", "the session cookie is out of reach of scripts"


def test_ask_see_the_plan_answer_the_card_see_the_changes_take_them_back(page: Tab, running: Installation) -> None:
    page.ask(WRITES.format(title="meeting"))
    page.until("document.querySelector('.card')")
    assert page.js("document.querySelector('.card [data-answer=once]').disabled") is True, "asleep when it appears"
    assert "~/Notes" in page.text(".card .rights")
    assert page.js("document.querySelector('.run .card') !== null"), "the card belongs to its request"
    assert page.js("document.querySelectorAll('.card .plan .task').length") >= 1
    assert page.text("#waiting")
    assert not list(running.home.glob("Notes/meeting*"))
    page.click(".card [data-answer=once]")
    page.until("document.querySelector('.effects .undo')")
    assert "meeting" in page.text(".effects")
    page.click(".effects .undo")
    assert "remove ~/Notes/meeting.md" in page.text(".effects .back"), "first it says what would be taken back"
    assert list(running.home.glob("Notes/meeting*"))
    assert page.js("document.querySelectorAll('.card').length") == 0
    page.click(".effects .back .yes")
    page.until("document.querySelector('.effects.gone')")
    assert not list(running.home.glob("Notes/meeting*"))
    page.call("Page.reload")
    page.until("document.querySelector('.badge')?.innerText === 'taken back'")
    assert not page.noise, page.noise


def test_no_is_one_click_and_first_in_keyboard_order(page: Tab, running: Installation) -> None:
    page.ask(WRITES.format(title="plumber"))
    page.until("document.querySelector('.card')")
    assert page.js("document.querySelector('.card .inside button').dataset.answer") == "no"
    page.click(".card [data-answer=no]")
    page.until("document.querySelector('.badge')?.dataset.resolution === 'refused'")
    assert not list(running.home.glob("Notes/plumber*"))


def test_an_answer_given_elsewhere_closes_the_card(page: Tab, running: Installation) -> None:
    page.ask(WRITES.format(title="phone"))
    page.until("document.querySelector('.card')")
    with running.client() as client:
        client.approve(client.approvals()[0]["run"], "no")
    page.until("!document.querySelector('.card')")


def test_a_run_of_the_command_line_shows_up_and_can_be_answered_here(page: Tab, running: Installation) -> None:
    with running.client() as client:
        run = client.ask(WRITES.format(title="cellar"), conversation="c-elsewhere")
        page.until("!document.getElementById('waiting').hidden")
        page.click("#waiting")
        page.click(".card [data-answer=no]")
        page.until("!document.querySelector('.card [data-answer=no]')")
        assert client.view(run, wait=True)["resolution"] == "blocked"


def test_what_one_skill_does_with_one_place_is_one_line(page: Tab, running: Installation) -> None:
    (running.home / "Barn").mkdir(exist_ok=True)
    (running.home / "Barn/hay.txt").write_text("hay")
    page.ask("delete the largest file in Barn")
    page.until("document.querySelector('.card .rights li')")
    said = page.js("[...document.querySelectorAll('.card .rights .what')].map((one) => one.innerText)")
    assert len(said) == 1, said
    assert all(word in said[0] for word in ("read", "remove", "~/Barn"))
    assert page.js("document.querySelectorAll('.card .rights .dim').length") == 3, "each reason once"
    page.click(".card .no")


def test_what_waits_elsewhere_is_listed_and_declined_from_there(page: Tab, running: Installation) -> None:
    with running.client() as client:
        run = client.ask(WRITES.format(title="attic"), conversation="c-elsewhere")
        page.until("document.querySelector('#waits li')")
        assert page.text("#waits .words") == WRITES.format(title="attic")
        page.click("#waits .no")
        page.until("!document.querySelector('#waits li')")
        assert client.view(run, wait=True)["error"]["code"] == "approval.refused"
    page.until("document.getElementById('waits-part').hidden")
    assert not list(running.home.glob("Notes/attic*"))


def test_what_is_sent_before_the_last_was_taken_follows_it(page: Tab) -> None:
    for text in ("what is 20 + 1", "what is 20 + 2", "what is 20 + 2"):
        page.ask(text)
    page.until("document.querySelectorAll('.run .more').length === 2")
    assert page.js("document.getElementById('text').value") == ""
    said = "[...document.querySelectorAll('.run .said')].map(one => one.innerText)"
    assert page.js(said) == ["what is 20 + 1", "what is 20 + 2"]


def test_an_answer_is_called_by_its_request_among_the_recent(page: Tab, running: Installation) -> None:
    for folder in ("Ledgers", "Folios"):
        (running.home / folder).mkdir(exist_ok=True)
        (running.home / folder / "twofold.txt").write_text(folder)
    page.ask("delete twofold.txt")
    page.until("document.querySelector('.choices button')")
    assert page.text(".choices button").startswith("~/")
    page.ask("1")
    title = "document.querySelector('#recent .entry .words').innerText"
    page.until(f"{title} === 'delete twofold.txt → 1'")
    page.click(".card .no")
    page.call("Page.reload")
    page.until(f"{title} === 'delete twofold.txt → 1'")
    shape = "getComputedStyle(document.querySelector('#recent .entry .words'))"
    assert page.js(f"{shape}.whiteSpace") == "normal", "long titles go on in a second line"


def test_a_table_needs_no_box_that_scrolls(page: Tab, running: Installation) -> None:
    rows = "".join(f"2026-01-{1 + n % 28:02},Quarterly invoice of the north {n},{n}.50\n" for n in range(45))
    (running.home / "ledger.csv").write_text("date,what it was for,amount\n" + rows)
    page.settle("show ledger.csv")
    box = "document.querySelector('.result .scroll')"
    page.until(box)
    assert page.js(f"{box}.scrollHeight <= {box}.clientHeight + 1"), "the page scrolls, not the table in it"
    page.look(390, 800)
    try:
        assert page.js(f"{box}.scrollWidth <= {box}.clientWidth"), "nothing is cut at the side"
        assert page.js("document.documentElement.scrollWidth") == 390
        height = "document.querySelector('.result td').getBoundingClientRect().height"
        assert page.js("document.querySelector('.result td').className") == "short whole", height
    finally:
        page.look_away()


def test_markup_from_a_request_is_only_ever_text(page: Tab) -> None:
    page.ask("<img src=x onerror=document.title='owned'><b>bold</b> \u202etxt")
    page.until("document.querySelector('.badge:not([data-resolution=pending]), .card')")
    assert "<img src=x" in page.text(".said")
    assert "\\u{202e}" in page.text(".said")
    assert page.js("document.querySelectorAll('.said *, .answer *, .words *, .runs img').length") == 0
    assert "owned" not in str(page.js("document.title"))


def test_the_policy_forbids_what_an_injection_would_need(page: Tab) -> None:
    assert (
        page.js("(() => { try { document.body.innerHTML = '<p>x'; return true } catch { return false } })()") is False
    )
    assert page.js("(() => { try { return eval('1') } catch { return 0 } })()") == 0
    assert page.js("fetch('http://127.0.0.1:1/').then(() => 1, () => 0)") == 0


def test_it_fits_a_small_screen_and_has_a_name_for_everything(page: Tab) -> None:
    page.ask(WRITES.format(title="a-very-long-title-without-any-space-that-could-push-the-page-wider-than-the-screen"))
    page.until("document.querySelector('.card, .more')")
    page.look(360, 740)
    try:
        assert page.js("document.documentElement.scrollWidth") == 360
        named = "e.innerText || e.labels?.length"
        nameless = (
            f"[...document.querySelectorAll('button, textarea')].filter(e => e.checkVisibility() && !({named})).length"
        )
        assert page.js(nameless) == 0
    finally:
        page.look_away()


# --- pages that attack -------------------------------------------------------------------------------------------

ATTACK = """
(async () => {
  const target = "TARGET", found = {};
  const sent = (name, promise) =>
    promise.then((answer) => answer.text()).then((text) => { found[name] = text }, () => { found[name] = null });
  await sent("read", fetch(target + "/api/v1/status", {credentials: "include"}));
  await sent("blind", fetch(target + "/api/v1/runs", {method: "POST", mode: "no-cors", credentials: "include",
    headers: {"Content-Type": "text/plain"}, body: '{"text": "what is 1 + 1"}'}));
  await sent("json", fetch(target + "/api/v1/runs", {method: "POST", credentials: "include",
    headers: {"Content-Type": "application/json"}, body: '{"text": "what is 1 + 1"}'}));
  await sent("tab", fetch(target + "/api/v1/session/tab", {method: "POST", credentials: "include"}));
  found.socket = await new Promise((done) => {
    const socket = new WebSocket(target.replace("http", "ws") + "/api/v1/events");
    socket.onopen = () => done("open"); socket.onerror = () => done(null);
  });
  found.frame = await new Promise((done) => {
    const frame = document.createElement("iframe");
    frame.onload = () => { try { done(frame.contentDocument ? "readable" : null) } catch { done(null) } };
    frame.src = target + "/"; document.body.append(frame);
  });
  found.script = await new Promise((done) => {
    const script = document.createElement("script");
    script.onload = () => done("loaded"); script.onerror = () => done(null);
    script.src = target + "/static/js/app.js"; document.body.append(script);
  });
  return found;
})()
"""


@pytest.fixture
def attacker() -> Iterator[int]:
    """A page of somebody else on another loopback port."""

    class Blank(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<!doctype html><title>evil</title><body>")

        def log_message(self, *words: object) -> None:
            del words

    with ThreadingHTTPServer(("127.0.0.1", 0), Blank) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "evil.test"])
@pytest.mark.parametrize("target", ["127.0.0.1", "localhost"])
def test_a_page_on_another_port_gets_nothing_and_starts_nothing(
    page: Tab, running: Installation, attacker: int, host: str, target: str
) -> None:
    port = running.steward("status", "--json").json["address"].rpartition(":")[2]
    before = running.steward("runs", "--json").json
    page.open(f"http://{host}:{attacker}/")
    page.until("document.title === 'evil'")
    found = page.js(ATTACK.replace("TARGET", f"http://{target}:{port}"))
    assert {*found} == {"read", "blind", "json", "tab", "socket", "frame", "script"}
    assert {*found.values()} == {None}, found
    assert running.steward("runs", "--json").json == before
    own = page.js(ATTACK.replace("TARGET", f"http://{host}:{attacker}"))
    assert own["read"], "the attack itself works where no guard stands"
    assert own["frame"] == "readable"


def test_a_rebinding_name_does_not_even_get_the_page(page: Tab, running: Installation) -> None:
    port = running.steward("status", "--json").json["address"].rpartition(":")[2]
    page.open(f"http://evil.test:{port}/")
    page.until("document.body.innerText.includes('host.refused')")
