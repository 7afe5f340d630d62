"""The personal knowledge graph: what is known, since when, from whom, about whom.

Facts have two clocks (when they are true, when they were learnt), a source, a confidence and a label. The ledger is the
truth; the files here are worked out from it and may be thrown away.

Promises: a fact that was acknowledged is on disk; only a fact of the same subject and voice, of a relation that has one
value, ends another; what sources disagree on is shown, not settled; a merge can be taken back whole; what is forgotten
is in no file of the graph.
Never: reads a label, learns from what memory itself answered, merges homonyms by itself, deletes for age, or imports
numpy or networkx before a search, a ranking or an export asks for them.
"""

from __future__ import annotations

from memory.graph.errors import GraphError
from memory.graph.graph import Graph
from memory.graph.model import Claim, Object, Predicate, Query
from memory.graph.purge import Store, Stores

__all__ = ["Claim", "Graph", "GraphError", "Object", "Predicate", "Query", "Store", "Stores"]
