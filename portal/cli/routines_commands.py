"""``./steward routines`` and its options; the work stands in ``portal.cli.routines``."""

from __future__ import annotations

from typing import Annotated

import typer

AsJson = Annotated[bool, typer.Option("--json", help="One JSON object on standard output, nothing else there.")]
Name = Annotated[str, typer.Argument(metavar="ROUTINE", help="A routine's name, as ./steward routines shows it.")]

routines_app = typer.Typer(help="Rules that stay: what is done by itself, and when.", no_args_is_help=False)


@routines_app.callback(invoke_without_command=True)
def routines(context: typer.Context, as_json: AsJson = False) -> int:
    """Rules that stay: what is done by itself, and when. One is made by saying it: ./steward ask "every day at ..."."""
    from portal.cli import routines

    return 0 if context.invoked_subcommand else routines.listed(as_json)


@routines_app.command("list")
def routines_list(as_json: AsJson = False) -> int:
    """List the routines, when each is next due, and its last run."""
    from portal.cli import routines

    return routines.listed(as_json)


@routines_app.command("show")
def show(name: Name, as_json: AsJson = False) -> int:
    """Show a routine: its words, its plan, its rights, and what it did last."""
    from portal.cli import routines

    return routines.show(name, as_json)


@routines_app.command("history")
def history(name: Name, as_json: AsJson = False) -> int:
    """Show what a routine was: each version, since when, and by which words."""
    from portal.cli import routines

    return routines.history(name, as_json)


@routines_app.command("back")
def back(
    name: Name,
    version: Annotated[int, typer.Argument(metavar="VERSION", min=1, max=999_999, help="Its number in the history.")],
    as_json: AsJson = False,
) -> int:
    """Have a routine be what it was, after a yes; ./steward undo takes that back."""
    from portal.cli import routines

    return routines.back(name, version, as_json)


@routines_app.command("pause")
def pause(name: Name, as_json: AsJson = False) -> int:
    """Let a routine rest."""
    from portal.cli import routines

    return routines.pause(name, as_json)


@routines_app.command("resume")
def resume(name: Name, as_json: AsJson = False) -> int:
    """Let a routine go on; what came while it rested is not made up for."""
    from portal.cli import routines

    return routines.resume(name, as_json)


@routines_app.command("run")
def run(name: Name, as_json: AsJson = False) -> int:
    """Have a routine run now, and follow it."""
    from portal.cli import routines

    return routines.run(name, as_json)


@routines_app.command("try")
def try_out(
    name: Annotated[
        str, typer.Argument(metavar="ROUTINE", help="A routine's name, or the run whose card would keep one.")
    ],
    file: Annotated[str, typer.Option("--with", metavar="FILE", help="Try it on this file.")] = "",
    as_json: AsJson = False,
) -> int:
    """Try a routine out on what would have set it off last: nothing of it stays."""
    from portal.cli import routines

    return routines.try_out(name, file, as_json)


@routines_app.command("token")
def token(name: Name, as_json: AsJson = False) -> int:
    """Make the token that opens a routine's webhook, and show it once."""
    from portal.cli import routines

    return routines.token(name, as_json)


@routines_app.command("remove")
def remove(name: Name, as_json: AsJson = False) -> int:
    """Take a routine away, with the rights that it was granted."""
    from portal.cli import routines

    return routines.remove(name, as_json)
