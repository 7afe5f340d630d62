"""The way out: what a call may reach on the network, resolved, checked, performed and counted by the daemon.

A cell has no network of its own. One that has the right ``net.connect`` holds one end of a socket pair; it says there
what it wants fetched, and the daemon does it at the other end.

It promises: only hosts and ports among the rights of the call; a name is resolved once, every address of it must be
public, and the connection goes to an address that was checked; certificates are verified; a redirect is a new
question; every connection is reported with its bytes. It never follows what a cell says about an address, never reads
the machine's proxy settings, and never shows what was asked or answered to anyone but the cell.

``place_of`` says which right a web address needs. ``Egress`` is the daemon's side, ``Line`` the cell's; ``Relay`` is a
proxy in the cell for the programs that it runs. ``build_trust`` says whose certificates are believed.
``mail`` is the same for SMTP and IMAP: a ``Letter`` goes out, and letters come in, through the person's ``Account``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from permissions.egress.broker import Egress
    from permissions.egress.headers import may_carry
    from permissions.egress.line import Answer, Line, NoAnswer
    from permissions.egress.mail.account import Account
    from permissions.egress.mail.addresses import address_of
    from permissions.egress.mail.letters import Letter
    from permissions.egress.mail.mailer import Mailer
    from permissions.egress.relay import Relay
    from permissions.egress.targets import place_of
    from permissions.egress.trust import build_trust

__all__ = ["Account", "Answer", "Egress", "Letter", "Line", "Mailer", "NoAnswer", "Relay", "address_of", "build_trust",
           "may_carry", "place_of"]  # fmt: skip

_SIDES = {
    "Egress": "broker", "Line": "line", "Answer": "line", "NoAnswer": "line", "Relay": "relay", "place_of": "targets",
    "may_carry": "headers", "Account": "mail.account", "Letter": "mail.letters", "Mailer": "mail.mailer",
    "address_of": "mail.addresses", "build_trust": "trust",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in _SIDES:  # the worker needs its own side only, and must stay small
        return getattr(import_module(f"permissions.egress.{_SIDES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
