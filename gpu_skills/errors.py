"""Errors of the kernel optimizer.

KernelsError
├── NotTraced          fix the input, or keep the library: a function cannot be traced       (``trace.*``)
└── BadProblem         fix the input: a file, its shapes or its data are not a problem        (``intake.*``)
"""What can go wrong while a kernel is made faster, sorted by what somebody does next.

KernelsError
  CannotGenerate      the program has what the C++ family does not cover: keep the library for that step
  CompilerMissing     there is no g++: install one
  BuildFailed         the compiler refused a candidate: propose another
    BuildTookTooLong  ... or did not come to an end in time
  NotLoadable         a library cannot be loaded here: build it on this machine
"""Errors of the kernel optimizer, sorted by what the caller does next.

KernelsError
└── JudgeUnavailable   give up here: this machine cannot hold a judgement  (``judge.*``)
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
    """Something about kernels: ``code`` is stable, ``message`` says what happened, ``hint`` what to do now."""

    code = "kernels.error"

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(f"{message} {hint}".strip())
        self.message, self.hint = message, hint


class CannotGenerate(KernelsError):
    """A program has something that the family does not cover."""

    code = "kernels.cannot_generate"


class CompilerMissing(KernelsError):
    """There is no C++ compiler on this machine."""

    code = "kernels.compiler_missing"


class BuildFailed(KernelsError):
    """The compiler refused a candidate; ``message`` ends in the first lines that it said."""

    code = "kernels.build_failed"


class BuildTookTooLong(BuildFailed):
    """The compiler did not come to an end in time."""

    code = "kernels.build_took_too_long"


class NotLoadable(KernelsError):
    """A library cannot be loaded on this machine."""

    code = "kernels.not_loadable"
    """Root of the room's errors. ``code`` is stable and dotted; ``hint`` says what to do now."""

    def __init__(self, code: str, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint


class JudgeUnavailable(KernelsError):
    """The judge cannot work here: no wall around a candidate, no memory for its buffers, no compiler for a probe."""
