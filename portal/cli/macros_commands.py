"""``./steward macros`` and its options; the work stands in ``portal.cli.macros``."""

from __future__ import annotations

from typing import Annotated

import typer

AsJson = Annotated[bool, typer.Option("--json", help="One JSON object on standard output, nothing else there.")]
Name = Annotated[str, typer.Argument(metavar="MACRO", help="A macro's name, as ./steward macros shows it.")]
Run = Annotated[str, typer.Option("--run", metavar="RUN", help="A run that ended well: ./steward runs")]
Asked = Annotated[list[str] | None, typer.Option("--ask", metavar="PARAMETER", help="A value that is asked each time.")]
Phrases = Annotated[list[str] | None, typer.Option("--phrase", metavar="WORDS", help="Other words that call it.")]
Values = Annotated[list[str] | None, typer.Argument(metavar="[KEY=VALUE]...", help="What it is told this time.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Answer the card, and overwrites and deletions it names.")]

macros_app = typer.Typer(help="Plans that were kept: done again by a name.", no_args_is_help=False)


@macros_app.callback(invoke_without_command=True)
def macros(context: typer.Context, as_json: AsJson = False) -> int:
    """Plans that were kept: done again by a name. One is made of a run: ./steward macros new NAME --run RUN."""
    from portal.cli import macros

    return 0 if context.invoked_subcommand else macros.listed(as_json)


@macros_app.command("list")
def macros_list(as_json: AsJson = False) -> int:
    """List the macros, what each does, and what it has to be told."""
    from portal.cli import macros

    return macros.listed(as_json)


@macros_app.command("new")
def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="How it is called: monthly close")],
    run: Run, ask: Asked = None, phrase: Phrases = None, as_json: AsJson = False,
) -> int:  # fmt: skip
    """Make a macro of a run that ended well."""
    from portal.cli import macros

    return macros.new(name, run, ask or [], phrase or [], as_json)


@macros_app.command("show")
def show(name: Name, as_json: AsJson = False) -> int:
    """Show a macro: its words, its plan, what it is told, what changed since."""
    from portal.cli import macros

    return macros.show(name, as_json)


@macros_app.command("run")
def run(name: Name, values: Values = None, yes: Yes = False, as_json: AsJson = False) -> int:
    """Have a macro done; what it is not told it asks."""
    from portal.cli import macros

    return macros.run(name, values or [], yes=yes, as_json=as_json)


@macros_app.command("try")
def try_out(name: Name, values: Values = None, as_json: AsJson = False) -> int:
    """Try a macro out, told all that it has to be told: nothing of it stays."""
    from portal.cli import macros

    return macros.try_out(name, values or [], as_json)


@macros_app.command("rename")
def rename(
    name: Name, new: Annotated[str, typer.Argument(metavar="NEW", help="Its new name.")], as_json: AsJson = False
) -> int:
    """Call a macro by another name."""
    from portal.cli import macros

    return macros.rename(name, new, as_json)


@macros_app.command("phrase")
def phrase(
    name: Name,
    words: Annotated[str, typer.Argument(metavar="WORDS", help="A sentence that calls it too.")],
    as_json: AsJson = False,
) -> int:
    """Have a macro done by other words too."""
    from portal.cli import macros

    return macros.phrased(name, words, as_json)


@macros_app.command("remove")
def remove(name: Name, as_json: AsJson = False) -> int:
    """Take a macro away; what its runs did stays."""
    from portal.cli import macros

    return macros.remove(name, as_json)
