"""From a name to addresses, by the daemon, once per connection, and only public ones.

What this stops: a name that leads into this machine or its network, also one that does so only the second time it is
asked (DNS rebinding): what was checked is what is connected to. Slow name servers holding up the daemon's other work.
What it does not: verify who answered; that is TLS's part.

All addresses of a name must be public, else none is used: an honest public name does not lead inside as well, and to
pick the public ones would let a name server say which of two doors opens.
"""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

from permissions.egress.targets import Target, is_address
from permissions.errors import Refused, Unreachable

Resolve = Callable[[str], Awaitable[Sequence[str]]]
"""From a host name in its one form to its addresses; raises OSError."""

Refusal = Callable[[str], str]
"""From an address to the kind for which it is refused, empty for none."""

MOST_ADDRESSES = 8
"""So many are tried; a name may have hundreds."""
_AT_ONCE = 4


class SystemResolver:
    """Asks the machine's resolver, in few threads of its own: a name server that never answers blocks nobody else."""

    def __init__(self) -> None:
        self._room = asyncio.Semaphore(_AT_ONCE)

    async def __call__(self, host: str) -> Sequence[str]:
        """Return the addresses of ``host``. Raises OSError."""
        await self._room.acquire()
        loop = asyncio.get_running_loop()
        found: asyncio.Future[list[str]] = loop.create_future()
        threading.Thread(target=self._look_up, args=(host, found, loop), name="steward-dns", daemon=True).start()
        return await found

    def _look_up(self, host: str, found: asyncio.Future[list[str]], loop: asyncio.AbstractEventLoop) -> None:
        problem: OSError | None = None
        addresses: list[str] = []
        try:  # the dot at the end: no search domain of this machine is tried
            answers = socket.getaddrinfo(f"{host}.", None, type=socket.SOCK_STREAM)
            addresses = list(dict.fromkeys(str(answer[4][0]) for answer in answers))
        except OSError as error:
            problem = error
        except UnicodeError as error:
            problem = OSError(str(error))
        with suppress(RuntimeError):  # the daemon has ended meanwhile
            loop.call_soon_threadsafe(self._tell, found, addresses, problem)

    def _tell(self, found: asyncio.Future[list[str]], addresses: list[str], problem: OSError | None) -> None:
        self._room.release()  # only now: whoever asked may have left long ago, the thread has not
        if found.done():
            return
        if problem:
            found.set_exception(problem)
        else:
            found.set_result(addresses)


async def public_addresses(target: Target, resolve: Resolve, refusal: Refusal) -> Sequence[str]:
    """Return the addresses of ``target`` that may be connected to.

    Raises Refused (``refused.net.address``) when one of them is not public, Unreachable (``net.name``) without any.
    """
    try:
        addresses = [target.host] if is_address(target.host) else list(await resolve(target.host))
    except OSError as error:
        raise _unknown(target) from error
    if not addresses:
        raise _unknown(target)
    for address in addresses:
        kind = refusal(address)
        if kind:
            raise Refused(
                "refused.net.address",
                f"{target.host} leads to {address}, which is no public address ({kind}).",
                subject=target.host,
                hint="Only hosts of the public internet can be reached.",
            )
    return addresses[:MOST_ADDRESSES]


def _unknown(target: Target) -> Unreachable:
    return Unreachable("net.name", f"There is no address for {target.host}.", subject=target.host,
                       hint="Check the name and the network, and ask again.")  # fmt: skip
