"""The whole way of an optimization: a file in, the folder's contents out.

    read -> parts -> space -> search (workshop, judge) -> duel -> what is kept -> end to end

``optimized`` does it, with the bays that it is given: where candidates are compiled and run is the caller's business.
"No improvement, keep the library" is a normal result.
"""

from gpu_skills.optimizer.optimizing import Told, Wish, Yard, optimized
from gpu_skills.optimizer.yards import Own

__all__ = ["Own", "Told", "Wish", "Yard", "optimized"]
