"""From a candidate to a library on disk: the compiler, what it made, and the machine it was made for.

``build`` writes the source, runs g++ with fixed flags under a deadline and returns where the library lies; ``compiled``
is that run of ``compiler()`` alone, for measurements of our own. ``report`` reads the library as bytes, without loading
it: what it would call, whether it does anything on being loaded, which vector instructions it has and how often it
spills. ``load`` makes it callable, for tests: the judge loads candidates in a process of their own. ``this_machine``
says what the processor can do.

Never: running what was built while building it, flags that a candidate chooses, a compiler without limits, a network.
"""

from gpu_skills.building.building import build, compiled, compiler
from gpu_skills.building.loading import load
from gpu_skills.building.machine import Machine, this_machine
from gpu_skills.building.static import Report, report

__all__ = ["Machine", "Report", "build", "compiled", "compiler", "load", "report", "this_machine"]
