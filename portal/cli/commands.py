"""The commands and their options. Each one's work stands in a module that is loaded when the command is given."""

from __future__ import annotations

from typing import Annotated

import typer

from portal.cli import skills_author_commands
from portal.cli.kernels_commands import kernels_app
from portal.cli.macros_commands import macros_app
from portal.cli.mail_commands import mail_app, secrets_app
from portal.cli.mcp_commands import mcp_app
from portal.cli.memory_commands import memory_app
from portal.cli.models_commands import models_app
from portal.cli.offers_commands import offers_app
from portal.cli.perms_commands import perms_app
from portal.cli.routines_commands import routines_app
from portal.cli.service_commands import service_app
from portal.cli.skills_commands import skills_app
from portal.cli.suggestions_commands import suggestions_app

app = typer.Typer(
    name="steward",
    help="A personal Agent-OS: say what you want done; see the plan, allow it, take it back.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # plain help: rich would call every switch a "<bool>"
    context_settings={"help_option_names": ["-h", "--help"]},
)
ledger_app = typer.Typer(help="The ledger of everything that happened.")
config_app = typer.Typer(help="The few settings there are.")
skills_author_commands.add_to(skills_app)
app.add_typer(skills_app, name="skills")
app.add_typer(perms_app, name="perms")
app.add_typer(memory_app, name="memory")
app.add_typer(routines_app, name="routines")
app.add_typer(macros_app, name="macros")
app.add_typer(offers_app, name="offers")
app.add_typer(suggestions_app, name="suggestions")
app.add_typer(mcp_app, name="mcp")
app.add_typer(kernels_app, name="kernels")
app.add_typer(mail_app, name="mail")
app.add_typer(secrets_app, name="secrets")
app.add_typer(models_app, name="models")
app.add_typer(ledger_app, name="ledger")
app.add_typer(config_app, name="config")
app.add_typer(service_app, name="service")

AsJson = Annotated[bool, typer.Option("--json", help="One JSON object on standard output, nothing else there.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Answer the card, and overwrites and deletions it names.")]
Setting = Annotated[str, typer.Argument(help="A setting's name: ./steward config show")]
Limit = Annotated[int, typer.Option("--limit", "-n", min=1, max=500, help="How many, at most.")]


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"steward {version('steward-os')}")
        raise typer.Exit


@app.callback()
def steward(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """A personal Agent-OS: say what you want done; see the plan, allow it, take it back."""


@app.command()
def up(as_json: AsJson = False) -> int:
    """Start the daemon; returns when it is ready."""
    from portal.cli import house

    return house.up(as_json)


@app.command()
def down(as_json: AsJson = False) -> int:
    """Stop the daemon, and wait until all its children have ended."""
    from portal.cli import house

    return house.down(as_json)


@app.command()
def status(as_json: AsJson = False) -> int:
    """Show whether the daemon runs, and what it is doing."""
    from portal.cli import house

    return house.status(as_json)


@app.command()
def doctor(as_json: AsJson = False) -> int:
    """Show what this machine can do. What it cannot do has the one command that mends it."""
    from portal.cli import house

    return house.doctor(as_json)


@app.command("open")
def open_page(
    print_only: Annotated[bool, typer.Option("--print", help="Only print the link.")] = False,
    as_json: AsJson = False,
) -> int:
    """Open the page in a browser. It is signed in by a link that works once, for a minute."""
    from portal.cli import house

    return house.open_page(as_json, print_only=print_only)


@app.command()
def ask(
    text: Annotated[list[str], typer.Argument(metavar="TEXT", help="What you want done, in your own words.")],
    conversation: Annotated[
        str | None, typer.Option("--conversation", "-c", envvar="STEWARD_CONVERSATION", help="Go on with this one.")
    ] = None,
    as_json: AsJson = False,
    yes: Yes = False,
    private: Annotated[bool, typer.Option("--private", help="Write down and learn nothing of what is said.")] = False,
    budget: Annotated[
        str | None, typer.Option("--budget", metavar="MONEY", help="Models may cost so much: 5ct, 0.05USD.")
    ] = None,
    deadline: Annotated[
        str | None, typer.Option("--deadline", metavar="TIME", help="Done in this time or not at all: 30s, 2m.")
    ] = None,
) -> int:
    """Say what you want done."""
    from portal.cli import asking

    terms = asking.checked_terms(budget, deadline)
    return asking.ask(" ".join(text), conversation or None, as_json=as_json, yes=yes, private=private, terms=terms)


@app.command()
def plan(
    text: Annotated[list[str], typer.Argument(metavar="TEXT", help="What you might want done.")],
    conversation: Annotated[
        str | None, typer.Option("--conversation", "-c", envvar="STEWARD_CONVERSATION", help="As if said in this one.")
    ] = None,
    as_json: AsJson = False,
    graph: Annotated[bool, typer.Option("--graph", help="Print the plan as a Mermaid flowchart.")] = False,
) -> int:
    """Show what would be done, and do nothing."""
    from portal.cli import drafting

    return drafting.plan(" ".join(text), conversation or None, as_json=as_json, graph=graph)


@app.command()
def recommend(
    text: Annotated[list[str], typer.Argument(metavar="TEXT", help="What you might want done.")],
    conversation: Annotated[
        str | None, typer.Option("--conversation", "-c", envvar="STEWARD_CONVERSATION", help="As if said in this one.")
    ] = None,
    as_json: AsJson = False,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=50, help="How many tools, at most.")] = 8,
) -> int:
    """Show which tools would serve a request together."""
    from portal.cli import recommending

    return recommending.recommend(" ".join(text), conversation or None, limit, as_json=as_json)


