"""The portal: everything through which a person or a program reaches the kernel.

The command line (``portal.cli``), the pages and the HTTP interface (``portal.serve`` is the process that offers
them), and a client for the daemon's Unix socket.

It promises that no request reaches the kernel before ``portal.guard`` has looked at it, and that the command line
keeps the contract of docs/guides/command-line.md. It never decides anything itself: what a sentence means, what is
allowed and what is changed is the kernel's. Importing this door costs milliseconds: the web framework is loaded by
the daemon alone.
"""

from __future__ import annotations

from portal.client import Client
from portal.locate import Places, find_places
from portal.wire import DaemonError, is_listening

__all__ = ["Client", "DaemonError", "Places", "find_places", "is_listening"]
