"""What a person sees before a yes: the plan, and the card, with every fact on it said once.

No text from elsewhere is ever read as markup: everything goes through ``words.visible`` into Text objects.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any

from rich.panel import Panel
from rich.text import Text
from rich.tree import Tree

from portal.cli.changes import ChangeSet, change_line, rest_lines, summary_lines
from portal.cli.phrases import origins, phrase, stage_of
from portal.cli.reviewed import review_lines
from portal.cli.screens import people
from portal.cli.tables import NARROW
from portal.cli.words import moment, one_line, path_line, visible

TEXTS_LONGEST = 10_000
"""Characters that the texts of the changes on a card share alike; each has ``LEAST_OF_A_TEXT`` in any case.

Of more than 25 changes the texts may have more together. What a card asks for, and each change that it lists, is never
cut, and of a card that is ``whole`` no text is.
"""

LEAST_OF_A_TEXT = 400
DIFF_LINES = 60
DRY_LINES = 20
"""Of what a dry run said, so many lines stand on a card; the rest with its run."""

_FROM_TASK = re.compile(r"← (?P<task>[^.\[]+)(?:\[(?P<item>-?\d+)\])?(?:\.(?P<field>.+))?$")
_DIFF_STYLES = {"+": "green", "-": "red", "@": "cyan"}
_SHOWN_AS = {
    "fenced": "fenced", "quoted": "quotation", "cited": "cited", "indented": "indented", "mail": "mail",
    "tagged": "tagged", "announced": "announced",
}  # fmt: skip
_LOST = {"deletes": "deleted", "overwrites": "overwritten"}
"""Reasons for a second question that are about one path, and what the list of changes says of it."""

_OF_A_RESULT = frozenset({"commit", "mail"})
"""Stages that ask about a result right after it was reviewed; the others are about something else."""

_SEEN_IN_LIST = frozenset({*_LOST, "many"})
"""Reasons for a second question that the list of changes shows by itself, as far as it goes."""

Json = Mapping[str, Any]


def show_request(text: str, language: str) -> None:
    """Say which sentence a run began with."""
    people.print(Text(visible(phrase(language, "asked", text=one_line(text, 500))), "bold"))


def show_plan(plan: Json, language: str) -> None:
    """Draw the plan: one branch for each task, with its values and what it waits for."""
    tree = Tree(Text(phrase(language, "plan"), style="bold"))
    tasks = plan.get("tasks", ())
    numbers = {task["id"]: str(number) for number, task in enumerate(tasks, 1)}
    for task in tasks:
        tree.add(_task_text(task, numbers, language))
    people.print(tree)


def plan_lines(plan: Json, language: str) -> Iterator[str]:
    """Return the plan as plain lines: a task with what it waits for, below it its values."""
    tasks = plan.get("tasks", ())
    numbers = {task["id"]: str(number) for number, task in enumerate(tasks, 1)}
    for task in tasks:
        first, *rest = _task_text(task, numbers, language).plain.split("\n")
        yield f"├─ {first}"
        yield from (f"│    {line}" for line in rest)


def _task_text(task: Json, numbers: Mapping[str, str], language: str) -> Text:
    title = Text.assemble((f"{numbers[task['id']]} ", "dim"), (one_line(str(task.get("title", "")), 100), "bold"))
    title.append(f"  {one_line(str(task.get('tool', '')), 60)}", "dim")
    after = [numbers.get(other, "?") for other in task.get("after", ())]
    if after:
        title.append(f"  {phrase(language, 'after', steps=', '.join(after))}", "dim")
    for bound in ("each", "only"):
        if task.get(bound):
            title.append(f"\n{one_line(str(task[bound]), 160)}", "yellow")
    labels = task.get("labels") or {}
    for name, value in (task.get("arguments") or {}).items():
        shown = _value(str(value), numbers, language)
        longest = None if name in (task.get("origins") or {}) else 160  # what decides something is seen whole
        title.append(f"\n{one_line(str(labels.get(name) or name), 60)}: ", "cyan").append(one_line(shown, longest))
        if name in (task.get("chosen") or ()):
            title.append(f"  {phrase(language, 'chosen')}", "yellow")
    return title


def _value(text: str, numbers: Mapping[str, str], language: str) -> str:
    """Say a value; ``← t1[2].name`` is the name of item 2 of the result of that task."""
    found = _FROM_TASK.match(text)
    if found is None or found["task"] not in numbers:
        return text
    said = phrase(language, "result", step=numbers[found["task"]])
    if found["item"]:
        said = phrase(language, "item", item=found["item"], whole=said)
    return phrase(language, "field", field=found["field"], whole=said) if found["field"] else said


def show_card(request: Json, language: str) -> None:
    """Draw the card of a run that waits: what rights it asks for, what limit it met, or what changes it will make.

    What a second model said of a result stands before its changes; of one that was thrown away, on no card.
    """
    card = request.get("card") or {}
    lines = [
        *_origin_lines(card, language),
        *shown_lines(card.get("shown"), language),
        *_limit_lines(card),
        *(_concern_lines(card, language) if card.get("flow") else ()),
        *_kept_lines(card.get("routine"), language, rights=bool(card.get("lines"))),
        *_macro_lines(card.get("macro"), language, rights=bool(card.get("lines"))),
        *_right_lines(card, language),
        *_would_lines(card.get("would"), language),
        *(() if any(card.get(kept) for kept in ("flow", "routine", "macro")) else _concern_lines(card, language)),
        *_review_lines(request),
        *lines_of_changes(request, language),
    ]
    if level := card.get("level"):
        words = _level_words(str(level), str(card.get("worker_host") or ""), language)
        lines.append(Text("\n" + phrase(language, "level", level=level, words=words), "dim"))
    if note := card.get("level_note"):
        lines.append(Text(visible(str(note)), "yellow"))
    body = Text("\n").join(lines)
    title = Text(phrase(language, f"card.{stage_of(request)}"), "bold yellow")
    if people.width >= NARROW:
        people.print(Panel(body, title=title, title_align="left", border_style="yellow"))
    else:  # no frame, and no line broken but by the terminal: a path stays in one piece
        for line in (title, *body.split("\n", allow_blank=True)):
            people.print(line, soft_wrap=True)


def _level_words(level: str, host: str, language: str) -> str:
    """Say what a level keeps away; a model that works on another ``host`` is told what its cells read."""
    if level == "L3" and host:
        return phrase(language, "L3.away", host=visible(host))
    return phrase(language, level) if level in ("L1", "L2", "L3") else ""


def _origin_lines(card: Json, language: str) -> Iterator[Text]:
    """Say who asks, where it is a program, and who planned it, where it was a model."""
    for line in origins(card, language):
        yield Text(line, "bold")


def _kept_lines(routine: Json | None, language: str, *, rights: bool) -> Iterator[Text]:
    """Say what of a routine is kept for good: when, its plan, its limits, and whose its rights are."""
    if not routine:
        return
    most = [routine["most"]] if routine.get("most") else []
    limits = [("routine.but", limit) for limit in (*routine["limits"], *most)]
    facts = [*worded_facts(routine), ("routine.when", routine["when"]), *limits, ("routine.does", routine["said"])]
    facts.append(("routine.first", moment(routine["next"])))
    yield from _told_lines(facts, routine["plan"], language, "routine.for_good" if rights else "")


def worded_facts(routine: Json) -> list[tuple[str, str]]:
    """Say in which words a model said a routine, and which of them are not the person's; nothing where none did."""
    worded = routine.get("worded")
    if not worded:
        return []
    unsaid = ", ".join(map(str, worded["unsaid"]))
    return [("routine.worded", str(worded["words"])), *([("routine.unsaid", unsaid)] if unsaid else [])]


