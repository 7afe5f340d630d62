"""The part of the escape list about the one way out: a call that may ask the daemon for pages asks for this machine's.

A control has two halves: the page can be had in the open by that very name, and the daemon would fetch it for the call
if it did not refuse the address.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from http.server import BaseHTTPRequestHandler, HTTPServer

from permissions.egress import Egress
from permissions.errors import PermissionsError
from permissions.model import CellSpec, CellStatus
from tests.permissions.confine.ground import Attempt, Ground, Outcome, Probe

PAGE = "not for you"


class _Page(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("content-length", str(len(PAGE)))
        self.end_headers()
        self.wfile.write(PAGE.encode())

    def log_message(self, *_words: object) -> None:
        """Say nothing."""


async def _resolve(_host: str) -> Sequence[str]:
    """Every name leads here, as in an attack by rebinding."""
    return ["127.0.0.1"]


def _asks(url: str, host: str, *, open_url: str = "") -> Callable[[Ground], Outcome]:
    """Ask for ``url`` with the right to ``host``; ``{port}`` is where the page is served."""

    def trial(ground: Ground) -> Outcome:
        with HTTPServer(("127.0.0.1", 0), _Page) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            port = server.server_port
            asked, scope = url.format(port=port), host.format(port=port)
            escaped = _fetched(ground, Egress(resolve=_resolve), asked, scope)
            by_name = f"public.test:{port}"
            would = _fetched(ground, Egress(resolve=_resolve, refusal=lambda _a: ""), f"http://{by_name}/", by_name)
            in_the_open = Attempt("fetch", {"url": (open_url or url).format(port=port)}, won=lambda text: text == PAGE)
            live = would and ground.outside(in_the_open)
            server.shutdown()
        return Outcome(live, escaped)

    return trial


def _fetched(ground: Ground, egress: Egress, url: str, scope: str) -> bool:
    cells = ground.wall.new_cells(network=egress)
    try:
        outcome = ground.wall.wait(cells.call(CellSpec(hosts=(scope,)), ground.wall.request("fetch", url=url)))
    except PermissionsError:
        return False
    finally:
        ground.wall.wait(cells.close())
    return outcome.status is CellStatus.RETURNED and PAGE in (outcome.reply or b"").decode()


NET_PROBES: tuple[Probe, ...] = (
    Probe("90", "a page of this machine by its address", _asks("http://127.0.0.1:{port}/", "127.0.0.1:{port}")),
    Probe("90b", "by 'localhost'", _asks("http://localhost:{port}/", "localhost:{port}")),
    Probe("90c", "by a public name that leads here (rebinding)",
          _asks("http://public.test:{port}/", "public.test:{port}", open_url="http://127.0.0.1:{port}/")),
    Probe("90d", "with the right to every host", _asks("http://127.0.0.1:{port}/", "*:{port}")),
    Probe("90e", "by its address as one number", _asks("http://2130706433:{port}/", "*:{port}")),
    Probe("90f", "by its address in short", _asks("http://127.1:{port}/", "*:{port}")),
    Probe("90g", "by an address of IPv6 that holds one of IPv4",
          _asks("http://[::ffff:127.0.0.1]:{port}/", "[::ffff:127.0.0.1]:{port}")),
)  # fmt: skip
