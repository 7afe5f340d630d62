"""Skills with Python packages of others: shown, built whole or not at all, run with their own, repaired, let go."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import py_compile
import resource
import sys
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from packaging.tags import sys_tags

from kernel import Folders, Kernel, load_settings, open_kernel
from kernel.errors import BadRequest
from kernel.installing import environments as environments_room
from kernel.installing.environments import MOST_WARM, Environments
from kernel.rooms import Rooms
from skills.environments import digest_of
from skills.loading import load_skill
from tests.kernel.conftest import Bench
from tests.skills.environments.wheelwright import SKILL, digest, locked, lune, skill, wheel

pytestmark = pytest.mark.sandbox


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Bench]:
    """A kernel with a mind of its own, whose index is an empty folder."""
    home, index = tmp_path / "home", tmp_path / "index"
    (home / "Downloads").mkdir(parents=True)
    index.mkdir()
    folders = Folders({"HOME": str(home), "STEWARD_HOME": str(tmp_path / "steward")})

    async def start() -> Kernel:
        return await open_kernel(load_settings(encoder=False, package_index=str(index)), folders)

    one = Bench(await start(), home, folders, start)
    yield one
    await one.kernel.close()


def environments(bench: Bench) -> Environments:
    return bench.kernel._house.environments


def built(bench: Bench) -> list[Path]:
    """Return every environment that lies there, also half of one."""
    folder = bench.folders.data / "environments"
    return sorted(folder.iterdir()) if folder.is_dir() else []


async def until(holds: Callable[[], bool], longest_s: float = 60.0) -> None:
    """Wait until something holds; fails where it never does."""
    async with asyncio.timeout(longest_s):
        for _ in iter(holds, True):
            await asyncio.sleep(0.02)


async def put(bench: Bench, place: Path) -> dict[str, Any]:
    found = await bench.kernel.rooms.installed.look_at(str(place))
    return await bench.kernel.rooms.installed.install(found["package"])


async def refused(bench: Bench, place: Path, code: str) -> BadRequest:
    """Install what must be refused, and see that nothing of it is left."""
    with pytest.raises(BadRequest) as error:
        await put(bench, place)
    assert error.value.code == code, error.value
    assert error.value.hint
    assert built(bench) == []
    assert "moon" not in {one["id"] for one in bench.kernel.skills()}
    return error.value


async def test_a_skill_answers_with_its_package_and_both_go_together(bench: Bench, tmp_path: Path) -> None:
    ware = skill(tmp_path / "a", lune(tmp_path))
    found = await bench.kernel.rooms.installed.look_at(str(ware))
    (told,) = found["packages"]
    assert (told["name"], told["version"], told["from"]) == ("lune", "1.0", "the package itself")
    assert told["size_bytes"] == (ware / "wheels" / "lune-1.0-py3-none-any.whl").stat().st_size
    assert built(bench) == []  # looking brings nothing
    await bench.kernel.rooms.installed.install(found["package"])
    (again,) = (await bench.kernel.rooms.installed.look_at(str(ware)))["packages"]
    assert (again["built"], again["fetched"]) == (True, False)
    assert environments(bench).warm() == []
    view = await bench.ask("what phase is the moon in")
    assert (view["resolution"], view["answer"]) == ("executed", "The moon is full."), view
    (place,) = built(bench)
    assert environments(bench).warm() == [place.name]
    assert [one["ok"] for one in await bench.kernel.rooms.installed.verify()] == [True]
    await bench.kernel.rooms.installed.remove("moon")
    assert (built(bench), environments(bench).warm()) == ([], [])
    await bench.kernel.rooms.installed.go_back("moon", "1.0.0")  # its wheels are part of the version
    assert (await bench.ask("how is the moon", conversation="d"))["answer"] == "The moon is full."


async def test_wheels_come_from_the_folder_that_is_the_index(bench: Bench, tmp_path: Path) -> None:
    made = lune(tmp_path / "index")
    found = await bench.kernel.rooms.installed.look_at(str(skill(tmp_path / "a", made, brings=False)))
    assert [(one["from"], one["fetched"]) for one in found["packages"]] == [(str(tmp_path / "index"), False)]
    await bench.kernel.rooms.installed.install(found["package"])
    assert (await bench.ask("how is the moon"))["answer"] == "The moon is full."


async def test_what_is_wrong_with_a_package_is_said_and_nothing_is_left(bench: Bench, tmp_path: Path) -> None:
    good = lune(tmp_path)
    other = lune(tmp_path / "other", look="of cheese")
    ware = skill(tmp_path / "a", good)
    (ware / "wheels" / good.name).write_bytes(other.read_bytes())
    await refused(bench, ware, "environment.hash")
    await refused(bench, skill(tmp_path / "b", good, brings=False), "environment.missing")
    far = wheel(tmp_path, "lune", {"lune/__init__.py": ""}, tag="cp311-cp311-win_amd64")
    await refused(bench, skill(tmp_path / "c", far), "environment.platform")
    (tmp_path / "index" / "lune-1.0.tar.gz").write_bytes(b"source")
    await refused(bench, skill(tmp_path / "d", good, brings=False), "environment.source")
    without = skill(tmp_path / "e", good)
    (without / "requirements.lock").unlink()
    await refused(bench, without, "skill.lock")


@pytest.mark.parametrize(
    ("files", "code"),
    [({"../../escape.py": ""}, "package.path"), ({"json.py": "X = 1"}, "environment.shadow"),
     ({"skills/__init__.py": ""}, "environment.shadow")],
)  # fmt: skip
async def test_hostile_wheels_are_refused_in_their_cell(
    bench: Bench, tmp_path: Path, files: dict[str, str], code: str
) -> None:
    made = wheel(tmp_path, "lune", {"lune/__init__.py": "", **files})
    error = await refused(bench, skill(tmp_path / "a", made), code)
    assert next(iter(files)).split("/")[0].removesuffix(".py") in str(error)
    assert not list(tmp_path.rglob("escape.py"))


async def test_two_packages_with_one_file_are_refused(bench: Bench, tmp_path: Path) -> None:
    mare = wheel(tmp_path, "mare", {"lune/__init__.py": ""})
    await refused(bench, skill(tmp_path / "a", lune(tmp_path), mare), "environment.twice")


LOUD = """import os
try:
    os.mkdir({canary!r})
