"""Dialogue: sentences that live on what was said before.

Answers to an open question, corrections of the last request, follow-ups and "the same of another". For ``kernel.plan``,
which asks here before and after it reads a sentence on its own (``kernel.composition``).

It never decides that a follow-up wins over a clear request of its own; that is ``kernel.plan``'s to say.
"""