@app.command()
def approve(
    run: Annotated[str | None, typer.Argument(help="The run that waits; left out, all that wait are listed.")] = None,
    answer: Annotated[
        str | None, typer.Option("--answer", "-a", help="once, run, always, no; done: it was sent.")
    ] = None,
    as_json: AsJson = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Answer once without showing the card.")] = False,
) -> int:
    """List the runs that wait, or answer one. It is shown with its plan and followed to its end."""
    from portal.cli import approving

    if run is None:
        return approving.waiting(answer or ("--yes" if yes else None), as_json=as_json)
    return approving.approve(run, answer, as_json=as_json, yes=yes)


@app.command()
def runs(
    run: Annotated[str | None, typer.Argument(help="Show this one: sentence, plan, answer and changes.")] = None,
    as_json: AsJson = False,
    limit: Limit = 20,
    everything: Annotated[bool, typer.Option("--all", help="With RUN: every change, however many.")] = False,
) -> int:
    """List the latest runs, or show one. The newest comes first, those that wait among them."""
    from portal.cli import history

    return history.runs(as_json, limit) if run is None else history.show(run, as_json, everything=everything)


@app.command()
def replay(
    run: Annotated[str, typer.Argument(help="The run, which is over.")],
    tools: Annotated[
        bool, typer.Option("--tools", help="Make the calls that only read once more, and compare.")
    ] = False,
    as_json: AsJson = False,
) -> int:
    """Go through a run once more by what is recorded of it.

    Nothing is done and no model is asked; it says what differs.
    """
    from portal.cli import replaying

    return replaying.replay(run, as_json=as_json, tools=tools)


@app.command()
def undo(
    run: Annotated[
        str | None, typer.Argument(help="Which run; the last one that changed something if left out.")
    ] = None,
    as_json: AsJson = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    path: Annotated[
        list[str] | None, typer.Option("--path", help="Only this file or folder of the run; may be repeated.")
    ] = None,
) -> int:
    """Take back what a run changed, or single files of it."""
    from portal.cli import undoing

    return undoing.undo(run, path or (), as_json=as_json, yes=yes)


@app.command()
def log(
    as_json: AsJson = False,
    limit: Limit = 50,
    daemon: Annotated[bool, typer.Option("--daemon", help="The daemon's own log file instead.")] = False,
) -> int:
    """Show the latest events of the ledger."""
    from portal.cli import history

    return history.log(as_json, limit, daemon=daemon)


@app.command()
def backup(
    file: Annotated[str, typer.Argument(help="Where it goes; best on another disk.")],
    secrets: Annotated[bool, typer.Option("--secrets", help="Passwords and keys of models, too.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Write over a backup that is there.")] = False,
    as_json: AsJson = False,
) -> int:
    """Write all that Steward keeps of you to one file.

    Not your own files, not what is worked out anew, and no passwords unless you say so.
    """
    from portal.cli import backup as backing

    return backing.backup(file, as_json=as_json, secrets=secrets, yes=yes)


@app.command()
def restore(
    file: Annotated[str, typer.Argument(help="A backup.")],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask; stop a daemon that runs.")] = False,
    as_json: AsJson = False,
) -> int:
    """Put a backup in place of what Steward keeps now.

    All of it is checked first; what is there now is kept beside. A daemon that runs is stopped and started again.
    """
    from portal.cli import backup as backing

    return backing.restore(file, as_json=as_json, yes=yes)


@app.command()
def setup(
    names: Annotated[list[str] | None, typer.Argument(help="Which extras; all of them: all.")] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    as_json: AsJson = False,
) -> int:
    """Add heavy parts by name. Without a name they are listed with their sizes."""
    from portal.cli import extras

    return extras.setup(names or [], yes=yes, as_json=as_json)


# --- ledger, config ----------------------------------------------------------------------------------------------


@ledger_app.command("verify")
def ledger_verify(as_json: AsJson = False) -> int:
    """Check that nothing in the ledger was changed, removed or put in."""
    from portal.cli import house

    return house.verify(as_json)


@ledger_app.command("retention")
def ledger_retention(
    days: Annotated[
        str, typer.Argument(metavar="[DAYS]", help="A number of days, or off; left out, it is shown.")
    ] = "",
    as_json: AsJson = False,
) -> int:
    """Show or set after how many days the words of what was done are destroyed; the record still verifies."""
    from portal.cli import memory

    return memory.retention(days, as_json)


@config_app.command("path")
def config_path(as_json: AsJson = False) -> int:
    """Print where the settings stand."""
    from portal.cli import configuration

    return configuration.path(as_json)


@config_app.command("show")
def config_show(as_json: AsJson = False) -> int:
    """Show every setting, its value and where that comes from."""
    from portal.cli import configuration

    return configuration.show(as_json)


@config_app.command("get")
def config_get(name: Setting, as_json: AsJson = False) -> int:
    """Print one setting."""
    from portal.cli import configuration

    return configuration.get(name, as_json)


@config_app.command("set")
def config_set(
    name: Setting, value: Annotated[str, typer.Argument(help="Its new value.")], as_json: AsJson = False
) -> int:
    """Change one setting; it counts from the daemon's next start."""
    from portal.cli import configuration

    return configuration.put(name, value, as_json)
