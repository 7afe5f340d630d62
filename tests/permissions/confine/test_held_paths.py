"""Attack 64: what was decided on is exchanged before the cell shows it, once and thousands of times.

The control is a path-based mount: the same attack against a spec that holds nothing, or against a plain ``open``.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from permissions.confine.granted import Granted
from permissions.errors import PermissionsError, Refused
from permissions.model import CellSpec, CellStatus, Layer, Level
from permissions.policy.held import MOST_OPEN, Places
from tests.permissions.confine.flipper import exchange

pytestmark = pytest.mark.sandbox

GOOD, SECRET = "what was granted", "the secret"
REFUSALS = {"refused.swapped", "refused.replaced", "refused.elsewhere", "scope.vanished", "scope.kind"}


@dataclass(frozen=True)
class Scene:
    """A granted folder, a folder with a secret, and a link to that; each with a file ``key``."""

    top: Path
    granted: str
    secret: str
    link: str

    @property
    def key(self) -> str:
        return f"{self.granted}/key"


@pytest.fixture
def scene(wall: Any, request: pytest.FixtureRequest) -> Iterator[Scene]:
    top = wall.home / "scene"
    for name, text in (("granted", GOOD), ("secret", SECRET)):
        wall.file(f"scene/{name}/key", text)
    (top / "link").symlink_to(top / "secret")
    yield Scene(top, str(top / "granted"), str(top / "secret"), str(top / "link"))
    shutil.rmtree(top)


def for_another_folder(scene: Scene) -> None:
    exchange(scene.granted, scene.secret)


def for_a_link(scene: Scene) -> None:
    exchange(scene.granted, scene.link)


def for_a_file_of_it(scene: Scene) -> None:
    exchange(scene.key, f"{scene.secret}/key")


def for_a_second_name(scene: Scene) -> None:
    os.unlink(scene.key)
    os.link(f"{scene.secret}/key", scene.key)


def for_a_pipe(scene: Scene) -> None:
    os.unlink(scene.key)
    os.mkfifo(scene.key)


def for_nothing(scene: Scene) -> None:
    shutil.rmtree(scene.granted)


Attack = Callable[[Scene], None]
ATTACKS: list[tuple[Attack, str, bool]] = [
    # the attack, the code of the refusal, whether it succeeds where nothing is held
    (for_another_folder, "refused.swapped", True),
    (for_a_link, "refused.swapped", False),
    (for_a_file_of_it, "refused.replaced", True),
    (for_a_second_name, "refused.replaced", True),
    (for_a_pipe, "scope.kind", False),
    (for_nothing, "scope.vanished", False),
]


@pytest.mark.parametrize(("attack", "code", "wins"), ATTACKS, ids=[attack.__name__ for attack, _, _ in ATTACKS])
def test_what_takes_the_place_of_a_held_path_is_not_shown(
    wall: Any, scene: Scene, attack: Attack, code: str, wins: bool
) -> None:
    path = scene.granted if attack in (for_another_folder, for_a_link) else scene.key
    spec = CellSpec(read_paths=(path,))
    with Places([path]) as places:
        assert wall.inside("read", replace(spec, held=places.identities), path=scene.key) == GOOD
        attack(scene)
        with pytest.raises(PermissionsError) as refused:
            wall.call("read", replace(spec, held=places.identities), path=scene.key)
    assert (refused.value.code, refused.value.subject) == (code, path)
    assert path in str(refused.value)
    assert refused.value.hint
    if wins:
        assert wall.inside("read", spec, path=scene.key) == SECRET, "the control"


def test_a_folder_in_which_a_call_writes_is_held_too(wall: Any, scene: Scene) -> None:
    spec = CellSpec(write_paths=(scene.granted,))
    with Places(spec.opened_paths()) as places:
        exchange(scene.granted, scene.secret)
        with pytest.raises(PermissionsError) as refused:
            wall.call("write", replace(spec, held=places.identities), path=scene.key)
    assert refused.value.code == "refused.swapped"
    assert wall.inside("read", spec, path=scene.key) == SECRET, "the control"


@pytest.mark.parametrize("swapped", ["below", "room"])
def test_the_layers_of_a_tree_that_a_call_works_in_are_held_too(wall: Any, scene: Scene, swapped: str) -> None:
    if wall.level is not Level.L3:
        pytest.skip("calls work in trees at L3 only")
    rooms = [wall.folder(f"scene/{name}") for name in ("room", "other")]
    for room in rooms:
        for name in ("upper", "work"):
            wall.folder(f"scene/{room.name}/{name}")
    (rooms[1] / "upper" / "key").write_text(SECRET)
    layers = [Layer(scene.granted, f"{room}/upper", f"{room}/work", (scene.granted,)) for room in rooms]
    spec = CellSpec(layers=(layers[0],))
    with Places(spec.opened_paths()) as places:
        assert wall.inside("read", replace(spec, held=places.identities), path=scene.key) == GOOD
        exchange(*((scene.granted, scene.secret) if swapped == "below" else map(str, rooms)))
        with pytest.raises(PermissionsError) as refused:
            wall.call("read", replace(spec, held=places.identities), path=scene.key)
    assert refused.value.code == "refused.swapped"
    fresh = CellSpec(layers=(layers[1],)) if swapped == "below" else spec  # no layer of ours can be mounted twice
    assert wall.inside("read", fresh, path=scene.key) == SECRET, "the control"


def open_below(folder: str) -> list[str]:
    """Return the files in ``folder`` that this process holds open."""
    found = []
    for number in os.listdir("/proc/self/fd"):
        with suppress(FileNotFoundError):
            found.append(os.readlink(f"/proc/self/fd/{number}"))
    return [path for path in found if path.startswith(f"{folder}/")]


def test_of_very_many_paths_each_is_compared_and_few_are_kept_open(wall: Any, scene: Scene) -> None:
    paths = [wall.file(f"scene/many/{number}", GOOD) for number in range(5 * MOST_OPEN)]
    with Places(paths) as places:
        assert len(open_below(os.path.dirname(paths[0]))) == MOST_OPEN
        spec = CellSpec(read_paths=tuple(paths), held=places.identities)
        assert wall.inside("read", spec, path=paths[-1]) == GOOD
        exchange(paths[-1], f"{scene.secret}/key")
        with pytest.raises(PermissionsError) as refused:
            wall.call("read", spec, path=paths[-1])
    assert (refused.value.code, refused.value.subject) == ("refused.replaced", paths[-1])
    assert wall.inside("read", replace(spec, held=()), path=paths[-1]) == SECRET, "the control"
    assert not open_below(os.path.dirname(paths[0]))


def test_a_very_long_name_of_many_bytes_is_refused_and_the_worker_lives_on(wall: Any, scene: Scene) -> None:
    """What a cell says is short, whatever a path is like: the worker reads it in one piece."""
    here = os.open(scene.top, os.O_RDONLY)
    path, name = str(scene.top), "\x1b[2J" + "€" * 60
    try:
        while len(os.fsencode(path)) + len(os.fsencode(name)) < 4000:
            os.mkdir(name, dir_fd=here)
            below = os.open(name, os.O_RDONLY, dir_fd=here)
            os.close(here)
            here, path = below, f"{path}/{name}"
    finally:
        os.close(here)
    spec = CellSpec(read_paths=(path,))
    os.chown(scene.top, wall.uid, wall.uid)
    with Places([path]) as places:
        os.rename(scene.top / name, scene.top / "aside")
        pid = wall.cells.pid
        with pytest.raises(PermissionsError) as refused:
            wall.call("read", replace(spec, held=places.identities), path=path)
    assert refused.value.code == "scope.vanished"
    assert "\x1b" not in str(refused.value)
    assert wall.cells.pid == pid, "the worker has died"


# -- thousands of times -----------------------------------------------------------------------------------------------
@contextmanager
def flipping(scene: Scene) -> Iterator[None]:
    command = [sys.executable, str(Path(__file__).with_name("flipper.py")), scene.granted, scene.secret, scene.link]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as flipper:
        assert flipper.stdout
        flipper.stdout.readline()
        try:
            yield
            assert flipper.poll() is None, "the attack stopped"
        finally:
            flipper.kill()


def content_of(folder: int) -> str:
    key = os.open("key", os.O_RDONLY, dir_fd=folder)
    try:
        return os.read(key, 100).decode()
    finally:
        os.close(key)


@pytest.mark.parametrize("tries", [1000, pytest.param(10_000, marks=pytest.mark.slow)])
def test_a_race_for_what_is_opened_is_never_won(tmp_path: Path, tries: int) -> None:
    """Of every try the folder that was held is known; nothing else is ever opened, and the control opens the other."""
    names = {name: str(tmp_path / name) for name in ("granted", "secret", "link")}
    for name, text in (("granted", GOOD), ("secret", SECRET)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "key").write_text(text)
    (tmp_path / "link").symlink_to("secret")
    scene = Scene(tmp_path, **names)
    good = os.stat(scene.granted).st_ino
    root = os.open("/", os.O_PATH)
    opened = {GOOD: 0, SECRET: 0}
    plain = dict(opened)
    refused: dict[str, int] = {}
    tried, deadline = 0, time.monotonic() + 60
    with flipping(scene):
        while tried < tries or not (refused.get("refused.swapped") and plain[SECRET]):
            tried += 1
            assert time.monotonic() < deadline, "the race was never there"
            try:
                with Places([scene.granted]) as places:
                    if places.identities[0].ino != good:
                        continue  # it was exchanged before it was decided on
                    folder = Granted(root, places.identities).open(scene.granted)
                    opened[content_of(folder)] += 1
                    os.close(folder)
            except PermissionsError as problem:
                refused[problem.code] = refused.get(problem.code, 0) + 1
            found = os.open(scene.granted, os.O_PATH)
            plain[content_of(found)] += 1
            os.close(found)
    os.close(root)
    assert opened[SECRET] == 0
    assert opened[GOOD] > 0
    assert refused.keys() <= REFUSALS


@pytest.mark.parametrize("calls", [40, pytest.param(500, marks=pytest.mark.slow)])
def test_a_race_for_what_a_cell_shows_is_never_won(wall: Any, scene: Scene, calls: int) -> None:
    """Below L3 the call finds the way itself, and its rules stand on what was held."""
    good = os.stat(scene.granted).st_ino
    seen: dict[str, int] = {}
    control: dict[str, int] = {}

    def call(spec: CellSpec, into: dict[str, int]) -> None:
        try:
            outcome = wall.call("read", spec, path=scene.key)
        except PermissionsError as problem:
            found = problem.code
        else:
            assert outcome.status is CellStatus.RETURNED
            answer = json.loads(outcome.reply)
            found = answer.get("value") or answer["errno"]
        into[found] = into.get(found, 0) + 1

    deadline = time.monotonic() + 100
    with flipping(scene):
        while sum(seen.values()) < calls or not ("refused.swapped" in seen and SECRET in control):
            assert time.monotonic() < deadline, "the race was never there"
            with suppress(Refused), Places([scene.granted]) as places:
                if places.identities[0].ino == good:
                    call(CellSpec(read_paths=(scene.granted,), held=places.identities), seen)
            if SECRET not in control:
                call(CellSpec(read_paths=(scene.granted,)), control)
    assert SECRET not in seen
    assert seen.keys() <= REFUSALS | {GOOD, "EACCES", "ENOENT"}
