"""Whether a module is still what it was when its wrapper was made: its parts, their modes, settings and hooks.

Needs torch and nothing of ours: its text is copied into each wrapper. Weights may change: they are read at each call.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import torch

_FREE = ("_compiled_call_impl",)
"""What a module holds that says how it is called and not what it computes."""


class _Part:
    """A module as it was: its attributes, copies of those that can change in place, and its parts and weights."""

    def __init__(self, module: Any, free: tuple[str, ...]) -> None:
        self._module, self._kind, self._free = module, type(module), free
        self._attributes = _attributes(module, free)
        lists = [one for one in self._attributes.values() if isinstance(one, tuple | list) and _is_plain(one)]
        self._copies = [(one, copy.deepcopy(one)) for one in lists]
        self._children, self._weights = tuple(module._modules.items()), _weights(module)

    def same(self) -> bool:
        """Tell whether it is that module still."""
        one = self._module
        return (
            type(one) is self._kind
            and tuple(one._modules.items()) == self._children  # modules compare by identity
            and _weights(one) == self._weights
            and all(plainly_equal(now, then) for now, then in self._copies)
            and self._same_attributes()
        )

    def _same_attributes(self) -> bool:
        now, then = _attributes(self._module, self._free), self._attributes
        if [*map(id, now.values())] == [*map(id, then.values())]:
            return True
        return now.keys() == then.keys() and all(plainly_equal(value, then[key]) for key, value in now.items())


class Watch:
    """Watches a module; a function is never another one."""

    def __init__(self, module: Any) -> None:
        parts = [] if module is None else list(module.modules())
        # The forward of the module itself is where a wrapper is put.
        self._parts = [_Part(one, (*_FREE, "forward") if one is module else _FREE) for one in parts]
        self._below = parts[1:]
        self._tied = [] if module is None else list(_tied(module))

    def changed(self) -> str:
        """Return why the kernels may be those of another module now ("" where they are not)."""
        if not all(one.same() for one in self._parts):
            return "a part of it has changed"
        if any(getattr(one, name) is not getattr(other, leaf) for (one, name), (other, leaf) in self._tied):
            return "weights that were one are several"
        return "a hook on a part of it" if self._hooked() else ""

    def _hooked(self) -> bool:
        every = torch.nn.modules.module
        if self._below and (every._global_forward_hooks or every._global_forward_pre_hooks):
            return True
        return any(one._forward_hooks or one._forward_pre_hooks for one in self._below)


def _attributes(module: Any, free: tuple[str, ...]) -> dict[str, Any]:
    return {key: value for key, value in vars(module).items() if key not in free}


def _weights(module: Any) -> tuple[tuple[str, bool], ...]:
    held = (*module._parameters.items(), *module._buffers.items())
    return tuple((name, one is None) for name, one in held)


def _tied(module: Any) -> Iterator[tuple[tuple[Any, str], tuple[Any, str]]]:
    """Yield the weights that are one tensor in two places: a program reads it at one of them."""
    first: dict[int, tuple[Any, str]] = {}
    for one in module.modules():
        for name, weight in (*one._parameters.items(), *one._buffers.items()):
            if weight is not None and first.setdefault(id(weight), (one, name)) != (one, name):
                yield first[id(weight)], (one, name)


def _is_plain(value: Any) -> bool:
    if isinstance(value, tuple | list):
        return all(map(_is_plain, value))
    return value is None or isinstance(value, bool | int | float | str)


def plainly_equal(one: Any, other: Any) -> bool:
    """Tell whether two settings are the same, kinds too: 2.0 is not 2, and True is not 1."""
    if isinstance(one, tuple | list) and type(one) is type(other):
        return len(one) == len(other) and all(map(plainly_equal, one, other))
    return one is other or (type(one) is type(other) and _is_plain(one) and bool(one == other))
