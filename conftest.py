"""Property tests try the same examples at every run, so that a failure is about the change at hand, and none is timed.

``pytest --hypothesis-profile=search`` looks for new counterexamples instead; what it finds becomes an example.

What collection made stays until the end: half a million objects that the garbage collector is not to walk over again in
every test that makes many of its own.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("steady", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("search", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Collect without looking for garbage, and set aside what there is then."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()
