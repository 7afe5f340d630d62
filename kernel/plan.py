"""Plan: from candidates and context to one typed plan, one question, or a decline that names the nearest skills.

Clauses, tools and arguments are chosen together by a beam search over typed compositions (``composition.search``).
A plan that leaves a negation, a number or a content word unexplained never runs. Pure.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace

from kernel.asking import offers
from kernel.asking.ask import (
    about_missing,
    about_plans,
    about_two,
    about_words,
    ask_for,
    confirm,
    decline,
    decline_long,
    decline_unnamed,
)
from kernel.asking.contradicting import about_gone
from kernel.asking.devices import decline_device
from kernel.asking.foreign import about_language
from kernel.asking.harm import does_harm, is_unsaid, unbounded
from kernel.asking.lost import lost
from kernel.asking.one_of import about_several
from kernel.asking.partly import partly
from kernel.asking.put_off import put_off
from kernel.asking.slips import about_slip
from kernel.asking.taken import is_absent, is_elsewhere, is_harmful, is_kind_or_name
from kernel.asking.unnamed import sought_in_vain
from kernel.asking.unwritten import unwritten
from kernel.composition import weights as w
from kernel.composition.build import Judged, judge
from kernel.composition.draft import Draft
from kernel.composition.filling.announced import is_announced
from kernel.composition.scene import Scene, scene_of
from kernel.composition.schemas import LEAST_COST
from kernel.composition.search import Search
from kernel.composition.steps.beside import beside
from kernel.composition.steps.directly import directly
from kernel.composition.steps.each import each
from kernel.composition.steps.gathering import gathered
from kernel.composition.steps.pointing import is_twofold
from kernel.composition.steps.sharing import share_backwards
from kernel.composition.validate import validate
from kernel.composition.vouching import is_grounded, is_limited
from kernel.context.dialogue import Dialogue
from kernel.context.toolbox import Toolbox
from kernel.dialogue.amending import amended
from kernel.dialogue.among_shown import Shown, shown_in
from kernel.dialogue.answers import answer
from kernel.dialogue.carried import carried
from kernel.dialogue.correcting import correct, corrects, mends_nothing
from kernel.dialogue.followup import amend, revise
from kernel.dialogue.older import about_older
from kernel.dialogue.same_day import on_that_day
from kernel.dialogue.usual import says_nothing_of_it, with_usual
from kernel.language.function_words import is_question_word
from kernel.model import Candidate, Decline, Intent, Plan, Proposal, Task
from kernel.planning.earlier import earlier_sources
from skills.model import ParamRole, ToolId, ValueKind

__all__ = ["propose", "validate"]


def propose(intent: Intent, candidates: Sequence[Candidate], toolbox: Toolbox, context: Dialogue) -> Proposal:
    """Return what to do about ``intent``: a Plan to authorise, one Question, or a Decline.

    An open question of ``context`` is answered first, unless the words are clearly a new request; a follow-up reuses
    the last plan with what the new words replace.
    """
    scene = scene_of(intent, context.home)
    proposal = _propose(scene, candidates, toolbox, context)
    asked = about_slip(proposal, scene, toolbox, context)
    if asked is not None:
        return replace(asked, reply=proposal.reply)
    if not isinstance(proposal, Plan):
        return proposal
    if validate(proposal, toolbox) or is_harmful(proposal, toolbox):
        return replace(decline(scene, candidates, toolbox, None), reply=proposal.reply)
    gone = about_gone(proposal, toolbox)
    if gone is not None:
        return replace(gone, reply=proposal.reply)
    strange = None if proposal.reply else about_language(proposal, toolbox)
    return strange or beside(proposal, toolbox, context)


def _propose(scene: Scene, candidates: Sequence[Candidate], toolbox: Toolbox, context: Dialogue) -> Proposal:
    fresh = _wider(scene, _fresh(scene, candidates, toolbox, context), candidates, toolbox, context)
    corrected = correct(scene, context, toolbox)
    if corrected is not None:
        return corrected
    mended = amended(scene, context, toolbox)
    if mended is not None:
        return mended
    if context.pending is not None:
        clear = fresh is not None and fresh.may_act
        answered = answer(scene, context.pending, toolbox, clear=clear, world=context.world)
        if (not clear or corrects(scene)) and (answered is None or isinstance(answered, Decline)):
            answered = amend(scene, toolbox, context.pending, context) or answered
        if answered is not None:
            return replace(answered, reply=True)
    revised = revise(scene, toolbox, context)
    if revised is not None and (fresh is None or not fresh.may_act or revised.opened):
        return revised.plan
    shown = _among_shown(scene, fresh, candidates, toolbox, context)
    if shown is not None:
        return _decide(*shown, candidates, toolbox, context)
    decided = carried(_stood_alone(scene, fresh, candidates, toolbox, context), scene, context, toolbox)
    return on_that_day(decided, context, toolbox)


def _stood_alone(
    scene: Scene, fresh: _Fresh | None, candidates: Sequence[Candidate], toolbox: Toolbox, context: Dialogue
) -> Proposal:
    """Decide on a sentence that lives on no other one."""
    composed = None if _is_untaught(fresh, toolbox) else unwritten(scene, toolbox, fresh.best if fresh else None)
    if composed is not None:
        return composed
    decided = (put_off(scene, fresh.best) if fresh else None) or _decide(scene, fresh, candidates, toolbox, context)
    if isinstance(decided, Plan) or (fresh is not None and fresh.may_act):
        return decided
    rest = _composed(scene, candidates, toolbox, context, leaves=True) if _has_parts(scene) else None
    best = fresh.best if fresh else None
    return (partly(scene, rest.judged, best, decided, toolbox) if rest else None) or decided


def _among_shown(
    scene: Scene, fresh: _Fresh | None, candidates: Sequence[Candidate], toolbox: Toolbox, context: Dialogue
) -> tuple[Scene, _Fresh] | None:
    """The best reading about things that were just told of, where the best of all is about others."""
    shown = shown_in(context, toolbox) if fresh is not None else None
    if fresh is None or shown is None or not shown.is_spoken_of(scene):
        return None
    if fresh.may_act and _is_of_its_own(scene, fresh.best, shown, toolbox):
        return None
    goes_on = replace(scene, goes_on=True, memo={})
    told = _composed(goes_on, shown.candidates(candidates, toolbox.tools), toolbox, context)
    if told is None or not shown.has(told.best, toolbox):
        return None
    near = told.best.draft.cost - fresh.best.draft.cost < w.LACKING
    return (goes_on, told) if near else None


def _is_of_its_own(scene: Scene, best: Judged, shown: Shown, toolbox: Toolbox) -> bool:
    """Tell whether a reading that may act is about what was just told of itself, or about a thing that is there."""
    things = (ValueKind.FILE, ValueKind.FOLDER, ValueKind.TABLE)
    there = (
        one
        for step in best.draft.steps
        for one in step.fillers
        if not one.missing and step.profile.parameter(one.parameter).type.kind in things
    )
    return any(one.mask & scene.hard for one in there) or shown.has(best, toolbox)


def _has_parts(scene: Scene) -> bool:
    return any(
        one.strength >= w.PARTING and scene.begin < one.left for one in scene.intent.boundaries if one.at < scene.end
    )


class _Fresh:
    """The best compositions of a sentence that stands for itself, the best first."""

    def __init__(self, judged: list[Judged]) -> None:
        self.best = _understood(_plainest(judged), judged)
        self.judged = [self.best, *(one for one in judged if one is not self.best)]

    @property
    def may_act(self) -> bool:
        return self.best.may_act

    def led_by(self, one: Judged) -> _Fresh:
        """Return these with ``one`` as the best."""
        other = _Fresh(self.judged)
        other.best, other.judged = one, [one, *(rest for rest in self.judged if rest is not one)]
        return other


def _fresh(scene: Scene, candidates: Sequence[Candidate], toolbox: Toolbox, context: Dialogue) -> _Fresh | None:
    """The best compositions of tools with examples, be they a manifest's or a person's own."""
    known = bool(candidates) or bool(toolbox.learnt(scene.intent.language))
    return _composed(scene, candidates, toolbox, context) if known else None


def _wider(
    scene: Scene, fresh: _Fresh | None, candidates: Sequence[Candidate], toolbox: Toolbox, context: Dialogue
) -> _Fresh | None:
    """The best compositions with tools that have no examples among them, where they may serve; else ``fresh``.

    They may where the person calls one by its name, or where nothing with examples fits and one of them does, whole. A
    word that answers a question is no request for them.
    """
    untaught = toolbox.untaught
    if not untaught:
        return fresh
    named = untaught.addressed(scene)
    sure = fresh is not None and fresh.may_act and not _is_loose(scene, fresh.best, toolbox)
    if named is None and (sure or context.pending is not None):
        return fresh
    if named is not None and fresh is not None and fresh.may_act and _is_text(scene, fresh.best, named.mask):
        return fresh
    wider = _composed(scene, candidates, toolbox, context, untaught.ids)
    meant = untaught.ids if named is None else named.tools
    called = named is not None and not named.loose
    chosen = _by_schema(wider, fresh, meant, called=called) if wider is not None else None
    if wider is not None and chosen is not None:
        return wider.led_by(chosen)
    return None if named is not None and called and fresh is not None and _takes(fresh.best, named.mask) else fresh


def _takes(best: Judged, mask: int) -> bool:
    """Tell whether words of ``mask``, which say by whom something is to be done, are a value of some call."""
    return any(one.mask & mask for step in best.draft.steps for one in step.fillers)


def _by_schema(wider: _Fresh, fresh: _Fresh | None, tools: frozenset[ToolId], *, called: bool) -> Judged | None:
    """The reading with one of ``tools``: the first where the person ``called`` them, else one that is understood.

    It is as cheap as a reading by examples that is understood too, or all but, and as whole.
    """
    own = [one for one in wider.judged if not tools.isdisjoint(step.tool for step in one.draft.steps)]
    if called or not own:
        return own[0] if own else None
    near = [one for one in own if one.draft.cost - wider.best.draft.cost < w.LACKING and _is_understood(one)]
    if fresh is None or not _is_understood(fresh.best) or not near:
        return near[0] if near else None
    cheaper = near[0].draft.cost < fresh.best.draft.cost + w.MARGIN
    return near[0] if cheaper and (near[0].may_act or not fresh.may_act) else None


def _is_untaught(fresh: _Fresh | None, toolbox: Toolbox) -> bool:
    """Tell whether the best reading has a tool without examples: what it makes nobody here knows."""
    return fresh is not None and any(step.tool in toolbox.untaught.ids for step in fresh.best.draft.steps)


def _is_text(scene: Scene, best: Judged, mask: int) -> bool:
    """Tell whether the words of ``mask`` are of the text that a call writes or sends: they say by whom nothing is."""
    return any(
        not mask & ~one.mask and (one.origin == "text" or is_announced(scene, one.first, one.last))
        for step in best.draft.steps
        for one in step.fillers
        if step.profile.tool.parameter(one.parameter).role is ParamRole.PAYLOAD
    )


def _is_loose(scene: Scene, best: Judged, toolbox: Toolbox) -> bool:
    """Words that nothing vouches for are a value, and one of them is a word of the name of a tool without examples.

    A call that is surer than any reading by a schema is no loose one.
    """
    loose = [step for step in best.draft.steps if step.cost > LEAST_COST]
    fillers = [
        one
        for step in loose
        for one in step.fillers
        if one.origin in ("doubted", "text") and not is_announced(scene, one.first, one.last)
    ]
    return any(toolbox.untaught.has_name(scene, at) for one in fillers for at in range(one.first, one.last))


def _is_understood(one: Judged) -> bool:
    """Nothing is in doubt, or nothing but a value that nobody gave."""
    return one.may_act or (
        bool(one.missing) and not one.grave and one.doubt <= w.TOLERATED and one.settled >= w.ASK_MISSING
    )


def _composed(
    scene: Scene,
    candidates: Sequence[Candidate],
    toolbox: Toolbox,
    context: Dialogue,
    among: frozenset[ToolId] = frozenset(),
    *,
    leaves: bool = False,
) -> _Fresh | None:
    """The best compositions of the recommended tools, and of those of ``among`` that the words may speak of."""
    if scene.size > w.MAX_TOKENS:
        return None
    by_stretch: dict[tuple[int, int], list[Candidate]] = defaultdict(list)
    for one in candidates:
        if toolbox.knows(one.tool):
            by_stretch[one.first, one.last].append(one)
    ranked = {key: tuple(sorted(group, key=lambda one: -one.score)) for key, group in by_stretch.items()}
    found = Search(scene, toolbox, ranked, earlier_sources(context, toolbox), toolbox.untaught, leaves, among).run()
    drafts = [gathered(scene, each(scene, share_backwards(draft), toolbox), toolbox) for draft in found]
    drafts = [directly(scene, draft, toolbox) for draft in drafts]
    if toolbox.templates is not None:
        drafts = toolbox.templates.favoured(drafts)
    drafts = _apart(sorted(drafts, key=_price(candidates)))
    if not drafts:
        return None
    judged = [judge(scene, draft, drafts) for draft in drafts]
    return _Fresh([one for one in judged if not (is_elsewhere(one) or is_unsaid(scene, one))] or judged)


def _price(candidates: Sequence[Candidate]) -> Callable[[Draft], tuple[float, int, float]]:
    """The cheapest first; of equally cheap ones that which tells more of what was said apart, then the likelier."""
    likely: dict[ToolId, float] = {}
    for one in candidates:
        likely[one.tool] = max(one.score, likely.get(one.tool, one.score))
    least = min(likely.values(), default=0.0)

    def price(draft: Draft) -> tuple[float, int, float]:
        told = sum(len(step.fillers) for step in draft.steps)
        score = sum(likely.get(step.tool, least) for step in draft.steps) / len(draft.steps)
        return round(draft.cost, 2), -told, -score

    return price


def _apart(drafts: list[Draft]) -> list[Draft]:
    """Return the drafts, of those that come to the same calls on the same words only the cheapest."""
    found: dict[tuple[object, ...], Draft] = {}
    for draft in drafts:
        found.setdefault(tuple(step.shape for step in draft.steps), draft)
    return list(found.values())


def _decide(
    scene: Scene, fresh: _Fresh | None, candidates: Sequence[Candidate], toolbox: Toolbox, context: Dialogue
) -> Proposal:
    if fresh is None:
        return decline_long(scene) if scene.size > w.MAX_TOKENS else decline(scene, candidates, toolbox, None)
    device = decline_device(scene, toolbox)
    if device is not None:
        return device
    best = fresh.best
    harmful = does_harm(scene, best, toolbox)
    harm = decline(scene, candidates, toolbox, replace(best, grave=True)) if harmful else None
    gone = lost(scene, fresh.judged, toolbox, context.world)
    if gone is not None:
        return decline_unnamed(scene, candidates, toolbox, *gone)
    stopped = harm or _question(scene, fresh, toolbox) or _lacking(scene, fresh, toolbox)
    if stopped is not None:
        return stopped
    if best.may_act and not validate(best.plan, toolbox):
        unnamed = sought_in_vain(scene, best, toolbox, context.world)
        missing = decline_unnamed(scene, candidates, toolbox, best, unnamed) if unnamed else None
        return missing or _act(scene, best, toolbox, context)
    return _perhaps(scene, fresh, toolbox) or decline(scene, candidates, toolbox, best)


def _perhaps(scene: Scene, fresh: _Fresh, toolbox: Toolbox) -> Proposal | None:
    """Ask whether one of the nearest readings is meant, the likeliest first where it is nearly sure."""
    best = fresh.best
    verbless = offers.drops_the_verb(scene, best, toolbox)
    if best.plan.score >= w.ASK and not (best.grave or best.missing or verbless) and _may_offer(scene, best):
        return offers.beside(scene, best, fresh.judged, toolbox)
    return offers.offer(scene, fresh.judged, toolbox)


def _act(scene: Scene, best: Judged, toolbox: Toolbox, context: Dialogue) -> Proposal:
    if mends_nothing(scene, toolbox, context):
        return confirm(scene, best, toolbox)
    number = unbounded(best)
    asked = ask_for(best.plan, *number, toolbox) if number else about_several(scene, best, context.world)
    return asked or about_older(best, context) or best.plan


def _may_offer(scene: Scene, best: Judged) -> bool:
    """Offered is what is about something that is there, or said much like an example, with no word left over.

    Never a change to somebody who asks when or why it was.
    """
    wonders = any(is_question_word(scene.tokens[at].norm) for at in best.unexplained)
    guessed = bool(best.unexplained) and any(step.weakest < w.OFFER_ARGUMENT for step in best.draft.steps)
    about = is_grounded(scene, best.draft.steps) and _is_like(best, w.OFFER_FAR)
    near = not best.unexplained and _is_like(best, w.OFFER_NEAR) and offers.is_near(scene, best)
    return (about or near) and not (best.changes and (wonders or guessed))


def _is_like(one: Judged, least: float) -> bool:
    return all(step.similarity >= least for step in one.draft.steps)


def _lacking(scene: Scene, fresh: _Fresh, toolbox: Toolbox) -> Proposal | None:
    """When the cheapest reading is unsure, a near one that explains all words and only lacks a value is asked about."""
    best = fresh.best
    if best.may_act:
        return None
    for one in fresh.judged[1:]:
        near = one.draft.cost - best.draft.cost < w.LACKING
        if near and one.missing and one.doubt <= w.TOLERATED and one.settled >= w.ASK_MISSING:
            return _missing(scene, one, toolbox)
    return None


def _missing(scene: Scene, one: Judged, toolbox: Toolbox) -> Proposal | None:
    """Ask for the first value that is missing; where every word is understood, a default of the tool stands for it."""
    asked = about_missing(one, toolbox)
    return with_usual(asked, toolbox, scene.home) if asked is not None and says_nothing_of_it(scene, one) else asked


def _question(scene: Scene, fresh: _Fresh, toolbox: Toolbox) -> Proposal | None:
    """The one thing to ask, weakest first: an ambiguous or absent name, a missing value, a rival plan."""
    best = fresh.best
    if best.grave:
        return None
    if best.may_act or (best.doubt <= w.TOLERATED and best.settled >= w.ASK_MISSING):
        named = about_words(best) or _missing(scene, best, toolbox)
        if named is not None:
            return named
    if best.may_act and best.changes:
        steps = best.draft.steps
        other = next((one for one in fresh.judged[1:] if is_twofold(scene, steps, one.draft.steps)), None)
        if other is not None and other.may_act:
            return about_two(best, other, toolbox)
        kind = next((one for one in fresh.judged[1:] if one.may_act and is_kind_or_name(best, one)), None)
        if kind is not None and not is_absent(kind):
            return about_plans([best, kind], toolbox)
    rivals = [
        one
        for one in fresh.judged[1:]
        if one.may_act
        and not is_absent(one)
        and one.draft.tools != best.draft.tools
        and one.draft.cost - best.draft.cost < w.MARGIN
        and not _is_alike(one, best)
    ]
    if best.may_act and rivals and (best.changes or any(one.changes for one in rivals)):
        return about_plans([best, *rivals[:2]], toolbox)
    return None


def _plainest(judged: list[Judged]) -> Judged:
    """The cheapest; where only a place is said, of changes that nobody could tell apart the one of the plainest tools.

    So "delete everything in Downloads" is about what that folder holds, in any language, whichever examples are nearer.
    """
    best = judged[0]
    if not (best.changes and best.may_act and all(len(one.fillers) == 1 for one in best.draft.steps if one.described)):
        return best
    near = [one for one in judged[1:] if one.may_act and one.draft.cost - best.draft.cost < w.ALIKE]
    return min([best, *(one for one in near if _is_alike(one, best) and not _is_limited(one))], key=_untold)


def _understood(best: Judged, judged: list[Judged]) -> Judged:
    """The cheapest; where a word keeps it from acting, one that comes to the same calls and explains all words."""
    if best.may_act:
        return best
    near = (one for one in judged if one.may_act and one.draft.cost - best.draft.cost < w.LACKING)
    return next((one for one in near if offers.comes_to(one) == offers.comes_to(best)), best)


def _is_limited(one: Judged) -> bool:
    return any(is_limited(step.profile, step.fillers) for step in one.draft.steps)


def _untold(one: Judged) -> int:
    """How many parameters of its tools nobody has said anything about."""
    return sum(len(step.profile.tool.parameters) - len(step.fillers) for step in one.draft.steps)


def _is_alike(one: Judged, other: Judged) -> bool:
    """The same changes, and the same values to tools that only read: nobody could say which of the two is meant."""
    if len(one.plan.tasks) != len(other.plan.tasks):
        return False
    return all(
        dict(mine.arguments) == dict(theirs.arguments)
        if mine.tool == theirs.tool
        else own.profile.is_pure and its.profile.is_pure and _values(mine) == _values(theirs)
        for mine, theirs, own, its in zip(
            one.plan.tasks, other.plan.tasks, one.draft.steps, other.draft.steps, strict=True
        )
    )


def _values(task: Task) -> list[str]:
    """What a task is given, whatever its tool calls it."""
    return sorted(map(repr, task.arguments.values()))
