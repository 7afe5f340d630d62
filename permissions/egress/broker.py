"""The door of the daemon's side: what is set, and a call that may connect handed on to its session.

What this stops: a start of the daemon that waits for libraries of the network; hardly a call may connect.
What it does not: anything else; ``session`` answers.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from permissions.model import CellSpec, Connection

if TYPE_CHECKING:
    from permissions.egress.handles import Lend
    from permissions.egress.mail import Account, Mailer
    from permissions.egress.resolver import Refusal, Resolve
    from permissions.egress.session import Means


class Egress:
    """Performs what cells ask for. ``resolve`` and ``refusal`` may be handed in; ``ca_file`` is believed as well.

    ``lend`` takes secrets out of the vault, for calls that may use them.
    """

    def __init__(
        self, *, resolve: Resolve | None = None, refusal: Refusal | None = None, ca_file: Path | None = None,
        lend: Lend | None = None,
    ) -> None:  # fmt: skip
        self._given = resolve, refusal, ca_file, lend
        self._means: Means | None = None

    async def serve(self, end: socket.socket, spec: CellSpec, report: Callable[[Connection], None]) -> None:
        """Answer the cell at the other side of ``end`` until it leaves; to cancel is to end its connections.

        Raises BadScope when a scope of ``spec.hosts`` is none.
        """
        from permissions.egress.session import Means, answer_cell  # with all that it needs, at the first such call

        if self._means is None:
            self._means = Means(*self._given)
        await answer_cell(self._means, end, spec, report)

    def mailer(self, account: Account, password: Callable[[], str]) -> Mailer:
        """Return what speaks with the mail servers of ``account``; ``password`` is called when one has answered."""
        from permissions.egress.mail import Mailer
        from permissions.egress.session import Means

        if self._means is None:
            self._means = Means(*self._given)
        return Mailer(self._means, account, password)
