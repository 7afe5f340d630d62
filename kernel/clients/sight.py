"""What a client sees of what Steward knows: facts and past turns that it may read, by their labels.

What this stops: a client that was offered to search memory reading what is for another reader, or what tools found in
files and mails, which it was never granted.
What it does not: hide what the person said from a client that they let search memory; that is what the offer means.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from kernel.clients.managing import is_offered, principal_of
from kernel.clients.model import MEMORY
from permissions.labels import Integrity, Label, may_read
from permissions.model import Action, Right, Verdict
from permissions.policy import program_of

if TYPE_CHECKING:
    from kernel.house import House
    from memory.graph import Graph

Sees = Callable[[Any], bool]
"""Decides from a label (as JSON) whether what bears it is seen."""

_OWN = frozenset((Integrity.USER, Integrity.KERNEL))
"""What the person said and what Steward says of its own work: the offer to search memory is an offer of these."""


def sees_of(house: House, node: str) -> Sees | None:
    """Return what the client at ``node`` sees; None for the person (""), who sees everything.

    What names its readers is for these alone, whatever was granted. Of what names none, a client sees what the person
    said and what Steward did, and of each further kind what it was granted: ``graph.read:untrusted``.
    """
    if not node:
        return None
    client = house.clients.get(program_of(node))
    if client is None or not is_offered(house, client, MEMORY):
        return lambda label: False
    asks = principal_of(client)
    verdicts = {one: house.decide(asks, Right(Action.GRAPH_READ, one.name.lower())).verdict for one in Integrity}

    def sees(given: Any) -> bool:
        label = Label.from_json(given)
        verdict = verdicts[label.integrity]
        if verdict is Verdict.DENY:
            return False
        if label.readers is None or label.readers:
            return may_read(label, node)
        return label.integrity in _OWN or verdict is Verdict.ALLOW

    return sees


def graph_for(house: House, node: str) -> Graph:
    """Return the graph as the client at ``node`` sees it; whole for the person (""). Raises StoreFailed."""
    sees, graph = sees_of(house, node), house.knowledge.graph()
    if sees is None:
        return graph
    from memory.graph.seen import Seen

    return Seen(graph, sees)
