from typing import Any

from tests.kernel.planner import home, planner

__all__ = ["as_read", "home", "planner"]


async def as_read(found: Any, endpoint: str) -> Any:
    """Take what a model answered as it is: nothing of the request is for later."""
    del endpoint
    return found
