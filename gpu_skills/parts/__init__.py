"""A program's own parts: what is made a kernel of, between the steps that stay with their library.

``parts_of`` cuts a problem into problems of its own. ``torch_lines`` writes a sweep as plain PyTorch, for a part of
which no kernel was worth it, and ``baseline_source`` a whole part, for a race. Nothing here imports torch.
"""

from gpu_skills.parts.cutting import Part, is_product, is_sum_of_products, parts_of, touched
from gpu_skills.parts.plain import HELPERS, allocations, baseline_source, torch_lines, variable

__all__ = [
    "HELPERS",
    "Part",
    "allocations",
    "baseline_source",
    "is_product",
    "is_sum_of_products",
    "parts_of",
    "torch_lines",
    "touched",
    "variable",
]
