"""Ranking: which tools a request may mean, how sure that is, and what is learnt from the person's own requests.

A ``Shelf`` finds candidates among up to 100,000 tools (words, character n-grams, vectors; none gates another); a
``Ranker`` orders them by a linear model whose weights are data and are refitted on the person's own log, with a guard
that drops a refit which loses; a ``Decider`` says act, ask or decline with a probability.

Promises: every candidate carries its reasons as numbers; a shelf, a past and a ranker are values: changing one gives a
new one. Never: widens a right, reads the clock, writes, or knows a word of a skill.
"""

from kernel.ranking.decision import Decider
from kernel.ranking.documents import document_of
from kernel.ranking.experience import Experience
from kernel.ranking.learner import Learner
from kernel.ranking.model import Document, Moment, Question, Ranked, Request
from kernel.ranking.past import Past
from kernel.ranking.ranker import Ranker, question_of, relative
from kernel.ranking.sets import set_for
from kernel.ranking.shelf import Shelf, shelf_of

__all__ = [
    "Decider", "Document", "Experience", "Learner", "Moment", "Past", "Question", "Ranked", "Ranker", "Request",
    "Shelf", "document_of", "question_of", "relative", "set_for", "shelf_of",
]  # fmt: skip
