"""The worker of servers: ``python -P -m skills.mcp.worker`` is a zygote; in each of its cells one MCP server runs.

What this stops: a slow first call: the protocol's library is loaded once, before there is a cell. That library parsing
anything of a server's in the daemon: it is imported here alone, and used in cells alone.
What it does not: confine. By the time ``run`` is called, ``permissions.confine`` has done so, and the server is a child
of the cell, with the cell's rights and no others.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import warnings
from collections.abc import Callable
from typing import NoReturn

import uvloop

from permissions.confine import Asker
from permissions.egress import Relay
from skills.mcp.session import Session
from skills.mcp.wire import pack

Emit = Callable[[bytes], None]


def run(request: bytes, emit: Emit) -> bytes:
    """Be the client of one server until the daemon wants no more, or it is over; return why in words.

    Nothing is tidied up where the server misbehaved: the cell ends, and all that runs in it.
    """
    asker = Asker.of_cell()
    if asker is None:
        return pack({"ended": "there is nobody to serve"})
    relay = Relay.of_cell()
    if relay is not None:
        os.environ.update(relay.environment())
    loop = uvloop.new_event_loop()  # a call goes round it a dozen times
    asyncio.set_event_loop(loop)
    session = Session(json.loads(request), asker, emit, loop)
    serving = loop.create_task(session.serve())
    why = loop.run_until_complete(session.ended)
    serving.cancel()
    return pack({"ended": why})


def main() -> NoReturn:
    """Serve cells until the daemon is gone."""
    from permissions.confine import serve

    warnings.simplefilter("ignore")
    logging.disable(logging.ERROR)  # what a server writes badly is counted, and told in words, not line by line
    serve(run)


if __name__ == "__main__":
    main()
