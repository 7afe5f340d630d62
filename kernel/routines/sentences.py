"""A sentence as a rule: read, heard and compiled. Nothing is kept, asked or written down."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from kernel.context.dialogue import Dialogue
from kernel.context.mind import Mind
from kernel.interpret import read
from kernel.language import Line
from kernel.language.free_text import covered
from kernel.language.spelling import mend
from kernel.macros.model import Macro
from kernel.macros.requests import macro_in
from kernel.model import Utterance
from kernel.routines.asking_back import refuse_unheard, refuse_unkept
from kernel.routines.bringing import Bringing, bringing
from kernel.routines.compiling import Lacking, compiled
from kernel.routines.hearing import Heard, Unclear, left_of
from kernel.routines.hearing.asides import without_asides
from kernel.routines.hearing.clock import hear_clock
from kernel.routines.hearing.due_days import speaks_of_due
from kernel.routines.hearing.happenings import hear_happening
from kernel.routines.hearing.when.coming import Coming, coming
from kernel.routines.hearing.when.mending import mended
from kernel.routines.model import Once, TaskDue
from kernel.routines.of_macros import of_macro
from kernel.routines.routine import Routine
from kernel.run import Run
from kernel.settling.answers import Answers


def hear(
    run: Run, said: Utterance, mind: Mind, usual: str, *, clock: bool = True
) -> tuple[Line, Heard | Unclear | None]:
    """Return a sentence as it is read, and what it says of when something is to be done."""
    world = run.house.world
    line = mend(read(said, mind.lexicon, usual), mind.lexicon, world.has_word)
    timed = hear_clock(line) if clock else None
    waits = timed is None or speaks_of_due(line.text)
    heard = _of_either(timed, hear_happening(line, world, said.cwd, mind.lexicon) if waits else None)
    return line, without_asides(line, heard, mind.lexicon) if isinstance(heard, Heard) else heard


def _of_either(timed: Heard | Unclear | None, happens: Heard | Unclear | None) -> Heard | Unclear | None:
    """Return what says when: the times that were heard, unless they are the time of day at which a task is told."""
    if timed is None:
        return happens
    if not isinstance(happens, Heard) or not isinstance(happens.trigger, TaskDue):
        return timed
    own = covered(timed.words) <= covered(happens.words)
    return happens if own or isinstance(timed, Unclear) else timed


def to_come(run: Run, said: Utterance, mind: Mind, usual: str) -> tuple[Line, Coming | None]:
    """Return a sentence as it is read, and the one moment to come that it names, where it is no rule otherwise."""
    line = mended(read(said, mind.lexicon, usual))
    moment = coming(line)
    if moment is None:
        return line, None
    line, heard = hear(run, said, mind, usual)
    if isinstance(heard, Heard) and isinstance(heard.trigger, Once):
        return line, replace(moment, heard=heard, timed=True, explicit=True)
    if heard is not None:
        return line, None
    return line, replace(moment, heard=without_asides(line, moment.heard, mind.lexicon))


async def compile_heard(
    run: Run, said: Utterance, line: Line, heard: Heard, mind: Mind, dialogue: Dialogue, macro: Macro | None = None,
    answers: Answers | None = None,
) -> tuple[Routine | Lacking, Bringing | None]:  # fmt: skip
    """Return the routine that a heard rule means, or what it lacks, and how its trigger's thing stands in a plan."""
    refuse_unkept(run, heard)
    await refuse_unheard(run, heard)
    house = run.house
    taken = [one.name for one in house.routines.every()]
    thing = bringing(heard.trigger, house.registry.skills(), house.world.home, line.language)
    if macro is not None:
        return await asyncio.to_thread(of_macro, macro, run.id, said, line, heard, taken, house.registry), thing
    around = (mind, dialogue, house.world, taken, thing, answers or Answers())
    return await asyncio.to_thread(compiled, run.id, said, line, heard, *around), thing


def macro_of(run: Run, line: Line, heard: Heard | Unclear | None) -> Macro | None:
    """Return the macro that a rule asks for, where its words without the trigger name one."""
    macros = run.house.macros.every()
    return macro_in(left_of(line, heard.gone), macros) if macros and isinstance(heard, Heard) else None
