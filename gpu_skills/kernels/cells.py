"""The yard of the skill: every compiler and every trial runs in a cell of its own, by ``ctx.call``."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gpu_skills.judge import Race, Verdict
from gpu_skills.judge.model import Gate, Side
from gpu_skills.judge.peaks import Ceilings
from gpu_skills.model import Built, Candidate
from gpu_skills.parts import Part
from gpu_skills.workshop import Bay, trials
from skills.sdk import Context, File, Folder


class Cells:
    """Gives bays whose work is done in cells. ``file`` is the user's own, which only baselines may read."""

    def __init__(self, ctx: Context, file: File | None, *, seed: int, threads: int = 1) -> None:
        self._ctx, self._file, self._seed, self._threads = ctx, file, seed, threads

    def ceilings(self) -> Ceilings:
        """Measure this machine."""
        told = asked(self._ctx, "kernels.trial", self._ctx.workroom("peaks"), {"do": "ceilings"})
        return trials.ceilings_from_json(told)

    def folder(self, part: Part) -> Path:
        """Return the room of a part."""
        return Path(self._ctx.workroom(f"part-{part.begin}").path)

    def bay(self, part: Part) -> Bay:
        """Return the bay of a part."""
        trials.prepare(self.folder(part), part.problem)
        return _Bay(self._ctx, self.folder(part), self._file, {"seed": self._seed, "threads": self._threads})


class _Bay:
    def __init__(self, ctx: Context, room: Path, file: File | None, settings: Mapping[str, Any]) -> None:
        self._ctx, self._room, self._file, self._settings = ctx, room, file, settings

    def build(self, candidate: Candidate) -> Built:
        (self._room / f"{candidate.id}.cpp").write_text(candidate.source, encoding="utf-8")
        told = asked(self._ctx, "kernels.build", Folder(str(self._room)), {"do": "build", "id": candidate.id})
        library = self._room / f"{candidate.id}.so"
        return Built(candidate, library, str(told["sha256"]), tuple(told["command"]), float(told["seconds"]))

    def samples(self, built: Built, count: int) -> tuple[float, ...] | Gate:
        told = self._tried({"do": "samples", "built": trials.built_to_json(built), "count": count})
        return trials.gate_from_json(told["gate"]) if "gate" in told else tuple(map(float, told["samples"]))

    def judge(self, built: Built) -> Verdict:
        told = self._tried({"do": "judge", "built": trials.built_to_json(built)})
        return trials.verdict_from_json(told["verdict"])

    def race(self, sides: Sequence[Side], pairs: int) -> Race:
        told = self._tried(
            {"do": "race", "sides": [trials.side_to_json(one) for one in sides], "pairs": pairs}, self._file
        )
        return trials.race_from_json(told["race"])

    def _tried(self, request: Mapping[str, Any], file: File | None = None) -> dict[str, Any]:
        return asked(self._ctx, "kernels.trial", Folder(str(self._room)), {**self._settings, **request}, file)


def asked(
    ctx: Context, tool: str, room: Folder, request: Mapping[str, Any], file: File | None = None
) -> dict[str, Any]:
    """Have a request performed in a cell; return its answer. Raises the KernelsError in it, and ToolError."""
    more = {} if file is None else {"file": file}
    called = ctx.call(tool, room=room, request=json.dumps(request), **more)
    return trials.raised(json.loads(called.value))
