"""A package is shown, installed after a yes, at work at once, taken back, and keeps grants only where it may."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from minisign import KeyPair

from kernel import Folders, Kernel, load_settings, open_kernel
from kernel.errors import BadRequest, UnknownRun
from tests.kernel.conftest import Bench
from tests.skills.packages.wares import GOOD, laid, signed, zipped

SKILL = '''"""The moon."""

from skills.sdk import Context


def phase(ctx: Context) -> str:
    """Say how the moon looks tonight."""
    ctx.say("VERSION moon, full.")
    return "full"
'''
MANIFEST = """version = "VERSION"
title = "Moon"

[tools.phase]
effect = "pure"
examples.en = ["how is the moon", "what phase is the moon in", "phase of the moon"]
"""
MORE = """
[[tools.phase.rights]]
action = "fs.read"
scope = "~/Moon/**"
reason = "to read the table of the moon"
"""


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Bench]:
    """A kernel with a mind of its own: here skills come and go."""
    home = tmp_path / "home"
    (home / "Downloads").mkdir(parents=True)
    folders = Folders({"HOME": str(home), "STEWARD_HOME": str(tmp_path / "steward")})

    async def start() -> Kernel:
        return await open_kernel(load_settings(encoder=False), folders)

    one = Bench(await start(), home, folders, start)
    yield one
    await one.kernel.close()


def ware(root: Path, version: str, more: str = "") -> Path:
    files = {**GOOD, "skill.py": SKILL.replace("VERSION", version),
             "steward.toml": MANIFEST.replace("VERSION", version) + more}  # fmt: skip
    return laid(root / version / "moon", files)


def two_commits(root: Path) -> Path:
    """A repository with a version and a later one; the first is tagged."""
    repository = ware(root, "1.0.0").rename(root / "repository")
    git = ("git", "-C", str(repository), "-c", "user.name=A", "-c", "user.email=a@example.org")
    for words in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "One"), ("tag", "v1")):
        subprocess.run([*git, *words], check=True)
    (repository / "steward.toml").write_text(MANIFEST.replace("VERSION", "2.0.0"))
    subprocess.run([*git, "commit", "-qam", "Two"], check=True)
    return repository


async def put(bench: Bench, place: Path) -> dict[str, Any]:
    found = await bench.kernel.rooms.installed.look_at(str(place))
    return await bench.kernel.rooms.installed.install(found["package"])


async def test_a_package_is_shown_installed_and_at_work(bench: Bench, tmp_path: Path) -> None:
    found = await bench.kernel.rooms.installed.look_at(str(ware(tmp_path, "1.0.0", MORE)))
    assert (found["skill"], found["replaces"], found["signer"]) == ("moon", None, "")
    assert [one["right"] for one in found["tools"][0]["rights"]] == ["fs.read:~/Moon/**"]
    assert "moon" not in {one["id"] for one in bench.kernel.skills()}  # looking installs nothing
    await bench.kernel.rooms.installed.install(found["package"])
    view = await bench.ask("what phase is the moon in")
    assert (view["resolution"], "moon, full." in view["answer"]) == ("confirmed", True), view
    assert not list((bench.folders.data / "quarantine").iterdir())


async def test_an_archive_is_opened_in_a_cell(bench: Bench, tmp_path: Path) -> None:
    files = {f"moon/{one.name}": one.read_bytes() for one in ware(tmp_path, "1.0.0").iterdir()}
    done = await put(bench, zipped(tmp_path / "moon.zip", files))
    assert done["version"] == "1.0.0"
    with pytest.raises(BadRequest, match="below the package's own folder"):
        await bench.kernel.rooms.installed.look_at(str(zipped(tmp_path / "bad.zip", {"../x": "y"})))
    assert not list((bench.folders.data / "quarantine").iterdir())
    refused = [event for event in bench.kernel.log(200) if event["kind"] == "skill.refused"]
    assert len(refused) == 1


@pytest.mark.skipif(not shutil.which("git"), reason="there is no git here: apt install git")
async def test_a_commit_of_a_repository_is_taken(bench: Bench, tmp_path: Path) -> None:
    repository = two_commits(tmp_path)
    for place, version in ((f"git:{repository}@v1", "1.0.0"), (f"git:{repository}", "2.0.0")):
        found = await bench.kernel.rooms.installed.look_at(place)
        assert (found["skill"], found["version"], found["source"]) == ("moon", version, place)
    with pytest.raises(BadRequest, match="git fetch did not work"):
        await bench.kernel.rooms.installed.look_at(f"git:{repository}@v9")


async def test_an_index_leads_to_a_package(bench: Bench, tmp_path: Path) -> None:
    ware(tmp_path, "1.0.0")
    index = tmp_path / "index.json"
    index.write_text('{"skills": {"moon": "1.0.0/moon", "loop": "index:index.json#loop"}}')
    found = await bench.kernel.rooms.installed.look_at(f"index:{index}#moon")
    assert (found["skill"], found["source"]) == ("moon", str(tmp_path / "1.0.0" / "moon"))
    for name in ("loop", "mars"):
        with pytest.raises(BadRequest):
            await bench.kernel.rooms.installed.look_at(f"index:{index}#{name}")


async def test_what_was_reviewed_beside_another_version_is_looked_at_again(bench: Bench, tmp_path: Path) -> None:
    """The control: beside the version that it was reviewed against it is taken, and nobody is asked again."""
    own = bench.kernel.rooms.installed
    await put(bench, ware(tmp_path, "1.0.0", MORE))
    found = await own.look_at(str(ware(tmp_path, "3.0.0", MORE)))
    assert found["wants_more"] == []
    await put(bench, ware(tmp_path, "2.0.0"))
    with pytest.raises(BadRequest, match="came into use") as refused:
        await own.install(found["package"])
    assert refused.value.code == "package.stale"
    assert [one["version"] for one in own.in_use()] == ["2.0.0"]
    again = await own.look_at(str(tmp_path / "3.0.0" / "moon"))
    assert [one["what"] for one in again["wants_more"]] == ["fs.read"]
    await own.install(again["package"])
    assert [one["version"] for one in own.in_use()] == ["3.0.0"]


async def test_what_was_granted_to_another_version_is_said_to_be_idle(bench: Bench, tmp_path: Path) -> None:
    def idle() -> dict[str, bool]:
        return {one["id"]: one["idle"] for one in bench.kernel.perms()}

    await put(bench, ware(tmp_path, "1.0.0"))
    other = await bench.kernel.grant("files", "fs.read:~/Moon/**")
    grant = await bench.kernel.grant("moon", "fs.read:~/Moon/**")
    assert idle() == {other: False, grant: False}
    await put(bench, ware(tmp_path, "2.0.0"))
    assert idle() == {other: False, grant: True}
    await bench.kernel.rooms.installed.go_back("moon")
    assert idle() == {other: False, grant: False}


async def test_versions_go_back_stay_pinned_and_go(bench: Bench, tmp_path: Path) -> None:
    for version in ("1.0.0", "2.0.0"):
        await put(bench, ware(tmp_path, version))
    assert "2.0.0 moon" in (await bench.ask("how is the moon"))["answer"]
    await bench.kernel.rooms.installed.go_back("moon")
    assert "1.0.0 moon" in (await bench.ask("how is the moon"))["answer"]
    await bench.kernel.rooms.installed.pin("moon", True)
    with pytest.raises(BadRequest, match="pinned"):
        await put(bench, ware(tmp_path, "3.0.0"))
    await bench.kernel.rooms.installed.remove("moon")
    assert "moon" not in {one["id"] for one in bench.kernel.skills()}
    with pytest.raises(UnknownRun):
        await bench.kernel.rooms.installed.remove("moon")
    await bench.kernel.rooms.installed.go_back("moon", "2.0.0")
    await bench.kernel.close()
    bench.kernel = await bench.reopen()
    assert [one["version"] for one in bench.kernel.skills() if one["id"] == "moon"] == ["2.0.0"]


async def test_what_was_edited_does_not_run_and_is_said(bench: Bench, tmp_path: Path) -> None:
    await put(bench, ware(tmp_path, "1.0.0"))
    (edited,) = (bench.folders.data / "skill-versions").glob("*/moon/skill.py")
    edited.write_text(edited.read_text() + "\n# mine\n")
    view = await bench.ask("how is the moon")
    assert view["error"]["code"] == "skill.changed"
    assert "skills versions moon" in view["error"]["hint"], "no restart takes it up again"
    assert [one["ok"] for one in await bench.kernel.rooms.installed.verify()] == [False]
    assert bench.kernel.skill_problems() == []
    await bench.kernel.close()
    bench.kernel = await bench.reopen()
    (problem,) = bench.kernel.skill_problems()
    assert (problem["skill"], problem["code"]) == ("moon", "skill.changed")
    assert "skills versions moon" in problem["hint"]


@pytest.mark.parametrize(
    ("same_key", "more", "keeps"), [(True, "", True), (False, "", False), (True, "more", False)]
)  # fmt: skip
async def test_grants_are_kept_for_the_same_key_that_wants_nothing_more(
    bench: Bench, tmp_path: Path, same_key: bool, more: str, keeps: bool
) -> None:
    pair = KeyPair.generate()
    await put(bench, signed(ware(tmp_path, "1.0.0", MORE), pair))
    await bench.kernel.rights.grant("moon", "fs.read:~/Moon/**")
    wants = MORE + (MORE.replace("~/Moon/**", "~/Documents/**") if more else "")
    second = signed(ware(tmp_path, "2.0.0", wants), pair if same_key else KeyPair.generate())
    found = await bench.kernel.rooms.installed.look_at(str(second))
    assert found["keeps_grants"] is keeps
    assert bool(found["wants_more"]) is bool(more)
    done = await bench.kernel.rooms.installed.install(found["package"])
    assert done["kept_grants"] == int(keeps)
    verdict = bench.kernel.rights.explain("moon", "fs.read:~/Moon/table.csv")["verdict"]
    assert verdict == ("allow" if keeps else "ask")


async def test_a_shipped_skill_is_not_replaced(bench: Bench, tmp_path: Path) -> None:
    with pytest.raises(BadRequest, match="part of Steward"):
        await bench.kernel.rooms.installed.look_at(str(laid(tmp_path / "calc", GOOD)))
    with pytest.raises(BadRequest, match="nearly that of"):
        await bench.kernel.rooms.installed.look_at(str(laid(tmp_path / "fi1es", GOOD)))


@pytest.mark.parametrize("place", ["", "nowhere", "nowhere.zip", "http://example.org/x.zip", "a\0b", "~/Downloads"])
async def test_places_that_hold_no_package_are_refused_in_words(bench: Bench, place: str) -> None:
    with pytest.raises(BadRequest) as error:
        await bench.kernel.rooms.installed.look_at(place)
    assert error.value.hint
    assert not list((bench.folders.data / "quarantine").iterdir())


async def test_what_is_wrong_is_said_of_the_package_and_not_of_where_it_was_looked_at(
    bench: Bench, tmp_path: Path
) -> None:
    other = GOOD | {"steward.toml": GOOD["steward.toml"] + "\nnonsense = 1\n"}
    (tmp_path / "broken.tar.gz").write_bytes(b"no archive at all")
    (tmp_path / "plain").mkdir()
    places = str(laid(tmp_path / "moon", other)), str(tmp_path / "broken.tar.gz"), f"git:{tmp_path / 'plain'}"
    told = []
    for place in places:
        with pytest.raises(BadRequest) as refused:
            await bench.kernel.rooms.installed.look_at(place)
        told.append(str(refused.value))
        assert "quarantine" not in told[-1], told[-1]
        assert "\\u" not in told[-1], told[-1]
    assert "steward.toml" in told[0]
    assert "broken.tar.gz cannot be read" in told[1]
    assert "does not appear to be a git repository" in told[2]


async def test_what_was_learnt_before_counts_with_the_new_skill_too(bench: Bench, tmp_path: Path) -> None:
    """Own examples are laid out for the skills of their time; a new skill has them laid out anew."""
    first, then = "what is 17% of 230 pronto", "what is 9% of 410 pronto"
    assert [(await bench.ask(one))["resolution"] for one in (first, "yes")] == ["clarify", "executed"]
    learning = bench.kernel._house.learning
    own = learning.own(bench.kernel._house.ledger)
    own.learn(await learning.mind())
    assert own.known.overlay is not None
    await put(bench, ware(tmp_path, "1.0.0"))
    assert "moon, full." in (await bench.ask("what phase is the moon in", conversation="d"))["answer"]
    assert (await bench.ask(then, conversation="e"))["resolution"] == "executed"
    assert own.known.overlay is not None
