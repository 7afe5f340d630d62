"""A file in the KernelBench contract at smaller sizes: its constants are rewritten, nothing else of it.

Module-level whole numbers are halved, the batch first, until the inputs have few elements; each step is tried on the
meta device, where shapes are computed and no memory is taken. Runs the user's file, here.
"""

from __future__ import annotations

import ast
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

_BATCH = ("batch", "bs", "n_batch")
_FIXED = (
    "kernel",
    "stride",
    "padding",
    "dilation",
    "group",
    "dim",
    "num_layers",
    "layers",
    "classes_dim",
    "axis",
    "p",
    "seed",
)
_LEAST = 2


@dataclass(frozen=True, slots=True)
class Constant:
    """A module-level whole number: its name (with a place, in a tuple), and its value."""

    name: str
    value: int


def constants(source: str) -> list[Constant]:
    """Return the module-level whole numbers of a file; those in tuples and lists as ``name[place]``."""
    return [Constant(name, one.value) for name, one in _assigned(ast.parse(source))]


def _assigned(tree: ast.Module) -> Iterator[tuple[str, Any]]:
    for node in tree.body:
        if not isinstance(node, ast.Assign) or len(node.targets) != 1:
            continue
        target, value = node.targets[0], node.value
        if isinstance(target, ast.Name):
            yield from _numbers(target.id, value)
        elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            for one, each in zip(target.elts, value.elts, strict=False):
                yield from _numbers(one.id, each) if isinstance(one, ast.Name) else ()


def _numbers(name: str, node: ast.expr) -> Iterator[tuple[str, Any]]:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        yield name, node
    elif isinstance(node, ast.Tuple | ast.List):
        for place, one in enumerate(node.elts):
            yield from _numbers(f"{name}[{place}]", one)
    elif isinstance(node, ast.BinOp):
        for place, one in enumerate((node.left, node.right)):
            yield from _numbers(f"{name}({place})", one)


def rewritten(source: str, values: dict[str, int]) -> str:
    """Return a file with other values for its constants."""
    tree = ast.parse(source)
    for name, one in _assigned(tree):
        one.value = values.get(name, one.value)
    return ast.unparse(ast.fix_missing_locations(tree))


def order(found: list[Constant]) -> list[Constant]:
    """Return constants in the order in which they are halved: the batch, then from the largest on."""

    def rank(one: Constant) -> tuple[int, int]:
        return (0 if one.name.lower().startswith(_BATCH) else 1, -one.value)

    return sorted((one for one in found if one.value > _LEAST and not _fixed(one.name)), key=rank)


def _fixed(name: str) -> bool:
    return any(part in name.lower().split("[")[0] for part in _FIXED if len(part) > 1) or name in ("p", "k")


def shrunk(source: str, most: int, elements: Callable[[str], int | None], *, budget_s: float = 25.0) -> str:
    """Return ``source`` with constants halved until its inputs and weights have at most ``most`` elements.

    ``elements`` counts them for a text, None where its sizes do not go together. Sizes that are equal are halved
    together where one alone does not go. After ``budget_s`` what was reached is good enough: deep models take long even
    without memory.
    """
    until = time.monotonic() + budget_s
    values = {one.name: one.value for one in constants(source)}
    best = elements(source)
    for _ in range(60):
        if (best is not None and best <= most) or time.monotonic() > until:
            break
        found = _step(source, values, best, elements)
        if found is None:
            break
        values, best = found
    return rewritten(source, values)


def _step(
    source: str, values: dict[str, int], best: int | None, elements: Callable[[str], int | None]
) -> tuple[dict[str, int], int] | None:
    now = order([Constant(name, value) for name, value in values.items()])
    for alone in (True, False):
        for one in now:
            halved = {one.name: one.value // 2}
            if not alone:
                halved = {each.name: each.value // 2 for each in now if each.value == one.value}
            count = elements(rewritten(source, values | halved))
            if count is not None and (best is None or count < best):
                return values | halved, count
    return None


def on_meta(run: Callable[[], Any]) -> Any:
    """Return what ``run`` gives on the meta device: shapes without memory."""
    import torch

    with torch.device("meta"), torch.no_grad():
        return run()


def counted(load: Callable[[str], Any]) -> Callable[[str], int | None]:
    """Return the function that counts the elements of inputs, weights and outputs of a text, by a dry run."""

    def elements(source: str) -> int | None:
        try:
            return int(on_meta(lambda: _dry(load(source))))
        except Exception:
            return None

    return elements


def _dry(found: Any) -> int:
    import torch

    results = torch.utils._pytree.tree_leaves(found.called(*found.inputs))
    tensors = [one for one in (*found.inputs, *results, *found.called.parameters()) if hasattr(one, "shape")]
    return sum(int(math.prod(one.shape)) for one in tensors)


_SCALES = ((1, 1), (3, 2), (1, 2), (3, 4), (1, 4), (5, 4), (2, 1), (5, 8))


def other_sizes(source: str, most: int) -> Iterator[str]:
    """Yield at most ``most`` texts with other sizes, small ones: sizes that are equal stay equal."""
    sizes = sorted({one.value for one in order(constants(source)) if one.value > 4})
    for scale in _SCALES[: most if sizes else 0]:
        moved = {size: max(_small(size) * scale[0] // scale[1], _LEAST) for size in sizes}
        yield rewritten(source, {one.name: moved[one.value] for one in order(constants(source)) if one.value in moved})


def _small(size: int) -> int:
    """Return a size of at most 64, by halves, where it has the twos for that."""
    while size > 64 and size % 2 == 0:
        size //= 2
    return size
