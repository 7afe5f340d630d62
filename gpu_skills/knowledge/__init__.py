"""What past searches taught: rows of features, genome, samples and verdict, in one SQLite file.

``Knowledge.advice`` gives a new search the winners of the nearest past problems and a small cost model; ``learn`` keeps
what a search found. Rows of GPUs and of CPUs never advise each other; between processors only the order of genomes
carries over. A file that cannot be read is set aside with a message and a new one begun; ``forget`` removes a problem.
``export`` and ``take_in`` are JSON lines.

Never: a row that is trusted as a verdict. Advice is where to begin; everything is measured and judged anew.
"""

from gpu_skills.knowledge.describing import features_of
from gpu_skills.knowledge.keeping import Knowledge
from gpu_skills.knowledge.model import Advice, Device, Features, Row

__all__ = ["Advice", "Device", "Features", "Knowledge", "Row", "features_of"]
