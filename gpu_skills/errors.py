"""Errors of the kernel optimizer, sorted by what the caller does next.

KernelsError
├── NotTraced             fix the input, or keep the library: a function cannot be traced            (``trace.*``)
├── BadProblem            fix the input: a file, its shapes or its data are not a problem            (``intake.*``)
├── CannotGenerate        keep the library for that step: the family does not cover it               (``cpp.*``)
├── CompilerMissing       install a compiler, or Triton (``triton.*``)                               (``build.*``)
├── BuildFailed           propose another candidate: the compiler refused this one                   (``build.*``)
│   └── BuildTookTooLong  ... or did not come to an end in time
├── NotLoadable           build it on this machine: a library cannot be loaded here                  (``build.*``)
├── JudgeUnavailable      give up here: this machine cannot hold a judgement                         (``judge.*``)
├── NoOwnPart             keep the library: nothing of a problem is a sweep, or none is worth it     (``output.*``)
├── BadFolder             give another folder: it holds no kernel of ours, or a damaged one          (``output.*``)
├── NotApplied            keep the model as it was: a wrapper does not fit, or comes out wrong        (``output.*``)
├── SearchElsewhere       take another folder, or wait: it is another search's                       (``search.*``)
└── NothingKnown          fix the file that is read in, or its version                               (``knowledge.*``)
"""

from __future__ import annotations


class KernelsError(Exception):
    """Root of the errors. ``code`` is stable and dotted; ``hint`` says what to do now."""

    def __init__(self, code: str, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.code, self.message, self.hint = code, message, hint


class NotTraced(KernelsError):
    """A function cannot be traced, or its trace does not come to what it computes."""


class BadProblem(KernelsError):
    """A file does not import, hangs, takes too much, or what it gives is no problem."""


class CannotGenerate(KernelsError):
    """A program has something that the family does not cover."""


class CompilerMissing(KernelsError):
    """There is no C++ compiler on this machine."""


class BuildFailed(KernelsError):
    """The compiler refused a candidate; ``message`` ends in the first lines that it said."""


class BuildTookTooLong(BuildFailed):
    """The compiler did not come to an end in time."""


class NotLoadable(KernelsError):
    """A library cannot be loaded on this machine."""


class JudgeUnavailable(KernelsError):
    """The judge cannot work here: no wall around a candidate, no memory for its buffers, no compiler for a probe."""


class NoOwnPart(KernelsError):
    """Every step of a problem stays with its library."""


class BadFolder(KernelsError):
    """A folder holds no kernel of ours, one of another version, or one that was changed."""


class NotApplied(KernelsError):
    """A wrapper does not fit a model, or the model with it does not come to what it was."""


class SearchElsewhere(KernelsError):
    """A folder holds the search of another space, or one that is running."""


class NothingKnown(KernelsError):
    """A file that should hold what past searches taught cannot be taken in."""
