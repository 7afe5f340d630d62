"""``./steward skills ...`` and its options; the work stands in ``portal.cli.skills``."""

from __future__ import annotations

from typing import Annotated

import typer

skills_app = typer.Typer(help="Skills: list, find, install, update, go back, remove.", no_args_is_help=False)

AsJson = Annotated[bool, typer.Option("--json", help="One JSON object on standard output, nothing else there.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
Skill = Annotated[str, typer.Argument(metavar="SKILL", help="A skill's id, e.g. documents.")]


@skills_app.callback(invoke_without_command=True)
def skills(context: typer.Context, as_json: AsJson = False) -> int:
    """List the installed skills and what they can do."""
    from portal.cli import skills

    return 0 if context.invoked_subcommand else skills.listed(as_json)


@skills_app.command("list")
def skills_list(as_json: AsJson = False) -> int:
    """List the installed skills and what they can do."""
    from portal.cli import skills

    return skills.listed(as_json)


@skills_app.command("install")
def install(
    place: Annotated[
        str,
        typer.Argument(
            metavar="PLACE",
            help="A folder, an archive, https://…, git+https://…@TAG, git:PATH, index:PLACE#NAME, agents:NAME.",
        ),
    ],
    yes: Yes = False,
    as_json: AsJson = False,
) -> int:
    """Look at a package, and install it after a yes. Installing a newer version is the same."""
    from portal.cli import skills

    return skills.install(place, as_json=as_json, yes=yes)


@skills_app.command("update")
def update(
    skill: Annotated[str, typer.Argument(metavar="[SKILL]", help="Which; all of them if left out.")] = "",
    yes: Yes = False,
    as_json: AsJson = False,
) -> int:
    """Look where skills came from, show what is new, install it after a yes; --yes takes what wants nothing more."""
    from portal.cli import skills_updating

    return skills_updating.update(skill, as_json=as_json, yes=yes)


@skills_app.command("found")
def found(as_json: AsJson = False) -> int:
    """List skills that other agents keep here and in your home; none of them counts before it is installed."""
    from portal.cli import skills_finding

    return skills_finding.found(as_json)


@skills_app.command("search")
def search(
    words: Annotated[list[str], typer.Argument(metavar="WORDS", help="What a skill should be about.")],
    as_json: AsJson = False,
) -> int:
    """Find installed skills by words."""
    from portal.cli import skills_finding

    return skills_finding.search(" ".join(words), as_json)


@skills_app.command("versions")
def versions(skill: Skill, as_json: AsJson = False) -> int:
    """List the versions of a skill that are there."""
    from portal.cli import skills

    return skills.versions(skill, as_json)


@skills_app.command("rollback")
def rollback(
    skill: Skill,
    version: Annotated[str, typer.Argument(metavar="[VERSION]", help="Which; the one before if left out.")] = "",
    as_json: AsJson = False,
) -> int:
    """Go back to an earlier version. What was granted to that version counts again."""
    from portal.cli import skills

    return skills.rollback(skill, version, as_json)


@skills_app.command("pin")
def pin(skill: Skill, as_json: AsJson = False) -> int:
    """Keep a skill at its version."""
    from portal.cli import skills

    return skills.pin(skill, True, as_json)


@skills_app.command("unpin")
def unpin(skill: Skill, as_json: AsJson = False) -> int:
    """Let a skill be updated again."""
    from portal.cli import skills

    return skills.pin(skill, False, as_json)


@skills_app.command("verify")
def verify(
    repair: Annotated[bool, typer.Option("--repair", help="Build Python packages again that are not.")] = False,
    as_json: AsJson = False,
) -> int:
    """Hold every installed skill, and its Python packages, against what was installed, byte for byte."""
    from portal.cli import skills

    return skills.verify(as_json, repair=repair)


@skills_app.command("remove")
def remove(skill: Skill, as_json: AsJson = False) -> int:
    """Take a skill out of use, and its grants with it. Its versions stay; rollback brings one back."""
    from portal.cli import skills

    return skills.remove(skill, as_json)
