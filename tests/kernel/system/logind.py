"""A bus of its own with a service on it that answers as logind does: the test says whether the person is idle."""

from __future__ import annotations

import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

PATH = "/org/freedesktop/login1/user/_1000"
USER = "org.freedesktop.login1.User"


def awake_s() -> float:
    """The clock of a machine that was started long ago: the one that runs the tests may have been a minute ago."""
    return time.monotonic() + 1e6


class Logind:
    """Answers what is asked of it until its connection ends, each time after ``slow_s``."""

    slow_s = 0.0

    def __init__(self, address: str, *, is_known: bool = True) -> None:
        from jeepney import message_bus
        from jeepney.io.blocking import Proxy, open_dbus_connection

        self.address, self._is_known = address, is_known
        self._idle, self._since_us = False, 0
        self._connection = open_dbus_connection(bus=address)
        Proxy(message_bus, self._connection).RequestName("org.freedesktop.login1")
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def tell(self, *, idle: bool, ago_s: float = 0.0) -> None:
        """The desktop says that nobody has used the machine for so long, or that somebody does again."""
        from jeepney import DBusAddress, new_signal

        self._idle, self._since_us = idle, int((awake_s() - ago_s) * 1e6)
        at = DBusAddress(PATH, interface="org.freedesktop.DBus.Properties")
        told = {"IdleHint": ("b", idle), "IdleSinceHintMonotonic": ("t", self._since_us)}
        self._connection.send(new_signal(at, "PropertiesChanged", "sa{sv}as", (USER, told, [])))

    def close(self) -> None:
        """End it."""
        with suppress(OSError):
            self._connection.sock.shutdown(2)
        self._thread.join(5)
        self._connection.close()

    def _serve(self) -> None:
        with suppress(Exception):
            while True:
                time.sleep(self.slow_s)
                self._answer(self._connection.receive())

    def _answer(self, message: Any) -> None:
        from jeepney import HeaderFields, MessageType, new_error, new_method_return

        if message.header.message_type is not MessageType.method_call:
            return
        match message.header.fields.get(HeaderFields.member):
            case "GetUser" if self._is_known:
                reply = new_method_return(message, "o", (PATH,))
            case "GetAll":
                told = {"IdleHint": ("b", self._idle), "IdleSinceHintMonotonic": ("t", self._since_us)}
                reply = new_method_return(message, "a{sv}", (told,))
            case _:
                reply = new_error(message, "org.freedesktop.login1.NoSuchUser", "s", ("no such user",))
        self._connection.send(reply)


@contextmanager
def bus_in(folder: Path) -> Iterator[str]:
    """Start a bus below a folder."""
    program = shutil.which("dbus-daemon")
    if program is None:
        pytest.skip("needs dbus-daemon: apt install dbus")
    started = subprocess.Popen(
        [program, "--session", "--nofork", "--print-address", f"--address=unix:dir={folder}"],
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert started.stdout is not None
    try:
        yield started.stdout.readline().strip()
    finally:
        started.terminate()
        started.wait(10)
        started.stdout.close()
