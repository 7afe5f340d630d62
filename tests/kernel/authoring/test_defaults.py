"""What was answered alike each time that a skill asked is proposed as its default, and then asked no more."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from kernel import Ask
from kernel.authoring.answers import answered_alike
from kernel.authoring.proposals import Proposal, with_default
from kernel.model import Constant, Plan, Question, Task, TaskId
from kernel.planning.plan_json import plan_to_json, question_to_json
from kernel.remembering.bulk import kept
from permissions.labels import CLIENT_SAID, USER_SAID, Label
from skills import BadSkill, Registry
from skills.loading import load_skill
from skills.model import ToolId
from tests.kernel.conftest import Bench
from tests.skills.packages.wares import laid

pytestmark = [pytest.mark.sandbox, pytest.mark.slow]

FILES = {
    "SKILL.md": "---\nname: glowing\ndescription: Lamps. Use when someone wants a lamp to glow.\n---\n",
    "steward.toml": """version = "1.0.0"
title = "Glowing"

[tools.glow]
effect = "pure"
examples.en = ["let a lamp glow {times:3} times", "make the lamp glow", "lamp glowing {times:4} times"]
examples.de = ["lass die Lampe {times:3} Mal leuchten", "lass die Lampe leuchten", "Lampe leuchten lassen"]
""",
    "skill.py": '''"""Lamps."""

from skills.sdk import Context


def glow(ctx: Context, times: int) -> str:
    """Let a lamp glow.

    Args:
        times: how often.
    """
    ctx.say(f"glowing {times}")
    return "on"
''',
    "tests/test_glowing.py": """from pathlib import Path

from skills.sdk.testing import PracticeHome, load

HERE = Path(__file__).parent.parent


def test_it_glows(tmp_path):
    assert PracticeHome(tmp_path).step(load(HERE).glow, pure=True, times=2).answer == "glowing 2"
