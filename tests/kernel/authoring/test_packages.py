"""A skill with Python packages in its author's hands: locked, tested and tried like any other."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from kernel.authoring.locking import locked
from kernel.authoring.testing import practised
from kernel.config import load_settings
from kernel.errors import BadRequest
from skills.loading import load_skill
from tests.kernel.conftest import Bench
from tests.skills.environments.wheelwright import digest, lune, skill

pytestmark = [pytest.mark.sandbox, pytest.mark.slow]

TEST = '''"""Its test."""

from pathlib import Path

from skills.sdk.testing import PracticeHome, load

skill = load(Path(__file__).parent.parent)


def test_it_looks(tmp_path: Path) -> None:
    assert PracticeHome(tmp_path).do(skill.phase).value == "full"
'''


@pytest.fixture
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the packages of this test's skills are kept."""
    monkeypatch.setenv("STEWARD_HOME", str(tmp_path / "steward"))
    monkeypatch.setenv("STEWARD_PACKAGE_INDEX", str(tmp_path / "index"))
    (tmp_path / "index").mkdir()
    return tmp_path


async def test_a_lock_is_made_of_a_folder_of_wheels(own_home: Path) -> None:
    made = lune(own_home / "index")
    ware = skill(own_home, made, brings=False)
    (ware / "requirements.lock").unlink()
    done = await locked(ware, load_settings())
    assert [(one["name"], one["version"]) for one in done["packages"]] == [("lune", "1.0")]
    (pin,) = load_skill(ware).packages
    assert pin.hashes == (digest(made),)
    (own_home / "link").symlink_to(own_home / "index")
    assert await locked(ware, load_settings(package_index=str(own_home / "link"))) == done
    brings = skill(own_home / "own", lune(own_home / "more"))
    (brings / "requirements.lock").unlink()
    made.unlink()
    assert (await locked(brings, load_settings()))["packages"]  # its own wheels/ are looked at, too


@pytest.mark.parametrize("spoil", ["no table", "no such package", "no skill", "no index"])
async def test_without_anything_to_lock_it_says_what_to_do(own_home: Path, spoil: str) -> None:
    ware = skill(own_home, lune(own_home / "index"), brings=False)
    before = (ware / "requirements.lock").read_bytes()
    text = (ware / "steward.toml").read_text()
    if spoil == "no table":
        (ware / "steward.toml").write_text(text.replace("[python]", "").replace('requires = ["lune >= 1"]', ""))
    elif spoil == "no such package":
        (ware / "steward.toml").write_text(text.replace("lune >= 1", "mare"))
    elif spoil == "no index":
        shutil.rmtree(own_home / "index")
    else:
        (ware / "steward.toml").unlink()
    with pytest.raises(BadRequest) as error:
        await locked(ware, load_settings())
    assert error.value.hint
    assert ("package_index" in error.value.hint) == (spoil in ("no such package", "no index"))
    assert (ware / "requirements.lock").read_bytes() == before


@pytest.mark.parametrize("held", [None, b"\x30\x82\xff"])
async def test_an_authority_that_cannot_be_read_is_named(own_home: Path, held: bytes | None) -> None:
    ware, file = skill(own_home, lune(own_home / "index"), brings=False), own_home / "own.pem"
    if held is not None:
        file.write_bytes(held)
    with pytest.raises(BadRequest, match=r"own\.pem.*ca_file") as error:
        await locked(ware, load_settings(ca_file=file))
    assert "ca_file" in error.value.hint


async def test_its_tests_run_with_its_packages(own_home: Path) -> None:
    ware = skill(own_home, lune(own_home / "index"), brings=False)
    (ware / "tests").mkdir()
    (ware / "tests" / "test_moon.py").write_text(TEST)
    report = await practised(ware)
    assert report["passed"], report["output"]
    lune(own_home / "index", look="of cheese")
    lock = ware / "requirements.lock"
    lock.write_text(lock.read_text().replace("sha256:", "sha256:0")[:-2] + "\n")
    with pytest.raises(BadRequest) as error:
        await practised(ware)
    assert error.value.code == "environment.hash"


async def test_it_counts_while_it_is_written(bench: Bench, tmp_path: Path) -> None:
    ware = skill(tmp_path, lune(tmp_path / "more"))
    saves: AsyncIterator[dict[str, object]] = bench.kernel.rooms.developing.follow(ware)
    try:
        seen = await anext(saves)
        assert seen["kind"] == "dev.loaded", seen
        assert (await bench.ask("what phase is the moon in"))["answer"] == "The moon is full."
    finally:
        await saves.aclose()  # type: ignore[attr-defined]
    assert list((bench.folders.data / "environments").iterdir()) == []
