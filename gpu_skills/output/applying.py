"""Apply: a model with a folder's kernels in it, held against itself in float64 end to end, in a process of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gpu_skills.errors import NotApplied
from gpu_skills.intake import Limits, asked
from gpu_skills.output.folder import WRAPPER

CHILD = "gpu_skills.output.child"
UNLIKE = "its first outputs were not those of the original"
"""What a wrapper says of such a kernel (``runtime``)."""
_TIMES, _LEAST = 8.0, 2e-6
"""How many times the model's own error, in the same bits, a patched model's may be; and what is never too much."""


@dataclass(frozen=True, slots=True)
class Applied:
    """What a patched model came to. ``errors`` are, for each output, the relative norms of the error in float64 of the
    model as it was and as it is; ``ratio`` is how many times longer it took before, by processor time of one thread.

    ``kernel_calls`` and ``original_calls`` count the calls of the patched modules; ``why_not`` says why the original
    ran.
    """

    places: tuple[str, ...]
    errors: tuple[tuple[float, float], ...]
    ratio: float
    ns: float
    original_ns: float
    kernel_calls: int
    original_calls: int
    why_not: Mapping[str, int]

    @property
    def exact(self) -> bool:
        """Tell whether it is as exact as before, to a small factor."""
        return all(after <= max(_TIMES * before, _LEAST) for before, after in self.errors)

    @property
    def unlike(self) -> bool:
        """Tell whether a first call gave other outputs than the original's, which therefore ran in its place."""
        return UNLIKE in self.why_not

    @property
    def right(self) -> bool:
        """Tell whether it is as exact as before, and the kernels really ran."""
        return self.exact and self.kernel_calls > 0


def apply(
    folder: Path, file: Path, entry: str = "", shapes: str = "", *, places: Sequence[str] = (), training: bool = True,
    limits: Limits | None = None,
) -> Applied:  # fmt: skip
    """Patch the model of ``file`` with the wrapper in ``folder`` and say what it comes to.

    ``places`` are where; without any, everywhere that is what the kernel was made for. Raises NotApplied, BadFolder,
    BadProblem. The user's file is not changed.
    """
    request = {"act": "apply", "wrapper": str((folder / WRAPPER).resolve()), "file": str(file.resolve()),
               "entry": entry, "shapes": shapes, "places": list(places), "training": training}  # fmt: skip
    found = asked(request, limits, module=CHILD)
    errors = tuple((float(one), float(other)) for one, other in found["errors"])
    counts: Mapping[str, Any] = found["counts"]
    return Applied(tuple(found["places"]), errors, float(found["ratio"]), float(found["ns"]),
                   float(found["original_ns"]), int(counts["kernel"]), int(counts["original"]),
                   dict(found["why_not"]))  # fmt: skip


def verified(applied: Applied) -> Applied:
    """Return what was applied. Raises NotApplied where it is less exact than before, or no kernel ran."""
    if applied.right:
        return applied
    if not applied.kernel_calls:
        why = ", ".join(applied.why_not) or "nothing called it"
        raise NotApplied("output.not_run", f"No call went to a kernel: {why}.",
                         hint="Give the shapes and dtypes that it was made for.")  # fmt: skip
    before, after = max(applied.errors, key=lambda one: one[1])
    raise NotApplied("output.wrong", f"The patched model is {after:.1e} off, it was {before:.1e} off before.",
                     hint="Keep the model as it was, and report this.")  # fmt: skip


def script(applied: Applied) -> str:
    """Return a Python file that patches a model as it was verified; it lies beside the wrapper."""
    places = ", ".join(repr(one) for one in applied.places)
    return f'''"""Patches a model as it was verified: from applied import apply; apply(model)."""

from wrapper import patch

PLACES = [{places}]


def apply(model):
    """Let the verified places of ``model`` run through the kernels; return their wrappers."""
    return [patch(model, place) for place in PLACES]
'''