except OSError:
    pass
def look():
    return str(os.getppid())
"""


async def test_code_of_a_package_runs_in_its_calls_cell_alone(bench: Bench, tmp_path: Path) -> None:
    """It would leave a folder wherever it is imported outside of a cell: at the install, or in the zygote."""
    canary = tmp_path / "ran"
    made = wheel(tmp_path, "lune", {"lune/__init__.py": LOUD.format(canary=str(canary))})
    await put(bench, skill(tmp_path / "a", made))
    view = await bench.ask("how is the moon")
    assert (view["resolution"], view["answer"]) == ("executed", "The moon is 1.")  # its parent is the cell's init
    assert not canary.exists()
    (place,) = built(bench)
    sys.path.insert(0, str(place / "lib"))
    try:
        __import__("lune")  # the control: where nothing holds it, it does
    finally:
        sys.path.remove(str(place / "lib"))
        sys.modules.pop("lune", None)
    assert canary.exists()


def a_library() -> Path:
    """Return a library of this Python that is a module of its own."""
    for name in ("_heapq", "_bisect", "_csv", "_json", "_lsprof"):
        found = importlib.util.find_spec(name)
        if found is not None and found.origin and found.origin.endswith(".so"):
            return Path(found.origin)
    pytest.skip("this Python has all of its modules built in: use one with libraries beside it")


async def test_a_wheel_with_a_library_for_this_machine_is_loaded(bench: Bench, tmp_path: Path) -> None:
    library = a_library()
    name = library.name.partition(".")[0]
    code = f"from lune import {name}\n\n\ndef look():\n    return {name}.__name__\n"
    files = {"lune/__init__.py": code, f"lune/{library.name}": library.read_bytes()}
    await put(bench, skill(tmp_path / "a", wheel(tmp_path, "lune", files, tag=str(next(sys_tags())))))
    assert (await bench.ask("how is the moon"))["answer"] == f"The moon is lune.{name}."


PEEK = '''"""The moon."""

import os

from skills.sdk import Context


def phase(ctx: Context) -> str:
    """Say how the moon looks tonight."""
    try:
        import lune
        ctx.say("Imported " + lune.__name__)
    except ImportError:
        ctx.say(f"Nothing, {os.path.exists(PLACE)}")
    return "x"
'''


async def test_another_skill_does_not_see_the_packages(bench: Bench, tmp_path: Path) -> None:
    await put(bench, skill(tmp_path / "a", lune(tmp_path)))
    assert (await bench.ask("how is the moon"))["answer"] == "The moon is full."
    (place,) = built(bench)
    spy = skill(tmp_path / "b", lune(tmp_path), code=PEEK.replace("PLACE", repr(str(place / "lib" / "lune"))))
    (spy / "steward.toml").write_text(
        (spy / "steward.toml").read_text().replace("[python]\nrequires = [\"lune >= 1\"]\n", "").replace("moon", "sun")
        .replace("Moon", "Sun")
    )  # fmt: skip
    (spy / "SKILL.md").write_text((spy / "SKILL.md").read_text().replace("moon", "solar"))
    await put(bench, spy.rename(spy.parent / "solar"))
    assert (await bench.ask("how is the sun", conversation="d"))["answer"] == "Nothing, False"


async def test_packages_that_changed_are_not_run_and_are_built_again(bench: Bench, tmp_path: Path) -> None:
    await put(bench, skill(tmp_path / "a", lune(tmp_path)))
    assert (await bench.ask("how is the moon"))["answer"] == "The moon is full."
    (module,) = (bench.folders.data / "environments").glob("*/lib/lune/__init__.py")
    module.chmod(0o644)
    module.write_text("def look():\n    return 'of cheese'\n")
    view = await bench.ask("how is the moon", conversation="d")
    assert view["error"]["code"] == "environment.changed"
    assert "--repair" in str(view)
    (held,) = await bench.kernel.rooms.installed.verify()
    assert (held["ok"], held["packages_ok"]) == (False, False)
    (place,) = built(bench)
    place.with_name("d" * 64).mkdir()  # as a Python that was updated leaves it
    assert [one["ok"] for one in await bench.kernel.rooms.installed.repair()] == [True]
    assert built(bench) == [place]
    assert (await bench.ask("how is the moon", conversation="e"))["answer"] == "The moon is full."


async def test_compiled_modules_are_held_like_their_sources(bench: Bench, tmp_path: Path) -> None:
    """The control: Python by itself runs the compiled module that somebody put there, and asks nothing."""
    await put(bench, skill(tmp_path / "a", lune(tmp_path)))
    (made,) = built(bench)[0].glob("lib/lune/__pycache__/__init__.*.pyc")
    assert (await bench.ask("what phase is the moon in"))["answer"] == "The moon is full."
    other = tmp_path / "evil.py"
    other.write_text("def look():\n    return 'of cheese'\n")
    made.parent.chmod(0o755)
    made.chmod(0o644)
    py_compile.compile(str(other), str(made), invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
    code = f"import sys; sys.path.insert(0, {str(made.parents[2])!r}); import lune; print(lune.look())"
    by_itself = [sys.executable, "-c", code]
    done = await asyncio.create_subprocess_exec(*by_itself, stdout=asyncio.subprocess.PIPE)
    assert (await done.communicate())[0] == b"of cheese\n"
    view = await bench.ask("what phase is the moon in")
    assert view["error"]["code"] == "environment.changed", view


@pytest.mark.parametrize("patience_s", [0.5, environments_room._COMPILE.wall_s])
async def test_where_compiling_takes_too_long_nothing_is_compiled_and_all_is_installed(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, patience_s: float
) -> None:
    """The control: the same source is compiled in the time that there is; what is none is passed over then, too."""
    monkeypatch.setattr(environments_room, "_COMPILE", replace(environments_room._COMPILE, wall_s=patience_s))
    files = {"lune/__init__.py": "def look():\n    return 'full'\n", "lune/none.py": "def (:\n"}
    files["lune/long.py"] = "".join(f"look({number}, it)\n" for number in range(150_000))
    await put(bench, skill(tmp_path / "a", wheel(tmp_path, "lune", files)))
    found = {made.name.partition(".")[0] for made in built(bench)[0].glob("lib/lune/__pycache__/*.pyc")}
    assert found == ({"__init__", "long"} if patience_s > 1 else set())
    assert (await bench.ask("what phase is the moon in"))["answer"] == "The moon is full."


async def test_an_update_says_which_packages_are_new_and_keeps_what_going_back_needs(
    bench: Bench, tmp_path: Path
) -> None:
    await put(bench, skill(tmp_path / "a", lune(tmp_path)))
    newer = lune(tmp_path, "2.0", "new")
    mare = wheel(tmp_path, "mare", {"mare.py": ""})
    found = await bench.kernel.rooms.installed.look_at(str(skill(tmp_path / "b", newer, mare, version="2.0.0")))
    assert [(one["what"], one["was"], one["now"]) for one in found["wants_more"]] == [
        ("package", "lune 1.0", "lune 2.0"), ("package", "", "mare 1.0"),
    ]  # fmt: skip
    await bench.kernel.rooms.installed.install(found["package"])
    assert (await bench.ask("how is the moon"))["answer"] == "The moon is new."
    assert len(built(bench)) == 2
    await bench.kernel.rooms.installed.go_back("moon")
    assert (await bench.ask("how is the moon", conversation="d"))["answer"] == "The moon is full."
    again = lune(tmp_path / "again", look="other")
    found = await bench.kernel.rooms.installed.look_at(str(skill(tmp_path / "c", again, version="1.1.0")))
    assert [one["now"] for one in found["wants_more"]] == ["other files of the same version"]


async def test_what_is_built_while_nobody_needs_it_yet_is_not_swept_away(bench: Bench, tmp_path: Path) -> None:
    own, ware = environments(bench), skill(tmp_path / "a", lune(tmp_path))
    pins = load_skill(ware).packages
    async with own.prepared(pins, ware):
        await bench.kernel.rooms.installed.tidy()
        assert own.is_whole(pins)
    await bench.kernel.rooms.installed.tidy()
    assert built(bench) == []


async def test_what_tests_and_killed_authors_left_goes_after_a_start_and_what_is_worked_with_stays(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is installed meanwhile: the daemon looks by itself. The control: what is held is there all the time."""
    monkeypatch.setattr(Rooms.keep_tidy, "__defaults__", (0.0, 0.2))
    own, written = environments(bench), bench.folders.data / "skills-written" / "x" / "moon"
    left = load_skill(skill(tmp_path / "a", lune(tmp_path)))
    used = load_skill(skill(tmp_path / "b", lune(tmp_path / "other", look="new")))
    async with own.at_hand(left):
        pass
    written.mkdir(parents=True)
    await bench.kernel.close()
    bench.kernel = await bench.reopen()
    async with environments(bench).at_hand(used) as lib:
        bench.kernel.warm()
        await until(lambda: len(built(bench)) == 1 and not written.exists())
        assert Path(lib).parent == built(bench)[0].resolve()
    await until(lambda: not built(bench))


