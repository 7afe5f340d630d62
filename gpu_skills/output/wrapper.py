"""The drop-in wrapper: one Python file that needs torch and the libraries beside it, and nothing of ours."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from gpu_skills.errors import NotApplied
from gpu_skills.graph import Library, Program, Role, Step, Sweep, Tensor, numbers_of, parameters_of
from gpu_skills.intake import Outline
from gpu_skills.model import Origin, Problem
from gpu_skills.parts import HELPERS, Part, allocations, torch_lines, variable

_COPIED = (
    ("gpu_skills.intake", "likeness.py"), ("gpu_skills.output", "watching.py"), ("gpu_skills.output", "runtime.py"),
)  # fmt: skip
_OWN = re.compile(r"^from (__future__|gpu_skills[\w.]*) import .*\n", re.MULTILINE)
_DOC = re.compile(r'\A""".*?"""\n', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Kept:
    """A part that a kernel does: its library's file name and hash, and with how many threads it was judged."""

    part: Part
    library: str
    sha256: str
    threads: int = 1


def wrapper_source(problem: Problem, outline: Outline, kept: Sequence[Kept]) -> str:
    """Return the text of a wrapper for ``problem``, in which the ``kept`` parts are kernels and the rest is torch.

    Raises NotApplied where the problem has no file, or needs what a wrapper cannot be given.
    """
    if problem.origin is None:
        raise NotApplied("output.no_origin", f"{problem.name} comes from no file, so nothing can be wrapped.")
    _sayable(problem, outline)
    compute = _compute(problem, outline, kept)
    spec = _spec(problem, problem.origin, outline, kept, compute)
    whole = "\n\n".join([_head(problem), *_copied(), HELPERS.strip(), _kernels(spec, kept), compute,
                         _tail(problem)])  # fmt: skip
    return whole + "\n"


def _sayable(problem: Problem, outline: Outline) -> None:
    if outline.constants:
        raise NotApplied(
            "output.constant", f"{problem.name} computes with a constant in its code ({outline.constants[0]}).",
            hint="Make it a buffer of the module (register_buffer): then a wrapper can be given it.",
        )  # fmt: skip
    for name, one in outline.calls.items():
        if "unknown" in json.dumps([one.args, dict(one.kwargs)]):
            raise NotApplied("output.call", f"The step {one.target} ({name}) takes what cannot be said again.",
                             hint="Keep the library for this function.")  # fmt: skip


def _spec(problem: Problem, origin: Origin, outline: Outline, kept: Sequence[Kept], compute: str) -> dict[str, Any]:
    """Return what the guards ask for; the operation's name begins with a letter and hashes all that it runs."""
    inputs, weights = ({new: old for old, new in pairs} for pairs in (origin.inputs, origin.weights))
    given = problem.program.of(Role.INPUT, Role.WEIGHT)
    made = hashlib.sha256(
        json.dumps([outline.likeness, [_told(one) for one in given], _libraries(kept), compute]).encode()
    ).hexdigest()[:10]
    return {
        "name": problem.name, "operation": f"kernel_{re.sub(r'[^a-z0-9_]', '_', problem.name.lower())}_{made}",
        "parameters": list(outline.parameters), "plain": dict(outline.plain), "likeness": outline.likeness,
        "training": outline.training,
        "inputs": [inputs[one.name] for one in given if one.role is Role.INPUT],
        "weights": [weights[one.name] for one in given if one.role is Role.WEIGHT],
        "given": [_told(one) for one in given], "outputs": [_told(one) for one in problem.program.of(Role.OUTPUT)],
    }  # fmt: skip


def _told(one: Tensor) -> list[Any]:
    return [list(one.shape), one.dtype.value]


def _head(problem: Problem) -> str:
    name = _named(problem)
    return f'''"""{name}, made faster for this machine by Steward. certificate.json says by how much, and how.

    from wrapper import wrap, patch, unpatch
    fast = wrap(function)            # the function {name} itself, or a module of its class
    patch(model, "layers.0.norm")    # the module at that place of a model; "" is the model itself

Where a guard does not hold (other shapes, dtypes, layouts, gradients, another function), the original runs. The first
call runs both and compares.
"""

from __future__ import annotations
'''


