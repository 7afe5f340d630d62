"""What every wrapper holds: guards, a fallback to the original, a self-check at first use, and the kernels' libraries.

Needs torch and nothing of ours: its text is copied into each wrapper. Loads a library only where its bytes have the
hash that the certificate says, from a copy of just these bytes in memory.
"""

from __future__ import annotations

import ctypes
import hashlib
import inspect
import math
import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

from gpu_skills.intake.likeness import likeness
from gpu_skills.output.watching import Watch, plainly_equal

ALIGNED = 64
"""Bytes: where a kernel's tensors begin."""
CLOSE = {"float64": 1e-6, "float32": 1e-4, "float16": 2e-2, "bfloat16": 5e-2}
"""How far, by relative norm, first outputs may be from the original's: it computes in the same few bits itself."""


class Declined(Exception):
    """A kernel cannot run here: its library is gone or another one, or it was not made for this processor."""


class Kernel:
    """One built kernel, for fixed numbers and parameters. Called with all its tensors, it fills those it writes."""

    def __init__(
        self, library: Path, sha256: str, numbers: Sequence[int], parameters: Sequence[float], threads: int
    ) -> None:
        self._entry = _loaded(library, sha256)
        self._numbers = (ctypes.c_int64 * max(len(numbers), 1))(*numbers)
        self._parameters = (ctypes.c_double * max(len(parameters), 1))(*parameters)
        self._threads = threads
        self._pointers: Any = None

    def __call__(self, *tensors: Any) -> None:
        if self._pointers is None:
            self._pointers = ctypes.c_void_p * len(tensors)
        pointers = self._pointers(*[one.data_ptr() for one in tensors])
        threads = self._threads if self._threads == 1 else min(self._threads, torch.get_num_threads())
        if self._entry(pointers, self._numbers, self._parameters, threads):
            raise Declined("the kernel was not made for this processor or these numbers")


def _loaded(library: Path, sha256: str) -> Callable[..., int]:
    try:
        data = library.read_bytes()
    except OSError as error:
        raise Declined(f"{library.name} cannot be read: {error}") from error
    if hashlib.sha256(data).hexdigest() != sha256:
        raise Declined(f"{library.name} is not the library that was judged")
    held = os.memfd_create(library.name, os.MFD_CLOEXEC)
    with open(held, "wb", closefd=False) as file:
        file.write(data)
    try:
        entry = ctypes.CDLL(f"/proc/self/fd/{held}").steward_kernel
    except (OSError, AttributeError) as error:
        os.close(held)
        raise Declined(f"{library.name} cannot be loaded here: {error}") from error
    # The descriptor stays open: the loader knows libraries by name, and the next one must not have this one's.
    entry.restype = ctypes.c_int
    return entry


def fit(tensor: Any) -> Any:
    """Return a tensor as a kernel takes it: row by row in memory, at a multiple of 64 bytes; copied if need be."""
    whole = tensor.contiguous()
    return whole if whole.data_ptr() % ALIGNED == 0 else whole.clone()


def several(made: Any) -> list[Any]:
    """Return the tensors that a step of a library gave, as kernels take them."""
    return [fit(one) for one in (made if isinstance(made, tuple | list) else (made,)) if one is not None]


