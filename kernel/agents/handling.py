"""Whether a request is one for a skill of instructions alone, and the plan that has it followed.

Nothing of this counts where no model is bound to the role ``worker``, for a program that asks in its own name (it would
spend the person's money), and of a private request where that model is on another machine. What is followed, and where,
comes from the person's words and the installed skill; the plan has one task, and a card before it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from kernel.agents.places import places_in_words
from kernel.agents.wording import say
from kernel.asking.ask import NO_PARAMETER
from kernel.dispatching.perform import Make, Work, perform
from kernel.errors import ModelFailed
from kernel.failures import told
from kernel.installing.searching import fitting
from kernel.itself.instructions import unfollowed_words
from kernel.model import (
    Argument,
    Constant,
    Decline,
    Intent,
    Outcome,
    Plan,
    Proposal,
    Question,
    Resolution,
    Task,
    TaskId,
)
from kernel.models.model import ALWAYS_SEEN, Endpoint, Prompt, Role, Seen
from kernel.ranking.words import terms
from kernel.run import Run, Stop, error_view
from permissions.naming import shown
from skills import one_import
from skills.model import Skill, ToolId

if TYPE_CHECKING:
    from kernel.calling import Floor

_PLACE = re.compile(r"\S*/\S*")


def followed(run: Run, proposal: Proposal, intent: Intent) -> Plan | None:
    """Return the plan that has a skill of instructions followed, None where this request is none for one.

    Raises Stop where it is, and its model may not be asked; also where it calls one by its id and there is none.
    """
    if proposal.reply:
        return None
    endpoint = run.house.models.endpoint(Role.WORKER)
    if endpoint is None or run.client:
        _refuse_unfollowed(run, proposal)
        return None
    skill = _meant(run, proposal)
    if skill is None:
        return None
    if run.private and not endpoint.is_local:
        said = say(intent.language, "private", model=shown(endpoint.name), skill=skill.id)
        raise Stop(Resolution.DECLINED, said, error=error_view("worker.private", said, ""))
    with one_import:
        from skills.following import FOLLOW, Wish, wishes_of

    places = places_in_words(intent, run.utterance.home, skill.id)
    wishes = wishes_of(skill)
    given: dict[str, Any] = {"files": places.files, "folders": places.folders}
    given |= {"writes": places.around} if Wish.WRITE in wishes else {}
    given |= {"runs": places.around} if Wish.RUN in wishes else {}
    _check_seen(run, endpoint, runs=bool(given.get("runs")), reads=any(given.values()) or bool(run.utterance.shown))
    label = run.utterance.label
    arguments: dict[str, Argument] = {"request": Constant(intent.text, label, intent.text)}
    arguments |= {name: Constant(list(value), label, places.words) for name, value in given.items() if value}
    task = Task(TaskId("t1"), ToolId(f"{skill.id}.{FOLLOW}"), arguments, text=intent.text)
    away = {} if endpoint.is_local else {"worker_host": endpoint.host}
    return Plan((task,), intent.language, why={"worker": endpoint.name} | away)


async def follow(run: Run, work: Work, floor: Floor, make: Make = perform) -> Outcome:
    """Have the skill of ``work`` followed; ``make`` makes its calls.

    Raises TaskFailed, PermissionsError, SkillError.
    """
    with one_import:
        from kernel.agents import worker  # nobody who follows nothing waits for it

    return await worker.follow(run, work, floor, make)


def _meant(run: Run, proposal: Proposal) -> Skill | None:
    """Return the skill of instructions that is called by its id, or that a request without a plan is about.

    An id that is one plain word may be a word of any request, and takes none away from a plan; nor do the words of a
    longer one where they stand apart ("write the weekly digest of ~/Reports"), which call it where the request says
    hardly anything else.
    """
    named = _called(run, proposal)
    if named is not None:
        return named
    return fitting(_texts(run), run.utterance.text) if _is_at_a_loss(proposal) else None


def _refuse_unfollowed(run: Run, proposal: Proposal) -> None:
    """Say that nobody follows the skill that a request calls; one that can be done without it goes on. Raises Stop."""
    named = None if isinstance(proposal, Plan) else _called(run, proposal)
    if named is not None:
        said = unfollowed_words(named, run.language, str(run.house.folders.home), run.client)
        raise Stop(Resolution.DECLINED, said)


def _called(run: Run, proposal: Proposal) -> Skill | None:
    """Return the one skill of instructions whose id the request says; without a plan also by the words of the id."""
    said = run.utterance.text
    found = [one for one in _texts(run) if _said(one.id, "-").search(said)]
    if not found and not isinstance(proposal, Plan):
        found = [one for one in _texts(run) if "-" in one.id and _says_little_else(said, _said(one.id, " "))]
    return found[0] if len(found) == 1 and ("-" in found[0].id or _is_at_a_loss(proposal)) else None


def _said(name: str, between: str) -> re.Pattern[str]:
    words = between.join(map(re.escape, name.split("-")))
    return re.compile(rf"(?<![\w./-]){words}(?![\w./-]\w)", re.IGNORECASE)


def _says_little_else(text: str, name: re.Pattern[str]) -> bool:
    """It says the name, and beside that and places no more than a verb."""
    rest = _PLACE.sub(" ", name.sub(" ", text))
    return name.search(text) is not None and len(set(terms(rest))) <= 1


def _texts(run: Run) -> list[Skill]:
    return [one for one in run.house.registry.skills() if not one.tools]


def _is_at_a_loss(proposal: Proposal) -> bool:
    if isinstance(proposal, Decline):
        return not proposal.unclear
    return isinstance(proposal, Question) and proposal.parameter == NO_PARAMETER


def _check_seen(run: Run, endpoint: Endpoint, *, runs: bool, reads: bool) -> None:
    """Say before anything is asked where the model may not see what it would be shown. Raises Stop."""
    with one_import:
        from kernel.models.asking import Behalf, check_seen

    seen = ALWAYS_SEEN | ({Seen.FILES} if reads else set()) | ({Seen.RESULTS} if runs else set())
    try:
        check_seen(endpoint, Prompt((), seen=seen), Behalf.of(run))
    except ModelFailed as error:
        message, hint = told(error, run.language)
        raise Stop(Resolution.BLOCKED, f"{message} {hint}", error=error_view(error.code, message, hint)) from error
