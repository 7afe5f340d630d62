"""Whom an act in the open speaks to in place of the daemon: somebody who answers everything and takes everything."""

from __future__ import annotations

import os
import socket
import struct
import tempfile
import threading
from contextlib import suppress
from typing import Self

from tests.permissions.confine.ground import Ground

_LENGTH = struct.Struct("<I")


def holds(path: str) -> bool:
    """Tell whether this process has ``path`` open."""
    for number in os.listdir("/proc/self/fd"):
        with suppress(OSError):
            if os.path.realpath(f"/proc/self/fd/{number}") == path:
                return True
    return False


class Friend:
    """Listens at a socket, believes every length, answers every question with itself, and keeps every descriptor."""

    def __init__(self, ground: Ground) -> None:
        folder = tempfile.mkdtemp(dir=ground.wall.home)
        os.chown(folder, ground.wall.uid, ground.wall.uid)
        self.path = f"{folder}/friend.socket"
        self.asked: list[bytes] = []
        self._files: list[int] = []
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(self.path)
        os.chmod(self.path, 0o777)
        self._listener.listen()
        threading.Thread(target=self._serve, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._listener.close()
        for file in self._files:
            os.close(file)

    def took(self, path: str) -> bool:
        """Tell whether a descriptor of ``path`` has arrived."""
        return any(os.path.realpath(f"/proc/self/fd/{file}") == path for file in self._files)

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                link, _ = self._listener.accept()
                threading.Thread(target=self._talk, args=(link,), daemon=True).start()

    def _talk(self, link: socket.socket) -> None:
        with link, suppress(OSError):
            data = self._received(link)
            if self._files:
                link.sendall(b"thanks")
                return
            while data:
                (length,) = _LENGTH.unpack_from(data)
                while len(data) < _LENGTH.size + length:
                    data += self._received(link)
                question, data = data[_LENGTH.size : _LENGTH.size + length], data[_LENGTH.size + length :]
                self.asked.append(question)
                link.sendall(_LENGTH.pack(length) + question)
                data = data or self._received(link)

    def _received(self, link: socket.socket) -> bytes:
        data, files, _, _ = socket.recv_fds(link, 1 << 20, 4)
        self._files += files
        return data
