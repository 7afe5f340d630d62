"""Property tests try the same examples at every run, so that a failure is about the change at hand, and none is timed.

``pytest --hypothesis-profile=search`` looks for new counterexamples instead; what it finds becomes an example.

What several workers of the tests need compiled is compiled by one of them (``tests.compiled_ahead``).

What collection made stays until the end: half a million objects that the garbage collector is not to walk over again in
every test that makes many of its own. And each worker of the tests has one processor, so numpy's library is told not to
spread over all of them: its threads would wait for those of other workers, and a step of a millisecond takes fifty.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from tests.compiled_ahead import compile_share

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # read when numpy is loaded, so before any test is

ROOMS = ("kernel", "skills", "memory", "permissions", "portal", "gpu_skills")

settings.register_profile("steady", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("search", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[None]:
    """Collect without looking for garbage, and set aside what there is then, garbage and all."""
    gc.disable()
    root, asked = session.config.rootpath, session.config.args
    compile_share({root / name for name in (*ROOMS, *asked)} - {root}, session.config)
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()
