"""Recalling: what a person asked, what was answered and what was done, found again later; over ``memory.recall``.

``turns`` reads runs as turns, ``recollection`` keeps them and finds them, ``hearing`` reads a sentence that asks about
what was, ``looking`` answers it from the ledger and from recall, ``handling`` does so inside a run.

It promises: nothing of it is imported or opened before somebody asks; everything here is told again from the ledger and
goes when its runs go; of a private run no word is kept; an answer names the run that it is about.
It never learns from what it found itself, and a request never gets a right from what was found here.
"""
