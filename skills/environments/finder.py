"""What a call may import of its skill's environment: all that is neither Python's own nor Steward's.

What this stops: a package in the place of ``json`` or of ``skills.sdk``; code that ``site`` would run (no ``.pth`` is
read); a version that Steward happens to have in the place of the one that the lock names.
What it does not: keep a package from doing in its own call what the skill itself may do there.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from importlib.metadata import Distribution, DistributionFinder, MetadataPathFinder
from types import ModuleType

ROOMS = frozenset({"kernel", "skills", "memory", "permissions", "portal", "gpu_skills"})
"""What Steward's own packages are called."""


class EnvironmentFinder(MetaPathFinder):
    """Finds the packages of one environment, after what is built in and before what Steward brings along."""

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return where a package of the environment lies; None for a part of one, which its package finds."""
        if path is not None or fullname in sys.stdlib_module_names or fullname in ROOMS:
            return None
        return PathFinder.find_spec(fullname, [self._folder])

    def find_distributions(
        self,
        context: DistributionFinder.Context = DistributionFinder.Context(),  # noqa: B008  # a value
    ) -> Iterable[Distribution]:
        """Give what ``importlib.metadata`` asks for."""
        within = DistributionFinder.Context(name=context.name, path=[self._folder])
        return MetadataPathFinder.find_distributions(within)


def enter(folder: str) -> None:
    """Let this process import from an environment. Inside a cell only: what is imported is code of others."""
    at = next((index for index, one in enumerate(sys.meta_path) if one is PathFinder), len(sys.meta_path))
    sys.meta_path.insert(at, EnvironmentFinder(folder))
    sys.path.append(folder)  # for packages without a file of their own, which Python looks for by the path
