"""Updates come from where a skill came from, by the same hand; instructions install, are listed, and get no rights."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from minisign import KeyPair

from kernel.errors import BadRequest
from kernel.installing import installed
from kernel.installing.searching import document_of_skill
from kernel.ranking import Document
from skills.model import Skill
from tests.kernel.conftest import Bench
from tests.kernel.installing.test_installed import MANIFEST, bench, put, two_commits, ware
from tests.proofs.packages.ground import git
from tests.skills.packages.wares import GOOD, laid, signed, zipped

__all__ = ["bench"]

INSTRUCTIONS = {
    "SKILL.md": "---\nname: tides\ndescription: Predicts spring tides from the moon. Use for tides.\n---\n# Tides\n"
}


async def look(bench: Bench, skill: str = "moon") -> dict[str, object]:
    (entry,) = [one for one in bench.kernel.rooms.installed.in_use() if one["skill"] == skill]
    return await bench.kernel.rooms.installed.look_at(entry["asked"], update_of=skill)


@pytest.mark.skipif(not shutil.which("git"), reason="there is no git here: apt install git")
async def test_a_branch_is_followed_and_its_commit_is_kept(bench: Bench, tmp_path: Path) -> None:
    repository = two_commits(tmp_path)
    first = git(repository, "rev-parse", "HEAD")
    found = await bench.kernel.rooms.installed.look_at(f"git:{repository}")
    assert found["commit"] == first
    await bench.kernel.rooms.installed.install(found["package"])
    assert bench.kernel.rooms.installed.in_use()[0]["commit"] == first
    assert (await look(bench))["replaces"]["same"]  # type: ignore[index]
    (repository / "steward.toml").write_text(MANIFEST.replace("VERSION", "2.1.0"))
    git(repository, "commit", "-qam", "Three")
    newer = await look(bench)
    assert (newer["version"], newer["commit"]) == ("2.1.0", git(repository, "rev-parse", "HEAD"))
    pinned = await bench.kernel.rooms.installed.look_at(f"git:{repository}@{first}")
    assert (pinned["version"], pinned["commit"]) == ("2.0.0", first)


async def test_an_index_is_asked_again(bench: Bench, tmp_path: Path) -> None:
    for version in ("1.0.0", "1.1.0"):
        ware(tmp_path, version)
    index = tmp_path / "index.json"
    index.write_text('{"skills": {"moon": "1.0.0/moon"}}')
    await put(bench, Path(f"index:{index}#moon"))
    index.write_text('{"skills": {"moon": "1.1.0/moon"}}')
    assert (await look(bench))["version"] == "1.1.0"


async def test_an_update_is_by_the_same_hand_newer_and_the_same_skill(bench: Bench, tmp_path: Path) -> None:
    pair, place = KeyPair.generate(), tmp_path / "moon.zip"

    def serve(version: str, key: KeyPair | None, name: str = "moon") -> None:
        shutil.rmtree(tmp_path / version, ignore_errors=True)
        folder = ware(tmp_path, version)
        (folder / "steward.toml").write_text(
            (folder / "steward.toml").read_text().replace('"Moon"', f'"{name.title()}"')
        )
        if key:
            signed(folder, key)
        zipped(place, {f"{name}/{one.name}": one.read_bytes() for one in folder.iterdir()})

    serve("2.0.0", pair)
    await put(bench, place)
    for version, key, name, code in (
        ("3.0.0", None, "moon", "package.signer"), ("3.0.0", KeyPair.generate(), "moon", "package.signer"),
        ("1.0.0", pair, "moon", "package.older"), ("3.0.0", pair, "sunshine", "package.other"),
    ):  # fmt: skip
        serve(version, key, name)
        with pytest.raises(BadRequest) as error:
            await look(bench)
        assert error.value.code == code
        assert "If you mean it" in error.value.hint
        assert (await bench.kernel.rooms.installed.look_at(str(place)))["skill"] == name  # a person may mean it
    serve("3.0.0", pair)
    assert (await look(bench))["keeps_grants"]


async def test_instructions_are_installed_found_and_never_pretended(bench: Bench, tmp_path: Path) -> None:
    laid(bench.home / ".agents/skills/tides", INSTRUCTIONS)
    (listed,) = await bench.kernel.rooms.installed.found()
    assert (listed["name"], listed["kind"], listed["installed"]) == ("tides", "instructions", False)
    assert "tides" not in {one["id"] for one in bench.kernel.skills()}  # lying there is not being there
    found = await bench.kernel.rooms.installed.look_at("agents:tides")
    assert (found["kind"], found["tools"], found["hosts"], found["version"]) == ("instructions", [], [], "")
    await bench.kernel.rooms.installed.install(found["package"])
    assert {one["id"]: one["kind"] for one in bench.kernel.skills()}["tides"] == "instructions"
    assert (await bench.kernel.rooms.installed.search("spring tides"))[0]["id"] == "tides"
    view = await bench.ask("predict the spring tides")
    assert view["resolution"] == "declined"
    assert "instructions for a language model" in view["answer"]
    assert "tides" not in (await bench.ask("play some music"))["answer"]
    with pytest.raises(BadRequest):
        await bench.kernel.grant("tides", "fs.read:~/Music/**")
    laid(bench.home / ".agents/skills/tides", {"SKILL.md": INSTRUCTIONS["SKILL.md"] + "More.\n"})
    newer = await look(bench, "tides")
    assert (newer["older"], newer["wants_more"], newer["replaces"]["same"]) == (False, [], False)  # type: ignore[index]


async def test_instructions_that_become_tools_want_more(bench: Bench, tmp_path: Path) -> None:
    place = laid(tmp_path / "moon", {"SKILL.md": GOOD["SKILL.md"]})
    await put(bench, place)
    laid(place, {**GOOD, "steward.toml": MANIFEST.replace("VERSION", "1.0.0")})
    assert [(one["tool"], one["what"]) for one in (await look(bench))["wants_more"]] == [("moon.phase", "tool")]  # type: ignore[attr-defined]


@pytest.mark.parametrize("words", ["", "  ", "x" * 501])
async def test_words_that_are_none_are_refused(bench: Bench, words: str) -> None:
    with pytest.raises(BadRequest, match="few words"):
        await bench.kernel.rooms.installed.search(words)


async def test_a_folder_that_is_no_path_is_refused(bench: Bench) -> None:
    for work in (bench.kernel.rooms.installed.found("a\0b"), bench.kernel.rooms.installed.look_at("moon", "a\0b")):
        with pytest.raises(BadRequest, match="no path"):
            await work


async def test_of_what_was_made_here_no_update_is_looked_for(bench: Bench, tmp_path: Path) -> None:
    place = ware(tmp_path, "1.0.0")
    found = await bench.kernel.rooms.installed.look_at(str(place), origin=bench.kernel.rooms.installed.made_here)
    await bench.kernel.rooms.installed.install(found["package"])
    (entry,) = bench.kernel.rooms.installed.in_use()
    assert (entry["asked"], entry["source"]) == ("", "made here")
    with pytest.raises(BadRequest):
        await look(bench)


async def test_a_search_reads_the_skills_once(bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = []

    def counted(skill: Skill) -> Document:
        read.append(skill.id)
        return document_of_skill(skill)

    monkeypatch.setattr(installed, "document_of_skill", counted)
    for _ in range(2):
        assert (await bench.kernel.rooms.installed.search("largest files"))[0]["id"] == "files"
    assert len(read) == len(set(read))
    read.clear()
    await put(bench, ware(tmp_path, "1.0.0"))
    assert (await bench.kernel.rooms.installed.search("how the moon looks"))[0]["id"] == "moon"
    assert "moon" in read
