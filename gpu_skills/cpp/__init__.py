"""The C++ family: from any program of sweeps a kernel for this processor, with the choices that a search decides.

``space_of`` says what can be chosen for a program on a machine, ``generate`` writes the source for one choice. The
source is made for the structure: sizes, strides, offsets and parameters are given when it runs, and numbers that it
was not made for are refused with nothing written. Vectors are AVX-512, AVX2 or plain; a kernel asks the processor
before it uses what it was made for, and refuses where that is missing.

Sums are added up in blocks over many lanes; what is no number stays none, as in torch. No header that is slow to
compile, no library but the C library's own. Never: -ffast-math, undefined accesses, or a compiler run.
"""

from gpu_skills.cpp.functions import BOUNDS
from gpu_skills.cpp.space import generate, space_of

__all__ = ["BOUNDS", "generate", "space_of"]
