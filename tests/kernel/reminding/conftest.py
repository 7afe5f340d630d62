"""A session bus of its own, with a program on it that takes notifications, over real sockets."""

from __future__ import annotations

import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import pytest


@dataclass(slots=True)
class Bus:
    """The address of a session bus, and what was notified on it: title, body."""

    address: str
    shown: list[tuple[str, str]] = field(default_factory=list)
    answers: bool = True

    def serve(self, connection: Any) -> None:
        """Answer what is asked of the notification service until the connection ends."""
        from jeepney import MessageType, new_error, new_method_return

        with suppress(Exception):
            while True:
                message = connection.receive()
                if message.header.message_type is not MessageType.method_call:
                    continue
                match message.header.fields.get(3):  # the member
                    case "Notify" if self.answers:
                        self.shown.append((message.body[3], message.body[4]))
                        reply = new_method_return(message, "u", (len(self.shown),))
                    case "GetServerInformation":
                        reply = new_method_return(message, "ssss", ("Tester", "us", "1.0", "1.2"))
                    case _:
                        reply = new_error(message, "org.freedesktop.DBus.Error.Failed", "s", ("not \x1b[2J now",))
                connection.send(reply)


@pytest.fixture
def session(tmp_path: Any) -> Iterator[str]:
    """A session bus without anybody on it."""
    program = shutil.which("dbus-daemon")
    if program is None:
        pytest.skip("needs dbus-daemon: apt install dbus")
    started = subprocess.Popen(
        [program, "--session", "--nofork", "--print-address", f"--address=unix:dir={tmp_path}"],
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert started.stdout is not None
    yield started.stdout.readline().strip()
    started.terminate()
    started.wait(10)
    started.stdout.close()


@pytest.fixture
def bus(session: str) -> Iterator[Bus]:
    """A session bus with a notification service."""
    from jeepney import message_bus
    from jeepney.io.blocking import Proxy, open_dbus_connection

    made, connection = Bus(session), open_dbus_connection(bus=session)
    Proxy(message_bus, connection).RequestName("org.freedesktop.Notifications")
    thread = threading.Thread(target=made.serve, args=(connection,), daemon=True)
    thread.start()
    yield made
    with suppress(OSError):
        connection.sock.shutdown(2)
    thread.join(5)
    connection.close()
