"""Errors of permissions, sorted by what the caller does next.

PermissionsError
├── Refused            give up: the rights do not allow it            (``refused.*``)
├── BadScope           fix the input: a path or grant is malformed    (``scope.*``, ``grant.*``)
├── BadAmount          fix the input: a limit or budget is malformed  (``limit.*``)
├── WallUnavailable    give up here: this machine cannot enforce it   (``wall.*``)
├── Conflict           ask the user: something changed underneath     (``conflict.*``)
├── StorageFailed      retry later: disk full, read-only, I/O error   (``storage.*``)
├── Unclear            ask the user: nobody knows whether it happened (``mail.unclear``)
└── Unreachable        retry later: a host did not answer as it should (``net.*``)
"""

from __future__ import annotations

from collections.abc import Collection


class PermissionsError(Exception):
    """Root of the room's errors. ``code`` is stable and dotted; ``hint`` says what to do now."""

    retryable = False

    def __init__(self, code: str, message: str, *, subject: str = "", hint: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.subject = subject
        self.hint = hint


class Refused(PermissionsError):
    """The rights do not allow it."""


class BadScope(PermissionsError):
    """A path, scope or grant is malformed."""


class BadAmount(PermissionsError):
    """A limit, a budget or an amount used is malformed."""


class WallUnavailable(PermissionsError):
    """This machine cannot enforce what was asked for."""


class Conflict(PermissionsError):
    """Something changed underneath since it was read. ``paths`` names every place where."""

    def __init__(
        self, code: str, message: str, *, subject: str = "", hint: str = "", paths: Collection[str] = ()
    ) -> None:
        super().__init__(code, message, subject=subject, hint=hint)
        self.paths = tuple(paths)


class StorageFailed(PermissionsError):
    """The disk is full, read-only or failing; nothing was changed."""

    retryable = True


class Unclear(PermissionsError):
    """Something outside may have happened or not, and nobody can know: never tried again without a person."""


class Unreachable(PermissionsError):
    """A host could not be reached, or did not answer as it should."""

    retryable = True
