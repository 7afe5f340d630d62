"""The commands of installed skills. Whatever a package says is made visible and cut before it is shown."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from portal.cli.house import connected, list_rows, shown
from portal.cli.mcp_servers import print_server_card
from portal.cli.outcome import DENIED, FAILED, OK, PENDING, emit, is_interactive, tell
from portal.cli.prompt import confirm
from portal.cli.words import one_line

View = Mapping[str, Any]


def listed(as_json: bool) -> int:
    """List the skills."""
    with connected() as client:
        found, problems = client.skills(), client.skill_problems()
    return shown({"skills": found, "problems": problems}, as_json, lambda _: _print_skills(found, problems))


def _print_skills(found: Iterable[View], problems: Iterable[View]) -> None:
    for skill in found:
        name = skill.get("id") or skill.get("skill") or ""
        version = f" {skill['version']}" if skill.get("version") else ""
        kind = "  (instructions for a model)" if skill.get("kind") == "instructions" else ""
        tell(f"{name}{version}{kind}  {one_line(str(skill.get('description') or skill.get('title') or ''))}")
        if skill.get("packages"):
            tell(f"    with Python packages of others: {one_line(', '.join(skill['packages']), 200)}")
        for tool in skill.get("tools") or ():
            what = tool if isinstance(tool, str) else f"{tool.get('id', '')}  {tool.get('summary', '')}"
            tell(f"    {one_line(what, 110)}")
    for one in problems:
        tell(f"{one['skill']}  NOT USED: {one_line(one['message'], 300)}")
        tell(f"    {one_line(one['hint'], 200)}")


def install(place: str, *, as_json: bool, yes: bool, made_here: bool = False) -> int:
    """Show a package, ask, and install it; of what was made here no update is looked for."""
    with connected() as client:
        found = client.look_at_package(place, os.getcwd(), made_here=made_here)
        if not as_json:
            print_review(found)
        if (found["replaces"] or {}).get("same"):
            client.discard_package(found["package"])
            return shown({"review": found, "installed": None}, as_json, lambda _: tell("It is installed already."))
        if not yes and not (is_interactive() and confirm("Install it? [y/n] ")):
            client.discard_package(found["package"])
            if as_json:
                emit({"review": found, "installed": None})
            else:
                tell("Nothing was installed.")
            return DENIED if is_interactive() else PENDING
        done = client.install_package(found["package"])
    return shown({"review": found, "installed": done}, as_json, _print_installed)


def print_review(found: View) -> None:
    """Print what a package is, who signed it, what it may ask for, and what of that is new."""
    tell(f"{found['skill']}{_space(found['version'])}: {_cut(found['description'], 200)}")
    tell(f"  from {_cut(found['source'], 200)}{_space(_commit(found))}")
    if found["kind"] == "instructions" and found["title"] != found["skill"]:
        tell(f"  it calls itself {_cut(found['title'], 100)}; here it is called {found['skill']}, like its folder")
    signed = f"signed by {found['signer']}" if found["signer"] else "not signed: nobody vouches for it"
    tell(f"  {signed}")
    if found["kind"] == "instructions":
        tell("  instructions for a language model: it has no tools, may ask for nothing, needs a model to be followed")
    if found["server"]:
        tell(
            "  IT STARTS A PROGRAM, in a cell of its own; its tools are called only while it lists them just as below:"
        )
        print_server_card(found["server"])
    for tool in found["tools"]:
        tell(f"  {tool['id']} ({tool['effect']}): {_cut(tool['summary'], 100)}")
        for right in tool["rights"]:
            tell(f"      may ask for {_cut(right['right'], 100)} - {_cut(right['reason'], 120)}")
        if tool["sinks"]:
            tell(f"      decides where something goes, or what is run: {_cut(', '.join(tool['sinks']), 100)}")
        if tool["runs_programs"]:
            tell("      runs programs of this machine in its own cell")
    if found["reminds"]:
        tell(f"  tells you something at a time - {_cut(found['reminds'], 120)}")
    if found["hosts"]:
        tell(f"  wants to reach {_cut(', '.join(found['hosts']), 200)}")
    _print_packages(found["packages"])
    _print_update(found)


def _print_packages(packages: Iterable[View]) -> None:
    """Print which code of others comes along, how much of it where that is known, and from where."""
    rows = list(packages)
    if rows:
        tell(
            "  BRINGS CODE OF OTHERS, which runs in this skill's cells with its rights; only what the lock's sums name:"
        )
    for one in rows:
        size = f", {-(-one['size_bytes'] // 1024)} KiB" if one["size_bytes"] is not None else ""
        tell(f"      {one['name']} {one['version']}{size}, {_origin(one)}")


def _origin(one: View) -> str:
    if one["built"]:
        return "here already: the same packages were built for another skill or version"
    return f"{'fetched after your yes from' if one['fetched'] else 'from'} {_cut(one['from'], 120)}"


def _print_update(found: View) -> None:
    before = found["replaces"]
    if not before or before["same"]:
        return
    which = f"version {before['version']}" if before["version"] else f"the one in use ({before['digest'][:12]})"
    age = ", which is the same version" if before["version"] == found["version"] else ", which is NEWER"
    tell(f"  in place of {which}{age if found['older'] else ''}")
    if before["signer"] and before["signer"] != found["signer"]:
        tell("  NOT signed by the key that signed the version in use")
    for more in found["wants_more"]:
        was = f" (so far {_cut(more['was'], 100)})" if more["was"] else ""
        tell(f"  NEW: {more['tool']} {more['what']}: {_cut(more['now'], 100)}{was}")
    if found["kind"] == "instructions":
        return
    kept = "What was granted to it stays granted." if found["keeps_grants"] else "It is asked for every right again."
    tell(f"  {kept}")


def _print_installed(found: View) -> None:
    done, is_text = found["installed"], found["review"]["kind"] == "instructions"
    then = "It is text, and gets no rights." if is_text else "Each of its rights is asked for when it is needed."
    tell(f"{done['skill']}{_space(done['version'])} is installed. {then}")


def _space(text: str) -> str:
    return f" {text}" if text else ""


def versions(skill: str, as_json: bool) -> int:
    """List versions."""
    with connected() as client:
        found = client.skill_versions(skill)
    rows = [(one["version"], "in use" if one["in_use"] else "", "pinned" if one["pinned"] and one["in_use"] else "",
             _day(one["at_s"]), one["digest"][:12], _cut(one["source"], 60)) for one in found]  # fmt: skip
    columns = ("version", "", "", "installed", "digest", "from")
    return shown({"versions": found}, as_json, lambda _: list_rows(columns, rows, ""))


def rollback(skill: str, version: str, as_json: bool) -> int:
    """Go back."""
    with connected() as client:
        found = client.go_back(skill, version)
    return shown(found, as_json, lambda one: tell(f"{one['skill']} is at version {one['version']} now."))


def pin(skill: str, pinned: bool, as_json: bool) -> int:
    """Pin, or no longer."""
    with connected() as client:
        found = client.pin_skill(skill, pinned)
    said = f"{skill} stays at its version." if pinned else f"{skill} can be updated again."
    return shown(found, as_json, lambda _: tell(said))


def verify(as_json: bool, *, repair: bool = False) -> int:
    """Verify; a changed skill is a failure."""
    with connected() as client:
        found = client.repair_skills() if repair else client.verify_skills()
    rows = [(one["skill"], one["version"], _state(one), one["digest"][:12]) for one in found]
    nothing = "No skill was installed besides those of Steward."
    shown({"skills": found}, as_json, lambda _: list_rows(("skill", "version", "", "digest"), rows, nothing))
    return OK if all(one["ok"] for one in found) else FAILED


def _state(one: View) -> str:
    if one["ok"]:
        return "as installed"
    changed = f"CHANGED, and not used: ./steward skills versions {one['skill']}"
    return changed if one["packages_ok"] else "PACKAGES CHANGED: ./steward skills verify --repair"


def remove(skill: str, as_json: bool) -> int:
    """Remove."""
    with connected() as client:
        found = client.remove_skill(skill)
    took = f" and {len(found['revoked'])} grants were taken back" if found["revoked"] else ""
    said = f"{skill} is out of use{took}. It comes back with: ./steward skills rollback {skill}"
    return shown(found, as_json, lambda _: tell(said))


def _commit(found: View) -> str:
    return f"(commit {found['commit']})" if found.get("commit") else ""


def _cut(text: str, most: int) -> str:
    return one_line(str(text), most)


def _day(at_s: float) -> str:
    return datetime.fromtimestamp(at_s).astimezone().strftime("%Y-%m-%d %H:%M")
