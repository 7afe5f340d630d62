"""``./steward suggestions`` and its options; the work stands in ``portal.cli.suggestions``."""

from __future__ import annotations

from typing import Annotated

import typer

AsJson = Annotated[bool, typer.Option("--json", help="One JSON object on standard output, nothing else there.")]
Key = Annotated[str, typer.Argument(metavar="KEY", help="Its key, as ./steward suggestions shows it.")]
Days = Annotated[int, typer.Option("--days", metavar="DAYS", help="For so many days.")]
Name = Annotated[str, typer.Option("--name", metavar="NAME", help="How it is called: monthly close")]
Steps = Annotated[list[int] | None, typer.Option("--without", metavar="STEP", help="Leave this step out.")]
Back = Annotated[list[int] | None, typer.Option("--back", metavar="STEP", help="Bring this step back.")]
Asked = Annotated[list[str] | None, typer.Option("--ask", metavar="STEP.VALUE", help="Ask for this each time.")]
Fixed = Annotated[list[str] | None, typer.Option("--fixed", metavar="STEP.VALUE", help="No longer ask for this.")]

suggestions_app = typer.Typer(help="What you do again and again, to be kept as a macro.", no_args_is_help=False)


@suggestions_app.callback(invoke_without_command=True)
def suggestions(context: typer.Context, as_json: AsJson = False) -> int:
    """What you do again and again, to be kept as a macro. Nothing is kept or done without your yes."""
    from portal.cli import suggestions

    return 0 if context.invoked_subcommand else suggestions.listed(as_json)


@suggestions_app.command("list")
def suggestions_list(as_json: AsJson = False) -> int:
    """List what is suggested, with what was seen and why now."""
    from portal.cli import suggestions

    return suggestions.listed(as_json)


@suggestions_app.command("show")
def show(key: Key, as_json: AsJson = False) -> int:
    """Show one with its steps, how sure it is, and in which runs it was seen."""
    from portal.cli import suggestions

    return suggestions.show(key, as_json)


@suggestions_app.command("accept")
def accept(key: Key, name: Name = "", as_json: AsJson = False) -> int:
    """Keep it as a macro, and say which sentence would make a rule of it."""
    from portal.cli import suggestions

    return suggestions.accept(key, name, as_json)


@suggestions_app.command("edit")
def edit(
    key: Key, name: Name = "", without: Steps = None, back: Back = None, ask: Asked = None, fixed: Fixed = None,
    as_json: AsJson = False,
) -> int:  # fmt: skip
    """Change what would be kept: its name, its steps, what is asked for each time."""
    from portal.cli import suggestions

    changes = {"name": name or None, "without": without or [], "back": back or [], "ask": ask or [],
               "fixed": fixed or []}  # fmt: skip
    return suggestions.edit(key, changes, as_json)


@suggestions_app.command("snooze")
def snooze(key: Key, days: Days = 7, as_json: AsJson = False) -> int:
    """Put it off for a week, or for so many days."""
    from portal.cli import suggestions

    return suggestions.snooze(key, days, as_json)


@suggestions_app.command("never")
def never(key: Key, as_json: AsJson = False) -> int:
    """Never suggest this again, nor a form of it."""
    from portal.cli import suggestions

    return suggestions.never(key, as_json)
