"""The command line: ``up down status doctor ask approve runs undo skills perms ledger log config setup open``.

It promises the contract of docs/guides/command-line.md: with ``--json`` exactly one JSON object on standard output
and everything else on standard error, fixed exit codes, never a traceback, never a question where no terminal is. It
talks to the daemon over its Unix socket and starts one where none runs. It imports neither the kernel nor the web
framework, so that a request costs a fraction of a second of processor time; what draws in a terminal is loaded only
in one.
"""

from __future__ import annotations

from portal.cli.entry import main, run

__all__ = ["main", "run"]
