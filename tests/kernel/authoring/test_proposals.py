"""What was explained after a request failed is proposed, adopted where nothing gets worse, and can be taken back."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from minisign import KeyPair

from kernel.authoring.proposals import Proposal, with_example
from kernel.errors import BadRequest, UnknownRun
from skills import Registry
from skills.model import ToolId
from tests.kernel.authoring.test_developing import FILES
from tests.kernel.conftest import Bench
from tests.skills.packages.wares import key_of, laid, signed

pytestmark = [pytest.mark.sandbox, pytest.mark.slow]

PHRASE, MEANING = "lunar glow report", "how is the moon"
TESTS = """from pathlib import Path

from skills.sdk.testing import PracticeHome, load

HERE = Path(__file__).parent.parent


def test_it_says_something(tmp_path):
    assert PracticeHome(tmp_path).step(load(HERE).phase, pure=True).answer == "moon one"
"""
NO_MORE = """

def test_nobody_changes_the_manifest():
    assert "glow" not in (HERE / "steward.toml").read_text()
"""


async def installed(bench: Bench, root: Path, tests: str = TESTS, key: KeyPair | None = None) -> None:
    folder = laid(root / "ware" / "moon", {**FILES, "tests/test_moon.py": tests})
    if key:
        signed(folder, key)
    found = await bench.kernel.rooms.installed.look_at(str(folder))
    await bench.kernel.rooms.installed.install(found["package"])


async def explained(bench: Bench) -> None:
    view = await bench.ask(PHRASE)
    assert view["resolution"] in ("declined", "clarify"), view
    view = await bench.ask(f"that means: {MEANING}")
    assert view["resolution"] in ("executed", "confirmed"), view


async def test_an_explained_request_is_proposed_adopted_and_taken_back(bench: Bench, tmp_path: Path) -> None:
    await installed(bench, tmp_path)
    assert await bench.kernel.rooms.proposals.listed() == []
    await explained(bench)
    (one,) = await bench.kernel.rooms.proposals.listed()
    assert (one["skill"], one["tool"], one["text"]) == ("moon", "moon.phase", PHRASE)
    done = await bench.kernel.rooms.proposals.adopt(one["proposal"])
    assert (done["adopted"], done.get("version")) == (True, "1.0.1"), done
    tool = bench.kernel._house.registry.tool(ToolId("moon.phase"))
    assert PHRASE in [example.text for example in tool.examples]
    assert await bench.kernel.rooms.proposals.listed() == []
    await bench.kernel.rooms.installed.go_back("moon")
    tool = bench.kernel._house.registry.tool(ToolId("moon.phase"))
    assert PHRASE not in [example.text for example in tool.examples]


async def test_what_is_adopted_is_updated_from_its_place_and_by_its_key(bench: Bench, tmp_path: Path) -> None:
    pair, place = KeyPair.generate(), tmp_path / "ware" / "moon"
    await installed(bench, tmp_path, key=pair)
    await explained(bench)
    (one,) = await bench.kernel.rooms.proposals.listed()
    assert (await bench.kernel.rooms.proposals.adopt(one["proposal"]))["adopted"]
    (entry,) = bench.kernel.rooms.installed.in_use()
    assert (entry["asked"], entry["source"], entry["signer"]) == (str(place), str(place), "")
    later = FILES["steward.toml"].replace("1.0.0", "1.2.0")
    for key, taken in ((None, False), (KeyPair.generate(), False), (pair, True)):
        shutil.rmtree(place)
        laid(place, {**FILES, "steward.toml": later, "tests/test_moon.py": TESTS})
        if key:
            signed(place, key)
        if not taken:
            with pytest.raises(BadRequest) as error:
                await bench.kernel.rooms.installed.look_at(entry["asked"], update_of="moon")
            assert error.value.code == "package.signer"
            continue
        found = await bench.kernel.rooms.installed.look_at(entry["asked"], update_of="moon")
        assert (await bench.kernel.rooms.installed.install(found["package"]))["signer"] == key_of(pair)


async def test_it_is_not_adopted_where_the_skills_own_tests_fail(bench: Bench, tmp_path: Path) -> None:
    await installed(bench, tmp_path, TESTS + NO_MORE)
    await explained(bench)
    (one,) = await bench.kernel.rooms.proposals.listed()
    done = await bench.kernel.rooms.proposals.adopt(one["proposal"])
    assert not done["adopted"]
    assert "test_nobody_changes_the_manifest" in done["why"]
    assert bench.kernel._house.registry.skill(tool_skill(bench)).version == "1.0.0"


def tool_skill(bench: Bench) -> object:
    return bench.kernel._house.registry.tool(ToolId("moon.phase")).skill


async def test_it_is_not_adopted_where_a_past_request_would_be_read_otherwise(bench: Bench, tmp_path: Path) -> None:
    await installed(bench, tmp_path)
    view = await bench.ask("phase of the moon", yes=True)
    assert (view["resolution"], view["plan"]["tasks"][0]["tool"]) == ("confirmed", "moon.phase"), view
    await explained(bench)
    proposals = bench.kernel.rooms.proposals
    await proposals.listed()
    other = {name: text.replace("moon", "lamp").replace("Moon", "Lamp") for name, text in FILES.items()}
    worse = laid(tmp_path / "worse" / "moon", other)
    taken = (worse / "steward.toml").read_text()
    (worse / "steward.toml").write_text(taken.replace("examples.en = [", f'examples.en = ["{PHRASE}", '))
    one = Proposal("x-1", "moon", "moon.phase", "en", PHRASE, PHRASE, "r-1")
    assert "would be understood otherwise" in proposals._misread(one, worse)
    modest = laid(tmp_path / "modest" / "moon", FILES)
    text = (modest / "steward.toml").read_text()
    (modest / "steward.toml").write_text(text.replace('"how is the moon"', f'"how is the moon", "{PHRASE}"'))
    assert proposals._misread(one, modest) == ""  # the control


async def test_one_that_is_dropped_does_not_come_back(bench: Bench, tmp_path: Path) -> None:
    await installed(bench, tmp_path)
    await explained(bench)
    (one,) = await bench.kernel.rooms.proposals.listed()
    await bench.kernel.rooms.proposals.drop(one["proposal"])
    assert await bench.kernel.rooms.proposals.listed() == []
    with pytest.raises(UnknownRun):
        await bench.kernel.rooms.proposals.adopt(one["proposal"])


async def test_skills_of_steward_and_phrases_that_never_failed_are_not_proposed(bench: Bench, tmp_path: Path) -> None:
    await installed(bench, tmp_path)
    await bench.ask(f'when I say "moon check", do: {MEANING}')
    await bench.ask("paperwork show")
    await bench.ask("that means: list my notes")
    assert await bench.kernel.rooms.proposals.listed() == []


def test_an_example_is_added_to_a_copy_and_the_signature_goes(tmp_path: Path) -> None:
    folder = laid(tmp_path / "moon", {**FILES, "SHA256SUMS": "x", "SHA256SUMS.minisig": "y"})
    one = Proposal("x-1", "moon", "moon.phase", "de", "Mond bitte", "Mond bitte", "r-1")
    assert with_example(folder, one) == "1.0.1"
    assert not (folder / "SHA256SUMS").exists()
    tool = Registry([tmp_path]).tool(ToolId("moon.phase"))
    assert [example.text for example in tool.examples if example.language == "de"] == ["Mond bitte"]
