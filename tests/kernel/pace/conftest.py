"""What is timed: the built-in tools, the same beside those of servers, and with examples of a person's own."""

from __future__ import annotations

from tests.kernel.composition.schemas.conftest import beside, plain
from tests.kernel.learning.conftest import after, planner
from tests.kernel.planner import home

__all__ = ["after", "beside", "home", "plain", "planner"]
