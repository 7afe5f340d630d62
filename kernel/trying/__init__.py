"""Trying out: what a plan would do, done in a transaction that is thrown away.

A dry run is a run of a kind of its own: it begins with ``trial.created``, and nothing that learns from requests knows
that event. Its calls are real, in their cells, on what lies there now; what they describe is sealed, shown, and
dropped. A tool that acts outside of the transaction is named with what it would have been given, and not called.

Promises: nothing of it stays, no change, no letter, no fact, no right. Never: more than the person, or the routine that
it is of, may do. The way of a dry run is ``kernel.handling.trying``.
"""

from kernel.trying.acting import acts_outside, lacking, made
from kernel.trying.beginning import Trial, begun

__all__ = ["Trial", "acts_outside", "begun", "lacking", "made"]
