"""Composition: clauses, tools and arguments are chosen together, as one typed plan.

For ``kernel.plan`` and ``kernel.toolbox``. Every number stands in ``weights``; every word of a tool comes from its
manifest. The search is bounded in boundaries, segments, tools and states, so that any sentence ends in time.

It never reads the clock, the disk or an index that was not handed in, and never acts: it returns values.
"""

from __future__ import annotations
