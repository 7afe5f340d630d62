"""What a kernel must beat: the user's own function and torch.compile of it; of a part, its sweeps in plain torch."""

from __future__ import annotations

from pathlib import Path

from gpu_skills.graph import Role
from gpu_skills.judge import Torch
from gpu_skills.model import Origin, Problem
from gpu_skills.parts import Part, baseline_source

EAGER, COMPILED = "eager", "torch.compile"
_WHOLE = '''"""The user's own function, on the inputs and weights of its program in their order."""

from pathlib import Path

import torch

from gpu_skills.intake.loading import called_of, in_order

_CALLED, _PLAIN = called_of(Path({file!r}), {entry!r})
_INPUTS, _WEIGHTS = {inputs!r}, {weights!r}
_IS_MODULE = isinstance(_CALLED, torch.nn.Module)
_OWNERS = [(_CALLED.get_submodule(name.rpartition(".")[0]), name.rpartition(".")[2]) for name in _WEIGHTS]
_HELD = [(owner._parameters if name in owner._parameters else owner._buffers, name) for owner, name in _OWNERS]
if _IS_MODULE:
    _CALLED.train({training!r})
_NAMES = {parameters!r}


def _arguments(given):
    named = dict(zip(_INPUTS, given))
    if _PLAIN:
        return [named.get(name, one) for name, one in zip(_NAMES, _PLAIN)]
    return in_order(_CALLED, named)


def eager(*tensors):
    for (held, name), one in zip(_HELD, tensors[len(_INPUTS):]):
        held[name] = one
    return _flat(_CALLED(*_arguments(tensors[: len(_INPUTS)])))


def whole(*tensors):
    if not _IS_MODULE:
        return _flat(_CALLED(*_arguments(tensors)))
    weights = dict(zip(_WEIGHTS, tensors[len(_INPUTS):]))
    return _flat(torch.func.functional_call(_CALLED, weights, tuple(_arguments(tensors[: len(_INPUTS)]))))


def _flat(made):
    return tuple(torch.utils._pytree.tree_leaves(made))
'''


def baselines(
    whole: Problem, part: Part, folder: Path, parameters: tuple[str, ...] = (), *, training: bool = False,
    compiled: bool = True,
) -> tuple[Torch, ...]:  # fmt: skip
    """Write the baselines of a part into ``folder`` and return them as sides; none where there is nothing to run.

    ``parameters`` are what the user's function takes. The whole problem has the user's file; a part of it has torch.
    """
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"baseline-{part.begin}.py"
    if part.problem is whole:
        if whole.origin is None:
            return ()
        file.write_text(_of_whole(whole, whole.origin, parameters, training), encoding="utf-8")
        entries = ("eager", "whole")
    else:
        file.write_text(baseline_source(part), encoding="utf-8")
        entries = ("baseline", "baseline")
    sides = (Torch(EAGER, file, entries[0]), Torch(COMPILED, file, entries[1], compiled=True))
    return sides if compiled else sides[:1]


def _of_whole(problem: Problem, origin: Origin, parameters: tuple[str, ...], training: bool) -> str:
    inputs, weights = ({new: old for old, new in pairs} for pairs in (origin.inputs, origin.weights))
    return _WHOLE.format(
        file=str(origin.file), entry=origin.entry, parameters=list(parameters), training=training,
        inputs=[inputs[one.name] for one in problem.program.of(Role.INPUT)],
        weights=[weights[one.name] for one in problem.program.of(Role.WEIGHT)],
    )  # fmt: skip
