"""The workshop: where candidates of one problem are built, looked at, measured, judged and raced, for a search.

``Bench`` is the search's ``Workshop`` for C++ kernels; it keeps every verdict and race, so that a certificate can say
what was found. What really compiles and runs is its ``Bay``: ``Here`` does it in this process, and a skill has the
kernel do it in cells of their own. ``baselines`` are the sides that a kernel must beat; ``floor_of`` is what this
machine's measured ceilings allow at most.
"""

from gpu_skills.workshop.baselines import baselines
from gpu_skills.workshop.bays import Bay, Here
from gpu_skills.workshop.bench import Bench
from gpu_skills.workshop.floors import Floor, floor_of

__all__ = ["Bay", "Bench", "Floor", "Here", "baselines", "floor_of"]
