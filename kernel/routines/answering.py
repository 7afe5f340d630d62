"""The answer to what a rule left open: put into the rule, which is heard anew.

"Every weekday show my tasks" lacks its time of day; "at eight", said next, stands where its trigger ends. What was not
understood of it gives way to the answer. Only the next sentence of the conversation is one, and only where no tool
takes it as a request of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kernel.language.answer_words import agrees
from kernel.run import Run
from kernel.settling.asked import QUESTION, UNCLEAR, Left, before, left_open, pairs, put, read_pairs

ASKED = "routine.asked"
"""Body: text, end (characters up to the end of its trigger), about (words that were not understood), yes, either, and
answered: what the planner asked before about what the rule is to do, and was told.
"""

_MOST_WORDS = 12
_NOT = frozenset("not don't don’t never no nicht kein keine keinesfalls nie".split())


async def remember(
    run: Run, text: str, end: int, about: str = "", yes: str = "", either: Mapping[str, str] | None = None,
    answered: Sequence[tuple[str, str]] = (),
) -> None:  # fmt: skip
    """Write down what was asked about the rule ``text``, so that the next sentence can answer it; ``yes`` is what a yes
    puts behind its trigger, ``either`` are rules to choose from, each by what a word begins with.
    """
    body = {"text": text, "end": end, "about": about, "yes": yes, "either": pairs(list((either or {}).items()))}
    body |= {"answered": pairs(answered)}
    await run.log.say(ASKED, None, body, durable=False)


def asks(run: Run) -> bool:
    """Tell whether the run before this one left a question open, about a rule or anything else."""
    return bool(before(run, ASKED))


def answered(run: Run) -> tuple[tuple[str, str], ...]:
    """Return what was asked about the deeds of the rule that was asked about last, and said, before this run."""
    open_yet = left_open(run, Left.RULE)
    return read_pairs(_asked(run).get("answered")) if open_yet is None else open_yet.answered


def settled(run: Run) -> tuple[str, list[tuple[str, str]]] | None:
    """Return the rule about whose deeds was asked last, with each question and its answer: the last is said now."""
    open_yet, said = left_open(run, Left.RULE), run.utterance.text.strip()
    return None if open_yet is None or not said else (open_yet.text, open_yet.with_answer(said))


def picks_one(run: Run) -> bool:
    """Tell whether a bare number is said while there is something to choose about a rule."""
    if not _is_number(run):
        return False
    return settled(run) is not None or any(_asked(run).get(name) for name in ("yes", "either"))


async def ask_again(run: Run) -> None:
    """Ask once more where a number is said that is none of those to choose from about a rule. Raises Stop."""
    if not _is_number(run):
        return
    asked = before(run, ASKED)
    question, rule = asked.get(QUESTION, {}), asked.get(ASKED)
    choices = question.get("choices") or ()
    about = {str(Left.RULE): question[Left.RULE]} if Left.RULE in question else {}
    if not choices or not (rule or about) or 0 < int(_said(run)) <= len(choices):
        return
    if rule:
        await run.log.say(ASKED, None, dict(rule), durable=False)
    await put(run, UNCLEAR, str(question["question"]), choices, about)


def _is_number(run: Run) -> bool:
    return _said(run).isdecimal()


def _said(run: Run) -> str:
    return run.utterance.text.strip().rstrip(".!?")


def wordings(run: Run) -> Iterator[str]:
    """Yield the rule that was asked about last with what is said now in it, the likeliest wording first."""
    body, answer = _asked(run), _said(run)
    if not body or not answer or len(answer.split()) > _MOST_WORDS:
        return
    text, end, about = str(body["text"]), int(str(body["end"])), str(body["about"])
    if body["yes"]:
        if agrees(answer.split()[0].casefold().strip(",.!")) or answer == "1":
            yield f"{text[:end]}, {body['yes']}{text[end:]}"
        return
    if body["either"]:
        rule = _chosen(dict(read_pairs(body["either"])), answer)
        if rule:
            yield rule
        return
    if about and about in text:
        yield text.replace(about, answer, 1)
    yield f"{text[:end]} {answer}{text[end:]}"
    yield f"{answer} {text}"
    yield f"{text.rstrip('.!? ')}, {answer}"


def _chosen(either: Mapping[str, str], answer: str) -> str:
    """Return which of several rules a reply chooses, by its number or by a word; empty where it chooses none."""
    rules = list(either.values())
    if answer.isdecimal():
        return rules[int(answer) - 1] if 0 < int(answer) <= len(rules) else ""
    words = [word.strip(",!:;") for word in answer.casefold().split()]
    named = [rule for begin, rule in zip(either, rules, strict=True) if any(word.startswith(begin) for word in words)]
    return named[0] if len(named) == 1 and _NOT.isdisjoint(words) else ""  # "don't copy it" chooses nothing yet


def _asked(run: Run) -> Mapping[str, Any]:
    """What the run before this one asked about when a rule is due; empty where that is nothing, or was dropped."""
    return before(run, ASKED).get(ASKED, {})
