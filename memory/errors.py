"""Errors of memory, sorted by what the caller does next.

StoreError
├── BadDraft         fix the input: the event cannot be written down  (``draft.*``)
├── LedgerBroken     give up writing: the chain does not verify        (``ledger.broken``)
├── LedgerBusy       retry later: another daemon holds the ledger      (``ledger.busy``)
├── StoreFailed      retry later: disk full, read-only, I/O error      (``store.*``)
├── EncoderMissing   go on without: the weights are not installed      (``encoder.*``)
├── StoreMissing     take another back end: it is not installed       (``store.not_installed``)
└── EncoderMismatch  rebuild the index: its vectors are another encoder's (``encoder.mismatch``)
"""

from __future__ import annotations


class StoreError(Exception):
    """Root of the room's errors. ``code`` is stable and dotted; ``hint`` says what to do now."""

    retryable = False

    def __init__(self, code: str, message: str, *, subject: str = "", hint: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.subject = subject
        self.hint = hint


class BadDraft(StoreError):
    """The event cannot be written down: not JSON, too large, or a reserved kind."""


class LedgerBroken(StoreError):
    """The chain does not verify; nothing more is written. ``seq`` is the first bad event, 0 when none is known."""

    def __init__(self, code: str, message: str, *, subject: str = "", hint: str = "", seq: int = 0) -> None:
        super().__init__(code, message, subject=subject, hint=hint)
        self.seq = seq


class LedgerBusy(StoreError):
    """Another daemon holds the ledger."""

    retryable = True


class StoreFailed(StoreError):
    """The disk is full, read-only or failing."""

    retryable = True


class EncoderMissing(StoreError):
    """The encoder's weights are absent or do not match their digest."""


class StoreMissing(StoreError):
    """A vector store's back end is not installed."""


class EncoderMismatch(StoreError):
    """Vectors of two encoders cannot be compared; the index must be built again."""
