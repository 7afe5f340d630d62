"""The judgement: gates one after the other, and the verdict."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from gpu_skills.graph import evaluate
from gpu_skills.judge import sanitizer, symbols, timing
from gpu_skills.judge.exam import Exam
from gpu_skills.judge.hearing import Answer, Hearing, Record
from gpu_skills.judge.model import Gate, GateName, Reference, Timing, Verdict
from gpu_skills.model import Built, Language, Problem

_IDLE_NS = 3_000_000


def judge(
    built: Built, problem: Problem, reference: Reference = evaluate, *, seed: int, budget_s: float = 10.0,
    exam: Exam | None = None, threads: int = 1, patience_s: float = 60.0,
) -> Verdict:  # fmt: skip
    """Put a built C++ candidate through every gate, and time it for about ``budget_s`` seconds at most.

    ``reference`` gives the right outputs in float64 (default: the graph's oracle). ``exam`` is one made before for this
    problem and seed, so that many candidates share it. ``patience_s`` is how long one order may take.

    A candidate may be whatever it is: crashes, hangs, lies and floods are verdicts. Raises JudgeUnavailable where this
    machine cannot hold a judgement, ValueError for a candidate that is not C++.
    """
    if built.candidate.language is not Language.CPP:
        raise ValueError(f"{built.candidate.id} is no C++ candidate")
    asked = exam or Exam(problem, reference, seed=seed)
    gates: list[Gate] = []
    found: list[Timing] = []
    for gate in _gates(built, asked, found, seed, time.monotonic() + budget_s, threads, patience_s):
        gates.append(gate)
        if not gate.passed:
            break
    return Verdict(built.candidate.id, gates[-1].passed, tuple(gates), seed, found[0] if found else None)


def _gates(
    built: Built, exam: Exam, found: list[Timing], seed: int, until: float, threads: int, patience_s: float
) -> Iterator[Gate]:
    yield task(exam)
    yield symbols.gate(built.library)
    record = Hearing(built.library, exam, threads=threads, patience_s=patience_s).held()
    yield from (gate(record, exam) for gate in _HEARD)
    yield left_behind(record, threads)
    yield sanitized(built, exam, threads)
    gate, result = timing.timed(
        built.library, exam, seed=seed, budget_s=max(until - time.monotonic(), 0.1), threads=threads
    )
    found.extend([result] if result else [])
    yield gate


def task(exam: Exam) -> Gate:
    """The problem must ask for something: outputs that are the same for all inputs say nothing about a kernel."""
    same = ", ".join(exam.redundant)
    said = f"{same} is the same for all inputs: a constant would pass" if same else "every output follows the inputs"
    return Gate(GateName.TASK, not same, said)


def runs(record: Record, exam: Exam) -> Gate:
    """It must do what it is called for without falling, and not decline its own problem."""
    if record.fell and not record.wrote_inputs:
        return Gate(GateName.RUNS, False, f"at {record.fell_at}, {record.fell}")
    own = record.of([exam.own] if exam.own else [])
    if any(one.declined for one in own):
        return Gate(GateName.RUNS, False, "it says that it was not made for the numbers of its own problem")
    if not record.fell and all(one.declined for one in record.answers):
        return Gate(GateName.RUNS, False, "it declines everything that is small enough to be checked whole")
    return Gate(GateName.RUNS, True, f"{len(record.answers)} scenes", {"scenes": len(record.answers)})


def poison(record: Record, exam: Exam) -> Gate:
    """Every element must be written, and none may follow what was there before."""
    left, moved = sum(one.left for one in record.answers), sum(one.moved for one in record.answers)
    wrote = sum(one.wrote for one in record.answers)
    said = "every output is written whole, from the inputs alone"
    if left or moved or wrote:
        said = f"{left} elements were not written, {moved} follow what was there before"
        said += f", {wrote} were written by calls that it declined" if wrote else ""
    return Gate(GateName.POISON, not (left or moved or wrote), said, {"left": left, "moved": moved, "wrote": wrote})


def guards(record: Record, exam: Exam) -> Gate:
    """Nothing beside an output may change."""
    broken = record.broken_bands
    said = f"{broken} bytes beside its outputs were written" if broken else "nothing beside its outputs was written"
    return Gate(GateName.GUARDS, not broken, said, {"bytes": broken})


def inputs(record: Record, exam: Exam) -> Gate:
    """Inputs must not be written; they cannot be, so who does falls."""
    said = f"at {record.fell_at} it writes into its inputs" if record.wrote_inputs else "its inputs cannot be written"
    return Gate(GateName.INPUTS, not record.wrote_inputs, said)


def errors(record: Record, exam: Exam) -> Gate:
    """The problem itself must come out right."""
    scenes = [exam.own] if exam.own else []
    return _right(GateName.ERRORS, record.of(scenes), "too large to be checked whole; its timed calls are, in part")


def held_out(record: Record, exam: Exam) -> Gate:
    """Numbers and parameters that it has not seen must come out right; numbers that it declines are counted."""
    answers = [one for one in record.answers if one.scene.name.startswith(("held out", "other parameters"))]
    return _right(GateName.HELD_OUT, answers, "there are none")


def families(record: Record, exam: Exam) -> Gate:
    """All kinds of values must come out right."""
    others = [one for one in record.answers if one.scene.name == one.scene.family]
    return _right(GateName.FAMILIES, others, "there are none")


def determinism(record: Record, exam: Exam) -> Gate:
    """The same call must give the same bits."""
    other = sum(one.other for one in record.answers) + record.crowded
    said = f"{other} elements had other bits when it was asked again" if other else "the same bits each time"
    return Gate(GateName.DETERMINISM, not other, said, {"other": other})


_HEARD: Sequence[Callable[[Record, Exam], Gate]] = (
    runs, poison, guards, inputs, errors, held_out, families, determinism,
)  # fmt: skip


def left_behind(record: Record, threads: int) -> Gate:
    """When it has answered nothing of it may compute, write or be there."""
    wrong = record.tasks > threads or record.idle_cpu_ns > _IDLE_NS or record.late > 0
    said = (
        f"{record.tasks} threads, {record.idle_cpu_ns / 1e6:.1f} ms of processor time and {record.late} bytes written"
    )
    return Gate(GateName.LEFT_BEHIND, not wrong, f"{said} after it had answered",
                {"threads": record.tasks, "idle_cpu_ns": record.idle_cpu_ns, "late": record.late})  # fmt: skip


def sanitized(built: Built, exam: Exam, threads: int) -> Gate:
    """Built with sanitizers it must do the same, and say nothing."""
    with sanitizer.folder() as folder:
        fenced = not sanitizer.has_room()
        library = sanitizer.build(built, Path(folder), fenced=fenced)
        if isinstance(library, Gate):
            return library
        around = None if fenced else sanitizer.environment()
        hearing = Hearing(library, exam.small(), threads=threads, exact=True, environment=around, fenced=fenced)
        record = hearing.held()
    if record.fell:
        return Gate(GateName.SANITIZER, False, f"at {record.fell_at}, {_report(record.fell)}")
    wrong = sum(one.misses.wrong + one.left + one.moved for one in record.answers)
    said = f"{wrong} elements are wrong when unwritten memory holds a pattern" if wrong else "nothing to say"
    said += " (forbidden pages around tensors: its address space is too small for a sanitizer's)" if fenced else ""
    return Gate(GateName.SANITIZER, not wrong, said, {"scenes": len(record.answers), "wrong": wrong})


def _report(fell: str) -> str:
    told = [line for line in fell.splitlines() if "ERROR" in line or "runtime error" in line]
    return " ".join(told)[:400] or fell[:400]


def _right(name: GateName, answers: Sequence[Answer], otherwise: str) -> Gate:
    given = [one for one in answers if not one.declined]
    if not given:
        return Gate(name, True, f"{len(answers)} declined" if answers else otherwise, {"declined": len(answers)})
    bad = [one for one in given if one.misses.wrong]
    worst = max(given, key=lambda one: one.misses.worst)
    figures = {
        "worst": worst.misses.worst, "relative": max(one.misses.relative for one in given), "scenes": len(given),
        "wrong": sum(one.misses.wrong for one in given), "declined": len(answers) - len(given),
    }  # fmt: skip
    said = f"at most {figures['worst']:.2f} of what is allowed, in {worst.scene.name}"
    if bad:
        of = bad[0].misses
        said = f"in {bad[0].scene.name} {of.wrong} of {of.verified} elements are wrong"
        said += f", by up to {of.worst:.3g} times what is allowed"
    return Gate(name, not bad, said, figures)
