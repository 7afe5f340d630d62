"""``plan``: what would be done about a sentence, drawn in the terminal, as JSON or as a flowchart. Nothing is done."""

from __future__ import annotations

import sys

from portal.cli import cards
from portal.cli.asking import check_text, terminal_conversation, working_directory
from portal.cli.daemon import ensure_running
from portal.cli.outcome import Json, emit, exit_code_of, tell
from portal.cli.phrases import language_of, phrase
from portal.client import Client
from portal.locate import find_places


def plan(text: str, conversation: str | None, *, as_json: bool, graph: bool) -> int:
    """Ask for the plan of ``text`` and show it; return 0, or the exit code of why there is none."""
    check_text(text)
    places = find_places()
    ensure_running(places)
    with Client(places) as client:
        view = client.draft(text, conversation=conversation or terminal_conversation(), cwd=working_directory())
    if as_json:
        emit(view)
    elif graph and view.get("graph"):
        sys.stdout.write(str(view["graph"]))
    else:
        _show(view)
    return 0 if view.get("plan") else exit_code_of(view)


def _show(view: Json) -> None:
    language = language_of(view)
    for taken in cards.shown_lines(view.get("shown"), language):
        tell(taken.plain)
    if not view.get("plan"):
        choices = (view.get("question") or {}).get("choices") or ()
        tell("\n".join([str(view.get("answer", "")), *(f"  {n}. {one}" for n, one in enumerate(choices, 1))]))
        return
    tell(phrase(language, "plan"))
    for line in cards.plan_lines(view["plan"], language):
        tell(line)
    for line in dict.fromkeys(_right_line(right, language) for right in view.get("rights") or ()):
        tell(line)


def _right_line(right: Json, language: str) -> str:
    """Say a right as a card does; what two steps need alike is said once."""
    sign = "?" if right.get("verdict") == "ask" else "✓" if right.get("verdict") == "allow" else "✗"
    return f"{sign} {phrase(language, 'wants', skill=right.get('skill', ''), what=right.get('words') or '')}"
