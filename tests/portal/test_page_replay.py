"""A run is replayed on the page, among its details."""

from __future__ import annotations

from tests.portal.browser import MARKS, Tab

pytestmark = MARKS


def test_the_page_replays_a_run_among_its_details(page: Tab) -> None:
    page.settle("what is 2 + 3")
    page.click_open(".run .more")
    page.until("document.querySelector('.run [data-act=replay]')")
    assert page.js("(one => { one.click(); return one.disabled; })(document.querySelector('.run [data-act=replay]'))")
    page.until("document.querySelector('.run .replayed .answer')")
    assert not page.js("document.querySelector('.run [data-act=replay]').disabled")
    assert page.text(".run .replayed .answer").startswith("It comes out as it did then")
    assert page.js("document.querySelector('.run .replayed .answer').dataset.same") == "true"
    assert "Files and folders are those of today" in page.text(".run .replayed")
