"""``./steward mcp serve|clients|allow|revoke`` and their options; the work stands in ``portal.cli.clients``."""

from __future__ import annotations

from typing import Annotated

import typer

AsJson = Annotated[bool, typer.Option("--json", help="One JSON object on standard output, nothing else there.")]
Name = Annotated[str, typer.Argument(metavar="CLIENT", help="A client's name, e.g. claude.")]
Offers = Annotated[
    list[str], typer.Argument(metavar="TOOL...", help="ask, memory_search, a tool (files.find) or a skill (files).")
]

clients_app = typer.Typer(help="Programs that may ask: list, add, remove.", no_args_is_help=False)


def add_commands(app: typer.Typer) -> None:
    """Put these commands into the group ``mcp``."""
    app.add_typer(clients_app, name="clients")
    app.command("serve")(serve)
    app.command("allow")(allow)
    app.command("revoke")(revoke)


@clients_app.callback(invoke_without_command=True)
def clients(context: typer.Context, as_json: AsJson = False) -> int:
    """List the programs that may ask, and what each may call."""
    from portal.cli import clients

    return 0 if context.invoked_subcommand else clients.listed(as_json)


@clients_app.command("list")
def clients_list(as_json: AsJson = False) -> int:
    """List the programs that may ask, and what each may call."""
    from portal.cli import clients

    return clients.listed(as_json)


@clients_app.command("add")
def clients_add(name: Name, as_json: AsJson = False) -> int:
    """Make a client. It may ask and search memory; its token is shown once."""
    from portal.cli import clients

    return clients.add(name, as_json)


@clients_app.command("remove")
def clients_remove(name: Name, as_json: AsJson = False) -> int:
    """Remove a client: its token opens nothing any more, and what it was granted is gone."""
    from portal.cli import clients

    return clients.remove(name, as_json)


def serve(
    client: Annotated[str, typer.Option("--client", help="In whose name; left out where there is one client.")] = "",
) -> int:
    """Speak MCP over standard input and output, for a program's configuration."""
    from portal.cli import clients

    return clients.serve(client)


def allow(name: Name, offers: Offers, as_json: AsJson = False) -> int:
    """Let a client call more tools. What a call needs besides is still asked for."""
    from portal.cli import clients

    return clients.allow(name, offers, as_json)


def revoke(
    name: Name,
    offers: Annotated[
        list[str] | None, typer.Argument(metavar="[TOOL...]", help="What it may no longer call; left out: everything.")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Let a client call less; without a tool, remove it and all that it was granted."""
    from portal.cli import clients

    return clients.withdraw(name, offers, as_json) if offers else clients.remove(name, as_json)
