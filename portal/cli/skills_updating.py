"""``./steward skills update``: look where each skill came from, show what the new one wants more, take it after a yes.

An update that wants more than the version in use is never covered by ``--yes``: a person sees it, or it stays away.
"""

from __future__ import annotations

import os
from typing import Any

from portal.cli.house import connected
from portal.cli.outcome import FAILED, OK, PENDING, USAGE, Failure, emit, is_interactive, tell
from portal.cli.prompt import confirm
from portal.cli.skills import print_review
from portal.cli.words import one_line
from portal.client import Client
from portal.wire import DaemonError

Json = dict[str, Any]

_CODES = {"failed": FAILED, "left": PENDING}
_SAID = {
    "same": "{skill} is up to date.",
    "pinned": "{skill} is pinned to {version}. To let it go: ./steward skills unpin {skill}",
    "server": "{skill} is an MCP server. To look at it again: ./steward mcp review {skill}",
    "made": "{skill} was made here: no update is looked for. Another version: ./steward skills install PLACE",
    "left": "{skill} stays at {version}.",
    "installed": "{skill} is updated.",
}


def update(skill: str, *, as_json: bool, yes: bool) -> int:
    """Update one skill, or all that were installed."""
    with connected() as client:
        every = client.installed_skills()
        chosen = [one for one in every if not skill or one["skill"] == skill]
        if skill and not chosen:
            hint = "./steward skills lists what is there."
            raise Failure("skill.unknown", f"No skill {skill} was installed.", hint, USAGE)
        done = [_one(client, one, yes=yes, quiet=as_json) for one in chosen]
    if as_json:
        emit({"skills": done})
    elif not done:
        tell("No skill was installed besides those of Steward.")
    return next((code for outcome, code in _CODES.items() if outcome in {one["outcome"] for one in done}), OK)


def _one(client: Client, entry: Json, *, yes: bool, quiet: bool) -> Json:
    """Update one skill; what goes wrong with it stops no other."""
    try:
        outcome = _looked_at(client, entry, yes=yes, quiet=quiet)
    except DaemonError as error:
        if not error.status:  # nobody is there any more
            raise
        outcome = {"outcome": "failed", "error": {"code": error.code, "message": str(error), "hint": error.hint}}
        if not quiet:
            tell(f"{entry['skill']}: {one_line(str(error), 300)} {one_line(error.hint, 300)}")
    if not quiet and outcome["outcome"] in _SAID:
        tell(_SAID[outcome["outcome"]].format(**entry))
    return {"skill": entry["skill"], **outcome}


def _looked_at(client: Client, entry: Json, *, yes: bool, quiet: bool) -> Json:
    if entry["pinned"]:
        return {"outcome": "pinned"}
    if entry["server"] or not entry["asked"]:
        return {"outcome": "server" if entry["server"] else "made"}
    review = client.look_at_package(entry["asked"], os.getcwd(), entry["skill"])
    if (review["replaces"] or {}).get("same"):
        client.discard_package(review["package"])
        return {"outcome": "same"}
    if not quiet:
        print_review(review)
    if not _agreed(review, yes=yes, quiet=quiet):
        client.discard_package(review["package"])
        return {"outcome": "left", "review": review}
    return {"outcome": "installed", "review": review, "installed": client.install_package(review["package"])}


def _agreed(review: Json, *, yes: bool, quiet: bool) -> bool:
    """Whether the person wants it: asked at a terminal; a yes in advance covers only what wants nothing more."""
    if yes:
        return not review["wants_more"]
    return not quiet and is_interactive() and confirm("Update it? [y/n] ")
