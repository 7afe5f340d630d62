"""Requests that the kernel answers itself: take back, call off, what was done last, what there is."""

from __future__ import annotations

import asyncio

from kernel.approval.consent import answer_to
from kernel.asking import wording
from kernel.clients import bounds
from kernel.context.dialogue import Dialogue
from kernel.itself import cancelling, undoing
from kernel.itself.abilities import asked_skill, told
from kernel.itself.introduce import Own, introduction
from kernel.itself.record import last_done
from kernel.model import Intent, Resolution
from kernel.models.model import Role
from kernel.routines.answering import asks
from kernel.run import Run, Stop, unbroken


async def own_answer(run: Run, meant: tuple[Own, str] | None, dialogue: Dialogue, *, puts_back: bool) -> None:
    """Answer what the kernel answers itself, unless the sentence is the reply to an open question."""
    if meant is None:
        return
    house = run.house
    if meant[0] is Own.UNDO:
        await _undo(run, puts_back)
    if meant[0] is Own.LAST:
        bounds.must_remember(run)
        conversation = run.utterance.conversation
        said = await asyncio.to_thread(last_done, house, conversation, run.id, meant[1], run.client)
        raise Stop(Resolution.EXECUTED, said)
    if meant[0] is Own.CANCEL:
        await _cancel(run, dialogue)
    elif dialogue.pending is None:
        known = meant[0], house.registry.skills(), meant[1], house.world
        answer = await asyncio.to_thread(introduction, *known, house.models.names(Role.PLANNER, Role.WORKER))
        raise Stop(Resolution.EXECUTED, answer)


async def ability_answer(run: Run, intent: Intent, dialogue: Dialogue) -> None:
    """Answer a question about what one skill can do, unless the sentence is the reply to an open question."""
    if dialogue.pending is not None:
        return
    house = run.house
    asked = asked_skill(intent, house.registry.skills())
    if asked is not None:
        run.language = asked[1]
        raise Stop(Resolution.EXECUTED, await asyncio.to_thread(told, *asked, house.world))


async def _cancel(run: Run, dialogue: Dialogue) -> None:
    """Drop the question that is open, also one about what is to be kept, or else answer no to the last card here."""
    conversation = run.utterance.conversation
    if dialogue.pending is not None:
        run.language = dialogue.pending.draft.language
        run.replies()
        raise Stop(Resolution.DECLINED, wording.say(run.language, "dropped"))
    if asks(run):
        raise Stop(Resolution.DECLINED, wording.say(run.language, "dropped"))
    cancelled, said = cancelling.call_off(run.house, conversation, run.language)
    raise Stop(Resolution.EXECUTED, said, result={"cancelled": cancelled} if cancelled else None)


async def _undo(run: Run, puts_back: bool) -> None:
    said = run.utterance.conversation, run.id, run.language
    what = undoing.last_change(run.house, *said, puts_back=puts_back)
    bounds.must_be_its_own(run, what.run, run.house.talk.runs(run.utterance.conversation))
    run.log.private = run.private = run.private or what.private  # what a private run did is not told in the open
    undoing.must_be_possible(run.house, what, run.language)
    if not what.plain or what.returns:  # no right comes back unseen
        await answer_to(run, undoing.question(what, run.language), consented=run.yes)
    taken = await unbroken(undoing.take_back(run.house, what, run.language))
    resolution = Resolution.CONFIRMED if run.confirmed else Resolution.EXECUTED
    raise Stop(resolution, taken["answer"], effects=taken["effects"], result={"undone": taken["run"]})
