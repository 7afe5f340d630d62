"""Conversations that a request speaks of by what they were about: "the note from our conversation about the budget".

What this stops: that the nearest conversation is taken where none was about it (all its words must have been said
there); that recall is opened for a sentence that speaks of no conversation.
What it does not: say which thing of a conversation is meant; that is read from what was done in it.
"""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from kernel.clients.bounds import may_remember
from kernel.clients.sight import sees_of
from kernel.context.deeds import LedgerPast
from kernel.run import Run
from memory.errors import StoreError

if TYPE_CHECKING:
    from kernel.house import House

MOST = 8
"""So many conversations are handed on."""
_SOUGHT = 60
_ABOUT = re.compile(
    r"\b(?:conversation|chat|talk|session|gespräch|unterhaltung|sitzung)\s+(?:about|on|regarding|über|zu|zum|zur|wegen)\s+"
    r"(?P<w>[^,;.!?]{1,80}?)(?:\s+(?:to|into|in|nach|ins|im|and|und|then|dann|please|bitte|vor|an|aus|auf|ab)\b|[,;.!?]|$)",
    re.IGNORECASE,
)


async def with_talks(run: Run, past: LedgerPast) -> LedgerPast:
    """Return ``past`` with the conversations that the sentence of ``run`` means by what they were about."""
    text = run.utterance.text
    said = _ABOUT.search(text) if len(text) <= _LONGEST else None
    if said is None or not may_remember(run):
        return past
    try:
        return replace(past, talks=await asyncio.to_thread(talks_about, run.house, said["w"], run.client))
    except StoreError as error:
        from kernel.knowing.unusable import went_without

        went_without(run.id, "the conversation that it speaks of", error)
        return past


_LONGEST = 1_000


def talks_about(house: House, words: str, client: str = "") -> tuple[str, ...]:
    """Return the conversations in which all content words of ``words`` were said, the likeliest first.

    Raises StoreFailed.
    """
    from kernel.recalling.drawing import whom
    from kernel.recalling.words import content_words, forms_in, holds
    from memory.recall import Question

    wanted = content_words(words, "")
    question = Question(
        words, limit=_SOUGHT, kinds=("turn",), label=sees_of(house, client), entities=whom(house, words, client)
    )  # fmt: skip
    said: dict[str, list[str]] = defaultdict(list)
    for hit in house.recollection.search(question) if wanted else ():
        said[hit.turn.session].append(hit.turn.text)
    about = [
        talk for talk, texts in said.items() if talk and all(holds(forms_in(" ".join(texts)), one) for one in wanted)
    ]
    return tuple(about[:MOST])
