"""Macros: frozen plans with a name, run with nothing interpreted and nothing planned (decision 54).

One is made of a run that ended well (``freezing``), or of a pattern that a person took (``patterns``). It is kept in
the ledger (``book``), looked up by its words and filled (``calling``), and then goes the one way of every plan.

Promises: what it does is what was seen, or it says what changed. Never: a right of its own, a word of others that says
where, to whom or what to run.
"""

from kernel.macros.model import Called, Macro, Parameter

__all__ = ["Called", "Macro", "Parameter"]
