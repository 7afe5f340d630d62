"""Composition: clauses, tools and arguments are chosen together, as one typed plan.

For ``kernel.plan``, ``kernel.recommend`` and ``kernel.context.toolbox``. Every number stands in ``weights``; every word
of a tool comes from its manifest. The search is bounded in boundaries, segments, tools and states, so that any
sentence ends in time.

It never reads the clock, the disk or an index that was not handed in, and never acts: it returns values.
"""

from __future__ import annotations

from kernel.composition.build import Judged, judge
from kernel.composition.draft import Draft
from kernel.composition.scene import Scene, scene_of
from kernel.composition.search import Search
from kernel.composition.validate import validate

__all__ = ["Draft", "Judged", "Scene", "Search", "judge", "scene_of", "validate"]
