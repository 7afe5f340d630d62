"""Arguments from a schema alone: names, types, choices and a sentence about each parameter, no examples.

Typed guesses from the kernel's grammar, features of guess and slot, a log-linear ranker learned once and shipped
(``weights.json``), one choice for the whole call, and how sure it is.

Promises: pure; a value comes from the words of the sentence or from the schema, never from anywhere else; two values
are never read from the same words. English only, like the descriptions that it reads. Never: decides that a call is
made; its confidence is for whoever decides that.
"""

from __future__ import annotations

from kernel.slots.schema.fill import Filler
from kernel.slots.schema.model import Argument, Filled, Slot, Wanted

__all__ = ["Argument", "Filled", "Filler", "Slot", "Wanted"]