class Fast:
    """Stands for ``original``: runs the kernels where every guard holds, and ``original`` itself everywhere else.

    ``counts`` says how often each happened, ``why_not`` for which reasons. ``compute`` takes the program's inputs and
    weights and returns its outputs.
    """

    def __init__(self, original: Any, spec: Mapping[str, Any], compute: Callable[[Sequence[Any]], list[Any]]) -> None:
        self._original = original.forward if hasattr(original, "named_modules") else original
        self._module = original if hasattr(original, "named_modules") else None
        self._spec, self._compute = spec, compute
        self._asked = [(tuple(shape), getattr(torch, dtype)) for shape, dtype in spec["given"]]
        order = {name: place for place, name in enumerate(spec["parameters"])}
        self._places = [order[name] for name in spec["inputs"]]
        self._plain = [(order[name], one) for name, one in spec["plain"].items()]
        self._structure: Any = None
        self._single = False
        self._never = self._unlike(original)
        self._watch = Watch(self._module)
        self._holders = [] if self._never else [_holder(original, name) for name in spec["weights"]]
        self.counts = {"kernel": 0, "original": 0}
        self.why_not: dict[str, int] = {}

    def _unlike(self, original: Any) -> str:
        return "" if likeness(original) == self._spec["likeness"] else "it is not the function that was optimized"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        given, why = self._given(args, kwargs)
        if why or self._structure is None:
            return self._first(given, args, kwargs) if not why else self._keep(why, args, kwargs)
        try:
            made = self._made(given)
        except Declined as error:
            self._never = str(error)
            return self._keep(self._never, args, kwargs)
        self.counts["kernel"] += 1
        return made[0] if self._single else torch.utils._pytree.tree_unflatten(made, self._structure)

    def _made(self, given: Sequence[Any]) -> list[Any]:
        if torch.compiler.is_compiling():
            return list(getattr(torch.ops.steward, self._spec["operation"])(list(given)))
        return self._compute(given)

    def _keep(self, why: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        self.counts["original"] += 1
        self.why_not[why] = self.why_not.get(why, 0) + 1
        return self._original(*args, **kwargs)

    def _first(self, given: Sequence[Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """Run both, once: outputs that are not the same mean that this is another function, whatever it looks like."""
        if torch.compiler.is_compiling():
            return self._original(*args, **kwargs)
        wanted = self._keep("the first call is checked", args, kwargs)
        leaves, structure = torch.utils._pytree.tree_flatten(wanted)
        try:
            made = self._compute(given)
        except Declined as error:
            self._never = str(error)
            return wanted
        if len(leaves) == len(made) and all(map(_same, leaves, made)):
            self._structure, self._single = structure, hasattr(wanted, "shape")
        else:
            self._never = "its first outputs were not those of the original"
            warnings.warn(f"{self._spec['name']}: {self._never}; the original is kept", RuntimeWarning, stacklevel=4)
        return wanted

    def _given(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[list[Any], str]:
        """Return the program's inputs and weights, and why the original has to run ("" where it need not)."""
        if self._never:
            return [], self._never
        values = args if not kwargs and len(args) == len(self._spec["parameters"]) else self._bound(args, kwargs)
        if values is None:
            return [], "other arguments"
        if changed := self._changed():
            return [], changed
        if not all(plainly_equal(_listed(values[place]), one) for place, one in self._plain):
            return [], "other arguments"
        given = [values[place] for place in self._places]
        given += [getattr(holder, name) for holder, name in self._holders]
        return given, self._wrong(given)

    def _changed(self) -> str:
        if self._module is not None and self._module.training != self._spec["training"]:
            return "another mode (train or eval)"
        return self._watch.changed()

    def _bound(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Any] | None:
        try:
            bound = inspect.signature(self._original).bind(*args, **kwargs)
        except TypeError:
            return None
        bound.apply_defaults()
        more = set(bound.arguments) - set(self._spec["parameters"])
        defaults = {name: one.default for name, one in bound.signature.parameters.items() if name in more}
        extra = any(not plainly_equal(bound.arguments[name], one) for name, one in defaults.items())
        missing = any(name not in bound.arguments for name in self._spec["parameters"])
        return None if extra or missing else [bound.arguments[name] for name in self._spec["parameters"]]

    def _wrong(self, given: Sequence[Any]) -> str:  # noqa: PLR0911
        if elsewhere := _elsewhere():
            return elsewhere
        wants_grad, compiling = torch.is_grad_enabled(), torch.compiler.is_compiling()
        for one, (shape, dtype) in zip(given, self._asked, strict=True):
            if not compiling and type(one) not in _PLAIN:
                return "another kind of tensor"
            if one.shape != shape:
                return "other shapes"
            if one.dtype is not dtype:
                return "another dtype"
            if one.device.type != "cpu" or one.layout is not torch.strided:
                return "another device or layout"
            if wants_grad and one.requires_grad:
                return "gradients are wanted"
            if _tangent(one):
                return "a tangent is carried"
            if one.is_neg() or one.is_conj():
                return "a view that is negated or conjugated"
            if not one.is_contiguous() or (not compiling and one.data_ptr() % ALIGNED):
                return "tensors that lie otherwise in memory"
        return ""


_PLAIN = (torch.Tensor, torch.nn.Parameter)


def _listed(value: Any) -> Any:
    """Return a value as JSON gave it back to the spec: a tuple is a list there."""
    return [_listed(one) for one in value] if isinstance(value, tuple | list) else value


def _elsewhere() -> str:
    """Return which state of torch's own would let the original do something else than its operations say."""
    if torch.is_autocast_enabled("cpu"):
        return "autocast"
    return "a transform of functions (vmap, grad)" if torch._C._are_functorch_transforms_active() else ""


def _tangent(one: Any) -> bool:
    ahead = torch.autograd.forward_ad
    return ahead._current_level >= 0 and ahead.unpack_dual(one).tangent is not None


def _holder(original: Any, name: str) -> tuple[Any, str]:
    place, _, leaf = name.rpartition(".")
    return original.get_submodule(place), leaf


def _same(wanted: Any, made: Any) -> bool:
    if not hasattr(wanted, "shape") or wanted.shape != made.shape or wanted.dtype is not made.dtype:
        return False
    one, other = wanted.detach().double(), made.double()
    finite = torch.isfinite(one)
    if not torch.allclose(one[~finite], other[~finite], equal_nan=True):
        return False
    size = float(one[finite].norm())
    allowed = CLOSE.get(str(wanted.dtype).removeprefix("torch."), 0.0)
    off = float((one - other)[finite].norm())
    return off <= allowed * max(size, 1e-5 * math.sqrt(max(one.numel(), 1)))


_LIBRARIES_HELD: list[Any] = []


def registered(spec: Mapping[str, Any], compute: Callable[[Sequence[Any]], list[Any]]) -> None:
    """Register ``steward::<operation>``, once a process: torch.compile and torch.export keep the kernel whole."""
    name = spec["operation"]
    if hasattr(torch.ops.steward, name):  # another copy of this wrapper: the name holds the hash of the kernels
        return
    library = torch.library.Library("steward", "FRAGMENT")
    library.define(f"{name}(Tensor[] given) -> Tensor[]")
    library.impl(name, lambda given: compute([fit(one) for one in given]), "CPU")

    def fake(given: Sequence[Any]) -> list[Any]:
        return [given[0].new_empty(shape, dtype=getattr(torch, dtype)) for shape, dtype in spec["outputs"]]

    torch.library.register_fake(f"steward::{name}", fake, lib=library)
    _LIBRARIES_HELD.append(library)  # what is registered goes with it


def patched(model: Any, place: str, wrap: Callable[[Any], Fast]) -> Fast:
    """Let the module at ``place`` ("" is the model itself) run through ``wrap``; its weights and name stay."""
    module = model.get_submodule(place)
    fast = wrap(module)
    module.forward = fast
    return fast


def unpatched(model: Any, place: str = "") -> None:
    """Let the module at ``place`` be as it was."""
    model.get_submodule(place).__dict__.pop("forward", None)
