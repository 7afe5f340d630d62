"""Errors of the kernel, sorted by what the caller does next.

KernelError
├── BadRequest       fix the input                                   (``request.*``)
├── UnknownRun       fix the input: no such run                      (``run.unknown``)
├── NotNow           retry later: the run is in another state        (``run.state``)
├── TaskFailed       shown to the user: a task ended without result  (``task.*``)
└── ModelFailed      go on without it, or retry: a model gave nothing (``model.*``)
"""

from __future__ import annotations


class KernelError(Exception):
    """Root of the room's errors. ``code`` is stable and dotted; ``hint`` says what to do now.

    ``de`` and ``de_hint`` say the same in German, for what can end a request.
    """

    retryable = False

    def __init__(
        self, code: str, message: str, *, subject: str = "", hint: str = "", de: str = "", de_hint: str = ""
    ) -> None:
        super().__init__(message)
        self.code = code
        self.subject = subject
        self.hint = hint
        self.de = de
        self.de_hint = de_hint


class BadRequest(KernelError):
    """The input cannot be worked with."""


class UnknownRun(KernelError):
    """No run has this id."""


class NotNow(KernelError):
    """The run is in a state in which this cannot be done."""

    retryable = True


class TaskFailed(KernelError):
    """A task ended without a result."""


class ModelFailed(KernelError):
    """A model could not be asked, or what it answered is of no use. ``retryable``: later the same may go well.

    ``said`` is what it did answer, where that is of no form.
    """

    said: str = ""

    def __init__(
        self, code: str, message: str, *, subject: str = "", hint: str = "", de: str = "", de_hint: str = "",
        retryable: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(code, message, subject=subject, hint=hint, de=de, de_hint=de_hint)
        self.retryable = retryable
