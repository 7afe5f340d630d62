"""The process that has torch and Triton. It is told what to do line by line and answers with lines.

``run`` loads a source, lays tensors over a file of bytes that it shares with its parent, on the device that it is told,
calls the source's door and leaves the bytes as they are then. ``compile`` compiles what the door would launch for a
target, as Triton would when it is called (whole numbers that are multiples of 16 are known as such, ones are
constants), and reads the cubins. What others write to standard output goes to standard error: the lines are ours.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import mmap
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from gpu_skills.tiles.gate import read

_SHORT = {
    "float32": "*fp32", "float16": "*fp16", "bfloat16": "*bf16", "int64": "*i64", "int32": "*i32", "int8": "*i8",
    "bool": "*u8",
}  # fmt: skip
_PATIENCE_S = 60.0


def main() -> None:
    """Answer until there are no more lines."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    if os.environ.get("TRITON_INTERPRET") == "1":
        mend_interpreter()
    doing: Mapping[str, Callable[[Mapping[str, Any]], Any]] = {"run": _run, "compile": _compile, "about": _about}
    for line in sys.stdin:
        asked = json.loads(line)
        try:
            answer = {"answer": doing[asked["do"]](asked)}
        except Exception as error:  # a request's edge: whatever a source does is an answer
            answer = {"error": f"{type(error).__name__}: {error}"[:4000]}
        print(json.dumps(answer), file=answers, flush=True)


def mend_interpreter() -> None:
    """Mend two flaws of Triton's interpreter, before a kernel is loaded.

    3.6 and 3.7 multiply the bits of a bfloat16 as whole numbers: they are widened. 3.6 cannot loop up to a number with
    numpy 2.4, which makes no scalar of an array with one element.
    """
    triton, language = importlib.import_module("triton"), importlib.import_module("triton.language")
    interpreter = importlib.import_module("triton.runtime.interpreter")
    builder = interpreter.InterpreterBuilder
    multiplied = builder.create_dot

    def widened(self: Any, one: Any) -> Any:
        return self.cast_impl(one, language.float32) if one.dtype.scalar == language.bfloat16 else one

    def create_dot(self: Any, a: Any, b: Any, *rest: Any) -> Any:
        return multiplied(self, widened(self, a), widened(self, b), *rest)

    builder.create_dot = create_dot
    if triton.__version__.startswith("3.6."):
        _mend_loops(interpreter)


def _mend_loops(interpreter: Any) -> None:
    patched = interpreter._patch_lang_tensor

    def patch(tensor: Any, scope: Any) -> None:
        patched(tensor, scope)
        scope.set_attr(tensor, "__index__", lambda self: int(self.handle.data.reshape(())))

    interpreter._patch_lang_tensor = patch


def _about(_: Mapping[str, Any]) -> dict[str, Any]:
    torch, triton = importlib.import_module("torch"), importlib.import_module("triton")
    there = torch.cuda.is_available()
    return {
        "torch": torch.__version__,
        "triton": triton.__version__,
        "gpu": torch.cuda.get_device_name(0) if there else "",
        "capability": 10 * torch.cuda.get_device_capability(0)[0] if there else 0,
        "processors": torch.cuda.get_device_properties(0).multi_processor_count if there else 0,
    }


def _loaded(place: str) -> Any:
    name = f"_tiles_{Path(place).stem}"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, place)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    return sys.modules[name]


# -- running --------------------------------------------------------------------------------------------------------


def _run(asked: Mapping[str, Any]) -> int:
    torch = importlib.import_module("torch")
    module = _loaded(asked["source"])
    with open(asked["arena"], "r+b") as file:
        shared = mmap.mmap(file.fileno(), 0)
    here = torch.frombuffer(shared, dtype=torch.uint8)
    there = here.to(asked["device"])
    tensors = [_laid(torch, there, *one) for one in asked["tensors"]]
    status = int(module.steward_kernel(tensors, asked["numbers"], asked["parameters"], asked["processors"]))
    if there is not here:
        here.copy_(there)
    return status


def _laid(torch: Any, arena: Any, offset: int, dtype: str, shape: list[int]) -> Any:
    """Return a tensor over the bytes of the arena; a truth value is a byte."""
    kind = torch.uint8 if dtype == "bool" else getattr(torch, dtype)
    size = kind.itemsize
    for one in shape:
        size *= one
    return arena[offset : offset + size].view(kind).reshape(shape)


# -- compiling ------------------------------------------------------------------------------------------------------


def _compile(asked: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    module = _loaded(asked["source"])
    found = module.steward_launches(asked["numbers"], asked["parameters"], asked["processors"])
    if found is None:
        return None
    dtypes = asked["dtypes"]
    return [_compiled(one, dtypes, asked["capability"]) for one in found]


def _compiled(launch: Any, dtypes: list[str], capability: int) -> dict[str, Any]:
    compiler = importlib.import_module("triton.compiler")
    backend = importlib.import_module("triton.backends.compiler")
    kernel, _, tensors, rest, fixed, how = launch
    signature, constants, known = _signature(kernel.arg_names, [_SHORT[dtypes[one]] for one in tensors], rest, fixed)
    began = time.monotonic()
    source = compiler.ASTSource(kernel, signature, constants, known)
    made = compiler.compile(source, target=backend.GPUTarget("cuda", capability, 32), options=how)
    seconds = time.monotonic() - began
    cubin = made.asm["cubin"]
    counts = _read(cubin)
    shared = int(made.metadata.shared)
    return {"kernel": kernel.__name__, "shared_bytes": shared, "warps": int(made.metadata.num_warps),
            "size_bytes": len(cubin), "seconds": seconds, **counts}  # fmt: skip


def _signature(
    names: list[str], pointers: list[str], rest: tuple[int | float, ...], fixed: Mapping[str, Any]
) -> tuple[dict[str, str], dict[str, Any], dict[tuple[int, ...], Any]]:
    """Return the type of each argument, the constants among them, and which are multiples of 16."""
    signature = dict(zip(names, pointers, strict=False))
    constants: dict[str, Any] = dict(fixed)
    known: dict[tuple[int, ...], Any] = {(at,): [["tt.divisibility", 16]] for at in range(len(pointers))}
    for at, value in enumerate(rest, len(pointers)):
        name = names[at]
        if isinstance(value, float):
            signature[name] = "fp32"
        elif value == 1:
            constants[name] = 1
        else:
            signature[name] = "i32" if -(2**31) <= value < 2**31 else "i64"
            if value % 16 == 0:
                known[at,] = [["tt.divisibility", 16]]
    signature |= dict.fromkeys(constants, "constexpr")
    return {name: signature[name] for name in names}, constants, known


def _read(cubin: bytes) -> dict[str, int]:
    place = Path(str(importlib.import_module("triton").__file__)).parent / "backends" / "nvidia" / "bin" / "cuobjdump"
    with tempfile.TemporaryDirectory(prefix="steward-cubin-") as folder:
        file = Path(folder) / "kernel.cubin"
        file.write_bytes(cubin)
        command = (str(place), "-res-usage", "-sass", str(file))
        found = subprocess.run(command, capture_output=True, text=True, timeout=_PATIENCE_S, check=True)
    return read(found.stdout + found.stderr)


if __name__ == "__main__":
    main()
