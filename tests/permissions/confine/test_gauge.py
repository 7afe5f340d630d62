"""What the groups above a call leave it, read from files as the kernel writes them (cgroup v1 and v2)."""

from __future__ import annotations

from pathlib import Path

import pytest

from permissions.confine.cgroup import Groups
from permissions.confine.gauge import NOTHING_IS_BOUNDED, room_in

MIB = 1 << 20
SIMPLE = {"memory.limit_in_bytes": f"{1000 * MIB}\n", "memory.usage_in_bytes": f"{600 * MIB}\n",
          "memory.stat": f"cache 1\ntotal_cache {300 * MIB}\ntotal_shmem {100 * MIB}\n"}  # fmt: skip
UNIFIED = {"memory.max": f"{1000 * MIB}\n", "memory.current": f"{600 * MIB}\n",
           "memory.stat": f"anon 1\nfile {300 * MIB}\nshmem {100 * MIB}\n"}  # fmt: skip


def group(folder: Path, files: dict[str, str], unified: bool) -> Groups:
    for name, text in files.items():
        (folder / name).write_text(text)
    return Groups(unified=folder) if unified else Groups(memory=folder)


@pytest.mark.parametrize(("files", "unified"), [(SIMPLE, False), (UNIFIED, True)])
def test_a_group_leaves_its_limit_less_what_cannot_be_taken_back(
    tmp_path: Path, files: dict[str, str], unified: bool
) -> None:
    assert room_in(group(tmp_path, files, unified)) == 600 * MIB


@pytest.mark.parametrize(
    ("files", "unified"),
    [({**SIMPLE, "memory.limit_in_bytes": "9223372036854771712\n"}, False), ({**UNIFIED, "memory.max": "max\n"}, True)],
)
def test_a_group_without_a_limit_bounds_nothing(tmp_path: Path, files: dict[str, str], unified: bool) -> None:
    assert room_in(group(tmp_path, files, unified)) >= NOTHING_IS_BOUNDED
    assert room_in(Groups()) >= NOTHING_IS_BOUNDED
