"""The models on the page: which, for what and what each may see; one can be tested there, and nothing set."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("openai", reason="install the extra: ./steward setup models")

from tests.kernel.models.acts import able
from tests.kernel.models.server import served
from tests.portal.browser import MARKS, Tab

Installation = Any  # tests/portal/conftest.py

pytestmark = [*MARKS, pytest.mark.models]


def test_a_model_is_shown_with_what_it_sees_and_tested_with_one_click(page: Tab, running: Installation) -> None:
    page.click_open("#models-part")
    page.until("document.querySelectorAll('#models li.dim').length === 1")
    assert "models detect" in page.text("#models")
    page.js("document.querySelector('#models-part summary').click()")
    with served(able(schema=True, tools=True)) as server:
        server.models = ("<img src=x onerror=alert(1)>",)
        assert running.steward("models", "set", "near", "--url", server.url, "--model", server.models[0]).code == 0
        assert running.steward("models", "use", "planner", "near").code == 0
        page.js("document.querySelector('#models-part summary').click()")
        page.until("document.querySelectorAll('#models button').length === 1")
        shown = page.text("#models")
        assert all(one in shown for one in ("near", "planner", f"127.0.0.1:{server.port}", "stays on this machine"))
        assert page.js("document.querySelector('#models img')") is None
        page.click("#models button")
        page.until("document.querySelector('#models [role=status]').textContent.includes('tokens')")
        assert "forms by schema" in page.text("#models")
    assert not page.noise, page.noise
