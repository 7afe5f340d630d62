"""The permissions on the page: what stands is shown as text, and a grant is taken back with one click."""

from __future__ import annotations

from typing import Any

from tests.portal.browser import MARKS, Tab

Installation = Any  # tests/portal/conftest.py

pytestmark = MARKS


def test_a_grant_appears_when_it_is_given_and_goes_with_one_click(page: Tab, running: Installation) -> None:
    assert page.js("document.getElementById('perms-part').hidden") is True
    evil = "<img src=x onerror=alert(1)>\u202e"
    given = running.steward("perms", "grant", "files", "fs.read:~/Music/**", "--why", evil, "--json").json["grant"]
    page.until("document.querySelectorAll('#perms li').length === 1")
    assert "fs.read:~/Music/**" in page.text("#perms")
    assert page.js("document.querySelector('#perms img')") is None
    page.click("#perms button")
    page.until("document.getElementById('perms-part').hidden")
    assert given not in [grant["id"] for grant in running.steward("perms", "--json").json["grants"]]
    assert not page.noise, page.noise
