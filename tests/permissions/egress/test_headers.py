"""Methods and headers, each refused by its code before a byte leaves."""

from __future__ import annotations

import pytest

from permissions.egress.headers import CHANGING, READING, check_headers, check_method
from permissions.errors import Refused


@pytest.mark.parametrize("method", sorted(READING | CHANGING))
def test_a_method_is_used_by_who_may(method: str) -> None:
    assert check_method(method, changes=True, body=False) == method
    if method in READING:
        assert check_method(method, changes=False, body=False) == method
        return
    assert check_method(method, changes=True, body=True) == method
    with pytest.raises(Refused, match="may only read"):
        check_method(method, changes=False, body=False)


@pytest.mark.parametrize("method", sorted(READING))
def test_who_reads_sends_no_content(method: str) -> None:
    with pytest.raises(Refused, match="sends no content"):
        check_method(method, changes=True, body=True)


def test_so_many_headers_and_no_more() -> None:
    some = tuple((f"x-{number}", "v") for number in range(64))
    assert check_headers(some)[:64] == some
    with pytest.raises(Refused, match="too many"):
        check_headers((*some, ("x-64", "v")))