def _macro_lines(macro: Json | None, language: str, *, rights: bool) -> Iterator[Text]:
    """Say what of a macro is kept: its name, its steps, what it is told; its rights are asked for when it is done."""
    if not macro:
        return
    told = ", ".join(str(one["name"]).replace("_", " ") for one in macro["parameters"])
    facts = [("macro.name", macro["name"]), ("routine.does", macro["text"]), ("macro.told", told)]
    yield from _told_lines(facts, macro["plan"], language, "macro.rights" if rights else "")


def _told_lines(facts: Sequence[tuple[str, str]], plan: Json, language: str, rights: str) -> Iterator[Text]:
    """Say facts by the phrases that name them, but for empty ones, the plan, and what is said of its ``rights``."""
    for key, words in facts:
        if words:
            yield Text.assemble((f"{phrase(language, key)}: ", "cyan"), (one_line(str(words), None), "bold"))
    for line in plan_lines(plan, language):
        yield Text(line)
    if rights:
        yield Text(phrase(language, rights))


def _would_lines(would: Json | None, language: str) -> Iterator[Text]:
    """Say what would have set a routine off, what a dry run of it came to, and which rights that lacked."""
    if not would:
        return
    dry = would["dry"]
    for fires in would["fires"]:
        yield Text(one_line(str(fires), None))
    lines = str(dry["said"]).splitlines()
    for number, line in enumerate(lines[:DRY_LINES]):
        lead = f"{phrase(language, 'dry run')}: " if number == 0 else "    | "  # it may be the words of others
        yield Text.assemble((lead, "cyan"), one_line(line, 300))
    if len(lines) > DRY_LINES:
        yield Text(f"    {phrase(language, 'lines')}", "dim")
    for right in dry["missing"]:
        yield Text(f"    ? {visible(str(right))}", "yellow")


def shown_lines(texts: object, language: str) -> Iterator[Text]:
    """Say which texts were taken as shown, and what in them would be an order if somebody followed it."""
    for one in texts if isinstance(texts, list) else []:
        kind = _SHOWN_AS.get(str(one["kind"]), "fenced")
        begins = one_line(str(one.get("begins") or ""), 100)
        words = phrase(language, "shown", kind=phrase(language, kind), lines=one.get("lines", 1), begins=begins)
        yield Text(words, "dim")
        for order in one.get("orders") or ():
            yield Text(f"! {phrase(language, 'orders', text=one_line(str(order), 200))}", "yellow")


