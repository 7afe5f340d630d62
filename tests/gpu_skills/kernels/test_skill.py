"""The skill: what it declares, what it says without torch, and that its inner tools do nothing else."""

from __future__ import annotations

import json
import shutil
from contextlib import suppress
from datetime import timedelta
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import pytest

from gpu_skills.building import Machine
from gpu_skills.knowledge import Knowledge, Row, features_of
from gpu_skills.workshop import trials
from skills.loading import load_skill
from skills.sdk import Context, File, Folder, Quantity, ToolError
from skills.sdk.testing import PracticeHome, load
from tests.gpu_skills import programs as of

FOLDER = Path(__file__).parents[3] / "gpu_skills" / "kernels"
needs_compiler = pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++: apt install g++")


@pytest.fixture(scope="module")
def skill() -> ModuleType:
    return load(FOLDER)


@pytest.fixture
def home(tmp_path: Path) -> PracticeHome:
    return PracticeHome(tmp_path)


def test_it_is_shipped_and_its_inner_tools_are_no_sentences() -> None:
    found = load_skill(FOLDER)
    assert found.shipped
    tools = {one.id: one for one in found.tools}
    assert not tools["kernels.build"].examples
    assert not tools["kernels.trial"].examples
    called = {right.scope for right in tools["kernels.optimize"].rights if right.action == "skill.call"}
    assert called == {"kernels.build", "kernels.trial"}


@pytest.mark.skipif(find_spec("torch") is not None, reason="says what is missing, and here nothing is")
@pytest.mark.parametrize("name", ["optimize", "bench", "replay", "apply"])
def test_without_torch_it_says_what_to_install(skill: ModuleType, home: PracticeHome, name: str) -> None:
    file, kernel = home.add("model.py", "def f(x):\n    return x\n"), home.folder("Kernels/f")
    given = {"optimize": {"file": file}, "bench": {"file": file}, "replay": {"kernel": kernel},
             "apply": {"kernel": kernel, "file": file}}[name]  # fmt: skip
    with pytest.raises(ToolError) as raised:
        home.do(getattr(skill, name), **given)
    assert raised.value.code == "kernels.torch"
    assert raised.value.words("en")[1] == "Install it: ./steward setup kernels"
    assert "PyTorch" in raised.value.words("de")[0]


def test_the_doctor_says_what_is_there(skill: ModuleType, home: PracticeHome) -> None:
    done = home.do(skill.doctor, pure=True)
    assert done.value["torch"] == (find_spec("torch") is not None)
    assert done.value["compiler"] == (shutil.which("g++") is not None)
    if not done.value["torch"]:
        assert "./steward setup kernels" in done.answer


@pytest.mark.parametrize(
    ("budget", "seconds"), [("60 seconds", 60.0), ("2 Minuten", 120.0), ("90 s", 90.0), ("0.2 h", 720.0)]
)
def test_a_budget_is_seconds(budget: str, seconds: float, skill: ModuleType) -> None:
    from decimal import Decimal

    telling = __import__("_skill_kernels.telling", fromlist=["seconds_of"])
    number, unit = budget.split()
    assert telling.seconds_of(Quantity(Decimal(number), unit)) == pytest.approx(seconds)
    assert telling.seconds_of(None) == 60.0
    with pytest.raises(ToolError):
        telling.seconds_of(Quantity(Decimal(3), "hours"))
    with pytest.raises(ToolError):
        telling.seconds_of(Quantity(Decimal(30), "miles"))


def test_a_folder_without_a_kernel_is_said(skill: ModuleType, home: PracticeHome) -> None:
    home.add("Kernels/empty/readme.txt", "nothing")
    with pytest.raises(ToolError) as raised:
        home.do(skill.show, pure=True, kernel=home.folder("Kernels/empty"))
    assert raised.value.code == "output.no_certificate"


@pytest.mark.slow
@needs_compiler
def test_a_trial_builds_and_judges_in_its_room(skill: ModuleType, home: PracticeHome) -> None:
    from gpu_skills.building import this_machine
    from gpu_skills.cpp import generate, space_of

    problem = of.rmsnorm(16, 64)
    room = home.path / "room"
    trials.prepare(room, problem)
    machine = this_machine()
    genome = space_of(problem.program, machine).default
    (room / "one.cpp").write_text(generate(problem.program, genome, machine))
    folder = Folder(str(room))
    built = json.loads(home.work(skill.build, room=folder, request='{"do": "build", "id": "one"}').value)
    request = {
        "do": "judge",
        "seed": 1,
        "threads": 1,
        "built": {"id": "one", "sha256": built["sha256"], "structure": ""},
    }
    answer = json.loads(home.work(skill.trial, room=folder, request=json.dumps(request)).value)
    assert answer["verdict"]["passed"], answer


