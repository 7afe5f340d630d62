"""How much of what each tool needs is granted already: a reason of the recommender, and no right.

A right to a place that a request names counts where anything of its kind is granted to the skill; whether it covers the
place is for ``authorize`` to decide.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from permissions.policy import Grant
    from skills.model import Skill, Tool


def granted(standing: Iterable[Grant], skills: Sequence[Skill], client: str = "") -> Mapping[str, float]:
    """Return by tool the share of its rights that ``client`` ("" for the person) has a standing grant for, above 0.

    Tools that need no right are not named: nothing of theirs is granted.
    """
    given: dict[tuple[str, str], set[str]] = defaultdict(set)
    for grant in standing:
        if grant.client == client:
            given[grant.skill, grant.skill_hash].add(str(grant.right.action))
    held = [skill for skill in skills if (str(skill.id), skill.hash) in given]
    shares = {str(tool.id): _share(tool, given[str(skill.id), skill.hash]) for skill in held for tool in skill.tools}
    return {tool: share for tool, share in shares.items() if share > 0}


def _share(tool: Tool, actions: set[str]) -> float:
    needs = [right.action for right in tool.rights if not right.is_own]
    return sum(action in actions for action in needs) / len(needs) if needs else 0.0
