"""Memory that cannot be used: its files, or the server of its vectors, fail.

A request that does not need it goes on, and the log says without what; one that asks memory itself ends in words that
say what failed and what to do. Where the ledger fails nobody can be told through it: that is not for here.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from kernel.model import Resolution
from kernel.run import Stop, error_view
from memory.errors import StoreError
from memory.graph.errors import GraphError

if TYPE_CHECKING:
    from kernel.run import Run

_log = logging.getLogger("steward.kernel")


def went_without(run: str, what: str, error: StoreError) -> None:
    """Write to the log that a request (of ``run``, where it is one's) goes on without ``what``."""
    which = f"the request {run}" if run else "a request"
    _log.warning("%s goes on without %s: %s %s", which, what, error, error.hint)


def stop_of(run: Run, error: StoreError) -> Stop:
    """Return how a request ends that needs what cannot be used. Raises ``error`` itself where it is the ledger's."""
    if error.subject.startswith(str(run.house.ledger.folder)):
        raise error
    message, hint = str(error), error.hint
    if run.language == "de":
        message = error.de if isinstance(error, GraphError) else f"Das Gedächtnis ist nicht zu benutzen: {message}"
        hint = error.de_hint if isinstance(error, GraphError) else hint
    return Stop(Resolution.FAILED, f"{message} {hint}", error=error_view(error.code, message, hint))