@pytest.mark.parametrize(("tool", "asked"), [("build", "judge"), ("trial", "build"), ("trial", "erase")])
def test_an_inner_tool_does_nothing_else(skill: ModuleType, home: PracticeHome, tool: str, asked: str) -> None:
    with pytest.raises(ToolError):
        home.work(getattr(skill, tool), room=home.folder(), request=json.dumps({"do": asked}))


def test_names_of_folders_are_plain(skill: ModuleType) -> None:
    assert skill._plain("../a b'c") == "a-b-c"
    assert skill._plain("///") == "kernel"
    assert File("/x/model.py").stem == "model"


# --- what it keeps of its searches -----------------------------------------------------------------------------


def learning(home: PracticeHome, name: str, rows: list[Row]) -> list[Row]:
    """Have a tool learn rows, as a search does; return what it knew before."""
    keeping = import_module("_skill_kernels.keeping")
    before: list[Row] = []

    def search(ctx: Context) -> None:
        with keeping.knowledge(ctx) as known:
            before.extend(known.rows())
            known.learn(rows)
        ctx.say(name)

    home.do(search)
    return before


def row_of(lanes: int, size: int = 64) -> Row:
    machine = Machine("a processor", 2, frozenset(), 1 << 20, 1 << 25)
    return Row(features_of(of.softmax(8, size).program, "softmax", "c++", machine), {"lanes": lanes}, 10.0, 11.0, 5)


def test_each_search_leaves_a_file_that_the_next_one_knows(skill: ModuleType, home: PracticeHome) -> None:
    home.own.mkdir()
    assert learning(home, "first", [row_of(4)]) == []
    home.now += timedelta(minutes=1)
    assert learning(home, "second", [row_of(8)]) == [row_of(4)]
    assert len(list(home.own.glob("known-*.jsonl"))) == 2
    home.now += timedelta(minutes=1)
    assert len(learning(home, "third", [])) == 2
    assert len(list(home.own.glob("known-*.jsonl"))) == 2  # who learned nothing leaves nothing


def test_a_file_that_cannot_be_read_is_named_and_left_as_it_is(skill: ModuleType, home: PracticeHome) -> None:
    home.own.mkdir()
    (home.own / "known-1.jsonl").write_text("no row\n")
    keeping = import_module("_skill_kernels.keeping")

    def search(ctx: Context) -> None:
        with keeping.knowledge(ctx) as known:
            assert known.rows() == []

    assert "known-1.jsonl" in home.do(search).answer
    assert (home.own / "known-1.jsonl").read_text() == "no row\n"


def test_a_file_of_any_kind_ends_no_search(skill: ModuleType, home: PracticeHome) -> None:
    home.own.mkdir()
    (home.own / "known-1.jsonl").write_text("[" * 100_000)
    (home.own / "known-2.jsonl").write_text('{"samples": Infinity}\n')
    learning(home, "", [row_of(4)])
    home.now += timedelta(minutes=1)
    assert learning(home, "", []) == [row_of(4)]


def test_what_was_learned_is_written_where_the_rest_fails(skill: ModuleType, home: PracticeHome) -> None:
    home.own.mkdir()
    keeping = import_module("_skill_kernels.keeping")

    def search(ctx: Context) -> None:
        with suppress(RuntimeError), keeping.knowledge(ctx) as known:
            known.learn([row_of(4)])
            raise RuntimeError

    home.do(search)
    home.now += timedelta(minutes=1)
    assert learning(home, "", []) == [row_of(4)]


def test_only_the_newest_searches_are_read(
    skill: ModuleType, home: PracticeHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.own.mkdir()
    for lanes in (4, 8, 16):
        learning(home, "", [row_of(lanes)])
        home.now += timedelta(minutes=1)
    monkeypatch.setattr(import_module("_skill_kernels.keeping"), "MOST_FILES", 2)
    assert [one.genome["lanes"] for one in learning(home, "", [])] == [16, 8]


def test_what_was_learned_is_exported(skill: ModuleType, home: PracticeHome, tmp_path: Path) -> None:
    with pytest.raises(ToolError) as raised:
        home.do(skill.export)
    assert raised.value.code == "kernels.nothing_known"
    home.own.mkdir()
    learning(home, "", [row_of(4), row_of(8)])
    done = home.do(skill.export)
    assert "2 kernels of 1 searches" in done.answer
    with Knowledge(tmp_path / "other.db") as other:
        assert other.take_in(home.path / "Kernels" / "knowledge.jsonl") == 2
