"""The way of one request, from its sentence to its resolution: ``handle``, ``resume`` after a restart, ``settle``."""

from __future__ import annotations

from kernel.handling.way import handle, resume, settle

__all__ = ["handle", "resume", "settle"]
