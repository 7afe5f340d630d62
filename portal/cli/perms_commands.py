"""``./steward perms ...`` and its options; the work stands in ``portal.cli.perms``."""

from __future__ import annotations

from typing import Annotated

import typer

from portal.cli.outcome import refuse

perms_app = typer.Typer(help="What skills may do: grants, denies, limits, and why.", no_args_is_help=False)

AsJson = Annotated[bool, typer.Option("--json", help="One JSON object on standard output, nothing else there.")]
Node = Annotated[
    str,
    typer.Argument(
        help="root, user, workspace, a skill (files), a tool (files.find), a client (mcp:claude) or a routine "
        "(routine:NAME)."
    ),
]
RightArgument = Annotated[str, typer.Argument(metavar="RIGHT", help="e.g. fs.read:~/Documents/**")]
Why = Annotated[str, typer.Option("--why", help="A reason, kept with it.")]


@perms_app.callback(invoke_without_command=True)
def perms(context: typer.Context, as_json: AsJson = False) -> int:
    """Show what skills may do without asking, what is denied, and the limits."""
    from portal.cli import perms

    return 0 if context.invoked_subcommand else perms.show("", as_json)


@perms_app.command("show")
def perms_show(
    path: Annotated[str, typer.Argument(metavar="[PATH]", help="Only what holds at this node, e.g. files.")] = "",
    as_json: AsJson = False,
) -> int:
    """Show grants, denies and limits: all of them, or what holds at one node."""
    from portal.cli import perms

    return perms.show(path, as_json)


For = Annotated[str, typer.Option("--for", help="How long it holds: 30m, 2h, 7d.")]
Until = Annotated[str, typer.Option("--until", help="When it ends: 18:30, 2026-12-24T18:00.")]


@perms_app.command("grant")
def perms_grant(
    skill: Annotated[str, typer.Argument(help="A skill's id, e.g. documents.")],
    right: RightArgument,
    lasting: For = "",
    until: Until = "",
    why: Why = "",
    as_json: AsJson = False,
) -> int:
    """Let a skill do something from now on without asking."""
    from portal.cli import perms

    return perms.grant(skill, right, as_json, lasting=lasting, until=until, why=why)


@perms_app.command("deny")
def perms_deny(
    node: Node, right: RightArgument, lasting: For = "", until: Until = "", why: Why = "", as_json: AsJson = False
) -> int:
    """Deny something at a node and below, whoever grants it."""
    from portal.cli import perms

    return perms.deny(node, right, as_json, lasting=lasting, until=until, why=why)


@perms_app.command("revoke")
def perms_revoke(
    grant: Annotated[str, typer.Argument(metavar="[ID]", help="The id of a grant or a deny.")] = "",
    skill: Annotated[str, typer.Option("--all", metavar="SKILL", help="Every grant of this skill.")] = "",
    as_json: AsJson = False,
) -> int:
    """Take a grant or a deny back. What runs and needs it is stopped."""
    from portal.cli import perms

    if bool(grant) == bool(skill):
        refuse("Name one grant, or a skill with --all.", "./steward perms lists them.")
    return perms.revoke_all(skill, as_json) if skill else perms.revoke(grant, as_json)


@perms_app.command("limit")
def perms_limit(
    node: Node,
    controller: Annotated[str, typer.Argument(help="memory, cpu, wall, disk, pids, tokens, money.EUR ...")],
    value: Annotated[str, typer.Argument(help="512MB, 30s, 100k, 2.50; none takes the limit away.")],
    total: Annotated[bool, typer.Option("--total", help="For all calls from now on together: a budget.")] = False,
    lasting: For = "",
    until: Until = "",
    why: Why = "",
    as_json: AsJson = False,
) -> int:
    """Bound what calls at a node and below may use: each of them, or together."""
    from portal.cli import perms

    return perms.limit(node, controller, value, as_json, total=total, lasting=lasting, until=until, why=why)


@perms_app.command("explain")
def perms_explain(
    path: Annotated[str, typer.Argument(metavar="PATH", help="The node: user, files, files.find.")],
    action: Annotated[str, typer.Argument(help="A right (fs.read:~/x) or what is limited (memory).")],
    as_json: AsJson = False,
) -> int:
    """Say which node decides, why, and the one command that would change it."""
    from portal.cli import perms

    return perms.explain(path, action, as_json)


@perms_app.command("history")
def perms_history(
    as_json: AsJson = False,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=500, help="How many, at most.")] = 50,
) -> int:
    """Show what was granted, denied, limited and taken back, and when."""
    from portal.cli import perms

    return perms.history(as_json, limit)
