"""What the libraries raise on damaged documents, each named once; found by reading them and by mutating good files.

Whatever else is raised is a fault of ours and ends the call.
"""

from __future__ import annotations

import zipfile
import zlib
from functools import cache

_LOOSE = (ValueError, TypeError, AttributeError, LookupError, RecursionError)
"""Both libraries take what they read for what it should be: a number for a dictionary, nothing for a font."""

_PACKED = (zlib.error, zipfile.BadZipFile, EOFError, OSError)
"""``zlib`` and ``zipfile``: broken streams and tables of contents; OSError where an offset leads before the file."""

Errors = tuple[type[Exception], ...]


@cache
def of_pdf() -> Errors:
    """Return what pypdf raises: its own errors, those of unknown filters and of its type assertions."""
    from pypdf.errors import DependencyError, DeprecationError, PyPdfError

    return (
        PyPdfError, DependencyError, DeprecationError, NotImplementedError, AssertionError, ArithmeticError,
        *_LOOSE, *_PACKED,
    )  # fmt: skip


@cache
def of_docx() -> Errors:
    """Return what python-docx, lxml (a SyntaxError) and zipfile (RuntimeError for a locked member) raise."""
    from docx.opc.exceptions import OpcError

    return (OpcError, SyntaxError, RuntimeError, *_LOOSE, *_PACKED)