async def test_few_zygotes_of_environments_stay_and_the_oldest_goes_first(bench: Bench, tmp_path: Path) -> None:
    own = environments(bench)
    loaded = []
    for number in range(MOST_WARM + 1):
        place = skill(tmp_path / str(number), lune(tmp_path / str(number), look=str(number)))
        loaded.append(load_skill(place))
        await own.prepare(loaded[-1].packages, place)
    for one in loaded:
        async with own.cells_of(one) as cells:
            await cells.start()
    assert own.warm() == [digest_of(one.packages) for one in loaded[1:]]
    async with own.cells_of(loaded[1]), own.cells_of(loaded[2]), own.cells_of(loaded[3]), own.cells_of(loaded[0]):
        assert len(own.warm()) == MOST_WARM + 1  # a call is never ended to make room
    assert len(own.warm()) == MOST_WARM


async def test_who_cancels_in_the_middle_finds_all_of_it_or_nothing_and_nobody_at_work(
    bench: Bench, tmp_path: Path
) -> None:
    many = {f"lune/m{number}.py": "" for number in range(2000)}
    place = skill(tmp_path / "a", wheel(tmp_path, "lune", many))
    pins = load_skill(place).packages
    building = asyncio.create_task(environments(bench).prepare(pins, place))
    while not any(one.name.startswith(".coming-") for one in built(bench)):
        assert not building.done()
        await asyncio.sleep(0.001)
    building.cancel()
    with pytest.raises(asyncio.CancelledError):
        await building
    assert [one.name for one in built(bench)] == [digest_of(pins)]
    assert environments(bench).is_whole(pins)
    assert len(list(built(bench)[0].glob("lib/lune/*.py"))) == len(many)


