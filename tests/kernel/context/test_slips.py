"""Which names are one another's slips of the fingers."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernel.context.slips import is_slip
from kernel.context.world import HomeWorld
from tests.kernel.homes import furnish

LETTERS = st.text("abcdefgh", min_size=4, max_size=12)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("picturs", "pictures", True),
        ("picutres", "pictures", True),
        ("pictures", "pictures", False),
        ("documnets", "documents", True),
        ("taxes 2024", "taxes 2025", False),
        ("scan1", "scan2", False),
        ("mai", "may", False),
        ("letters", "photos", False),
    ],
)
def test_a_slip_is_a_letter_and_never_a_digit(one: str, other: str, expected: bool) -> None:
    assert is_slip(one, other) is expected
    assert is_slip(other, one) is expected


@given(LETTERS, st.integers(0, 11))
def test_two_letters_that_changed_places_are_a_slip(name: str, at: int) -> None:
    at %= len(name) - 1
    swapped = name[:at] + name[at + 1] + name[at] + name[at + 2 :]
    assert is_slip(swapped, name) is (swapped != name)


def test_a_folder_on_the_way_may_be_the_slip(tmp_path: Path) -> None:
    world = HomeWorld(str(furnish(tmp_path, ["Pictures/Holiday/", "Documents/report.pdf", "Documents/Pictues/"])))
    assert (
        world.alike(f"{tmp_path}/Picturs", folder=True) == (f"{tmp_path}/Pictures", f"{tmp_path}/Documents/Pictues")[:1]
    )
    assert world.alike(f"{tmp_path}/Picturs/Holiday", folder=True) == (f"{tmp_path}/Pictures/Holiday",)
    assert world.alike(f"{tmp_path}/Documnets/report.pdf", folder=False) == (f"{tmp_path}/Documents/report.pdf",)
    assert world.alike(f"{tmp_path}/reprot.pdf", folder=False) == (f"{tmp_path}/Documents/report.pdf",)
    assert world.alike(f"{tmp_path}/Documents/Picturs", folder=True) == (f"{tmp_path}/Documents/Pictues",)
    assert world.alike("/elsewhere/Picturs", folder=True) == ()
