"""What a person is shown before saying yes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from permissions.transactions.diff import ALL, FIRST_FILES, MOST_FILES, MOST_LINES, size_words


def diff_of(lab: Any, *effects: Any) -> Any:
    staging = lab.stage("r", *effects)
    staging.seal()
    return staging.diff()


def test_text_changes_show_as_a_unified_diff(lab: Any) -> None:
    (one,) = diff_of(lab, lab.over(lab.file("a", "one\ntwo\n"), "one\nTWO\n"))
    assert one.text.splitlines()[2:] == ["@@ -1,2 +1,2 @@", " one", "-two", "+TWO"]
    assert one.summary == "text, 8 bytes → 8 bytes"
    assert not one.truncated


def test_binary_changes_show_in_words(lab: Any) -> None:
    png = b"\x89PNG\r\n\x1a\n" + bytes(34_000)
    shown = diff_of(
        lab, lab.write(lab.home / "a.png", png), lab.over(lab.file("b.xlsx", b"PK\0" * 4000), b"PK\0" * 4500)
    )
    assert [item.summary for item in shown] == ["PNG image, 34 kB, new", "spreadsheet, 12 kB → 14 kB"]
    assert [item.text for item in shown] == ["", ""]
    assert not any(item.opaque or item.lies for item in shown)


def whole_diff_of(lab: Any, *effects: Any) -> Any:
    staging = lab.stage("r", *effects)
    staging.seal()
    return staging.whole_diff()


def test_where_all_is_seen_the_last_line_of_a_large_file_is(lab: Any) -> None:
    (one,) = whole_diff_of(lab, lab.write(lab.home / "a", "#" * 70_000 + "\n" + "x\n" * 5000 + "touch pwned\n"))
    assert one.text.endswith("\n+touch pwned\n")
    assert not one.truncated


def test_what_is_more_than_anybody_looks_through_is_said_to_be_cut(lab: Any) -> None:
    first, then, last = whole_diff_of(
        lab,
        lab.write(lab.home / "a", "x" * 900_000),
        lab.write(lab.home / "b", "y\n" * 90_000),
        lab.write(lab.home / "c", "z\n"),
    )
    assert [one.truncated for one in (first, then, last)] == [False, True, True]
    assert sum(len(one.text) for one in (first, then, last)) <= ALL.together
    assert Path(then.lies).read_text() == "y\n" * 90_000
    assert not first.lies


def test_a_file_larger_than_is_read_is_cut(lab: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("permissions.transactions.diff.ALL", replace(ALL, read_bytes=10))
    (one,) = whole_diff_of(lab, lab.write(lab.home / "a", "0123456789tail"))
    assert one.truncated


def test_what_can_be_read_in_a_file_that_is_no_text_is_shown(lab: Any) -> None:
    data = b"\x7fELF\0\0\1\2\3\4\5\6\7" * 9 + b"\ntouch pwned\n" + b"\0\1ab\2" * 9
    (one,) = whole_diff_of(lab, lab.write(lab.home / "tool", data))
    assert one.text.splitlines()[3:] == ["+touch pwned"]
    assert one.opaque
    assert one.summary.startswith("program, ")
    assert Path(one.lies).read_bytes() == data


def test_a_text_with_something_else_in_it_is_shown_whole(lab: Any) -> None:
    (one,) = whole_diff_of(lab, lab.write(lab.home / "a", b"#!/bin/sh\n# M\xfcller\nls\0\ntouch pwned\n"))
    assert one.text.splitlines()[3:] == ["+#!/bin/sh", "+# M\\xfcller", "+ls\u2400", "+touch pwned"]
    assert not one.opaque


def test_a_text_that_becomes_none_shows_what_is_gone_and_what_can_be_read(lab: Any) -> None:
    (one,) = whole_diff_of(lab, lab.over(lab.file("a", "one\n"), b"\0\1\2\3" * 9 + b"other words"))
    assert one.text.splitlines()[3:] == ["-one", "+other words"]
    assert one.opaque


def test_moves_and_deletions_show_in_words(lab: Any) -> None:
    lab.file("d/x")
    shown = diff_of(
        lab, lab.delete(lab.file("a", "12345")), lab.move(lab.home / "d", lab.home / "e"), lab.mkdir(lab.home / "n")
    )
    assert [item.summary for item in shown] == [
        "file moved to the trash, 5 bytes",
        f"folder with 1 file, 4 bytes, moved from {lab.home}/d",
        "new folder",
    ]


def test_long_diffs_are_cut(lab: Any) -> None:
    many, big = diff_of(lab, lab.write(lab.home / "a", "line\n" * 1000), lab.write(lab.home / "b", "ä" + "ä" * 100_000))
    assert many.truncated
    assert len(many.text.splitlines()) == MOST_LINES
    assert big.truncated
    assert len(big.text.encode()) < 70_000


def test_of_very_many_changes_the_first_are_shown_and_losses_before_all(lab: Any) -> None:
    lost = [lab.over(lab.file("zz over"), "new\n"), lab.delete(lab.file("zz gone"))]
    made = [lab.write(lab.home / f"f{n:03}", "x\n") for n in range(MOST_FILES - 2)]
    assert len(diff_of(lab, *lost, *made)) == MOST_FILES
    staging = lab.stage("r2", *lost, *made, lab.write(lab.home / "one more", "x\n"))
    staging.seal()
    shown = staging.diff()
    assert len(shown) == FIRST_FILES
    assert [item.kind for item in shown[:3]] == ["modified", "deleted", "created"]
    assert all(item.summary for item in shown)


def test_escapes_and_directions_are_made_visible(lab: Any) -> None:
    (one,) = diff_of(lab, lab.write(lab.home / "a\x1b[2J\u202e", "\x1b[31mred\u202e\r\n"))
    assert "\x1b" not in one.text
    assert "\u202e" not in one.text
    assert "\r" not in one.text
    assert "␛[31mred\\u202e" in one.text


def test_sizes_in_words() -> None:
    assert [size_words(n) for n in (0, 999, 1000, 12_345, 9_960_000, 3 << 30)] == [
        "0 bytes",
        "999 bytes",
        "1.0 kB",
        "12 kB",
        "10 MB",
        "3.2 GB",
    ]
