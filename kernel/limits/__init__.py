"""Limits that are learned: what a tool's calls needed, and from it what the next one begins with.

It promises: what is learned only ever sets what a call begins with, and after a call that was killed what the next one
may have; the policy tree narrows both (``kernel.allotting``). It never runs a call and never asks anybody.
"""

from kernel.limits.memory import LEARNED, MemoryLimits
from kernel.limits.rule import Learned, Peak, learn, shape_of

__all__ = ["LEARNED", "Learned", "MemoryLimits", "Peak", "learn", "shape_of"]
