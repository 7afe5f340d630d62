"""The search: from a space of kernels to the fastest one that the judge accepts, within a budget.

    proposers -> build -> static look -> 1 / 5 / 25 samples -> judge -> duel of the top three

``search`` asks a ``Workshop`` (the one who builds, measures and judges) for one thing at a time and writes every answer
into a journal, so that an interrupted search goes on where it was. Proposers (past winners, Sobol and TPE, Thompson,
evolution, an ``Author``) are credited by measured gain per second. The same seed and the same answers give the same
search. ``Progress`` is what happens, as data.

Never: a candidate called found that the judge did not accept, a built file trusted whose hash is another, anything
built twice.
"""

from gpu_skills.search.model import Author, Budget, Duel, Found, Progress, Proposal, Refusal, Workshop
from gpu_skills.search.searching import search

__all__ = ["Author", "Budget", "Duel", "Found", "Progress", "Proposal", "Refusal", "Workshop", "search"]
