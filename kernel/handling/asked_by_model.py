"""The answer to what a model has asked about a whole request: both go back to it, with the question.

What this stops: an answer that is read as a request of its own and means nothing; a private request that is written
down with its answer. What it does not: keep a sentence that is a request by itself from being one.
"""

from __future__ import annotations

from dataclasses import replace

from kernel.asking import wording
from kernel.asking.by_model import Asked
from kernel.asking.harm import SURELY_A_VERB
from kernel.composition.words import DROPPED, is_word
from kernel.context.dialogue import Dialogue
from kernel.context.mind import Mind
from kernel.context.toolbox import Toolbox
from kernel.handling.asking_back import decline
from kernel.language.function_words import is_question_word
from kernel.model import Decline, Intent, Plan
from kernel.models.model import Role
from kernel.planning.proposing import alone
from kernel.run import Run


async def is_answered(run: Run, asked: Asked, intent: Intent, mind: Mind, dialogue: Dialogue, usual: str) -> bool:
    """Tell whether the words of ``run`` answer what was asked: then its request is the old one with them.

    Raises Stop where they only take it back.
    """
    if run.client or run.house.models.endpoint(Role.PLANNER) is None:
        return False
    words = [token.norm for token in intent.tokens if is_word(token)]
    if tuple(words[:2]) in DROPPED:
        await decline(run, Decline(wording.say(run.language, "dropped")), ())
    found = alone(run.utterance, intent, mind=mind, dialogue=dialogue.bare(), usual=usual)
    if isinstance(found, Plan) and _is_a_request(intent, mind.toolbox):
        return False
    run.log.private = run.private = run.private or asked.private
    said = run.utterance.text
    run.exchanged = (*asked.exchanged, (asked.question, said))
    run.utterance = replace(run.utterance, text=f"{asked.request}\n{said}")
    run.replies()
    return True


def _is_a_request(intent: Intent, box: Toolbox) -> bool:
    """An order or a question; "the ones of May" alone may be understood, and is an answer all the same."""
    words = [at for at, token in enumerate(intent.tokens) if is_word(token)]
    asks = any(is_question_word(intent.tokens[at].norm) for at in words[:1]) or intent.text.rstrip().endswith("?")
    verbs = (box.verb_count((intent.tokens[at].norm,), intent.language) for at in words[:2])
    return asks or any(count >= SURELY_A_VERB for count in verbs)
