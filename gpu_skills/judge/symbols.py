"""What a library wants from outside and does when it is loaded, read from its ELF file; nothing of it is run.

What this stops: a candidate that calls a library of kernels, opens files, starts processes or reads the clock by a
name, and one that computes when it is loaded. What it does not: system calls written as instructions (the wall does).
"""

from __future__ import annotations

from pathlib import Path

from gpu_skills.building import Report, report
from gpu_skills.errors import NotLoadable
from gpu_skills.judge.model import Gate, GateName


def gate(library: Path) -> Gate:
    """Hold a library against what a kernel may want. A file that is no ELF library does not pass."""
    try:
        found = report(library)
    except (OSError, NotLoadable) as error:
        return Gate(GateName.SYMBOLS, False, f"{library.name} is no library of a kernel: {error}")
    wrong = _wrong(found)
    said = f"it {', '.join(wrong[:5])}" if wrong else f"{len(found.undefined)} names wanted, all of them allowed"
    return Gate(GateName.SYMBOLS, not wrong, said, {"undefined": len(found.undefined), "refused": len(wrong)})


def _wrong(found: Report) -> list[str]:
    wrong = [f"wants {one}" for one in sorted(found.forbidden)]
    if found.runs_on_loading:
        wrong.append(f"runs code of its own when it is loaded, in {found.runs_on_loading} places")
    return wrong
