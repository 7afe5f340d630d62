"""From a Python file to a problem: what the user's function computes, as a program, and programs to hold out.

    file -> child process: load, run, trace, check in float64 -> JSON -> Reading (its problem, what was checked)

The user's file runs in a child with limits and a deadline and never here; what comes back is data. ``reference`` runs
it again for the judge, ``asked`` has another room's child do something under the same watch, ``concerns`` says why a
problem would be no evidence, ``profiled`` where a model spends its
time. Needs torch in the child alone.
"""

from gpu_skills.intake.filtering import Reason, concerns
from gpu_skills.intake.outline import Outline
from gpu_skills.intake.process import Limits, Reading, asked, read_problem, reference, shrink
from gpu_skills.intake.profiling import profiled

__all__ = [
    "Limits",
    "Outline",
    "Reading",
    "Reason",
    "asked",
    "concerns",
    "profiled",
    "read_problem",
    "reference",
    "shrink",
]
