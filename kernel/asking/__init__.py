"""Asking: what is said instead of a plan, and when.

Questions and refusals (``ask``), offers of what may have been meant, several things where one was spoken of, names that
are nearly right; and what keeps a plan from being done or offered at all (``harm``, ``taken``, ``unnamed``).

It never acts and never makes an offer out of a plan that takes something away against the words of its sentence.
"""
