"""A dry run in a terminal: it is followed like any run, and below its answer stands what it would have changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def show_changes(view: Mapping[str, Any], language: str) -> None:
    """Draw what a dry run would have changed, line by line; nothing where it got to none."""
    found = (view.get("result") or {}).get("trial") or {}
    if not found.get("changes"):
        return
    from portal.cli import cards, screens

    card = {"changes": found["changes"], "concerns": found["asks"]}
    for line in cards.lines_of_changes({"run": view["run"], "diff": found["diff"], "card": card}, language):
        screens.people.print(line)
