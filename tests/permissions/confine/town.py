"""Hosts that hear what reaches them, the names that lead to them, and a proxy that believes everything: the control.

``granted.test`` is the host that a call may reach, ``stray.test`` another one of the public internet, ``inside.test`` a
name that leads into this machine. 127.0.1.1 stands for a public address.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from socketserver import BaseRequestHandler, ThreadingTCPServer
from urllib.parse import urlsplit

import h11

from permissions.egress import Egress
from permissions.egress.addresses import refusal

PUBLIC, INSIDE = "127.0.1.1", "127.0.0.1"
NAMES = {"granted.test": PUBLIC, "stray.test": PUBLIC, "inside.test": INSIDE}
_LARGEST_HEAD = 1 << 20


class Heard(list[str]):
    """What was heard, and how many are still speaking."""

    def __init__(self) -> None:
        super().__init__()
        self.speaking = 0
        self._lock = threading.Lock()

    @contextmanager
    def visit(self) -> Iterator[None]:
        """Count a visitor until they have gone."""
        with self._lock:
            self.speaking += 1
        try:
            yield
        finally:
            with self._lock:
                self.speaking -= 1


class _Server(ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 64


class Ear:
    """A host at an address: it answers every request, and writes down whatever it hears."""

    def __init__(self, at: str, heard: Heard, *, expects: bool) -> None:
        class Visit(BaseRequestHandler):
            def handle(self) -> None:
                with heard.visit(), suppress(OSError):
                    if not expects:
                        heard.append("stray: somebody came")
                    _listen(self.request, heard)

        self.server = _Server((at, 0), Visit)
        self.port = int(self.server.server_address[1])
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


def _listen(link: socket.socket, heard: list[str]) -> None:
    """Hear requests as a server does; what is none is heard as it is."""
    http = h11.Connection(h11.SERVER, max_incomplete_event_size=_LARGEST_HEAD)
    said = b""
    try:
        while True:
            event = http.next_event()
            if event is h11.NEED_DATA:
                data = link.recv(65536)
                said += data
                http.receive_data(data)
            elif isinstance(event, h11.Request):
                words = [event.method, event.target, *(b"%s=%s" % header for header in event.headers)]
                heard.append(b" ".join(words).decode("latin-1"))
            elif isinstance(event, h11.EndOfMessage):
                answer = h11.Response(status_code=200, headers=[("content-length", "2")])
                link.sendall((http.send(answer) or b"") + (http.send(h11.Data(data=b"ok")) or b""))
                http.send(h11.EndOfMessage())
                http.start_next_cycle()
            elif not isinstance(event, h11.Data):
                return
    except h11.ProtocolError:
        heard.append(said.decode("latin-1"))
        while data := link.recv(65536):
            heard.append(data.decode("latin-1"))


class Believer:
    """A proxy that connects to whatever it is told, and passes everything on as it came."""

    def __init__(self, heard: Heard) -> None:
        class Visit(BaseRequestHandler):
            def handle(self) -> None:
                with heard.visit(), suppress(OSError, ValueError):
                    _believe(self.request)

        self.server = _Server((INSIDE, 0), Visit)
        self.port = int(self.server.server_address[1])
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


def _believe(link: socket.socket) -> None:
    data = link.recv(1 << 20)
    method, place, _ = data.split(b" ", 2)
    told = method == b"CONNECT"
    parts = urlsplit(f"//{place.decode('latin-1')}" if told else place.decode("latin-1"))
    name, port = parts.hostname or "", parts.port or 80
    with socket.create_connection((NAMES.get(name, name), port), 2) as onward:
        threading.Thread(target=_copy, args=(onward, link), daemon=True).start()
        if told:
            link.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
            data = data.partition(b"\r\n\r\n")[2]
        onward.sendall(data)
        _copy(link, onward)


def _copy(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)


class Town:
    """The hosts, the believer, and what was heard at any of them."""

    def __init__(self) -> None:
        self.heard = Heard()
        self._until = ExitStack()
        self.granted = self._host(Ear(PUBLIC, self.heard, expects=True))
        self.stray = self._host(Ear(PUBLIC, self.heard, expects=False))
        self.inside = self._host(Ear(INSIDE, self.heard, expects=False))
        self.believer = Believer(self.heard)
        self._until.callback(self.believer.close)

    def _host(self, ear: Ear) -> int:
        self._until.callback(ear.close)
        return ear.port

    def said(self, text: str) -> str:
        """Return ``text`` with the places of this town: GRANTED, STRAY and INSIDE, and the port of each."""
        for word, name, port in [("GRANTED", "granted.test", self.granted), ("STRAY", "stray.test", self.stray),
                                 ("INSIDE", "inside.test", self.inside)]:  # fmt: skip
            text = text.replace(f"{word}_PORT", str(port)).replace(word, f"{name}:{port}")
        return text

    def hears(self, words: str, within_s: float) -> bool:
        """Tell whether anybody hears ``words`` by then."""
        deadline = time.monotonic() + within_s
        while not (heard := any(words in one for one in self.heard)) and time.monotonic() < deadline:
            time.sleep(0.01)
        return heard

    def falls_silent(self, within_s: float) -> None:
        """Wait until nobody speaks any more, or it is over: what comes late is of nobody else."""
        deadline = time.monotonic() + within_s
        while self.heard.speaking and time.monotonic() < deadline:
            time.sleep(0.01)

    def strayed(self) -> bool:
        """Tell whether anybody heard what nobody should."""
        return any("stray" in one for one in self.heard)

    def egress(self) -> Egress:
        """Return the daemon's side, for which this town is the internet."""
        return Egress(resolve=self.resolve, refusal=lambda at: "" if at == PUBLIC else refusal(at))

    @staticmethod
    async def resolve(host: str) -> Sequence[str]:
        """Return where a name leads. Raises OSError."""
        if host not in NAMES:
            raise OSError("no such name")
        return [NAMES[host]]

    def close(self) -> None:
        """Take the town down."""
        self._until.close()
