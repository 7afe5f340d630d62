"""``./steward mcp ...`` and its options: servers that become skills, and programs that ask in their own names.

The work stands in ``portal.cli.mcp_servers`` and ``portal.cli.clients``.
"""

from __future__ import annotations

from typing import Annotated

import typer

from portal.cli.clients_commands import add_commands

mcp_app = typer.Typer(help="MCP: servers as skills, and programs that may ask Steward.", no_args_is_help=True)
add_commands(mcp_app)

AsJson = Annotated[bool, typer.Option("--json", help="One JSON object on standard output, nothing else there.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
Name = Annotated[str, typer.Argument(metavar="NAME", help="A server's name.")]
Safe = Annotated[
    list[str] | None, typer.Option("--safe", metavar="TOOL", help="You say that this tool changes nothing.")
]
Places = list[str] | None


@mcp_app.command("add")
def add(
    name: Name,
    command: Annotated[list[str] | None, typer.Argument(metavar="-- COMMAND...", help="How it is started.")] = None,
    read: Annotated[Places, typer.Option("--read", metavar="FOLDER", help="It may read this.")] = None,
    write: Annotated[Places, typer.Option("--write", metavar="FOLDER", help="It may work in this folder.")] = None,
    host: Annotated[Places, typer.Option("--host", metavar="HOST", help="It may reach this host.")] = None,
    env: Annotated[Places, typer.Option("--env", metavar="K=V", help="It is told this.")] = None,
    secret: Annotated[
        Places, typer.Option("--secret", metavar="K=NAME", help="It is told this secret of the vault.")
    ] = None,
    program: Annotated[
        Places, typer.Option("--program", metavar="FOLDER", help="More of its own program lies here.")
    ] = None,
    url: Annotated[str, typer.Option("--url", help="It is reached here (streamable HTTP), not started.")] = "",
    safe: Safe = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> int:
    """Show what a server may see, start it once in its own cell, show its tools, and let it be a skill."""
    from portal.cli import mcp_servers

    told = {"read": read, "write": write, "host": host, "program": program}
    wish = {"name": name, "command": command or [], "url": url, **{key: some or [] for key, some in told.items()}}
    return mcp_servers.add(wish, env or [], secret or [], safe or [], yes=yes, as_json=as_json)


@mcp_app.command("import")
def import_file(
    file: Annotated[str, typer.Argument(metavar="FILE", help='JSON with {"mcpServers": {...}}.')],
    yes: Yes = False,
    as_json: AsJson = False,
) -> int:
    """Take servers over from another program's file, one after the other, each after the same questions."""
    from portal.cli import mcp_servers

    return mcp_servers.import_file(file, yes=yes, as_json=as_json)


@mcp_app.command("list")
def list_servers(as_json: AsJson = False) -> int:
    """List the servers, what they may see, and whether they run."""
    from portal.cli import mcp_servers

    return mcp_servers.listed(as_json)


@mcp_app.command("tools")
def tools(name: Name, as_json: AsJson = False) -> int:
    """Show a server's tools: what they do, what they take, what they may change."""
    from portal.cli import mcp_servers

    return mcp_servers.tools(name, as_json)


@mcp_app.command("review")
def review(name: Name, safe: Safe = None, yes: Yes = False, as_json: AsJson = False) -> int:
    """Start a server anew, show what has changed since you looked at it, and take that over after a yes."""
    from portal.cli import mcp_servers

    return mcp_servers.review(name, safe or [], yes=yes, as_json=as_json)


@mcp_app.command("remove")
def remove(name: Name, as_json: AsJson = False) -> int:
    """Take a server out of use, and its grants with it."""
    from portal.cli import mcp_servers

    return mcp_servers.remove(name, as_json)
