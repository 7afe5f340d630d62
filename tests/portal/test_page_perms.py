"""Standing permissions on the page: whatever a grant is called, its words and its button keep apart."""

from __future__ import annotations

from typing import Any

import pytest

from tests.portal.browser import MARKS, Tab

Installation = Any  # tests/portal/conftest.py

pytestmark = [*MARKS, pytest.mark.slow]

LONG = "~/Documents/" + "a_folder_with_a_very_long_name_that_breaks_nowhere" * 3
OVERLAPS = """[...document.querySelectorAll('#perms li')].filter((entry) => {
  const words = document.createRange(), button = entry.querySelector('button')?.getBoundingClientRect();
  words.selectNodeContents(entry.querySelector('.words'));
  const side = document.getElementById('side').getBoundingClientRect();
  return [...words.getClientRects()].some((one) => one.right > side.right || (button && one.right > button.left
    && one.left < button.right && one.bottom > button.top && one.top < button.bottom));
}).map((entry) => entry.innerText)"""


@pytest.mark.parametrize("size", [(360, 740), (1280, 800)], ids=["narrow", "wide"])
def test_a_long_grant_does_not_run_into_its_button(page: Tab, running: Installation, size: tuple[int, int]) -> None:
    assert running.steward("perms", "grant", "files", f"fs.read:{LONG}").code == 0
    assert running.steward("perms", "deny", "files", f"fs.write:{LONG}").code == 0
    try:
        page.look(*size)
        if size[0] < 960:
            page.click("#menu")
        page.until("document.querySelectorAll('#perms li').length >= 2")
        assert page.js("document.querySelector('#perms button').getBoundingClientRect().width > 0"), "it is seen"
        assert page.js(OVERLAPS) == []
    finally:
        page.look_away()
