"""Finding skills: those that other agents keep here, and installed ones by words. Looking installs nothing."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

from portal.cli.house import connected, shown
from portal.cli.outcome import tell
from portal.cli.words import one_line

View = Mapping[str, Any]
_WIDEST = 110


def found(as_json: bool) -> int:
    """List what other agents keep."""
    with connected() as client:
        there = client.found_skills(os.getcwd())
    return shown({"skills": there}, as_json, lambda _: _print_found(there))


def _print_found(there: list[dict[str, Any]]) -> None:
    if not there:
        tell("No skill lies in .agents/skills or .claude/skills, here or in your home.")
        return
    for one in there:
        state = "installed" if one["installed"] else "cannot be read" if one["problem"] else one["kind"]
        tell(f"{one_line(one['name'], 64)}  ({state})  {one_line(one['problem'] or one['description'], _WIDEST)}")
        tell(f"    {one_line(one['place'], 200)}")
    tell("None of them counts here before you take it: ./steward skills install agents:NAME")


def search(words: str, as_json: bool) -> int:
    """Find by words."""
    with connected() as client:
        fitting = client.search_skills(words)
    return shown({"skills": fitting}, as_json, lambda _: _print_fitting(fitting))


def _print_fitting(fitting: Iterable[View]) -> None:
    rows = list(fitting)
    for one in rows:
        kind = "  (instructions for a model)" if one["kind"] == "instructions" else ""
        tell(f"{one['id']}{kind}  {one_line(one['description'], _WIDEST)}")
    if not rows:
        tell("No installed skill fits. ./steward skills lists them all.")
