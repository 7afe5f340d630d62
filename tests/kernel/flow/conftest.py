from tests.kernel.planner import home, planner

__all__ = ["home", "planner"]
