"""The Triton family: from any program of sweeps a kernel for an NVIDIA GPU, with the choices that a search decides.

``space_of`` says what can be chosen for a program on a target, ``generate`` writes the Python source for one choice.
The source is made for the structure: sizes, strides, offsets and parameters are given when it runs, and numbers that
it was not made for are refused with nothing written. It needs Triton 3.6 or later and nothing else.

``TritonWorker`` is a process that has Triton: on a GPU it runs a source, in Triton's interpreter it runs one without,
and without a GPU it compiles one and reads from the cubins what they are made of; ``refusals`` is the gate on that.
Only ``child`` imports torch and triton, in that process. Never: a source of others in this process, a figure of speed
from the interpreter, a claim about hardware that was not there.
"""

from gpu_skills.tiles.gate import refusals
from gpu_skills.tiles.model import TARGETS, Compiled, Target
from gpu_skills.tiles.space import generate, space_of
from gpu_skills.tiles.worker import TritonWorker

__all__ = ["TARGETS", "Compiled", "Target", "TritonWorker", "generate", "refusals", "space_of"]