def _review_lines(request: Json) -> Iterator[Text]:
    review = request.get("review") or {}
    if stage_of(request) in _OF_A_RESULT and not review.get("sent_back"):
        for line in review_lines(review):
            yield Text(line, "dim")


def _limit_lines(card: Json) -> Iterator[Text]:
    limit = card.get("limit")
    if limit:
        yield Text(one_line(str(limit.get("question", "")), None))
        yield Text(f"    {one_line(str(limit.get('always', '')), None)}", "dim")


def _right_lines(card: Json, language: str) -> Iterator[Text]:
    lines = card.get("lines")
    for right in card.get("rights") or () if lines is None else lines:
        asked = right.get("verdict") == "ask"
        line = Text.assemble(("? ", "bold yellow") if asked else ("✓ ", "green"))
        skill, what = one_line(str(right.get("skill", "")), 60), visible(str(right.get("words") or ""))
        line.append(phrase(language, "wants", skill=skill, what=what))
        if not asked:
            line.append(f"  {phrase(language, 'allowed')}", "dim")
        for reason in right.get("reasons") or [right.get("reason")]:
            if reason:
                line.append(f"\n    {one_line(str(reason), None)}", "dim")
        yield line


def _concern_lines(card: Json, language: str) -> Iterator[Text]:
    changes = ChangeSet.of(card.get("changes"))
    listed = {change.get("path") for change in changes.known}
    for concern in card.get("concerns") or ():
        why, subject = concern.get("why", ""), concern.get("subject", "")
        beyond = why in _LOST and changes.total > len(changes.known) and subject not in listed
        if why not in _SEEN_IN_LIST or beyond:
            said = phrase(language, _LOST[why]) if beyond else why
            words = phrase(language, "quoted", why=said, text=subject)
            yield Text(f"! {one_line(words, None)}", "yellow")


def lines_of_changes(request: Json, language: str) -> Iterator[Text]:
    """Return the changes that a run waits with, or that a dry run came to, and what becomes of each text."""
    card = request.get("card") or {}
    changes = ChangeSet.of(card.get("changes"))
    shown = changes.shown(everything=True)
    share = None if card.get("whole") else max(LEAST_OF_A_TEXT, TEXTS_LONGEST // max(1, len(shown)))
    diffs = {diff.get("path"): diff for diff in request.get("diff") or ()}
    lost = {concern.get("subject") for concern in card.get("concerns") or () if concern.get("why") in _SEEN_IN_LIST}
    for line in summary_lines(changes, language, listed=len(shown), longest=None):
        yield Text(line)
    for change in shown:
        yield _change_text(change, lost, language, trash="undo" not in card)
        yield from _beneath(change, diffs.get(change.get("path")) or {}, language, share)
    for line in rest_lines(changes, language, str(request.get("run") or ""), listed=len(shown)):
        yield Text(line, "dim")


def _change_text(change: Json, lost: Container[object], language: str, *, trash: bool) -> Text:
    """Say one change; what somebody may lose by it stands out."""
    loses = change.get("path") in lost
    kind = "overwritten" if loses and change.get("kind") == "modified" else change.get("kind")
    line = Text(change_line({**change, "kind": kind}, language, longest=None), "bold yellow" if loses else "")
    return line.append(f"  {phrase(language, 'trash')}", "dim") if trash and kind == "deleted" else line


def _fitting(lines: Sequence[str], share: int) -> list[str]:
    said = [visible(line, longest=300) for line in lines[:DIFF_LINES]]
    return [line for line, length in zip(said, accumulate(map(len, said)), strict=True) if length <= share]


def _beneath(change: Json, diff: Json, language: str, share: int | None) -> Iterator[Text]:
    """Say what the tool notes about a change, and what becomes of a text line by line: all, or its ``share``."""
    if note := change.get("note"):
        yield Text(f"    ! {one_line(str(note), None)}", "yellow")
    what = one_line(str(diff.get("summary") or ""), None)
    if diff.get("opaque"):
        yield Text(f"    ! {phrase(language, 'opaque', what=what)}{_lies(diff, language)}", "yellow")
    lines = str(diff.get("text") or "").splitlines()
    fitting = [visible(line) for line in lines] if share is None else _fitting(lines, share)
    for line in fitting:
        yield Text(f"    {line}", _DIFF_STYLES.get(line[:1], ""))
    if not lines and diff.get("summary") and change.get("kind") in ("created", "modified"):
        yield Text(f"    {one_line(str(diff['summary']))}", "dim")
    if diff.get("truncated"):
        yield Text(f"    ! {phrase(language, 'unshown', what=what)}{_lies(diff, language)}", "yellow")
    elif len(lines) > len(fitting):
        yield Text(f"    {phrase(language, 'lines')}", "dim")


def _lies(diff: Json, language: str) -> str:
    """Say where a change lies that is not shown whole; nothing where nobody knows."""
    lies = path_line(str(diff.get("lies") or ""), None)
    return f" {phrase(language, 'lies', place=lies)}" if lies else ""
