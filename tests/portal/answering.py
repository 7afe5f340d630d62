"""A program that says yes to a run by every door that it finds: python3 answering.py SOCKET TOKEN-FILE ADDRESS RUN

Run by a person it does so; run by a routine it is an attack. It says on standard output what came of each door, and
imports nothing but the standard library: it is copied to where it is run.
"""

from __future__ import annotations

import http.client
import json
import socket
import sys
from collections.abc import Callable
from pathlib import Path


class OverSocket(http.client.HTTPConnection):
    """A connection over a Unix socket."""

    def connect(self) -> None:
        """Connect to the path that stands in the place of a host."""
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.connect(self.host)


def answered(way: http.client.HTTPConnection, run: str, host: str, headers: dict[str, str]) -> str:
    """Say yes over ``way``; return what came of it."""
    body = json.dumps({"answer": "once", "seal": ""})
    way.request(
        "POST", f"/api/v1/runs/{run}/approval", body, {"Host": host, "Content-Type": "application/json"} | headers
    )
    return str(way.getresponse().status)


def main(socket_path: str, token_file: str, address: str, run: str) -> None:
    """Try every door."""
    doors: dict[str, Callable[[], str]] = {
        "socket": lambda: answered(OverSocket(socket_path), run, "steward", {}),
        "token": lambda: answered(
            http.client.HTTPConnection(address, timeout=5), run, address,
            {"Authorization": f"Bearer {Path(token_file).read_text().strip()}"},
        ),
        "page": lambda: answered(
            http.client.HTTPConnection(address, timeout=5), run, address, {"Origin": f"http://{address}"}
        ),
    }  # fmt: skip
    for name, door in doors.items():
        try:
            said = door()
        except Exception as error:  # whatever keeps it out is what is to be told
            said = type(error).__name__
        sys.stdout.write(f"{name}: {said}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
