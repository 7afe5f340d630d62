"""Landlock rules of a call below L3: they are for what was opened, not for what a name means by then."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from permissions.confine import landlock, namespaces, rules
from permissions.confine.landlock import Access, Rule
from permissions.errors import Refused
from permissions.model import CellSpec

pytestmark = [
    pytest.mark.sandbox,
    pytest.mark.skipif(not landlock.abi(), reason="needs Landlock: a kernel from 5.13 on with landlock in lsm="),
]


def readable_under(restrict: Callable[[], None], path: Path) -> bool:
    """Tell, from a child that ``restrict`` confined, whether ``path`` can be read."""
    pid = os.fork()
    if pid == 0:
        code = 2
        try:
            namespaces.forbid_new_privileges()
            restrict()
            path.read_bytes()
            code = 0
        except PermissionError:
            code = 1
        finally:
            os._exit(code)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    assert code in (0, 1)
    return code == 0


@pytest.fixture
def place(tmp_path: Path) -> Path:
    for name in ("granted", "secret"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file.txt").write_text(name)
    return tmp_path.resolve()


def swap(place: Path) -> None:
    """What another program may do at any moment: the granted folder becomes a link to another one."""
    (place / "granted").rename(place / "aside")
    (place / "granted").symlink_to("secret")


def test_a_link_put_in_place_of_a_granted_folder_opens_nothing(place: Path) -> None:
    def restrict() -> None:
        found = rules.of_granted(CellSpec(read_paths=(str(place / "granted"),)))
        held = next(found)
        swap(place)
        landlock.restrict([held])

    assert not readable_under(restrict, place / "secret" / "file.txt")


def test_the_control_a_name_opened_twice_opens_the_secret(place: Path) -> None:
    def restrict() -> None:
        os.close(os.open(place / "granted", os.O_PATH | os.O_NOFOLLOW))
        swap(place)
        landlock.restrict([Rule(str(place / "granted"), Access.READ)])

    assert readable_under(restrict, place / "secret" / "file.txt")


def test_a_link_is_refused_and_no_descriptor_is_left(place: Path) -> None:
    swap(place)
    before = os.listdir("/proc/self/fd")
    with pytest.raises(Refused):
        list(rules.of_granted(CellSpec(read_paths=(str(place / "granted"),))))
    assert os.listdir("/proc/self/fd") == before


def test_around_a_hidden_place_everything_else_can_be_read(place: Path) -> None:
    (place / "granted" / "deep" / "keys").mkdir(parents=True)
    (place / "granted" / "deep" / "keys" / "key").write_text("x")
    (place / "granted" / "deep" / "open.txt").write_text("y")
    (place / "granted" / "link").symlink_to(place / "secret")
    hidden = (str(place / "granted" / "deep" / "keys"),)
    spec = CellSpec(read_paths=(str(place / "granted"),), hidden_paths=hidden)

    def restrict() -> None:
        landlock.restrict(rules.of_granted(spec))

    assert readable_under(restrict, place / "granted" / "deep" / "open.txt")
    assert readable_under(restrict, place / "granted" / "file.txt")
    assert not readable_under(restrict, place / "granted" / "deep" / "keys" / "key")
    assert not readable_under(restrict, place / "secret" / "file.txt")
