"""Sequences: what follows what, in abstract items with times (decision 54).

Sessions are folded in one at a time, and what comes again in them is found: sequences in which little else lies between
two items, none of which is only a part of a longer one, the most telling first. Memory is bounded and what is old
counts less. This room knows no tool, no person and no label; an item is a text that somebody else gives a meaning.
"""

from memory.sequences.kept import miner_from_json, miner_to_json
from memory.sequences.miner import Miner
from memory.sequences.model import Entry, Found, Limits, Occurrence
from memory.sequences.scoring import log_lift

__all__ = ["Entry", "Found", "Limits", "Miner", "Occurrence", "log_lift", "miner_from_json", "miner_to_json"]
