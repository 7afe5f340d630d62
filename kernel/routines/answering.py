"""The answer to what a rule left open: put into the rule, which is heard anew.

"Every weekday show my tasks" lacks its time of day; "at eight", said next, stands where its trigger ends. What was not
understood of it gives way to the answer. Only the next sentence of the conversation is one, and only where no tool
takes it as a request of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kernel.language.answer_words import agrees
from kernel.run import Run

ASKED = "routine.asked"
"""Body: text, end (characters up to the end of its trigger), about (words that were not understood), yes, either."""

_MOST_WORDS = 12
_NOT = frozenset("not don't don’t never no nicht kein keine keinesfalls nie".split())


async def remember(
    run: Run, text: str, end: int, about: str = "", yes: str = "", either: Mapping[str, str] | None = None
) -> None:
    """Write down what was asked about the rule ``text``, so that the next sentence can answer it; ``yes`` is what a yes
    puts behind its trigger, ``either`` are rules to choose from, each by what a word begins with.
    """
    body = {"text": text, "end": end, "about": about, "yes": yes, "either": dict(either or {})}
    await run.log.say(ASKED, None, body, durable=False)


def wordings(run: Run) -> Iterator[str]:
    """Yield the rule that was asked about last with what is said now in it, the likeliest wording first."""
    talk, said = run.house.talk, run.utterance
    earlier = [one for one in talk.runs(said.conversation) if one != run.id]
    answer = said.text.strip().rstrip(".!?")
    if not earlier or not answer or len(answer.split()) > _MOST_WORDS:
        return
    asked = next(iter(run.house.ledger.events(run=earlier[-1], kinds=(ASKED,))), None)
    if asked is None or asked.body is None:
        return
    text, end, about = str(asked.body["text"]), int(str(asked.body["end"])), str(asked.body["about"])
    if asked.body["yes"]:
        if agrees(answer.split()[0].casefold().strip(",.!")):
            yield f"{text[:end]}, {asked.body['yes']}{text[end:]}"
        return
    either = asked.body.get("either")
    if isinstance(either, Mapping) and either:
        words = [word.strip(",!:;") for word in answer.casefold().split()]
        named = [str(rule) for begin, rule in either.items() if any(word.startswith(begin) for word in words)]
        if len(named) == 1 and _NOT.isdisjoint(words):  # "don't copy it" chooses nothing yet
            yield named[0]
        return
    if about and about in text:
        yield text.replace(about, answer, 1)
    yield f"{text[:end]} {answer}{text[end:]}"
    yield f"{answer} {text}"
    yield f"{text.rstrip('.!? ')}, {answer}"
