"""The operating system's errors in our words."""

from __future__ import annotations

import errno
import os

import pytest

from permissions.transactions import failures


@pytest.mark.parametrize(("named", "place"), [("/home/a", "/home/a"), (7, ""), (None, ""), (b"/home/a", "")])
def test_an_error_about_a_descriptor_is_about_no_name(named: object, place: str) -> None:
    error = OSError(errno.EIO, os.strerror(errno.EIO), named)
    assert failures.place(error) == place
    assert str(failures.from_os(error, "")).startswith(place or "what was to be written")


def test_the_premise_that_python_names_descriptors() -> None:
    with open(__file__) as file:
        with pytest.raises(NotADirectoryError) as met:
            os.scandir(file.fileno())
        assert met.value.filename == file.fileno()
