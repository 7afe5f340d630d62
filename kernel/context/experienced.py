"""What the person's past says about a request, with what the graph and the grants say of each tool at this moment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kernel.context.granted import granted
from kernel.knowing.handling import linked

if TYPE_CHECKING:
    from kernel.house import House
    from kernel.model import Utterance
    from kernel.ranking import Experience


async def experienced(house: House, said: Utterance, run: str = "") -> Experience:
    """Return what the requests so far have taught by now, for what is ``said`` by the person or by a client."""
    near = await linked(house, said, run)
    held = granted(house.policy.standing(house.now_s()), house.registry.skills(), said.client)
    return house.learning.experience(house.ledger, said.now, said.conversation, linked=near, granted=held)
