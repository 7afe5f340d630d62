"""What a person is shown before saying yes."""

from __future__ import annotations

from typing import Any

from permissions.transactions.diff import FIRST_FILES, MOST_FILES, MOST_LINES, size_words


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
