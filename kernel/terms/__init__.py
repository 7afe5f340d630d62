"""The terms of a request: what it may cost, and when it has to be done.

A person says both with the request (``--budget 5ct --deadline 30s``). Where it is known that they cannot be kept, the
request is refused before anything is done, with the reason: a model whose price makes it impossible, a plan that has
never been that quick. No model is asked beyond what is left of the money; at the deadline what runs is ended and what
was staged is dropped. A commit that has begun is finished, and that it was late is said. The terms are of one request:
nothing of the policy tree is changed by them, and its own budgets count beside them.
"""

from kernel.terms.held import Held, taken_up
from kernel.terms.model import Overdue, Terms
from kernel.terms.said import terms_of

__all__ = ["Held", "Overdue", "Terms", "taken_up", "terms_of"]
