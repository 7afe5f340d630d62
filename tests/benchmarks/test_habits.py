"""The rows of habits: sequences are read as they are published, the chain is the chain, and what lacks says so."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

import pytest

from memory.sequences.following import Act, Following
from tests.benchmarks import rows
from tests.benchmarks.habits import sequences
from tests.benchmarks.habits.__main__ import PACKAGE, ROWS
from tests.benchmarks.habits.page import HABITS


def _bfcl(folder: Path) -> Path:
    (folder / "functions").mkdir(parents=True)
    (folder / "functions" / "gorilla_file_system.json").write_text('{"name": "cd"}\n{"name": "sort"}\n')
    (folder / "functions" / "math_api.json").write_text('{"name": "mean"}\n')
    asked = [[{"role": "user", "content": text}] for text in ("Go to the folder a", "Sort b.txt, then go back")]
    task = {"id": "x", "question": asked, "involved_classes": ["GorillaFileSystem"]}
    (folder / "base.json").write_text(json.dumps(task) + "\n")
    answers = {"id": "x", "ground_truth": [["cd(folder='a')"], ["sort('b.txt')", "cd(folder='..')"]]}
    (folder / "base.answers.json").write_text(json.dumps(answers) + "\n")
    return folder


def test_calls_are_read_with_their_arguments_and_the_functions_that_a_task_is_given(tmp_path: Path) -> None:
    (line,), (offered,) = sequences.bfcl(_bfcl(tmp_path))
    assert [act.item for act in line] == ["cd", "sort", "cd"]
    assert line[0] == Act("cd", "gorilla_file_system", ("folder='a'",), said=frozenset({"go", "fold"}))
    assert line[1].said == line[2].said, "both are of the second request"
    assert "sort" in line[1].said
    assert offered == {"cd", "sort"}


def test_actions_are_read_of_tasks_with_more_than_one(tmp_path: Path) -> None:
    one = {"name": "look", "arguments": {"id": 1}}
    tasks = [{"evaluation_criteria": {"actions": [one, one]}}, {"evaluation_criteria": {"actions": [one]}}, {}]
    for domain in sequences.DOMAINS:
        (tmp_path / f"{domain}.json").write_text(json.dumps(tasks))
    assert sequences.tau2(tmp_path) == [(Act("look", "", ("id=1",)),) * 2] * 3


def test_the_baseline_is_the_chain_of_what_is_counted() -> None:
    lines = [(Act("a"), Act("b"), Act("c")), (Act("a"), Act("c")), (Act("b"), Act("c"))] * 2
    following = Following()
    for line in lines:
        following.add(line)
    chances = following.chances([Act("a")], "abc", order=3)
    ranked = sequences.Chain(lines, "abc").ranked((Act("a"),))
    assert ranked == ["abc"[at] for at in (-chances).argsort(kind="stable")]


def test_the_baseline_of_words_tells_by_them_alone() -> None:
    lines = [(Act("mail", said=frozenset({"send", "it"})),), (Act("note", said=frozenset({"write", "it"})),)] * 2
    bayes = sequences.Bayes([*lines, (Act("mail"),)], ["mail", "note"])
    assert [bayes.first(words) for words in ({"write"}, {"send"}, set(), {"never", "heard"})] == [
        "note", "mail", "mail", "mail",
    ]  # fmt: skip


def test_a_calibration_error_is_how_far_chances_are_from_what_comes() -> None:
    assert sequences.calibration_error([0.85] * 10, [1.0] * 9 + [0.0]) == pytest.approx(0.05)


@pytest.mark.parametrize("name", ROWS)
def test_every_row_is_a_module_with_bounds(name: str) -> None:
    module = import_module(f"{PACKAGE}.{name}")
    assert callable(module.measure)
    assert module.LIMITS or module.LEAST


def test_a_row_without_its_set_is_short(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = rows.parser(PACKAGE, ROWS).parse_args(["--data", str(tmp_path), "--no-publish", "--only", "sequences"])
    assert rows.run(PACKAGE, ROWS, given, HABITS) == 1
    out = capsys.readouterr().out
    assert "sequences: short missing=" in out
    assert out.splitlines()[-1].startswith("RESULT bench-habits short")
