"""More: a call that met a person's limit for memory, and the question whether it may have more (decision 17).

What this stops: a call that only fails where a person would have said yes; more given than was asked, to others than
was asked, or after the person's limit changed; a script's ``--yes`` lifting a limit that a person set; a call that
changed something at a host being made again without a word about it.
What it does not: ask where the machine could not give it.
"""

from __future__ import annotations

from typing import Any

from kernel.allotting import Raise, Short, memory_at, offered
from kernel.approval.consent import REFUSALS, any_answer_to
from kernel.run import Run, words
from permissions.policy import amount_words

_STAGE = "limit"

_WORDS = {
    "en": {
        "question": "{tool} needs more than {limit} of memory; your limit for {whom} is {limit}. Let it have {more}?",
        "always": "“Always” makes the limit for {whom} {more}.",
        "itself": "it", "twice": "May be done twice",
        "again": "{tool} begins again, with up to {more} of memory.",
        "machine": "This machine can spare no more than {spare} now.",
    },
    "de": {
        "question": "{tool} braucht mehr als {limit} Arbeitsspeicher; deine Grenze für {whom} ist {limit}. "
                    "Darf es {more} haben?",
        "always": "„Immer“ macht daraus {more}.",
        "itself": "dieses Werkzeug", "twice": "Wird vielleicht zweimal getan",
        "again": "{tool} fängt noch einmal an, mit bis zu {more} Arbeitsspeicher.",
        "machine": "Dieser Rechner hat gerade nicht mehr als {spare} übrig.",
    },
}  # fmt: skip


async def ask_for_more(run: Run, short: Short) -> str:
    """Ask whether the calls that ``short`` stands for get more; return why not, empty where they do.

    A limit that was changed since the call met it is no question any more: the call is made again under the new one.
    """
    async with run.asking:
        if not _stands(run, short):
            return ""
        spare = run.house.spare_bytes()
        more = offered(short.bound, spare)
        if not more:
            return _said(run, "machine").format(spare=_about(spare))
        answer = await any_answer_to(run, _request(run, short, more))
        if answer in REFUSALS:
            run.refusal = REFUSALS[answer]
            return words(run, REFUSALS[answer].removeprefix("approval."))
        await _give(run, short, more, answer)
        again = _said(run, "again").format(tool=short.tool, more=amount_words(more, "memory"))
        await run.log.say("task.progress", short.task, {"fraction": None, "text": again}, durable=False)
        return ""


def _stands(run: Run, short: Short) -> bool:
    """Tell whether the limit that was met still is what it was."""
    standing = memory_at(run.raises.applied(run.house.policy, short.task), short.bound.node)
    return standing is not None and standing.amount == short.bound.amount


def _request(run: Run, short: Short, more: int) -> dict[str, Any]:
    bound = short.bound
    node = bound.node.rpartition("/")[2]
    limit, offer = amount_words(bound.amount, "memory"), amount_words(more, "memory")
    whom = _said(run, "itself") if node == short.tool else node
    question = _said(run, "question").format(tool=short.tool, limit=limit, whom=whom, more=offer)
    always = _said(run, "always").format(whom=whom, more=offer)
    card = {
        "rights": [],
        "limit": {
            "question": question, "always": always, "task": short.task, "tool": short.tool, "node": node,
            "meter": "memory", "limit": limit, "limit_bytes": bound.amount, "offered": offer, "offered_bytes": more,
            "peak_bytes": short.peak_bytes,
        },
        "concerns": [{"why": _said(run, "twice"), "subject": host} for host in short.reached],
    }  # fmt: skip
    return {"stage": _STAGE, "seal": f"{_STAGE}:{short.task}:{bound.node}:{bound.amount}:{more}", "card": card}


async def _give(run: Run, short: Short, more: int, answer: str) -> None:
    if not _stands(run, short):  # the person's own limit is the later word
        return
    node, before = short.bound.node, short.bound.amount
    if answer == "always":
        why = f"asked by {short.tool} in {run.id}"
        await run.house.limit(node, "memory", more, total=False, why=why)
    else:
        run.raises.give(Raise(node, before, more, short.task if answer == "once" else ""))


def _said(run: Run, key: str) -> str:
    return _WORDS.get(run.language, _WORDS["en"])[key]


def _about(size_bytes: int) -> str:
    return f"{size_bytes // 1_000_000} MB"
