"""``./steward service``: its commands and their options."""

from __future__ import annotations

from typing import Annotated

import typer

service_app = typer.Typer(help="The daemon as a systemd service of yours.")

AsJson = Annotated[bool, typer.Option("--json", help="One JSON object on standard output, nothing else there.")]


@service_app.command("install")
def install(
    as_json: AsJson = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Write it without asking.")] = False,
) -> int:
    """Show the unit, and after a yes write and start it."""
    from portal.cli import service

    return service.install(as_json, yes=yes)


@service_app.command("remove")
def remove(as_json: AsJson = False) -> int:
    """Stop the service and take its unit away."""
    from portal.cli import service

    return service.remove(as_json)


@service_app.command("status")
def status(as_json: AsJson = False) -> int:
    """Say whether there is a unit and whether it runs."""
    from portal.cli import service

    return service.status(as_json)
