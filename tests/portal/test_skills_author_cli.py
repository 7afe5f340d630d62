"""The commands of a person who writes skills, as they are typed."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.portal.conftest import Installation

pytestmark = pytest.mark.slow


@pytest.fixture
def bare(tmp_path: Path) -> Installation:
    one = Installation(tmp_path)
    one.home.mkdir()
    return one


def test_new_lint_and_test_need_no_daemon(bare: Installation) -> None:
    made = bare.steward("skills", "new", "moon")
    assert made.code == 0, made.err
    assert (bare.home / "moon" / "steward.toml").read_text().startswith("#:schema file://")
    assert bare.steward("skills", "lint", "moon").out.strip() == "Nothing is wrong with it."
    report = bare.steward("skills", "test", "moon", "--json")
    assert report.code == 0, report.out + report.err
    assert [one["outcome"] for one in report.json["tests"]] == ["passed"] * 3
    told = bare.steward("skills", "test", "moon")
    assert "3 of 3 passed" in told.out
    assert not (bare.root / "s" / "run").exists() or not bare.places.socket.exists()


def test_what_is_wrong_is_said_with_file_and_line(bare: Installation) -> None:
    bare.steward("skills", "new", "moon", "--in", str(bare.home / "mine"))
    manifest = bare.home / "mine" / "moon" / "steward.toml"
    manifest.write_text(manifest.read_text().replace('effect = "idempotent"', 'effect = "sometimes"'))
    found = bare.steward("skills", "lint", "mine/moon")
    assert found.code == 3
    line = manifest.read_text().splitlines().index('effect = "sometimes"') + 1
    assert f"mine/moon/steward.toml:{line}: error:" in found.out
    body = bare.steward("skills", "lint", "mine/moon", "--json").json
    assert (body["errors"], body["findings"][0]["line"]) == (1, line)
    again = bare.steward("skills", "new", "moon", "--in", "mine")
    assert (again.code, "already something" in again.err, "--in" in again.err) == (2, True, True)


@pytest.mark.parametrize(("name", "code", "said"), [
    ("notes", "skill.taken", "part of Steward"), ("calendar", "skill.taken", "part of Steward"),
    ("mine-own", "skill.taken", "installed already"), ("n0tes", "skill.alike", "nearly that of the skill notes"),
    ("mine-owm", "skill.alike", "nearly that of the skill mine-own"),
])  # fmt: skip
def test_a_name_that_is_another_skills_is_refused_before_anything_is_written(
    bare: Installation, name: str, code: str, said: str
) -> None:
    (bare.root / "s" / "data" / "skills" / "mine-own").mkdir(parents=True)
    made = bare.steward("skills", "new", name, "--in", "here")
    assert (made.code, said in made.err) == (2, True), made.err
    assert not (bare.home / "here").exists()
    told = bare.steward("skills", "new", name, "--json").json["error"]
    assert told["code"] == code
    assert "name" in told["hint"]


def test_a_test_that_fails_is_a_failure(bare: Installation) -> None:
    bare.steward("skills", "new", "moon")
    tests = bare.home / "moon" / "tests" / "test_moon.py"
    tests.write_text(tests.read_text().replace("- call the bank", "- rob the bank"))
    told = bare.steward("skills", "test", "moon")
    assert (told.code, "failed" in told.out, "2 of 3 passed" in told.out) == (3, True, True)


def seen(process: subprocess.Popen[str]) -> dict[str, Any]:
    assert process.stdout is not None
    line = process.stdout.readline()
    assert line, process.stderr.read() if process.stderr else ""
    found: dict[str, Any] = json.loads(line)
    return found


def ended(process: subprocess.Popen[str]) -> int:
    """The exit code; a process that does not end is ended so that it shows where it stood."""
    try:
        return process.wait(60)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGABRT)
        raise AssertionError(process.communicate()[1]) from None


def test_dev_counts_each_save_and_ends_with_ctrl_c(bare: Installation) -> None:
    bare.steward("skills", "new", "moon")
    assert bare.steward("up").code == 0
    try:
        command = [sys.executable, "-P", "-m", "portal.cli", "skills", "dev", "moon", "--json"]
        environ = bare.environ | {"PYTHONFAULTHANDLER": "1"}
        with subprocess.Popen(command, cwd=bare.home, env=environ, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as process:  # fmt: skip
            first = seen(process)
            assert (first["kind"], first["findings"]) == ("dev.loaded", [])
            assert "moon.add" in bare.steward("skills").out
            time.sleep(0.5)
            source = bare.home / "moon" / "skill.py"
            source.write_text(source.read_text().replace("I added", "I have added"))
            assert seen(process)["digest"] != first["digest"]
            process.send_signal(signal.SIGINT)
            assert ended(process) == 0
        for _ in range(100):
            if "moon.add" not in bare.steward("skills").out:
                break
            time.sleep(0.1)
        assert "moon.add" not in bare.steward("skills").out
    finally:
        bare.steward("down")


def test_a_run_becomes_a_skill_after_the_usual_review(bare: Installation) -> None:
    try:
        asked = bare.steward("ask", "what is 17 % of 230?", "--json")
        assert asked.code == 0, asked.err
        made = bare.steward("skills", "from-run", asked.json["run"], "--name", "share-of", "--in", "drafts", "--json")
        assert made.code == 0, made.err
        assert (bare.home / "drafts" / "share-of" / "SKILL.md").exists()
        kept = bare.steward("skills", "from-run", asked.json["run"], "--name", "share-of")
        assert kept.code == 4, kept.out + kept.err  # nobody said yes
        assert "may ask for skill.call:" in kept.out
        done = bare.steward("skills", "from-run", asked.json["run"], "--name", "share-of", "--yes")
        assert done.code == 0, done.err
        assert "share-of" in bare.steward("skills").out
        (version,) = bare.steward("skills", "versions", "share-of", "--json").json["versions"]
        assert (version["asked"], version["source"]) == ("", "made here")
        updated = bare.steward("skills", "update", "share-of")
        assert (updated.code, "share-of was made here" in updated.out) == (0, True), updated
        assert "Nothing is proposed" in bare.steward("skills", "proposals").out
        assert bare.steward("skills", "proposals", "--adopt", "x-nothing").code == 2
    finally:
        bare.steward("down")
