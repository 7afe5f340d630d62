"""The way of one request, from its sentence to its resolution: ``handle``.

``resume`` and ``resume_keeping`` go on after a restart with what waited, ``settle`` says what became of its letters.
``try_out`` is the way of a dry run.
"""

from __future__ import annotations

from kernel.handling.trying import try_out
from kernel.handling.way import handle, resume, resume_keeping, settle

__all__ = ["handle", "resume", "resume_keeping", "settle", "try_out"]
