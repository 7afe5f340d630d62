"""Planning: plans that branch or repeat, and plans as others see them: as JSON, as a graph, as a draft.

The choice of a plan itself is ``kernel.plan`` and ``kernel.composition``.
"""