async def test_a_disk_that_is_full_in_the_middle_leaves_nothing(bench: Bench, tmp_path: Path) -> None:
    """The kernel of this machine refuses to write a file longer than the limit, as a full disk would refuse more."""
    place = skill(tmp_path / "a", wheel(tmp_path, "lune", {"lune/__init__.py": "", "lune/sea.txt": "x" * 400_000}))
    pins = load_skill(place).packages
    await bench.kernel._house.cells.start()
    most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, most[1]))
    try:
        with pytest.raises(Exception, match="could not be written") as error:
            await environments(bench).prepare(pins, place)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, most)
    assert (getattr(error.value, "code", ""), built(bench)) == ("environment.disk", [])
    assert await environments(bench).prepare(pins, place) == digest_of(pins)
    assert len(built(bench)) == 1


async def test_a_lock_that_lies_about_its_wheel_is_seen_before_a_byte_is_unpacked(bench: Bench, tmp_path: Path) -> None:
    made = lune(tmp_path)
    ware = skill(tmp_path / "a", made)
    (ware / "requirements.lock").write_text(locked(made).replace(digest(made), "0" * 64))
    assert SKILL in (ware / "skill.py").read_text()
    await refused(bench, ware, "environment.hash")
    assert not os.path.exists(bench.folders.data / "environments" / "lune")