def _named(problem: Problem) -> str:
    """Return the name as a text may hold it: it comes from a file's name, and the text is code."""
    return re.sub(r"[^\w .-]", "_", problem.name)


def _copied() -> Iterator[str]:
    for room, name in _COPIED:
        text = files(room).joinpath(name).read_text(encoding="utf-8")
        yield _OWN.sub("", _DOC.sub("", text)).strip()


def _kernels(spec: Mapping[str, Any], kept: Sequence[Kept]) -> str:
    told = "".join(f"\n    {one!r}," for one in _libraries(kept))
    return f"""inf, nan = math.inf, math.nan
SPEC: dict[str, Any] = {spec!r}
LIBRARIES: list[tuple[str, str, list[int], list[float], int]] = [{told}
]
_MADE: list[Kernel] = []


def _kernels() -> list[Kernel]:
    here = Path(__file__).resolve().parent
    _MADE.extend(Kernel(here / name, *rest) for name, *rest in LIBRARIES)
    return _MADE"""


def _libraries(kept: Sequence[Kept]) -> list[tuple[Any, ...]]:
    return [(one.library, one.sha256, list(numbers_of(one.part.problem.program)),
             [float(each.value) for each in parameters_of(one.part.problem.program)], one.threads)
            for one in kept]  # fmt: skip


def _compute(problem: Problem, outline: Outline, kept: Sequence[Kept]) -> str:
    program = problem.program
    given = [variable(one.name) for one in program.of(Role.INPUT, Role.WEIGHT)]
    outputs = ", ".join(variable(one.name) for one in program.of(Role.OUTPUT))
    lines = [f"({', '.join(given)},) = given" if given else "", *_body(program, outline, kept), f"return [{outputs}]"]
    return "def compute(given: Sequence[Any]) -> list[Any]:\n" + "\n".join(f"    {one}" for one in lines if one)


def _body(program: Program, outline: Outline, kept: Sequence[Kept]) -> Iterator[str]:
    begins = {one.part.begin: place for place, one in enumerate(kept)}
    covered = {step for one in kept for step in range(one.part.begin, one.part.end)}
    there = {one.name for one in program.of(Role.INPUT, Role.WEIGHT)}
    for place, step in enumerate(program.steps):
        if place in begins:
            part = kept[begins[place]].part
            yield from allocations(program, program.steps[part.begin : part.end], there)
            tensors = ", ".join(variable(one.name) for one in part.problem.program.tensors)
            yield f"(_MADE or _kernels())[{begins[place]}]({tensors})"
        elif place not in covered:
            yield from _in_torch(program, outline, step, place, there)


def _in_torch(program: Program, outline: Outline, step: Step, place: int, there: set[str]) -> Iterator[str]:
    if isinstance(step, Sweep):
        yield from allocations(program, [step], there)
        yield from torch_lines(program, step, f"s{place}_")
    else:
        there.update(step.writes)
        yield f"[{', '.join(map(variable, step.writes))}] = several({_called(step, outline)})"


def _called(step: Library, outline: Outline) -> str:
    call = outline.calls[step.writes[0]]
    args = [_argument(one) for one in call.args]
    args += [f"{key}={_argument(one)}" for key, one in call.kwargs.items()]
    return f"torch.ops.{call.target}({', '.join(args)})"


def _argument(one: Any) -> str:
    match one:
        case {"tensor": name, "shape": shape}:
            return f"{variable(name)}.reshape({shape})"
        case {"torch": word}:
            return f"torch.{word}"
        case {"device": word}:
            return f"torch.device({word!r})"
        case list():
            return f"[{', '.join(map(_argument, one))}]"
        case _:
            return repr(one)


def _tail(problem: Problem) -> str:
    return f'''registered(SPEC, compute)


def wrap(original: Any) -> Fast:
    """Return {_named(problem)} as it is called, made faster where its guards hold."""
    return Fast(original, SPEC, compute)


def patch(model: Any, place: str = "") -> Fast:
    """Let the module at ``place`` of ``model`` run through the kernels; its weights and its name stay as they are."""
    return patched(model, place, wrap)


def unpatch(model: Any, place: str = "") -> None:
    """Let the module at ``place`` be as it was."""
    unpatched(model, place)'''
