"""``./steward offers`` and its options; the work stands in ``portal.cli.offers``."""

from __future__ import annotations

from typing import Annotated

import typer

AsJson = Annotated[bool, typer.Option("--json", help="One JSON object on standard output, nothing else there.")]
Key = Annotated[str, typer.Argument(metavar="OFFER", help="An offer's key, as ./steward offers shows it.")]
Source = Annotated[str, typer.Argument(metavar="SOURCE", help="sequence, time, files, calendar or words.")]
Typed = Annotated[str, typer.Option("--typed", metavar="WORDS", help="How a sentence begins: what it may become.")]

offers_app = typer.Typer(help="What you may want to say next, and why now.", no_args_is_help=False)


@offers_app.callback(invoke_without_command=True)
def offers(context: typer.Context, as_json: AsJson = False, typed: Typed = "") -> int:
    """What you may want to say next, and why now. Nothing is ever done by an offer."""
    return 0 if context.invoked_subcommand else offers_list(as_json, typed)


@offers_app.command("list")
def offers_list(as_json: AsJson = False, typed: Typed = "") -> int:
    """List what you may want to say next, with how probable it is, and why now."""
    from portal.cli import offers

    return offers.fitting(typed, as_json) if typed else offers.listed(as_json)


@offers_app.command("dismiss")
def dismiss(key: Key, as_json: AsJson = False) -> int:
    """Put an offer away, until you ask for that again yourself."""
    from portal.cli import offers

    return offers.dismiss(key, as_json)


@offers_app.command("off")
def off(source: Source, as_json: AsJson = False) -> int:
    """Make no offers from this: what you just did, the time, new files, reminders, what you type."""
    from portal.cli import offers

    return offers.switch(source, as_json, on=False)


@offers_app.command("on")
def on(source: Source, as_json: AsJson = False) -> int:
    """Make offers from this again."""
    from portal.cli import offers

    return offers.switch(source, as_json, on=True)


AheadSource = Annotated[str, typer.Argument(metavar="SOURCE", help="sequence, time, files or calendar.")]

ahead_app = typer.Typer(help="First steps of offers that were made before you asked.", no_args_is_help=False)
offers_app.add_typer(ahead_app, name="ahead")


@ahead_app.callback(invoke_without_command=True)
def ahead(context: typer.Context, as_json: AsJson = False) -> int:
    """What was made before you asked, and what came of it: kept, used or thrown away. Only what reads is made."""
    from portal.cli import offers

    return 0 if context.invoked_subcommand else offers.ahead(as_json)


@ahead_app.command("off")
def ahead_off(source: AheadSource, as_json: AsJson = False) -> int:
    """Make nothing ahead for offers from this; what was made is thrown away."""
    from portal.cli import offers

    return offers.switch_ahead(source, as_json, on=False)


@ahead_app.command("on")
def ahead_on(source: AheadSource, as_json: AsJson = False) -> int:
    """Make first steps ahead for offers from this again."""
    from portal.cli import offers

    return offers.switch_ahead(source, as_json, on=True)
