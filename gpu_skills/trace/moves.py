"""Operations that move elements and compute nothing, as values."""

from __future__ import annotations

from gpu_skills.graph import DType
from gpu_skills.trace import arithmetic as do
from gpu_skills.trace import views
from gpu_skills.trace.operations import Handler, Made, Operation, Unsupported
from gpu_skills.trace.values import Value


def _broadcast(op: Operation) -> Made:
    return views.expanded(op.values, op["self"], op.shape)


def _permute(op: Operation) -> Made:
    value: Value = op["self"]
    rank = len(value.shape)
    order = list(range(rank))
    if op.name == "permute":
        order = [one % rank for one in op["dims"]]
    elif op.name == "transpose":
        first, second = op["dim0"] % rank, op["dim1"] % rank
        order[first], order[second] = second, first
    elif rank == 2:
        order = [1, 0]
    return views.permuted(op.values, value, order)


def _slice(op: Operation) -> Made:
    value: Value = op["self"]
    dim = (op["dim"] or 0) % len(value.shape)
    size = value.shape[dim]
    start = op["start"] or 0
    start = min(max(start + size if start < 0 else start, 0), size)
    length = op.shape[dim]
    if length == 0:
        raise Unsupported("it is empty")
    return views.sliced(op.values, value, dim, start, length, op["step"] or 1)


def _select(op: Operation) -> Made:
    value: Value = op["self"]
    dim = op["dim"] % len(value.shape)
    return op.shaped(views.sliced(op.values, value, dim, op["index"] % value.shape[dim], 1))


def _cat(op: Operation) -> Made:
    parts = [one for one in op["tensors"] if one.numel]
    return views.joined(op.values, parts, op.given.get("dim", 0) % len(op.shape))


def _stack(op: Operation) -> Made:
    dim = op.given.get("dim", 0) % len(op.shape)
    parts = [views.reshape(op.values, one, [*one.shape[:dim], 1, *one.shape[dim:]]) for one in op["tensors"]]
    return views.joined(op.values, parts, dim)


def _split(op: Operation) -> Made:
    value: Value = op["self"]
    dim = (op["dim"] or 0) % len(value.shape)
    sizes = op["split_sizes"] if op["split_sizes"] is not None else op["split_size"]
    if isinstance(sizes, int):
        size = sizes
        sizes = [min(size, value.shape[dim] - start) for start in range(0, value.shape[dim], size)]
    starts = [sum(sizes[:place]) for place in range(len(sizes))]
    return tuple(views.sliced(op.values, value, dim, start, size) for start, size in zip(starts, sizes, strict=True))


def _padded(op: Operation) -> Made:
    value: Value = op["self"]
    pads = op["pad"]
    if min(pads) < 0:
        raise Unsupported("it takes away at the edges")
    fill = op.scalar(op["value"] or 0.0, "fill")
    for place in range(len(pads) // 2):
        dim = len(value.shape) - 1 - place
        edges = [
            do.filled(op.values, fill, [*value.shape[:dim], size, *value.shape[dim + 1 :]], op.dtype)
            for size in pads[2 * place : 2 * place + 2]
        ]
        parts = [one for one in (edges[0], value, edges[1]) if one.numel]
        value = views.joined(op.values, parts, dim) if len(parts) > 1 else value
    return value


def _flip(op: Operation) -> Made:
    value: Value = op["self"]
    for dim in op["dims"]:
        value = views.turned(op.values, value, dim % len(value.shape))
    return value


def _index(op: Operation) -> Made:
    value, indices = op["self"], list(op["indices"])
    there = [place for place, one in enumerate(indices) if one is not None]
    if len(there) != 1 or indices[there[0]].dtype is DType.BOOL:
        raise Unsupported("it is indexed by several tensors or by a mask")
    return views.chosen(op.values, value, there[0], indices[there[0]])


def _index_select(op: Operation) -> Made:
    return views.chosen(op.values, op["self"], op["dim"] % len(op["self"].shape), op["index"])


def _embedding(op: Operation) -> Made:
    return views.chosen(op.values, op["weight"], 0, op["indices"])


def _gather(op: Operation) -> Made:
    return do.aligned_pick(op.values, op["self"], op["dim"] % len(op["self"].shape), op["index"])


VIEWS: dict[str, Handler] = {
    **dict.fromkeys(("view", "reshape", "_unsafe_view", "squeeze", "unsqueeze", "flatten"),
                    lambda op: op.shaped(op["self"])),
    "expand": _broadcast, "permute": _permute, "transpose": _permute, "t": _permute, "slice": _slice,
    "select": _select, "cat": _cat, "stack": _stack, "split": _split, "split_with_sizes": _split,
    "constant_pad_nd": _padded, "flip": _flip, "index": _index, "index_select": _index_select,
    "embedding": _embedding, "gather": _gather,
}  # fmt: skip
