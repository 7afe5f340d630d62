"""What past searches taught: rows of features, genome, samples and verdict, in one SQLite file.

``Knowledge.advice`` gives a new search the winners of the nearest past problems and a small cost model; ``learn`` keeps
what a search found. Rows of GPUs and of CPUs never advise each other. A file that cannot be read is set aside with a
message and a new one begun; ``forget`` removes a problem. ``export`` and ``take_in`` are JSON lines.
"""

from gpu_skills.knowledge.model import Advice, Features, Row

__all__ = ["Advice", "Features", "Row"]
