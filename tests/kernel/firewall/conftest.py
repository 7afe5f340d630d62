"""The furnished home and its planner (``tests.kernel.planner``) for the tests of this folder."""

from __future__ import annotations

from tests.kernel.planner import home, planner

__all__ = ["home", "planner"]
