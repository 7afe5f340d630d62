"""The door of the room is what it says."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest

import memory


def test_every_name_in_the_door_is_there() -> None:
    assert memory.__all__ == sorted(memory.__all__)
    assert 3 <= len(memory.__all__) <= 8
    for name in memory.__all__:
        assert getattr(memory, name).__module__.startswith("memory.")
        assert getattr(memory, name).__doc__


def test_other_names_are_not_there() -> None:
    with pytest.raises(AttributeError):
        importlib.import_module("memory").nothing  # noqa: B018


def test_the_door_is_light() -> None:
    """No numpy, and nothing of the other rooms."""
    unwanted = {"numpy", "tokenizers", "kernel", "skills", "permissions", "portal"}
    code = f"import sys, memory; print(*({unwanted!r} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "\n"
