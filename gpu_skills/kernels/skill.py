"""Make PyTorch functions faster on this machine, and prove it."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from skills.sdk import Context, File, Folder, Quantity, Text, Title, ToolError

_PLACE = "~/Kernels"


@dataclass(frozen=True, slots=True)
class Kernel:
    """What an optimization came to: its folder, whether a kernel is used, and the ratio against the fastest side."""

    name: str
    folder: Folder
    used: bool
    ratio: float
    against: str


@dataclass(frozen=True, slots=True)
class Fitted:
    """A model with its kernels: where they are, how much faster it is, and its largest error in float64."""

    places: list[str]
    ratio: float
    error: float


def optimize(
    ctx: Context,
    file: File,
    function: Title | None = None,
    shapes: Text | None = None,
    budget: Quantity | None = None,
) -> Kernel:
    """Make what a Python file computes faster on this machine.

    Args:
        file: the Python file.
        function: the function or module in it.
        shapes: the shapes of its inputs.
        budget: how long to search.
    """
    from gpu_skills.optimizer import Wish, optimized
    from gpu_skills.output import contents

    from . import keeping

    cells, telling = _parts(ctx)
    seconds = telling.seconds_of(budget)
    wish = Wish(Path(ctx.real(file)), function or "", _bare(shapes), seconds, seed=ctx.random.randrange(1 << 30))
    with telling.in_words(), keeping.knowledge(ctx) as known:
        yard = cells.Cells(ctx, file, seed=wish.seed)
        work = optimized(wish, yard, ctx.now.isoformat(timespec="seconds"), _watch(ctx, wish.seconds), knowledge=known)
        files = contents(work)
    place = _free(ctx, f"{_PLACE}/{_plain(work.problem.name)}")
    for name, data in files.items():
        ctx.write(f"{place}/{name}", data)
    told = json.loads(files["certificate.json"])
    where = f" {ctx.shown(place)}"
    telling.summary(ctx, told, where)
    beats = next((one["beats"] for one in told["parts"] if one["beats"]), None) or {"ratio": 1.0, "against": ""}
    return Kernel(work.problem.name, Folder(place), bool(work.kept), float(beats["ratio"]), str(beats["against"]))


def bench(ctx: Context, file: File, function: Title | None = None, shapes: Text | None = None) -> list[str]:
    """Show where a PyTorch model spends its time.

    Args:
        file: the Python file.
        function: the function or module in it.
        shapes: the shapes of its inputs.
    """
    from gpu_skills.intake import profiled

    _, telling = _parts(ctx)
    with telling.in_words():
        found = profiled(Path(ctx.real(file)), function or "", _bare(shapes))
    telling.profile(ctx, found.seconds,
                    [(one.operation, one.calls, one.seconds, one.share, one.gain)
                     for one in found.costs[:20]])  # fmt: skip
    count, rest = len(found.sweeps), len(found.libraries)
    ctx.say(f"{count} of its steps can be kernels, {rest} stay with their library.",
            de=f"{count} seiner Schritte können Kernel sein, {rest} bleiben bei ihrer Bibliothek.")  # fmt: skip
    return [one.operation for one in found.costs]


def show(ctx: Context, kernel: Folder) -> Kernel:
    """Tell what a kernel gained, and how that was measured.

    Args:
        kernel: the folder of the kernel.
    """
    from gpu_skills.output import read_certificate

    _, telling = _parts(ctx, torch=False)
    with telling.in_words():
        told = read_certificate(_real(ctx, kernel))
    telling.summary(ctx, told, "")
    gates = {
        one["name"]: one["passed"] for part in told["parts"] if part["verdict"] for one in part["verdict"]["gates"]
    }
    passed = sum(gates.values())
    ctx.say(
        f"It passed {passed} of {len(gates)} gates on {told['machine']['cpu']}, {told['made_at']}.",
        de=f"Es hat {passed} von {len(gates)} Prüfungen bestanden, auf {told['machine']['cpu']}, {told['made_at']}.",
    )
    beats = next((one["beats"] for one in told["parts"] if one["beats"]), None) or {"ratio": 1.0, "against": ""}
    used = any(one["kept"] for one in told["parts"])
    return Kernel(str(told["name"]), kernel, used, float(beats["ratio"]), str(beats["against"]))


def replay(ctx: Context, kernel: Folder, file: File | None = None) -> bool:
    """Build, judge and measure a kernel again.

    Args:
        kernel: the folder of the kernel.
        file: the function that it is raced against.
    """
    from gpu_skills.output import read_folder, replayed

    cells, telling = _parts(ctx)
    with telling.in_words():
        shelved = read_folder(_real(ctx, kernel))
        yard = cells.Cells(ctx, file, seed=ctx.random.randrange(1 << 30), threads=int(shelved.told["threads"]))
        found = replayed(shelved, yard.folder, yard.bay, raced=file is not None)
    for one in found:
        failed = one.verdict.failed
        state = f"does not pass {failed.name}: {failed.said}" if failed else "passes every gate again"
        same = "the same bytes" if one.same_library else "other bytes"
        ctx.say(f"Built again ({same}), it {state}.",
                de=f"Neu gebaut ({'dieselben' if one.same_library else 'andere'} Bytes): "
                   f"{'es besteht wieder alles' if not failed else state}.")  # fmt: skip
    rows = [(side, round(one.before.get(side, 0.0), 2), *(round(each, 2) for each in now))
            for one in found for side, now in one.now.items()]  # fmt: skip
    if rows:
        ctx.table(("against", "then", "now", "at least", "at most"), rows)
    if not found:
        ctx.say(
            "It keeps the library: there is no kernel to replay.", de="Die Bibliothek blieb: es gibt keinen Kernel."
        )
    return all(one.holds for one in found)


def apply(
    ctx: Context, kernel: Folder, file: File, function: Title | None = None, shapes: Text | None = None
) -> Fitted:
    """Put a kernel into a model and hold the model against itself.

    Args:
        kernel: the folder of the kernel.
        file: the Python file with the model.
        function: the model in it.
        shapes: the shapes of its inputs.
    """
    from gpu_skills import output

    _, telling = _parts(ctx)
    with telling.in_words():
        folder = _real(ctx, kernel)
        output.read_folder(folder)
        found = output.verified(output.apply(folder, Path(ctx.real(file)), function or "", _bare(shapes)))
    ctx.write(f"{ctx.path(kernel)}/applied.py", output.script(found))
    before, after = max(found.errors, key=lambda one: one[1])
    places = ", ".join(one or "the model itself" for one in found.places)
    ctx.say(
        f"The model is {found.ratio:.2f} times as fast with the kernel at {places}; its error is {after:.1e}, it was "
        f"{before:.1e}. applied.py puts it in.",
        de=f"Das Modell ist mit dem Kernel {found.ratio:.2f}-mal so schnell ({places}); sein Fehler ist {after:.1e}, "
           f"vorher {before:.1e}. applied.py setzt ihn ein.",
    )  # fmt: skip
    return Fitted(list(found.places), found.ratio, after)


def doctor(ctx: Context) -> dict[str, bool]:
    """Say what this machine has for making kernels."""
    from gpu_skills.building import this_machine

    machine = this_machine()
    vectors = next((name for name, wanted in _VECTORS if wanted in machine.instructions), "")
    torch, compiler = find_spec("torch") is not None, shutil.which("g++") is not None
    rows = [
        ("processor", machine.cpu, ""),
        ("vectors", vectors or "plain", "" if vectors else "kernels are plain C++ here"),
        ("g++", machine.compiler or "missing", "" if compiler else "apt install g++ (or gcc-c++)"),
        ("PyTorch", "installed" if torch else "missing", "" if torch else "./steward setup kernels"),
        ("Triton", "installed" if find_spec("triton") else "missing", "for NVIDIA GPUs alone"),
    ]
    ctx.table(("part", "found", "what to do"), rows)
    missing = [what for name, _, what in rows if what and name in ("g++", "PyTorch")]
    ctx.say("Everything is there." if not missing else f"Something is missing: {'; '.join(missing)}.",
            de="Alles ist da." if not missing else f"Es fehlt etwas: {'; '.join(missing)}.")  # fmt: skip
    return {"torch": torch, "compiler": compiler, "vectors": bool(vectors)}


def export(ctx: Context) -> File:
    """Write what was learned about kernels into a file.

    The file lies in ~/Kernels; each line of it is one kernel that was tried.
    """
    from . import keeping

    data, searches = keeping.exported(ctx)
    place = ctx.unused(f"{_PLACE}/knowledge.jsonl")
    ctx.write(place, data)
    count = data.count(b"\n")
    ctx.say(
        f"{count} kernels of {searches} searches are in {ctx.shown(place)}.",
        de=f"{count} Kernel aus {searches} Suchen stehen in {ctx.shown(place)}.",
    )
    return File(place)


def build(ctx: Context, room: Folder, request: Text) -> str:
    """Compile one candidate.

    Args:
        room: the folder of the trial.
        request: what is to be compiled.
    """
    return _performed(ctx, room, request, {"build"})


def trial(ctx: Context, room: Folder, request: Text, file: File | None = None) -> str:
    """Judge, measure or race candidates.

    Args:
        room: the folder of the trial.
        request: what is to be tried.
        file: the function that is raced against.
    """
    return _performed(ctx, room, request, {"ceilings", "samples", "judge", "race"})


_VECTORS = (("AVX-512", "avx512f"), ("AVX2", "avx2"))


def _performed(ctx: Context, room: Folder, request: str, may: set[str]) -> str:
    from gpu_skills.workshop import trials

    told = json.loads(request)
    if not isinstance(told, dict) or told.get("do") not in may:
        raise ToolError("This is no request of the optimizer.", code="kernels.request")
    answer = trials.performed(Path(room.path), told)
    ctx.say("Done.", de="Fertig.")
    return json.dumps(answer)


def _parts(ctx: Context, *, torch: bool = True):  # type: ignore[no-untyped-def]
    """Return the skill's other modules, loaded when they are needed. Raises ToolError without torch."""
    from . import cells, telling

    if torch and find_spec("torch") is None:
        raise telling.no_torch()
    return cells, telling


def _real(ctx: Context, kernel: Folder) -> Path:
    return ctx.real(kernel)


def _free(ctx: Context, wanted: str) -> str:
    place, number = wanted, 1
    while ctx.exists(place):
        number += 1
        place = f"{wanted}-{number}"
    return ctx.path(place)


def _bare(shapes: str | None) -> str:
    return (shapes or "").strip().strip("`'\"“”„").strip()


def _plain(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-") or "kernel"


def _watch(ctx: Context, seconds: float):  # type: ignore[no-untyped-def]
    def watch(told) -> None:  # type: ignore[no-untyped-def]
        step = told.progress
        if step is None:
            return ctx.progress(None, told.said)
        best = "" if step.best_ns is None else f"best so far {step.best_ns / 1e3:.4g} µs; "
        return ctx.progress(min(step.at_s / seconds, 1.0), f"{best}{step.event} {step.made_by} {step.said}".strip())

    return watch
