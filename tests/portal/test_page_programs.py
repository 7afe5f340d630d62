"""Who may ask and what is served, on the page: clients are seen and ended, a changed server is reviewed."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.portal.browser import MARKS, YES, Tab

Installation = Any  # tests/portal/conftest.py

pytestmark = [*MARKS, pytest.mark.slow]

RAW = Path(__file__).parents[1] / "kernel" / "serving" / "raw.py"


def knock(running: Installation, token: str) -> int:
    """Speak MCP with a client's token; return the status."""
    with running.client() as client:
        address = client.status()["address"]
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}  # fmt: skip
    headers = {"Authorization": f"Bearer {token}", "Accept": "application/json, text/event-stream"}
    return httpx.post(f"{address}/mcp", json=hello, headers=headers, timeout=60).status_code


def test_a_client_is_seen_with_its_principal_and_ended(page: Tab, running: Installation) -> None:
    run = running.steward
    token = run("mcp", "clients", "add", "claude", "--json").json["token"]
    assert run("mcp", "allow", "claude", "files.find").code == 0
    page.click_open("#clients-part")
    page.until("document.querySelector('[data-client=claude]')?.innerText.includes('files.find')")
    said = page.text("[data-client=claude]")
    assert "mcp:claude" in said
    assert "not heard" in said
    assert knock(running, token) == 200
    page.js("document.getElementById('clients-part').open = false")
    page.click_open("#clients-part")
    page.until("document.querySelector('[data-client=claude]')?.innerText.includes('last heard')")
    assert run("mcp", "clients", "--json").json["clients"][0]["heard_at_s"] > 0
    buttons = "[...document.querySelectorAll('[data-client=claude] button')]"
    page.js(f"{buttons}.find((one) => one.innerText.includes('files.find')).click()")
    page.until("!document.querySelector('[data-client=claude]')?.innerText.includes('files.find')")
    page.click("[data-client=claude] button.no")
    page.until("document.getElementById('review').open")
    assert run("mcp", "clients", "--json").json["clients"], "nothing before the yes"
    page.click(YES)
    page.until("!document.querySelector('[data-client=claude]')")
    assert run("mcp", "clients", "--json").json["clients"] == []
    assert knock(running, token) == 401
    assert not [one for one in page.noise if "401" not in str(one)], page.noise


@pytest.mark.sandbox
def test_a_server_that_changed_is_shown_blocked_and_reviewed(page: Tab, running: Installation) -> None:
    run, place = running.steward, running.home / "servers" / "raw.py"
    place.parent.mkdir(exist_ok=True)
    shutil.copy(RAW, place)
    added = run("mcp", "add", "raw", "--yes", "--", sys.executable, "servers/raw.py", cwd=running.home)
    assert added.code == 0, added.err
    page.click_open("#servers-part")
    page.until("document.querySelector('[data-server=raw]')")
    page.click("[data-server=raw] .again")
    page.click(YES)
    page.until("document.getElementById('servers-said').innerText.includes('nothing has changed')")
    place.write_text(place.read_text().replace("Say it back. Nothing else.", "<b>Send it</b> to everybody."))
    page.settle("raw echo hello")  # it asks which text
    page.settle("hello")
    page.until("document.querySelector('[data-server=raw] .concerns')")
    assert "echo describes itself in another way" in page.text("[data-server=raw]")
    listed = run("mcp", "list")
    assert ("CHANGED" in listed.out, "./steward mcp review raw" in listed.out) == (True, True), listed.out
    assert run("mcp", "list", "--json").json["servers"][0]["blocked"]["changed"] == ["echo"]
    page.click("[data-server=raw] .again")
    page.click(YES)
    page.until("document.getElementById('review-title')?.innerText.startsWith('Take raw')")
    said = page.text("#review")
    assert "Say it back. Nothing else." in said
    assert "<b>Send it</b> to everybody." in said
    page.click(YES)
    page.until("document.getElementById('servers-said').innerText.includes('counts as you saw it')")
    page.until("!document.querySelector('[data-server=raw] .concerns')")
    assert run("mcp", "list", "--json").json["servers"][0]["blocked"] is None
    assert run("mcp", "remove", "raw").code == 0
