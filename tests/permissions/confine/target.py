"""What the escape list attacks: another program of the same user, with everything that one could reach for."""

from __future__ import annotations

import ctypes
import os
import select
import signal
import socket
from contextlib import suppress
from typing import Any

from attacks import LIBC, call  # it lies beside this file

_KEPT: list[Any] = []


def be_target(secret: str) -> dict[str, Any]:
    """Have everything that one could attack; returns how to find it. The caller keeps this process alive."""
    held = os.open(secret, os.O_RDONLY)
    room = ctypes.create_string_buffer(b"its-memory")
    segment = LIBC.shmget(0, 4096, 0o600 | 0o1000)
    LIBC.shmat.restype = ctypes.c_void_p
    ctypes.memmove(LIBC.shmat(segment, None, 0), b"its-shared", 10)
    LIBC.shmctl(segment, 0, None)  # it goes when we go
    name = f"steward-target-{os.getpid()}"
    with open(f"/dev/shm/{name}", "w") as file:
        file.write("its-shared")
    messages = call((240, 180), name.encode(), os.O_CREAT | os.O_RDWR, 0o600, 0)
    tcp, udp = socket.create_server(("127.0.0.1", 0)), socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    udp.bind(("127.0.0.1", 0))
    named, abstract = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)
    named.bind(os.path.join(os.path.dirname(secret), f"{os.getpid()}.socket"))
    abstract.bind(f"\0{name}")
    for one in (named, abstract):
        one.listen(64)
    _KEPT.extend([room, messages, tcp, udp, named, abstract])
    return {"pid": os.getpid(), "held": held, "address": ctypes.addressof(room), "segment": segment, "name": name,
            "tcp": tcp.getsockname()[1], "udp": udp.getsockname()[1], "named": named.getsockname(),
            "abstract": f"@{name}", "sockets": [udp.fileno(), named.fileno()]}  # fmt: skip


def serve_target(about: dict[str, Any]) -> None:
    """Answer datagrams, and hand the secret's descriptor to whoever connects, until SIGTERM."""
    datagrams, friends = (socket.socket(fileno=number) for number in about["sockets"])
    told = signal.set_wakeup_fd(_waking_end(), warn_on_full_buffer=False)
    assert told < 0
    while True:
        ready, _, _ = select.select([_WAKE[0], datagrams, friends], [], [])
        if _WAKE[0] in ready:
            break
        with suppress(OSError):  # who went away does not matter
            if datagrams in ready:
                data, sender = datagrams.recvfrom(100)
                datagrams.sendto(b"got " + data, sender)
            if friends in ready:
                link, _ = friends.accept()
                with link:
                    socket.send_fds(link, [b"x"], [about["held"]])
    os.unlink(f"/dev/shm/{about['name']}")
    call((241, 181), about["name"].encode())


_WAKE: list[int] = []


def _waking_end() -> int:
    signal.signal(signal.SIGTERM, lambda _number, _frame: None)
    reader, writer = os.pipe2(os.O_NONBLOCK)
    _WAKE.append(reader)
    return writer
