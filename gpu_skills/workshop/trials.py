"""One trial in a room of its own: a request and an answer as JSON, so that a kernel can run it in a cell.

The room is a folder with ``problem.json``, sources, libraries and baselines. What is asked for stays in the room: no
name in a request leads out of it. What candidates do is a verdict; what the machine cannot do is an ``error``.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from gpu_skills.building import build
from gpu_skills.errors import (
    BuildFailed,
    BuildTookTooLong,
    CompilerMissing,
    JudgeUnavailable,
    KernelsError,
    NotLoadable,
)
from gpu_skills.intake.wire import problem_from_json, problem_to_json
from gpu_skills.judge import Native, Race, Torch, Verdict, ceilings
from gpu_skills.judge.model import Gate, GateName, Ratio, Side, Timing
from gpu_skills.judge.peaks import Ceilings
from gpu_skills.model import Built, Candidate, Language, Problem
from gpu_skills.workshop.bays import Here

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,120}")
_KINDS = {one.__name__: one for one in (BuildFailed, BuildTookTooLong, CompilerMissing, JudgeUnavailable, NotLoadable)}
Request = Mapping[str, Any]
Answer = dict[str, Any]


def performed(room: Path, request: Request) -> Answer:
    """Do what a request asks for in ``room``; what goes wrong on this machine is an ``error`` in the answer."""
    tempfile.tempdir = os.environ["TMPDIR"] = str(_made(room / "temporary"))
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = str(_made(room / "inductor"))
    os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"
    try:
        return _done(room, request)
    except KernelsError as error:
        return {"error": [type(error).__name__, error.code, error.message, error.hint]}


def _made(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    return folder


def _done(room: Path, request: Request) -> Answer:
    match request["do"]:
        case "ceilings":
            return asdict(ceilings(3))
        case "build":
            return _built(room, str(request["id"]))
        case "samples":
            found = _here(room, request).samples(_built_of(room, request["built"]), int(request["count"]))
            return {"gate": _gate(found)} if isinstance(found, Gate) else {"samples": list(found)}
        case "judge":
            return {"verdict": verdict_to_json(_here(room, request).judge(_built_of(room, request["built"])))}
        case "race":
            sides = [_side(room, one) for one in request["sides"]]
            return {"race": race_to_json(_here(room, request).race(sides, int(request["pairs"])))}
        case other:
            raise JudgeUnavailable("judge.request", f"Nobody does {other!r}.", hint="This is a bug; report it.")


def _here(room: Path, request: Request) -> Here:
    problem = problem_from_json(json.loads((room / "problem.json").read_text(encoding="utf-8")))
    return Here(problem, room, seed=int(request["seed"]), threads=int(request["threads"]))


def _named(name: object) -> str:
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise JudgeUnavailable("judge.request", f"{str(name)[:40]!r} names nothing in a room.")
    return name


def _built(room: Path, name: str) -> Answer:
    source = (room / f"{_named(name)}.cpp").read_text(encoding="utf-8")
    made = build(Candidate(name, "", Language.CPP, source), room)
    return {"sha256": made.sha256, "command": list(made.command), "seconds": made.seconds}


def _built_of(room: Path, told: Mapping[str, Any]) -> Built:
    name = _named(told["id"])
    library = room / f"{name}.so"
    sha256 = hashlib.sha256(library.read_bytes()).hexdigest()
    if sha256 != told["sha256"]:
        raise NotLoadable("build.not_loadable", f"{library.name} is not what was built.", hint="Build it again.")
    source = (room / f"{name}.cpp").read_text(encoding="utf-8")
    candidate = Candidate(name, str(told["structure"]), Language.CPP, source)
    return Built(candidate, library, sha256, (), 0.0)


def _side(room: Path, told: Mapping[str, Any]) -> Side:
    if "built" in told:
        return Native(str(told["name"]), _built_of(room, told["built"]))
    file = room / f"{_named(told['file'])}.py"
    return Torch(str(told["name"]), file, str(told["entry"]), bool(told["compiled"]))


# --- what goes over the border ----------------------------------------------------------------------------------


def prepare(room: Path, problem: Problem) -> None:
    """Write a problem into the room of its trials."""
    room.mkdir(parents=True, exist_ok=True)
    (room / "problem.json").write_text(json.dumps(problem_to_json(problem)), encoding="utf-8")


def built_to_json(built: Built) -> dict[str, str]:
    """Return what a request says of a candidate that lies in the room."""
    return {"id": built.candidate.id, "sha256": built.sha256, "structure": built.candidate.structure}


def side_to_json(side: Side) -> dict[str, Any]:
    """Return what a request says of a side of a race; its files lie in the room."""
    if isinstance(side, Native):
        return {"name": side.name, "built": built_to_json(side.built)}
    return {"name": side.name, "file": side.file.stem, "entry": side.entry, "compiled": side.compiled}


def raised(answer: Answer) -> Answer:
    """Return an answer. Raises the KernelsError that it holds."""
    if "error" not in answer:
        return answer
    kind, code, message, hint = (str(one) for one in answer["error"])
    raise _KINDS.get(kind, JudgeUnavailable)(code, message, hint=hint)


def _gate(gate: Gate) -> dict[str, Any]:
    return {**asdict(gate), "name": gate.name.value, "figures": {key: float(one) for key, one in gate.figures.items()}}


def gate_from_json(told: Mapping[str, Any]) -> Gate:
    """Return a gate that was written."""
    return Gate(GateName(told["name"]), bool(told["passed"]), str(told["said"]), dict(told["figures"]))


def verdict_to_json(verdict: Verdict) -> dict[str, Any]:
    """Return a verdict as what JSON holds."""
    timing = None if verdict.timing is None else asdict(verdict.timing)
    return {"candidate": verdict.candidate, "passed": verdict.passed, "gates": [_gate(one) for one in verdict.gates],
            "seed": verdict.seed, "timing": timing}  # fmt: skip


def verdict_from_json(told: Mapping[str, Any]) -> Verdict:
    """Return a verdict that was written."""
    timing = None if told["timing"] is None else Timing(**told["timing"])
    gates = tuple(gate_from_json(one) for one in told["gates"])
    return Verdict(str(told["candidate"]), bool(told["passed"]), gates, int(told["seed"]), timing)


def race_to_json(race: Race) -> dict[str, Any]:
    """Return a race with all its samples as what JSON holds."""
    ratios = [{**asdict(one), "kept": one.kept} for one in race.ratios]
    return {
        "sides": list(race.sides), "ratios": ratios, "pairs": race.pairs, "calls": race.calls, "policy": race.policy,
        "seed": race.seed, "fell": race.fell,
        "cpu_ns": {side: list(each) for side, each in race.cpu_ns.items()},
        "wall_ns": {side: list(each) for side, each in race.wall_ns.items()},
    }  # fmt: skip


def race_from_json(told: Mapping[str, Any]) -> Race:
    """Return a race that was written."""
    ratios = tuple(Ratio(**{key: value for key, value in one.items() if key != "kept"}) for one in told["ratios"])
    cpu, wall = ({side: tuple(each) for side, each in told[key].items()} for key in ("cpu_ns", "wall_ns"))
    return Race(_words(told["sides"]), ratios, cpu, wall, int(told["pairs"]), int(told["calls"]), str(told["policy"]),
                int(told["seed"]), str(told["fell"]))  # fmt: skip


def ceilings_from_json(told: Mapping[str, Any]) -> Ceilings:
    """Return ceilings that were written."""
    return Ceilings(**{key: float(value) for key, value in told.items()})


def _words(told: Sequence[Any]) -> tuple[str, ...]:
    return tuple(str(one) for one in told)
