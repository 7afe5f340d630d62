"""What a compiled kernel says of itself, and whether that is reason enough not to measure it.

``read`` counts instructions in the text that cuobjdump writes of a cubin (``-res-usage -sass``).
"""

from __future__ import annotations

import re
from typing import Final

from gpu_skills.tiles.model import Compiled, Target

_REGISTERS: Final = 65536
"""Of one processor, on every target."""
_COUNTED: Final = {
    "spills": r"STL[. ]",
    "loads": r"(LDG|LDGSTS)[. ]",
    "wide_loads": r"(LDG|LDGSTS)\.\S*128",
    "wide_stores": r"STG\.\S*128",
    "tensor_cores": r"(HMMA|HGMMA|QGMMA|IGMMA|UTC\w*MMA)[. ]",
    "warp_groups": r"(HGMMA|QGMMA|UTC\w*MMA)[. ]",
}
_INSTRUCTION: Final = re.compile(r"^\s*/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+\s+)?(?P<text>[A-Z][^;]*;)", re.MULTILINE)
_USAGE: Final = re.compile(r"REG:(?P<registers>\d+) STACK:(?P<stack>\d+)")


def read(text: str) -> dict[str, int]:
    """Return registers, stack bytes and counted instructions of a cubin with one kernel."""
    found = _USAGE.search(text)
    if found is None:
        raise ValueError(f"cuobjdump named no registers: {text[:200]}")
    lines = [one["text"] for one in _INSTRUCTION.finditer(text)]
    counts = {name: sum(bool(re.match(what, one)) for one in lines) for name, what in _COUNTED.items()}
    return {"registers": int(found["registers"]), "stack_bytes": int(found["stack"]), **counts}


def refusals(compiled: Compiled, target: Target) -> tuple[str, ...]:
    """Return why a kernel need not be measured: it spills, or what it needs is not there."""
    threads = compiled.warps * 32
    found = []
    if compiled.spills:
        found.append(f"{compiled.kernel} spills {compiled.spills} registers")
    if compiled.shared_bytes > target.shared_bytes:
        found.append(
            f"{compiled.kernel} takes {compiled.shared_bytes} bytes of shared memory, not {target.shared_bytes}"
        )
    if compiled.registers * threads > _REGISTERS:
        found.append(f"{compiled.kernel} takes {compiled.registers} registers in each of {threads} threads")
    return tuple(found)