""",
}


async def installed(bench: Bench, root: Path, files: dict[str, str] = FILES) -> None:
    found = await bench.kernel.rooms.installed.look_at(str(laid(root / "ware" / "glowing", files)))
    await bench.kernel.rooms.installed.install(found["package"])


async def answered(
    bench: Bench, answer: str, said: str = "make the lamp glow", conversation: str = "c"
) -> dict[str, Any]:
    view = await bench.ask(said, conversation=conversation)
    assert view["resolution"] == "clarify", view
    view = await bench.ask(answer, conversation=conversation)
    assert view["resolution"] in ("executed", "confirmed"), view
    return view


async def test_the_same_answer_three_times_is_a_default_and_can_be_taken_back(bench: Bench, tmp_path: Path) -> None:
    await installed(bench, tmp_path)
    proposals = bench.kernel.rooms.proposals
    for _ in range(2):
        await answered(bench, "5")
    assert await proposals.listed() == []
    await answered(bench, "5")
    (one,) = await proposals.listed()
    assert (one["skill"], one["parameter"], one["value"], len(one["evidence"])) == ("glowing", "times", 5, 3)
    assert "default" in one["what"]
    done = await proposals.adopt(one["proposal"])
    assert (done["adopted"], done.get("version")) == (True, "1.0.1"), done
    view = await bench.ask("make the lamp glow")
    assert view["answer"] == "glowing 5", view
    view = await bench.ask("let the lamp glow 2 times")
    assert view["answer"] == "glowing 2", view
    view = await bench.ask("make the lamp glow for 2 hours")  # a value that nothing takes is none to be passed over
    assert view["resolution"] == "clarify", view
    view = await bench.ask("lass die Lampe leuchten")
    assert view["answer"] == "glowing 5", view
    assert await proposals.listed() == []
    await bench.kernel.rooms.installed.go_back("glowing")
    assert (await bench.ask("make the lamp glow"))["resolution"] == "clarify"


async def test_who_answered_otherwise_since_is_asked_as_before(bench: Bench, tmp_path: Path) -> None:
    await installed(bench, tmp_path)
    for answer in ("5", "5", "5", "7"):
        await answered(bench, answer)
    assert await bench.kernel.rooms.proposals.listed() == []
    for _ in range(2):
        await answered(bench, "7")
    assert [one["value"] for one in await bench.kernel.rooms.proposals.listed()] == [7]


async def test_private_requests_teach_none(bench: Bench, tmp_path: Path) -> None:
    await installed(bench, tmp_path)
    for _ in range(3):
        for said in ("make the lamp glow", "5"):
            run = await bench.kernel.ask(Ask(said, conversation="p", cwd=str(bench.home), private=True))
            await bench.kernel.settled(run)
    assert await bench.kernel.rooms.proposals.listed() == []


async def test_it_is_not_adopted_where_the_skills_own_tests_fail(bench: Bench, tmp_path: Path) -> None:
    no = '\n\ndef test_nobody_changes_it():\n    assert "defaults" not in (HERE / "steward.toml").read_text()\n'
    await installed(bench, tmp_path, {**FILES, "tests/test_glowing.py": FILES["tests/test_glowing.py"] + no})
    for _ in range(3):
        await answered(bench, "5")
    (one,) = await bench.kernel.rooms.proposals.listed()
    done = await bench.kernel.rooms.proposals.adopt(one["proposal"])
    assert not done["adopted"]
    assert "test_nobody_changes_it" in done["why"]
    await bench.kernel.rooms.proposals.drop(one["proposal"])
    assert await bench.kernel.rooms.proposals.listed() == []


def test_a_default_is_put_into_the_manifest(tmp_path: Path) -> None:
    folder = laid(tmp_path / "glowing", FILES)
    one = Proposal("x-1", "glowing", "glowing.glow", "en", "5", "glow", "r-1", "times", 5, ("r-1",))
    assert with_default(folder, one) == "1.0.1"
    assert Registry([tmp_path]).tool(ToolId("glowing.glow")).parameter("times").usual == 5


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ("defaults = { times = 5 }\nroles = { times = 'sink' }", "is a sink"),
        ("defaults = { times = 'many' }", "is no value"),
        ("defaults = { minutes = 5 }", "minutes"),
    ],
)
def test_a_default_that_cannot_be_is_refused(tmp_path: Path, lines: str, why: str) -> None:
    manifest = FILES["steward.toml"].replace("[tools.glow]\n", f"[tools.glow]\n{lines}\n")
    with pytest.raises(BadSkill, match=why):
        load_skill(laid(tmp_path / "glowing", {**FILES, "steward.toml": manifest}))


async def test_what_decides_something_has_no_default(bench: Bench, tmp_path: Path) -> None:
    sink = FILES["steward.toml"].replace("[tools.glow]\n", '[tools.glow]\nroles = { times = "sink" }\n')
    await installed(bench, tmp_path, {**FILES, "steward.toml": sink})
    for _ in range(3):
        await answered(bench, "5")
    assert await bench.kernel.rooms.proposals.listed() == []


@dataclass(frozen=True)
class Told:
    kind: str
    run: str
    body: dict[str, Any]


def told(label: Label, *, undone: bool = False, **of: Any) -> list[Any]:
    """Return the events of three requests ``of`` somebody, each asked about and answered with a value of ``label``."""
    draft = Plan((Task(TaskId("t1"), ToolId("glowing.glow"), {}),), "en")
    asked = question_to_json(Question("How often?", TaskId("t1"), "times", draft))
    whole = Plan((Task(TaskId("t1"), ToolId("glowing.glow"), {"times": Constant(5, label, "5")}),), "en")
    found: list[Any] = []
    for number in range(3):
        first, second = f"r-{number}a", f"r-{number}b"
        found += [Told("run.created", first, {"text": "glow", **of}), Told("run.asked", first, kept("draft", asked)),
                  Told("run.finished", first, {"resolution": "clarify"}),
                  Told("run.created", second, {"text": "5", **of}),
                  Told("run.planned", second, {**kept("frozen", plan_to_json(whole)), "answers": first}),
                  Told("run.finished", second, {"resolution": "executed"})]  # fmt: skip
    return [*found, Told("run.undone", "r-1b", {})] if undone else found


def test_only_a_person_s_own_answers_count_and_none_that_was_taken_back() -> None:
    (one,) = answered_alike(told(USER_SAID), "/home/u")
    assert (one.tool, one.parameter, one.value, one.runs) == ("glowing.glow", "times", 5, ("r-0a", "r-1a", "r-2a"))
    assert answered_alike(told(Label()), "/home/u") == []
    assert answered_alike(told(CLIENT_SAID), "/home/u") == []
    assert answered_alike(told(USER_SAID, undone=True), "/home/u") == []
    assert answered_alike(told(USER_SAID, client="editor"), "/home/u") == []
    assert answered_alike(told(USER_SAID, private=True), "/home/u") == []


@pytest.mark.parametrize(("kind", "run"), [("example.forgotten", "r-1b"), ("ledger.forgotten", "")])
def test_what_was_forgotten_teaches_no_default(kind: str, run: str) -> None:
    assert answered_alike([*told(USER_SAID), Told(kind, run, {})], "/home/u") == []
