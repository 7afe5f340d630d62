"""The way of one request, from its sentence to its resolution: ``handle``.

``resume`` and ``resume_keeping`` go on after a restart with what waited, ``settle`` says what became of its letters.
``try_out`` is the way of a dry run. A replay goes through parts of the way: ``planned``, ``recovered``.
"""

from __future__ import annotations

from kernel.handling.plans import recovered
from kernel.handling.trying import try_out
from kernel.handling.way import handle, planned, resume, resume_keeping, settle

__all__ = ["handle", "planned", "recovered", "resume", "resume_keeping", "settle", "try_out"]
