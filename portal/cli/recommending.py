"""``recommend``: which tools would serve a request together, and why, in numbers. Nothing is done."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from portal.cli.asking import check_text, terminal_conversation, working_directory
from portal.cli.daemon import ensure_running
from portal.cli.house import list_rows
from portal.cli.outcome import DECLINED, OK, Json, emit, tell
from portal.cli.phrases import language_of, phrase
from portal.cli.words import one_line
from portal.client import Client
from portal.locate import find_places

_MOST_REASONS = 5


def recommend(text: str, conversation: str | None, limit: int, *, as_json: bool) -> int:
    """Show the tools for ``text``, best first; return 0, or 6 where there is none."""
    check_text(text)
    places = find_places()
    ensure_running(places)
    with Client(places) as client:
        said = conversation or terminal_conversation()
        view = client.recommend(text, limit, conversation=said, cwd=working_directory())
    if as_json:
        emit(view)
    else:
        _show(view)
    return OK if view["tools"] else DECLINED


def _show(view: Json) -> None:
    language = language_of(view)
    for number, step in enumerate(view["steps"] if len(view["steps"]) > 1 else (), 1):
        tell(f"{number}. {one_line(str(step), 200)}")
    columns = (
        phrase(language, "set.step"), phrase(language, "set.tool"), phrase(language, "set.does"),
        phrase(language, "set.score"), phrase(language, "set.why"),
    )  # fmt: skip
    whole = phrase(language, "set.whole")
    rows = [
        (one["step"] + 1 if one["step"] >= 0 else whole, one["tool"], one_line(str(one["summary"]), 60),
         f"{one['score']:.2f}", _why(one["reasons"]))
        for one in view["tools"]
    ]  # fmt: skip
    list_rows(columns, rows, phrase(language, "set.none"))


def _why(reasons: Mapping[str, Any]) -> str:
    """The greatest reasons in numbers; all of them stand in ``--json``."""
    greatest = sorted(reasons.items(), key=lambda pair: -abs(pair[1]))[:_MOST_REASONS]
    return " ".join(f"{name} {value:.2f}" for name, value in greatest if value)
