"""Environments: the Python packages of others that a skill needs, as its lock names them, in folders of their own.

    requirements.lock -> wheels (of the skill's own folder, or an index) -> sums -> unpacked in a cell -> kept read-only

What a wheel holds is written down, never run: no build, no ``.pth``, no scripts. ``lock`` reads what a skill pins,
``choosing`` picks the wheel for this machine, ``wheels`` unpacks it (in a cell), ``kept`` holds what was built, by the
digest of its lock, and ``finder`` lets a call import of it what is neither Python's own nor Steward's.

It fetches nothing and decides nothing: ``kernel.installing`` does.
"""

from __future__ import annotations

from skills.environments.lock import LOCK, digest_of, read_lock, written

__all__ = ["LOCK", "digest_of", "read_lock", "written"]
