"""A run becomes a skill: the same calls, other values, no more rights; what cannot become one is refused by name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kernel.authoring.testing import practised
from kernel.errors import BadRequest, UnknownRun
from skills import Registry
from skills.authoring import Severity, lint
from skills.model import ToolId
from tests.kernel.authoring.test_testing import change
from tests.kernel.conftest import Bench

pytestmark = [pytest.mark.sandbox, pytest.mark.slow]

SAID = "find the 2 largest files in Downloads and save their names as a note called heavy"


async def made(bench: Bench, said: str, tmp_path: Path, name: str = "heavy-files") -> Path:
    view = await done(bench, said)
    draft = await bench.kernel.rooms.draft_skill(view["run"], name, str(tmp_path / "drafts"))
    return Path(draft["folder"])


async def done(bench: Bench, said: str) -> dict[str, Any]:
    view = await bench.ask(said)
    if view["resolution"] == "pending":  # what --yes does not answer
        view = await bench.answer(view["run"], "once")
    assert view["resolution"] in ("executed", "confirmed"), view
    return view


async def installed(bench: Bench, folder: Path) -> None:
    found = await bench.kernel.rooms.installed.look_at(str(folder))
    await bench.kernel.rooms.installed.install(found["package"])


async def test_a_run_of_two_calls_is_a_skill_that_can_be_used_with_other_values(bench: Bench, tmp_path: Path) -> None:
    folder = await made(bench, SAID, tmp_path)
    assert [one for one in lint(folder) if one.severity is Severity.ERROR] == []
    registry = Registry([folder.parent])
    assert registry.problems() == ()
    tool = registry.tool(ToolId("heavy-files.heavy_files"))
    assert {one.name for one in tool.parameters} == {"count", "order", "folder", "title"}
    said, *by_name = [example.text for example in tool.examples]
    assert said == SAID
    assert set(by_name) == {"run heavy-files", "run heavy files", "use heavy-files"}
    assert f"{SAID}. Use when" in (folder / "SKILL.md").read_text(encoding="utf-8")
    assert {SAID[slot.start : slot.end] for slot in tool.examples[0].slots} == {"2", "largest", "Downloads", "heavy"}
    (bench.home / "Pictures").mkdir()
    (bench.home / "Pictures" / "cat.jpg").write_bytes(b"x" * 99)
    (bench.home / "Pictures" / "dog.jpg").write_bytes(b"x" * 9)
    own = '"weigh {folder:Music} with {count:5} heavyweights for {title:songs}", '  # words of their own for it
    change(folder, "steward.toml", "en = [", f"en = [{own}")
    await installed(bench, folder)
    view = await bench.ask("weigh Pictures with 1 heavyweights for animals")
    tools = [task["tool"] for task in view["plan"]["tasks"]]
    assert tools == ["heavy-files.heavy_files"], tools
    assert view["resolution"] == "confirmed", view["error"]
    assert bench.tree()["Notes/animals.md"].strip() == b"cat.jpg"
    undone = await bench.kernel.undo(view["run"])
    assert undone
    assert "Notes/animals.md" not in bench.tree()
    for called in ("run heavy-files", "run heavy files", "use heavy-files"):
        asked = await bench.ask(called, conversation=called)
        assert "what the note is called" in asked["answer"], asked["answer"]


async def test_its_rights_are_those_of_the_run_and_no_more(bench: Bench, tmp_path: Path) -> None:
    folder = await made(bench, SAID, tmp_path)
    tool = Registry([folder.parent]).tool(ToolId("heavy-files.heavy_files"))
    steps = [bench.kernel._house.registry.tool(ToolId(one)) for one in ("files.largest", "notes.create")]
    had = {right.action for one in steps for right in one.rights} | {"skill.call"}
    assert {right.action for right in tool.rights} == had
    assert {right.scope for right in tool.rights if right.action == "skill.call"} == {"files.largest", "notes.create"}
    assert all(right.scope.startswith(("{folder", "~/Notes")) for right in tool.rights if right.action != "skill.call")


async def test_its_test_is_the_run_itself(bench: Bench, tmp_path: Path) -> None:
    folder = await made(bench, SAID, tmp_path)
    report = await practised(folder)
    assert report["passed"], report["output"]
    assert {one["right"]: one["used"] for one in report["rights"]}["skill.call:files.largest"]
    assert str(bench.home) not in (folder / "tests" / "run.json").read_text(encoding="utf-8")
    source = (folder / "skill.py").read_text(encoding="utf-8")
    (folder / "skill.py").write_text(source.replace("count=count", "count=7"), encoding="utf-8")
    assert not (await practised(folder))["passed"]  # the test can fail


async def test_a_german_run_has_a_german_example_alone(bench: Bench, tmp_path: Path) -> None:
    said = "wie viel ist 17 Prozent von 230?"
    folder = await made(bench, said, tmp_path, "anteil")
    tool = Registry([folder.parent]).tools()[0]
    assert {one.language for one in tool.examples} == {"de"}
    assert (await practised(folder))["passed"]


async def test_what_cannot_become_a_skill_is_refused_by_name(bench: Bench, tmp_path: Path) -> None:
    view = await bench.ask(SAID)
    await bench.kernel.undo(view["run"])
    with pytest.raises(BadRequest, match="taken back") as refused:
        await bench.kernel.rooms.draft_skill(view["run"], "heavy", str(tmp_path))
    assert refused.value.hint
    asked = await bench.ask("make a note called x saying y", yes=False)
    await bench.answer(asked["run"], "no")
    with pytest.raises(BadRequest, match="did not come to its end"):
        await bench.kernel.rooms.draft_skill(asked["run"], "heavy", str(tmp_path))
    with pytest.raises(UnknownRun):
        await bench.kernel.rooms.draft_skill("r-nothing", "heavy", str(tmp_path))
    again = await bench.ask(SAID)
    for name in ("Heavy", "a b", "../x", "x" * 99):
        with pytest.raises(BadRequest, match="cannot be the name"):
            await bench.kernel.rooms.draft_skill(again["run"], name, str(tmp_path))
    for name, why in (("notes", "part of Steward"), ("n0tes", "nearly that of the skill notes")):
        with pytest.raises(BadRequest, match=why):
            await bench.kernel.rooms.draft_skill(again["run"], name, str(tmp_path))
    assert not [one for name in ("heavy", "n?tes") for one in tmp_path.glob(f"{name}*")]


async def test_what_another_skill_keeps_for_itself_becomes_none(bench: Bench, tmp_path: Path) -> None:
    view = await bench.ask("remind me in 20 minutes to call Anna")
    assert view["resolution"] in ("executed", "confirmed"), view
    with pytest.raises(BadRequest, match="keeps for itself"):
        await bench.kernel.rooms.draft_skill(view["run"], "ringing", str(tmp_path))


async def test_a_private_run_becomes_none(bench: Bench, tmp_path: Path) -> None:
    from kernel import Ask

    run = await bench.kernel.ask(Ask("what is 3 + 4?", cwd=str(bench.home), private=True))
    await bench.kernel.settled(run)
    with pytest.raises(BadRequest, match="words were not kept"):
        await bench.kernel.rooms.draft_skill(run, "sum", str(tmp_path))


async def test_the_name_is_made_of_the_words_where_none_is_said(bench: Bench, tmp_path: Path) -> None:
    folder = await made(bench, SAID, tmp_path, "")
    assert folder.name == "find-files-save"
    recorded = json.loads((folder / "tests" / "run.json").read_text(encoding="utf-8"))
    assert [one["tool"] for one in recorded["steps"]] == ["files.largest", "notes.create"]
