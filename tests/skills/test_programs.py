"""Programs that a tool runs: how they end, what is kept of what they say, and the manifest that allows it."""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from skills.errors import BadSkill
from skills.joining import IN_ITS_OWN_WAY, IN_ITS_OWN_WAY_ALWAYS_ASKED
from skills.loading import load_skill
from skills.sdk import Context, ToolError
from skills.sdk.programs import MOST_BYTES

NOW = datetime(2025, 3, 14, 12, 0, tzinfo=UTC)


@pytest.fixture
def ctx(tmp_path: Path) -> Context:
    return Context(home=str(tmp_path), now=NOW, runs=True)


def test_a_program_is_fed_and_heard(ctx: Context, tmp_path: Path) -> None:
    ran = ctx.run(["sh", "-c", "cat; pwd; echo e >&2; exit 3"], cwd="~", input="fed\n")
    assert (ran.status, ran.stdout, ran.stderr, ran.cut) == (3, f"fed\n{tmp_path}\n", "e\n", False)
    assert ctx.run(["cat"], input="x" * 300_000).stdout == "x" * 300_000
    assert ctx.run(["sh", "-c", "kill -9 $$"]).status == -9


def test_of_much_the_beginning_and_the_end_are_kept(ctx: Context) -> None:
    ran = ctx.run(["sh", "-c", "echo first; head -c 5000000 /dev/zero | tr '\\0' x; echo last"])
    assert ran.cut
    assert ran.stdout.startswith("first\n")
    assert ran.stdout.endswith("last\n")
    assert MOST_BYTES <= len(ran.stdout) < MOST_BYTES + 100


def test_a_program_that_takes_too_long_is_ended_with_all_it_started(ctx: Context, tmp_path: Path) -> None:
    began = time.monotonic()
    with pytest.raises(ToolError, match=r"sh took longer than 0\.3 seconds") as slow:
        ctx.run(["sh", "-c", "sleep 60 & echo $! > pid; sleep 60"], cwd="~", timeout_s=0.3)
    assert time.monotonic() - began < 20
    assert slow.value.code == "tool.slow"
    child = int((tmp_path / "pid").read_text())
    deadline = time.monotonic() + 10
    while os.path.exists(f"/proc/{child}") and "Z" not in Path(f"/proc/{child}/stat").read_text().split(")")[1]:
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_one_that_only_closed_its_streams_is_ended_in_time_too(ctx: Context) -> None:
    with pytest.raises(ToolError, match="took longer"):
        ctx.run(["sh", "-c", "exec >&- 2>&-; sleep 60"], timeout_s=0.5)


def test_what_cannot_be_started_is_said(ctx: Context) -> None:
    for argv in (["no-such-program"], [], ["a\0b"]):
        with pytest.raises(ToolError, match="could not be started"):
            ctx.run(argv)


def test_without_the_word_of_the_manifest_no_program_is_run(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="may not run programs, and wanted to run ls") as refused:
        Context(home=str(tmp_path), now=NOW).run(["ls"])
    assert "runs_programs" in refused.value.hint


_CODE = '''"""Build."""
from skills.sdk import Context, File, Folder


def build(ctx: Context, folder: Folder, file: File | None = None) -> Folder:
    """Build it.

    Args:
        folder: where.
        file: with what.
    """
    return folder
'''
_TOML = """version = "1.0.0"
title = "Builder"

[tools.build]
effect = "{effect}"
works_in = ["{works_in}"]
{programs}
examples.en = ["build {{folder:site}} with {{file:a.txt}}"]
"""


def _skill(top: Path, **words: str) -> Path:
    made = top / "builder"
    made.mkdir()
    given = {"effect": "idempotent", "works_in": "folder", "programs": 'runs_programs = "to build"', **words}
    for name, text in {"skill.py": _CODE, "steward.toml": _TOML.format(**given), "SKILL.md": "Builds."}.items():
        (made / name).write_text(text)
    return made


def test_a_tool_that_works_in_a_folder_asks_for_all_of_it_and_says_why(tmp_path: Path) -> None:
    (tool,) = load_skill(_skill(tmp_path)).tools
    assert (tool.works_in, tool.runs_programs, tool.asks_always) == (("folder",), True, False)
    assert [(right.action, right.scope, right.reason) for right in tool.rights] == [
        ("fs.read", "{folder}/**", "to build"),
        *((action, "{folder}/**", IN_ITS_OWN_WAY) for action in ("fs.create", "fs.write", "fs.delete")),
    ]
    assert tool.said(IN_ITS_OWN_WAY, "de").startswith("es darf dort alles ändern")


def test_one_that_may_not_be_repeated_asks_always(tmp_path: Path) -> None:
    (tool,) = load_skill(_skill(tmp_path, effect="once")).tools
    assert tool.asks_always
    assert tool.rights[-1].reason == IN_ITS_OWN_WAY_ALWAYS_ASKED


def test_without_programs_the_folder_is_still_worked_in(tmp_path: Path) -> None:
    (tool,) = load_skill(_skill(tmp_path, programs="")).tools
    assert (tool.works_in, tool.runs_programs) == (("folder",), False)
    assert tool.rights[0].reason == IN_ITS_OWN_WAY


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"works_in": "nothing"}, "has no parameter nothing"),
        ({"works_in": "file"}, "file is not one folder"),
        ({"effect": "pure"}, "is pure and wants to change a folder"),
        ({"programs": "runs_programs = true"}, "runs_programs"),
        ({"programs": 'runs_programs = ""'}, "runs_programs"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_line(tmp_path: Path, words: dict[str, str], said: str) -> None:
    with pytest.raises(BadSkill, match=said) as refused:
        load_skill(_skill(tmp_path, **words))
    assert "steward.toml:" in str(refused.value)
