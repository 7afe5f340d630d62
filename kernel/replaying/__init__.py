"""Replaying: a run gone through once more by what the ledger has of it, with nothing done and no model asked.

Every answer that is not the code's own is an event: what was said, the clock, what models replied, what a person
allowed, what each call came to. So the sentence can be read, planned and carried out once more by the code of today,
and held against what came out then, step by step.

Promises: nothing is changed, sent, asked or learnt by it; what differs is named with the cause where it is known; what
is read as it is today is said. Never: a call with an effect, a host, a model, an answer in a person's place.
"""

from kernel.replaying.model import Kind, Replay, Standing, Step
from kernel.replaying.replay import replayed

__all__ = ["Kind", "Replay", "Standing", "Step", "replayed"]
