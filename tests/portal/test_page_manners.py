"""What is shown unasked, on the page: how often a day, when not, and what offers come of."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from tests.portal.browser import MARKS, Tab, signed_in
from tests.portal.conftest import Installation

pytestmark = [*MARKS, pytest.mark.slow]

SAID = "document.getElementById('manners-said')"


@pytest.fixture
def as_before(running: Installation) -> Iterator[None]:
    """Leave the manners and the sources as they were."""
    yield
    with running.client() as client:
        client.set_manners(12, "22-7")
        client.switch_offers("time", on=True)
        client.switch_ahead("time", on=True)


def filled(page: Tab, attention: str, hours: str) -> None:
    """Open the panel, and send other manners."""
    page.click_open("#manners-part")
    page.until("document.getElementById('attention').value")
    page.js(f"document.getElementById('attention').value = {attention!r}")
    page.js(f"document.getElementById('quiet-hours').value = {hours!r}")
    page.click("#manners button")


@pytest.mark.usefixtures("as_before")
def test_the_budget_and_the_quiet_hours_are_shown_and_set_and_kept(page: Tab, running: Installation) -> None:
    page.click_open("#manners-part")
    page.until("document.getElementById('attention').value === '12'")
    assert page.js("document.getElementById('quiet-hours').value") == "22-7"
    filled(page, "5", "")
    page.until(f"{SAID}.innerText === 'It counts from now on.'")
    assert page.text("#manners-now") == "Today 5 times are left."
    assert running.steward("config", "get", "attention", "--json").json["value"] == 5
    assert running.steward("config", "get", "quiet_hours", "--json").json["value"] == ""
    filled(page, "5", "0-24")
    page.until("document.getElementById('manners-now').innerText.startsWith('These are quiet hours')")
    assert running.steward("offers", "list", "--json").json["quiet"] is True, "it counts at once"
    assert not page.noise, page.noise


@pytest.mark.usefixtures("as_before")
@pytest.mark.parametrize(("attention", "hours", "says"), [
    ("5", "at night", "are no hours"), ("-1", "22-7", "attention"), ("5000", "22-7", "attention"), ("", "22-7", ""),
])  # fmt: skip
def test_what_is_none_is_said_and_changes_nothing(
    page: Tab, running: Installation, attention: str, hours: str, says: str
) -> None:
    filled(page, attention, hours)
    page.until(f"{SAID}.className === 'error' && {SAID}.innerText")
    assert says in page.text("#manners-said")
    assert running.steward("config", "get", "attention", "--json").json["value"] == 12


@pytest.mark.usefixtures("as_before")
@pytest.mark.parametrize(("box", "route", "told"), [
    ("[data-source=time]", "/sources/time", ("offers", "list")),
    ("[data-ahead=time]", "/ahead/time", ("offers", "ahead")),
])  # fmt: skip
def test_a_source_is_turned_off_and_on_in_the_language_of_the_browser(
    tab: Tab, running: Installation, box: str, route: str, told: tuple[str, str]
) -> None:
    tab.speak("de-DE")
    try:
        signed_in(tab, running)
        tab.click_open("#manners-part")
        tab.until(f"document.querySelector('{box}')?.checked")
        assert "dem, was du um diese Zeit tust" in tab.text(f"li:has({box})")
        for on in (False, True):
            tab.click(box)
            tab.until(f"document.querySelector('{box}').checked === {str(on).lower()}")
            tab.until(f"performance.getEntriesByType('resource').filter((one) => one.name.endsWith('{route}'))"
                      f".length === {1 if not on else 2}")  # fmt: skip
            assert running.steward(*told, "--json").json["sources"]["time"] is on
    finally:
        tab.speak("en-US")


def test_a_source_that_cannot_be_turned_stays_as_it_is(page: Tab) -> None:
    page.click_open("#manners-part")
    page.until("document.querySelector('[data-source=time]')?.checked")
    page.js("window.fetch = ((real) => (url, more) => real(url.replace('/sources/time', '/sources/none'), more))"
            "(window.fetch)")  # fmt: skip
    page.click("[data-source=time]")
    page.until(f"{SAID}.className === 'error'")
    assert "There is no source none" in page.text("#manners-said")
    assert page.js("document.querySelector('[data-source=time]').checked") is True


def test_what_the_environment_sets_is_refused(tmp_path_factory: pytest.TempPathFactory) -> None:
    made = Installation(tmp_path_factory.mktemp("manners"), {"STEWARD_QUIET_HOURS": "1-2"})
    made.home.mkdir(mode=0o700)
    with made.daemon(), made.client() as client:
        assert client.set_manners(3, "1-2")["attention"] == 3
        with pytest.raises(Exception, match="The environment of the daemon sets quiet_hours"):
            client.set_manners(3, "22-7")


def test_no_program_sets_them(running: Installation) -> None:
    token = running.places.token.read_text().strip()
    with running.client() as client:
        address = client.status()["address"]
    headers = {"Authorization": f"Bearer {token}"}
    body = {"attention": 1000, "quiet_hours": ""}
    assert httpx.put(f"{address}/api/v1/manners", json=body, headers=headers).status_code == 403
