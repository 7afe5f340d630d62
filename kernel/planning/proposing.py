"""Proposing: what to do about a sentence, by everything that is known of the person's words.

First comes what they explained or did before ("when I say X", "the same for March"), then the sentence itself: taken
apart where it branches or repeats, read whole else, and once more without the remarks in its middle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from kernel.asking.ask import without_asides
from kernel.asking.taken import FILES_OR_FOLDERS, names_what_goes
from kernel.composition.build import only_reads
from kernel.context.dialogue import Dialogue
from kernel.context.mind import Mind
from kernel.context.world import World
from kernel.interpret import interpret
from kernel.language.frame.parentheses import reads_a_remark, without_parentheses
from kernel.language.frame.which_ones import with_its_noun
from kernel.learning.phrases import Reading
from kernel.learning.repeating import repeated, same_again
from kernel.model import Candidate, Constant, Decline, Intent, Plan, Proposal, Question, Utterance
from kernel.plan import propose
from kernel.planning.compound import propose_compound
from kernel.planning.named_steps import with_named
from kernel.recommend import recommend


def proposed(
    utterance: Utterance, intent: Intent, candidates: Sequence[Candidate], mind: Mind, dialogue: Dialogue, usual: str
) -> Proposal:
    """Return what to do about a sentence: one that branches or repeats is taken apart, any other is read whole.

    A phrase that the person explained is read as its meaning: their very words at once, with other values where nothing
    surer is read.
    """
    reading = mind.phrases.read(intent) if mind.phrases is not None else None
    meant = partial(_meant, utterance, mind=mind, dialogue=dialogue, usual=usual)
    if reading is not None and reading.exact and dialogue.pending is None:
        return meant(reading) or _read(utterance, intent, candidates, mind, dialogue, usual)
    named = _with_named(utterance, intent, candidates, mind, dialogue, usual)
    if named is not None:
        return named
    again = repeated(intent, mind.templates, mind.toolbox, dialogue.home) if mind.templates is not None else None
    again = again or same_again(intent, dialogue, mind.toolbox)
    if again is not None and dialogue.pending is None:
        return again
    found = _read(utterance, intent, candidates, mind, dialogue, usual)
    if reading is None or isinstance(found, Plan) or (found.reply and isinstance(found, Question)):
        return found
    return meant(reading) or found


def answered(
    utterance: Utterance, question: Question, words: str, *, world: World, mind: Mind, dialogue: Dialogue, usual: str
) -> Proposal:
    """Return what ``words`` come to as the answer to a question about ``utterance``; of no answer what they ask for."""
    said = replace(utterance, text=words)
    intent = interpret(said, world, mind.lexicon, usual)
    return proposed(said, intent, recommend(intent, mind.toolbox), mind, replace(dialogue, pending=question), usual)


def alone(utterance: Utterance, intent: Intent, *, mind: Mind, dialogue: Dialogue, usual: str) -> Proposal:
    """Return what to do about a sentence that answers nothing, by its own words alone."""
    around, candidates = replace(dialogue, pending=None, unsettled=""), recommend(intent, mind.toolbox)
    named = _with_named(utterance, intent, candidates, mind, around, usual)
    return named or _read(utterance, intent, candidates, mind, around, usual)


def _with_named(
    utterance: Utterance, intent: Intent, candidates: Sequence[Candidate], mind: Mind, dialogue: Dialogue, usual: str
) -> Proposal | None:
    """What a sentence comes to that has deeds by their names among its clauses; None for any other.

    Where a question is open, words may be its answer, and are that first.
    """
    world = dialogue.world
    if mind.named is None or world is None:
        return None
    bare = replace(mind, named=None)
    read = partial(_part, utterance, world, bare, usual)
    plain = partial(_read, utterance, intent, candidates, bare, dialogue, usual)
    around = replace(dialogue, pending=None)
    found = with_named(utterance.text, intent.language, mind.named, read, mind.toolbox, around, plain)
    answered = plain() if found is not None and dialogue.pending is not None else None
    return answered if answered is not None and answered.reply else found


def _meant(utterance: Utterance, reading: Reading, *, mind: Mind, dialogue: Dialogue, usual: str) -> Proposal | None:
    """What an explained phrase comes to by its own words; with other values only what it came to when explained."""
    around, said = dialogue.bare(), replace(utterance, text=reading.text)
    if dialogue.world is None:
        return None
    intent = interpret(said, dialogue.world, mind.lexicon, reading.taught.language)
    found = None if intent.concern else alone(said, intent, mind=mind, dialogue=around, usual=usual)
    if found is None or isinstance(found, Decline):
        return None
    plan = found if isinstance(found, Plan) else found.draft
    if not reading.exact and tuple(task.tool for task in plan.tasks) != reading.taught.tools:
        return None
    return replace(found, why={**found.why, "taught": reading.text}) if isinstance(found, Plan) else found


def _read(
    utterance: Utterance, intent: Intent, candidates: Sequence[Candidate], mind: Mind, dialogue: Dialogue, usual: str
) -> Proposal:
    """Return what a sentence comes to by its own words; not understood so, it is read with the noun that "which ones"
    means, and without its remarks.
    """
    world = dialogue.world
    if world is not None:
        read = partial(_part, utterance, world, mind, usual)
        found = propose_compound(utterance.text, intent.language, read, mind.toolbox, dialogue)
        if found is not None:
            return found
    found = propose(intent, candidates, mind.toolbox, dialogue)
    nouned = "" if isinstance(found, Plan) or found.reply or world is None else with_its_noun(intent)
    if nouned and world is not None:
        meant = _part(utterance, world, mind, usual, nouned, dialogue)
        found = meant if isinstance(meant, Plan) else found
    shorter = without_parentheses(intent) if world is not None and not found.reply else ""
    if not shorter or world is None:
        return found
    again = _part(utterance, world, mind, usual, shorter, dialogue)
    if not isinstance(again, Plan):
        return found
    if not only_reads(again, mind.toolbox):  # what is a remark and what a condition is not that sure
        named = names_what_goes(again, mind.toolbox, FILES_OR_FOLDERS)
        return without_asides(again, mind.toolbox) if isinstance(found, Decline) and named else found
    return again if _is_plainer(intent, again, found) else found


def _is_plainer(intent: Intent, again: Plan, found: Proposal) -> bool:
    """The sentence without its remarks asks for less, or for something where it asked for nothing with them."""
    if not isinstance(found, Plan) or len(again.tasks) < len(found.tasks):
        return True
    given = (one for task in found.tasks for one in task.arguments.values())
    return reads_a_remark(intent, [one.text for one in given if isinstance(one, Constant)])


def _part(utterance: Utterance, world: World, mind: Mind, usual: str, text: str, dialogue: Dialogue) -> Proposal:
    """Plan a part of a sentence like a sentence of its own."""
    intent = interpret(replace(utterance, text=text), world, mind.lexicon, usual, dialogue.past)
    return propose(intent, recommend(intent, mind.toolbox), mind.toolbox, dialogue)
