"""Arguments learned: from a tool's own examples (``Tagger``), with what other skills' examples teach (``Shared``).

A tagger marks the values of one tool in a sentence and says how sure it is; ``Taggers.propose`` is the way in for
composition. ``kernel/slots/schema`` is for tools without examples: names, types and descriptions alone.

Promises: pure and deterministic; what a tagger proposes are stretches of the sentence, never values of its own. Who
trains a ``Shared`` leaves out the skill that it is asked about. Never: decides on a plan, opens an encoder (vectors
are handed in), reads a ledger.
"""

from __future__ import annotations

from kernel.slots.looks import Projection
from kernel.slots.model import Labelled, Proposal, Vectors
from kernel.slots.shared import Shared
from kernel.slots.tagger import Tagger
from kernel.slots.taggers import Taggers

__all__ = ["Labelled", "Projection", "Proposal", "Shared", "Tagger", "Taggers", "Vectors"]
