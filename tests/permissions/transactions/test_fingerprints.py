"""A fingerprint is the same only while everything is: laws over random changes that hide themselves."""

from __future__ import annotations

import mmap
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from permissions.transactions import fingerprint
from permissions.transactions.fingerprints import MOST_BYTES, MOST_ENTRIES

NAMES = ("a.csv", "b.csv", "in/c.csv", "in/deep/d.csv")


def _print(*places: Path, hidden: tuple[str, ...] = ()) -> str | None:
    return fingerprint(map(str, places), hidden)


def _planted(top: Path) -> Path:
    for at, name in enumerate(NAMES):
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_bytes(b"x" * (at + 3))
    return top


def _with_its_times(path: Path, change: Callable[[], object]) -> None:
    """Do something to a file, and give it the times that it had."""
    info = path.stat()
    change()
    os.utime(path, ns=(info.st_atime_ns, info.st_mtime_ns))


def _other(data: bytes) -> bytes:
    return bytes(255 - one for one in data)


def _through_a_map(path: Path) -> None:
    with path.open("r+b") as file, mmap.mmap(file.fileno(), 0) as view:
        view[0] = 255 - view[0]


def _replaced(path: Path, data: bytes) -> None:
    beside = path.with_name("beside")
    beside.write_bytes(data)
    shutil.copystat(path, beside)
    beside.replace(path)


CHANGES: dict[str, Callable[[Path], object]] = {
    "content": lambda path: path.write_bytes(path.read_bytes() + b"!"),
    "same size and time": lambda path: _with_its_times(path, lambda: path.write_bytes(_other(path.read_bytes()))),
    "through a map": _through_a_map,
    "another file in its place": lambda path: _replaced(path, _other(path.read_bytes())),
    "a file that is the same in its place": lambda path: _replaced(path, path.read_bytes()),
    "cut": lambda path: os.truncate(path, 1),
    "gone": lambda path: path.unlink(),
    "renamed": lambda path: path.rename(path.with_name("z.csv")),
    "a name beside it": lambda path: path.with_name("new.csv").touch(),
    "a folder beside it": lambda path: path.with_name("new").mkdir(),
    "a link beside it": lambda path: path.with_name("new.csv").symlink_to(path.name),
    "who may read it": lambda path: path.chmod(0o640),
    "a folder in its place": lambda path: (path.unlink(), path.mkdir()),
}


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(sorted(CHANGES)), st.sampled_from(NAMES)), min_size=1, max_size=3,
        unique_by=lambda one: one[0],
    )
)  # fmt: skip
def test_no_change_below_a_folder_hides_itself(changes: list[tuple[str, str]]) -> None:
    with tempfile.TemporaryDirectory() as place:
        top = _planted(Path(place) / "top")
        before = _print(top)
        assert before is not None
        assert _print(top) == before
        for change, name in changes:
            if (top / name).is_file():
                CHANGES[change](top / name)
        assert _print(top) != before


@pytest.mark.parametrize(
    "change", sorted(set(CHANGES) - {"a name beside it", "a folder beside it", "a link beside it"})
)
def test_no_change_of_a_file_hides_itself(change: str, tmp_path: Path) -> None:
    top = _planted(tmp_path / "top")
    before = _print(top / "a.csv")
    CHANGES[change](top / "a.csv")
    assert _print(top / "a.csv") != before


def test_what_is_read_or_lies_elsewhere_changes_nothing(tmp_path: Path) -> None:
    top = _planted(tmp_path / "top")
    before = _print(top)
    (top / "a.csv").read_bytes()
    (tmp_path / "other").write_text("new")
    assert _print(top) == before


def test_what_is_hidden_is_not_looked_at(tmp_path: Path) -> None:
    top = _planted(tmp_path / "top")
    hidden = (str(top / "in"),)
    before = _print(top, hidden=hidden)
    assert before not in (None, _print(top))
    (top / "in/c.csv").write_text("secret")
    assert _print(top, hidden=hidden) == before


def test_what_cannot_be_known_in_full_has_none(tmp_path: Path) -> None:
    top = _planted(tmp_path / "top")
    assert _print(tmp_path / "missing") is None
    (top / "inside").symlink_to("a.csv")
    assert _print(top) is not None
    (top / "outside").symlink_to(tmp_path)
    assert _print(top) is None
    (top / "outside").unlink()
    os.mkfifo(top / "pipe")
    assert _print(top) is None


def test_what_is_too_much_has_none(tmp_path: Path) -> None:
    large = tmp_path / "large"
    large.touch()
    os.truncate(large, MOST_BYTES + 1)
    assert _print(large) is None
    many = tmp_path / "many"
    many.mkdir()
    for at in range(MOST_ENTRIES):
        (many / str(at)).touch()
    assert _print(many) is None
    (many / "0").unlink()
    assert _print(many) is not None


def test_nobody_who_has_given_up_is_told(tmp_path: Path) -> None:
    top = _planted(tmp_path / "top")
    assert fingerprint([str(top)], ended=lambda: True) is None
