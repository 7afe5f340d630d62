"""Errors of the kernel optimizer.

KernelsError
├── NotTraced          fix the input, or keep the library: a function cannot be traced       (``trace.*``)
└── BadProblem         fix the input: a file, its shapes or its data are not a problem        (``intake.*``)
"""

from __future__ import annotations


class KernelsError(Exception):
    """Root of the errors. ``code`` is stable and dotted; ``hint`` says what to do now."""

    def __init__(self, code: str, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.code, self.message, self.hint = code, message, hint


# -- intake and tracing
class NotTraced(KernelsError):
    """A function cannot be traced, or its trace does not come to what it computes."""


class BadProblem(KernelsError):
    """A file does not import, hangs, takes too much, or what it gives is no problem."""
