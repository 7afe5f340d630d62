"""Whether a sentence says that something is to be done later, again, or when something happens: by its own words.

What this stops: that a model does now what is to be done then, or makes a rule of what is to be done now.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kernel.context.mind import Mind
from kernel.interpret import read
from kernel.language import Line
from kernel.model import Plan
from kernel.routines.compiling import takes_the_words
from kernel.routines.hearing import Heard, Words, begins_when
from kernel.routines.hearing.gist import Gist
from kernel.routines.hearing.opening import Weight, openings
from kernel.routines.hearing.when.cron import says_cron
from kernel.routines.own_time import is_kept_by
from kernel.routines.sentences import hear, to_come
from kernel.run import Run


def is_done_too_early(run: Run, mind: Mind, plan: Plan) -> bool:
    """Tell whether ``plan`` does now what the sentence of ``run`` wants later, and no tool takes that time."""
    line, moment = to_come(run, run.utterance, mind, run.language)
    tool = mind.toolbox.tool
    if moment is not None:
        return not is_kept_by(plan, line.slice(*moment.heard.words[0]), tool, leads=True)
    return _says_when(run, mind) and not takes_the_words(plan, tool)


def waits_for_what_nobody_said(run: Run, mind: Mind, line: Line, heard: Heard) -> bool:
    """Tell whether the sentence of ``run`` says neither when, nor a word of what was ``heard`` in ``line``."""
    if to_come(run, run.utterance, mind, run.language)[1] is not None or _says_when(run, mind):
        return False
    said = read(run.utterance, mind.lexicon, run.language)
    own = {said.norm(at) for at in range(said.size)}
    return own.isdisjoint(line.norm(at) for at in telling(line, heard.words))


def telling(line: Line, stretches: Iterable[Words]) -> Iterator[int]:
    """Yield the tokens of ``stretches`` that say something: numbers, and words outside the closed classes."""
    for first, last in stretches:
        yield from (at for at in range(first, last) if line.is_content(at) or line.norm(at)[:1].isdigit())


def _says_when(run: Run, mind: Mind) -> bool:
    """Tell whether how often, or what happens, is heard in the sentence, or words stand in it that open such a clause.

    "If" alone opens none: it may be about now. A question before an order does ("Battery below 20 percent? ...").
    """
    text = run.utterance.text
    line, heard = hear(run, run.utterance, mind, run.language)
    if heard is not None or begins_when(text) or says_cron(text):
        return True
    clauses = (one for one in openings(Gist.of(line)) if not one.each and one.weight is not Weight.IF)
    return any("?" in text or not one.asked for one in clauses)
