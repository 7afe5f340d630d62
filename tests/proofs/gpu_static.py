"""Every family of the Triton generator, compiled without a GPU for every target and dtype, at its default genome.

python -m tests.proofs.gpu_static [--only FAMILY ...]

Read from the cubins: registers, spills, shared memory, loads of 16 bytes, tensor-core instructions. A family is short
where the gate would refuse one of its kernels, where it reads nothing in 16 bytes, or where a product of 16-bit factors
does not go to the tensor cores (those for groups of warps on sm_90 and sm_100). Nothing here says how fast anything is.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from gpu_skills.graph import DType
from gpu_skills.model import Problem
from gpu_skills.tiles import TARGETS, Compiled, Target, TritonWorker, generate, refusals, space_of
from tests.benchmarks.gpu.problems import attention, swiglu_mlp, typed
from tests.benchmarks.machine import publish, result
from tests.gpu_skills import programs as of

FLOATS = (DType.F32, DType.F16, DType.BF16)
FAMILIES: dict[str, Problem] = {
    "rmsnorm": of.rmsnorm(8192, 8192), "layernorm": of.layernorm(8192, 4096), "softmax": of.softmax(8192, 8192),
    "silu_mul": of.silu_mul(8192, 11008), "gelu_mul": of.gelu_mul(4096, 4096), "bias_gelu": of.bias_gelu(4096, 4096),
    "rotary": of.rotary(64, 4096, 128), "add_rmsnorm": of.add_rmsnorm(8192, 8192),
    "reduce_sum": of.reduce_sum(8192, 8192), "cross_entropy": of.cross_entropy(8192, 32000),
    "transpose": of.transpose(4096, 4096), "matmul_bias_relu": of.matmul_bias_relu(4096, 4096, 4096),
    "swiglu_mlp": swiglu_mlp(2048, 4096, 11008), "attention": attention(32, 2048, 128),
}  # fmt: skip
PRODUCTS = {"matmul_bias_relu": (0,), "swiglu_mlp": (0, 1), "attention": (0, 2)}
"""Which kernels of a family are products."""


def faults(name: str, dtype: DType, target: Target, found: Sequence[Compiled]) -> list[str]:
    """Return what is wrong with the kernels of a family, in words."""
    said = [text for one in found for text in refusals(one, target)]
    said += [f"{one.kernel} reads nothing in 16 bytes" for one in found if not one.wide_loads]
    for at in PRODUCTS.get(name, ()) if dtype is not DType.F32 else ():
        groups = target.capability >= 90
        if not (found[at].warp_groups if groups else found[at].tensor_cores):
            said.append(f"{found[at].kernel} does not use the tensor cores")
    return said


def _rows(worker: TritonWorker, names: Sequence[str]) -> tuple[list[str], dict[str, float]]:
    lines = ["| family | dtype | target | kernel | registers | spills | shared bytes | warps | loads of 16 bytes | "
             "tensor-core instructions |", "|---|---|---|---|---|---|---|---|---|---|"]  # fmt: skip
    kernels = spills = short = 0
    for name, dtype, target in ((name, dtype, one) for name in names for dtype in FLOATS for one in TARGETS.values()):
        program = typed(FAMILIES[name], dtype).program
        found = worker.compile(generate(program, space_of(program, target).default, target), program, target)
        for one in found:
            lines.append(f"| {name} | {dtype.value} | sm_{target.capability} | {one.kernel} | {one.registers} | "
                         f"{one.spills} | {one.shared_bytes} | {one.warps} | {one.wide_loads} of {one.loads} | "
                         f"{one.tensor_cores} |")  # fmt: skip
        kernels, spills = kernels + len(found), spills + sum(one.spills for one in found)
        for said in faults(name, dtype, target, found):
            short += 1
            print(f"{name} {dtype.value} sm_{target.capability}: {said}", flush=True)
    return lines, {"kernels": float(kernels), "spills": float(spills), "faults": float(short)}


def main() -> int:
    """Compile, print, publish."""
    parser = argparse.ArgumentParser(prog="python -m tests.proofs.gpu_static")
    parser.add_argument("--only", action="append", choices=list(FAMILIES), default=[])
    only = parser.parse_args().only
    with TritonWorker() as worker:
        lines, figures = _rows(worker, only or list(FAMILIES))
        about = f"Compiled by Triton {worker.about['triton']} without a GPU, each at its default genome."
    if not only:
        publish("gpu-static", "Kernels for GPUs that are not there", [about, "", *lines], figures)
    return result("gpu-static", figures, {"spills": 0, "faults": 0})


if __name__ == "__main__":
    sys.exit(main())
