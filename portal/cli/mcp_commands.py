"""``./steward mcp ...``: programs that ask Steward in their own names."""

from __future__ import annotations

import typer

from portal.cli.clients_commands import add_commands

mcp_app = typer.Typer(help="MCP: programs that may ask Steward, each in its own name.", no_args_is_help=True)
add_commands(mcp_app)
