"""The way of one request, from its sentence to its resolution: ``handle``, ``resume`` after a restart, ``settle``.

``try_out`` is that of a dry run.
"""

from __future__ import annotations

from kernel.handling.trying import try_out
from kernel.handling.way import handle, resume, settle

__all__ = ["handle", "resume", "settle", "try_out"]
