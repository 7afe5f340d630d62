"""A headless Chromium for the tests of the page, driven over its debugging protocol."""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
import threading
import time
import urllib.request
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import connect

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
MARKS = [
    pytest.mark.browser,
    pytest.mark.skipif(BROWSER is None, reason="no Chromium here; install it: apt-get install chromium"),
]
YES, NO = "#review [data-answer=yes]", "#review [data-answer=no]"
KEYS = {"Enter": 13, "Escape": 27, "ArrowUp": 38, "ArrowDown": 40, "Tab": 9}
LEAN = [
    "--disable-extensions", "--disable-background-networking", "--disable-component-update", "--no-first-run",
    "--disable-breakpad", "--mute-audio",
]  # fmt: skip
"""What a browser of a person does beside showing a page, and a test does not need."""
NOISE = {"Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled"}


class Tab:
    """One tab of a headless Chromium, driven over its debugging protocol."""

    def __init__(self, profile: Path) -> None:
        assert BROWSER is not None
        flags = ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", "--window-size=1280,900"]
        flags += LEAN
        rules = "--host-resolver-rules=MAP evil.test 127.0.0.1"
        command = [BROWSER, *flags, rules, f"--user-data-dir={profile}", "about:blank"]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        assert self.process.stderr is not None
        found = next(filter(None, (re.search(r"ws://[\d.]+:(\d+)/", line) for line in self.process.stderr)))
        self._drain = threading.Thread(target=self.process.stderr.read, daemon=True)
        self._drain.start()
        with urllib.request.urlopen(f"http://127.0.0.1:{found[1]}/json") as answer:
            pages = json.load(answer)
        socket = next(page for page in pages if page["type"] == "page")["webSocketDebuggerUrl"]
        self._open = ExitStack()
        self.wire = self._open.enter_context(connect(socket, max_size=None))
        self.count = 0
        self.noise: list[Any] = []
        self.asked_for: list[str] = []
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> Any:
        """Send one command and return its result; what the page complains about is kept in ``noise``."""
        self.count += 1
        self.wire.send(json.dumps({"id": self.count, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.wire.recv(timeout=30))
            if message.get("id") == self.count:
                assert "error" not in message, message
                return message["result"]
            if message.get("method") in NOISE:
                self.noise.append(message["params"])
            if message.get("method") == "Network.requestWillBeSent":
                self.asked_for.append(message["params"]["request"]["url"])

    def js(self, code: str) -> Any:
        """Run code in the page and return its value, None when it throws."""
        result = self.call("Runtime.evaluate", expression=code, awaitPromise=True, returnByValue=True,
                           allowUnsafeEvalBlockedByCSP=False)  # fmt: skip
        return None if "exceptionDetails" in result else result["result"].get("value")

    def until(self, condition: str, longest_s: float = 60) -> None:
        """Wait until a condition holds in the page."""
        deadline = time.monotonic() + longest_s
        while not self.js(f"!!({condition})"):
            assert time.monotonic() < deadline, (condition, self.js("document.body.innerText"), self.noise)
            time.sleep(0.03)

    def open(self, url: str) -> None:
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=url)

    def text(self, selector: str) -> str:
        return str(self.js(f"document.querySelector({json.dumps(selector)})?.innerText ?? ''"))

    def click(self, selector: str) -> None:
        """Click what this finds as soon as it can be clicked: found and clicked in one step, or it may be another."""
        one = f"document.querySelector({json.dumps(selector)})"
        self.until(f"{one} && !{one}.disabled && ({one}.click(), true)")

    def click_open(self, selector: str) -> None:
        """Open a part of the page that is folded, as soon as it is there, on the screen where it is."""
        one = f"document.querySelector({json.dumps(selector)})"
        self.to_screen_of(selector)
        self.until(f"{one} && ({one}.open = true)")

    def to_screen_of(self, selector: str) -> None:
        """Go to the screen where this is, as a person does, unless it is in sight."""
        self.until(f"document.querySelector({json.dumps(selector)})")
        at = f"document.querySelector({json.dumps(selector)}).closest('main[hidden][data-screen]')?.dataset.screen"
        if screen := self.js(at):
            self.click(f"#rail [data-screen={screen}]")

    def ask(self, text: str) -> None:
        self.js(f"document.getElementById('text').value = {json.dumps(text)}")
        self.js("document.getElementById('ask').requestSubmit()")

    def settle(self, text: str) -> None:
        """Ask, say yes to whatever is asked, and wait for the end."""
        before = self.js("document.querySelectorAll('.run').length")
        self.ask(text)
        last = f"document.querySelectorAll('.run')[{before}]"
        while True:
            self.until(f"{last}?.querySelector('.more') || {last}?.querySelector('.card [data-answer=once]:enabled')")
            if self.js(f"!!{last}.querySelector('.more')"):
                return
            self.js(f"{last}.querySelector('.card [data-answer=once]').click()")
            self.until(f"!{last}.querySelector('.card [data-answer=once]:enabled')")

    def press(self, key: str, *, shift: bool = False) -> None:
        """Press and release a key, as a keyboard does."""
        known: dict[str, Any] = {"key": key, "modifiers": 8 if shift else 0}
        if key in KEYS:
            known |= {"windowsVirtualKeyCode": KEYS[key], "code": key}
        typed = {"text": "\r"} if key == "Enter" else {} if key in KEYS else {"text": key}
        self.call("Input.dispatchKeyEvent", type="keyDown", **known, **typed)
        self.call("Input.dispatchKeyEvent", type="keyUp", **known)

    def type(self, text: str) -> None:
        """Type into whatever has the focus."""
        self.call("Input.insertText", text=text)

    def speak(self, language: str) -> None:
        """Make this a browser of a person who reads ``language``; counts from the next page on."""
        agent = self.js("navigator.userAgent")
        self.call("Emulation.setUserAgentOverride", userAgent=agent, acceptLanguage=language)

    def look(self, width: int, height: int, scheme: str = "light") -> None:
        """Give the page a size and a colour scheme."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=True)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def look_away(self) -> None:
        """Take size and colour scheme back."""
        self.call("Emulation.clearDeviceMetricsOverride")
        self.call("Emulation.setEmulatedMedia", features=[])

    def picture(self) -> bytes:
        """Return what is on the screen, as PNG."""
        return base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])

    def close(self) -> None:
        self._open.close()
        self.process.terminate()
        self.process.wait(20)
        self._drain.join(5)
        if self.process.stderr is not None:
            self.process.stderr.close()


def link(installation: Any) -> str:
    """Return a link that signs one browser in."""
    with installation.client() as client:
        return str(client.login_link()["url"])


def signed_in(tab: Tab, installation: Any) -> None:
    """Open the page, signed in, with an empty conversation."""
    tab.open(link(installation))
    tab.until("document.getElementById('link')?.dataset.state === 'live'")
    tab.js("document.getElementById('fresh').click()")
    tab.js("text.value = ''; text.dispatchEvent(new Event('input'))")
    tab.until("!document.getElementById('empty').hidden && !document.querySelector('.run')")
    tab.noise.clear()
    tab.asked_for.clear()
