"""Which of the ranked tools are tried: enough of the best, and of every skill some."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from kernel.composition.profiles.profile import Box
from kernel.composition.weights import TOOLS_A_SKILL
from skills.model import ToolId


def well_placed(box: Box, ranked: Iterable[ToolId], most: int) -> list[ToolId]:
    """Return the first ``most`` of ``ranked`` and the two best of every skill.

    So it counts how well a tool fits, and not how many more its skill or another one has.
    """
    kept: list[ToolId] = []
    seen: Counter[str] = Counter()
    for at, tool in enumerate(ranked):
        skill = box.tool(tool).skill
        seen[skill] += 1
        if at < most or seen[skill] <= TOOLS_A_SKILL:
            kept.append(tool)
    return kept
