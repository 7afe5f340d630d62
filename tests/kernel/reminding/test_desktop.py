"""Notifications over a real session bus: shown as they are, never as markup, and said where they cannot be."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from kernel.desktop import Notices, notify
from tests.kernel.reminding.conftest import Bus


def on(bus: Bus) -> Notices:
    return Notices({"DBUS_SESSION_BUS_ADDRESS": bus.address})


def test_a_notification_is_shown(bus: Bus) -> None:
    assert on(bus).show("Timers", "5 minutes are over: Übung.") == ""
    assert bus.shown == [("Timers", "5 minutes are over: Übung.")]
    assert on(bus).state() == (True, "shown by Tester 1.0")


def test_what_is_said_is_no_markup_and_nothing_in_it_is_hidden(bus: Bus) -> None:
    evil = '<a href="https://evil.example">Your bank</a><img src="/etc/passwd"> & \x1b[2J\u202e'
    assert on(bus).show("T\x07", evil) == ""
    ((title, body),) = bus.shown
    assert "<" not in body
    assert "&lt;a href=" in body
    assert not set("\x1b\u202e\x07") & set(title + body)


async def test_a_notice_stands_on_no_command_line(bus: Bus, monkeypatch: pytest.MonkeyPatch) -> None:
    def started(*_: object, **__: object) -> None:
        raise AssertionError("a program was started")

    monkeypatch.setattr("asyncio.create_subprocess_exec", started)
    monkeypatch.setattr("subprocess.Popen", started)
    assert await notify("Title", "one <b>\ntwo", {"DBUS_SESSION_BUS_ADDRESS": bus.address})
    assert bus.shown == [("Title", "one &lt;b&gt;\ntwo")]
    bus.answers = False
    assert not await notify("Title", "one", {"DBUS_SESSION_BUS_ADDRESS": bus.address})


def test_a_very_long_text_is_cut(bus: Bus) -> None:
    assert on(bus).show("Timers", "x" * 100_000) == ""
    assert len(bus.shown[0][1]) < 1000


def test_a_refusal_is_said_without_what_does_not_show(bus: Bus) -> None:
    bus.answers = False
    why = on(bus).show("Timers", "tea")
    assert "no program shows notifications" in why
    assert "\x1b" not in why


def test_a_bus_without_a_service_is_said(session: str) -> None:
    desktop = Notices({"DBUS_SESSION_BUS_ADDRESS": session})
    assert "no program shows notifications" in desktop.show("Timers", "tea")
    assert desktop.state()[0] is False


@pytest.mark.parametrize(
    ("environ", "why"),
    [
        ({"XDG_RUNTIME_DIR": "/nowhere"}, "no desktop session"),
        ({"DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere/bus"}, "does not answer"),
        ({"DBUS_SESSION_BUS_ADDRESS": "nonsense"}, "does not answer"),
    ],
)
def test_without_a_bus_it_is_said_and_nothing_is_raised(environ: dict[str, str], why: str) -> None:
    assert why in Notices(environ).show("Timers", "tea")
    assert Notices(environ).state()[0] is False


def test_a_bus_that_never_answers_holds_nothing_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import socket

    monkeypatch.setattr("kernel.desktop.notices.PATIENCE_S", 0.3)
    with socket.socket(socket.AF_UNIX) as deaf:
        deaf.bind(str(tmp_path / "bus"))
        deaf.listen(1)
        began = time.monotonic()
        assert Notices({"XDG_RUNTIME_DIR": str(tmp_path)}).show("Timers", "tea")
        assert time.monotonic() - began < 5
