"""``./steward skills new, lint, lock, test, dev, from-run, proposals``; the work is in ``portal.cli.skills_author``."""

from __future__ import annotations

from typing import Annotated

import typer

AsJson = Annotated[bool, typer.Option("--json", help="One JSON object on standard output, nothing else there.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
Folder = Annotated[str, typer.Argument(metavar="FOLDER", help="The folder of a skill.")]
In = Annotated[str, typer.Option("--in", metavar="FOLDER", help="Where its folder is made; here if left out.")]


def add_to(app: typer.Typer) -> None:
    """Add the commands of a person who writes skills."""
    app.command("new")(new)
    app.command("lint")(lint)
    app.command("lock")(lock)
    app.command("test")(run_tests)
    app.command("dev")(dev)
    app.command("from-run")(from_run)
    app.command("proposals")(proposals)


def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Its id: small letters, digits and hyphens.")],
    folder: In = ".",
    as_json: AsJson = False,
) -> int:
    """Begin a skill: a folder with a tool that works, examples in English and German, and tests that pass."""
    from portal.cli import skills_author

    return skills_author.new(name, folder, as_json)


def lint(folder: Folder, as_json: AsJson = False) -> int:
    """Say everything that is wrong with a skill, with file, line and what to do; nothing of it runs."""
    from portal.cli import skills_author

    return skills_author.lint(folder, as_json)


def lock(folder: Folder, as_json: AsJson = False) -> int:
    """Write which Python packages a skill runs with: what steward.toml requires, each with the sums of its wheels."""
    from portal.cli import skills_author

    return skills_author.lock(folder, as_json)


def run_tests(folder: Folder, as_json: AsJson = False) -> int:
    """Run the tests of a skill behind the wall, each call with the rights of its manifest alone."""
    from portal.cli import skills_author

    return skills_author.run_tests(folder, as_json)


def dev(folder: Folder, as_json: AsJson = False) -> int:
    """Let a skill count while you write it: every save at once, until Ctrl-C."""
    from portal.cli import skills_author

    return skills_author.dev(folder, as_json)


def from_run(
    run: Annotated[str, typer.Argument(metavar="RUN", help="A run that went well (./steward runs).")],
    name: Annotated[
        str, typer.Option("--name", metavar="NAME", help="The skill's id; made of its words if left out.")
    ] = "",
    folder: In = "",
    yes: Yes = False,
    as_json: AsJson = False,
) -> int:
    """Make a skill of a run: the same calls, with the values that you said as its parameters."""
    from portal.cli import skills_author

    return skills_author.from_run(run, name, folder, as_json=as_json, yes=yes)


def proposals(
    adopt: Annotated[str, typer.Option("--adopt", metavar="ID", help="Put one into its skill.")] = "",
    drop: Annotated[str, typer.Option("--drop", metavar="ID", help="Drop one for good.")] = "",
    as_json: AsJson = False,
) -> int:
    """List what requests that failed and were then explained propose for your skills."""
    from portal.cli import skills_author

    return skills_author.proposals(adopt, drop, as_json)
