"""Errors of the kernel optimizer, sorted by what the caller does next.

KernelsError
└── JudgeUnavailable   give up here: this machine cannot hold a judgement  (``judge.*``)
"""

from __future__ import annotations


class KernelsError(Exception):
    """Root of the room's errors. ``code`` is stable and dotted; ``hint`` says what to do now."""

    def __init__(self, code: str, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint


class JudgeUnavailable(KernelsError):
    """The judge cannot work here: no wall around a candidate, no memory for its buffers, no compiler for a probe."""
