"""A secret is found in what a server says, in every writing that is promised."""

from __future__ import annotations

import base64
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernel.serving.cell import _told
from kernel.serving.masking import _WINDOW, MASKED, SHORTEST, Mask
from permissions.model import CellOutcome, CellStatus, Level
from tests.clock import less_than

KEY = "gpk-5d1c94e07b62af38"
DATA = KEY.encode()


@pytest.mark.parametrize(
    "written",
    [
        KEY,
        base64.b64encode(DATA).decode(),
        base64.b64encode(b"user:" + DATA).decode(),
        base64.b64encode(b"a user:" + DATA + b" and more").decode(),
        base64.encodebytes(b"y" * 50 + DATA + b"z" * 60).decode(),
        DATA.hex(),
        DATA.hex().upper(),
        DATA.hex(":"),
        DATA.hex(" "),
        ", ".join(f"0x{one:02x}" for one in DATA),
        "".join(f"\\x{one:02x}" for one in DATA),
        "".join(f"\\u{one:04x}" for one in DATA),
        "".join(f"%{one:02x}" for one in DATA),
        quote(KEY.replace("-", "%2D")).replace("%25", "%"),
        f"{KEY[:7]}\r\n{KEY[7:]}",
    ],
)
def test_it_is_found_however_it_is_written(written: str) -> None:
    said = Mask([KEY]).out_of({"text": f"it is {written} here", "more": [written]})
    assert MASKED in said["text"]
    assert MASKED in said["more"][0]
    for form in (KEY, written, DATA.hex()):
        assert form not in said["text"]
    assert said["text"].startswith("it is ")
    assert said["text"].endswith(" here")


@given(st.binary(max_size=20), st.binary(max_size=20), st.text(min_size=SHORTEST, max_size=30))
def test_base64_is_found_wherever_it_stands_in_it(before: bytes, behind: bytes, value: str) -> None:
    if value.startswith("Bearer ") or len(value.removeprefix("Bearer ")) < SHORTEST:
        return
    try:
        data = before + value.encode() + behind
    except UnicodeEncodeError:  # half a character
        return
    for said in (base64.b64encode(data).decode(), base64.urlsafe_b64encode(data).decode()):
        assert MASKED in Mask([value]).out_of(said)


def test_a_value_that_needs_the_alphabet_for_addresses() -> None:
    value = "??>>~~??>>~~"
    assert "-" in base64.urlsafe_b64encode(value.encode()).decode()
    assert Mask([value]).out_of(base64.urlsafe_b64encode(value.encode()).decode()) == MASKED


def test_a_number_is_found() -> None:
    mask = Mask(["1234567890"])
    assert mask.out_of({"pin": 1234567890, "n": 12, "yes": True, "none": None}) == {
        "pin": MASKED, "n": 12, "yes": True, "none": None,
    }  # fmt: skip


@pytest.mark.parametrize("value", ["short", "", "Bearer short"])
def test_a_short_one_is_left(value: str) -> None:
    for said in ("a short one", base64.b64encode(value.encode()).decode(), value.encode().hex()):
        assert Mask([value]).out_of(said) == said


def test_where_nothing_is_secret_nothing_is_looked_at() -> None:
    said = {"text": "x", "more": [1, 2.5, {"a": None}]}
    assert Mask([]).out_of(said) is said
    assert Mask(["short"]).out_of(said) is said


def test_last_words_are_looked_through_before_their_lines_are_joined() -> None:
    outcome = CellOutcome(CellStatus.CRASHED, Level.L3, stderr_tail=f"lost {KEY[:7]}\n{KEY[7:]} there")
    assert _told(outcome, Mask([KEY])).last_words == "lost *** there"
    assert _told(outcome, Mask([])).last_words == f"lost {KEY[:7]} {KEY[7:]} there"


def test_the_longer_of_two_is_taken_out_whole() -> None:
    assert Mask(["12345678", "12345678-and-more"]).out_of("x 12345678-and-more y") == "x *** y"


WIDE = ("u00" * 6).join(f"{one:02x}" for one in DATA)


@pytest.mark.parametrize("written", [KEY, base64.encodebytes(b"y" * 50 + DATA).decode(), DATA.hex(), WIDE])
@pytest.mark.parametrize("before", [1, 19, 20])
def test_it_is_found_on_the_edge_of_a_window(written: str, before: int) -> None:
    for begins in (_WINDOW - before, _WINDOW - len(written) + before, 2 * _WINDOW - 1):
        said = Mask([KEY]).out_of(f"{' ' * begins}{written} and more")
        assert MASKED in said, begins
        assert said.endswith(" and more")


def test_it_is_found_many_times() -> None:
    many = f"{'x' * 199_990}{DATA.hex()}" * 4
    assert Mask([KEY]).out_of(many) == f"{'x' * 199_990}{MASKED}" * 4


@pytest.mark.parametrize("part", ["the quick brown fox. ", "%67%70%6a", "6767 ", "g", "\n", "67%"])
def test_a_large_text_takes_its_time_and_no_more(part: str) -> None:
    text: Any = part * (4_000_000 // len(part))
    with less_than(10.0):
        assert Mask([KEY]).out_of(text) == text
