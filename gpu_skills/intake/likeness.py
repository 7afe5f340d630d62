"""Whether two functions or modules are alike but for their weights.

Needs nothing of ours: its text is copied into wrappers.
"""

from __future__ import annotations

import hashlib
import inspect
from typing import Any


def likeness(called: Any) -> str:
    """Return a hash of what a function or module computes, its weights left out.

    Of a module: its parts by place and class, the code of each class that is no torch's own, and their plain settings
    (an epsilon, a size, whether it trains). Of a function: its source, or its name where there is none.
    """
    if not hasattr(called, "named_modules"):
        return _hashed([_source(called)])
    told = []
    for place, one in called.named_modules():
        kind = type(one)
        own = "" if kind.__module__.startswith("torch.") else _source(kind)
        settings = sorted((key, repr(value)) for key, value in vars(one).items() if _plain(value))
        weights = sorted((key, tuple(value.shape)) for key, value in one.named_parameters(recurse=False))
        told.append(repr((place, kind.__qualname__, own, settings, weights)))
    return _hashed(told)


def _plain(value: Any) -> bool:
    if isinstance(value, tuple | list):
        return all(_plain(one) for one in value)
    return value is None or isinstance(value, bool | int | float | str)


def _source(one: Any) -> str:
    try:
        return inspect.getsource(one)
    except (OSError, TypeError):
        return str(getattr(one, "__qualname__", type(one).__qualname__))


def _hashed(told: list[str]) -> str:
    return hashlib.sha256("\0".join(told).encode()).hexdigest()[:24]
