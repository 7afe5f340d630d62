"""Every command and its bad input: the exit code, the message on standard error, and what to do next."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.portal.asked import PROMISED

pytestmark = pytest.mark.slow

Installation = Any  # tests/portal/conftest.py


BAD: list[tuple[str, int, str]] = [
    ("up now", 2, "usage"),
    ("down --force", 2, "usage"),
    ("status all", 2, "usage"),
    ("doctor --fix", 2, "usage"),
    ("open https://example.org", 2, "usage"),
    ("ask", 2, "usage"),
    ("ask ''", 2, "request.empty"),
    ("ask hello --limit 3", 2, "usage"),
    ("ask {huge}", 2, "request.too_long"),
    ("ask hello --budget cheap", 2, "request.budget"),
    ("ask hello --budget 0,05EUR", 2, "request.budget"),
    ("ask hello --budget ''", 2, "request.budget"),
    ("ask hello --deadline soon", 2, "request.deadline"),
    ("ask hello --deadline 0s", 2, "request.deadline"),
    ("approve r-none", 2, "run.unknown"),
    ("approve r-none --answer maybe", 2, "usage"),
    ("approve --yes", 2, "usage"),
    ("approve ../x", 2, "run.unknown"),
    ("undo ..", 2, "run.unknown"),
    ("undo ''", 2, "run.unknown"),
    ("runs --limit 0", 2, "usage"),
    ("runs --limit 501", 2, "usage"),
    ("runs --limit many", 2, "usage"),
    ("runs r-none", 2, "run.unknown"),
    ("undo r-none", 2, "run.unknown"),
    ("replay", 2, "usage"),
    ("replay r-none", 2, "run.unknown"),
    ("replay ..", 2, "run.unknown"),
    ("undo {pure}", 3, "undo.nothing"),
    ("undo --all", 2, "usage"),
    ("skills files", 2, "usage"),
    ("perms allow", 2, "usage"),
    ("perms grant", 2, "usage"),
    ("perms grant files", 2, "usage"),
    ("perms grant nobody fs.read:~/Documents/**", 2, "*"),
    ("perms grant files nonsense", 2, "*"),
    ("perms grant files fs.read", 2, "*"),
    ("perms grant files fs.fly:~/Documents", 2, "*"),
    ("perms grant files fs.read:relative/path", 2, "*"),
    ("perms grant files ''", 2, "*"),
    ("perms grant files fs.read:~/.ssh/**", 5, "grant.denied"),
    ("perms grant files fs.write:/etc/passwd", 5, "grant.denied"),
    ("perms revoke", 2, "usage"),
    ("perms revoke g-none", 2, "grant.unknown"),
    ("perms revoke a/b", 2, "grant.unknown"),
    ("ledger", 2, "usage"),
    ("ledger mend", 2, "usage"),
    ("ledger verify twice", 2, "usage"),
    ("log --limit 0", 2, "usage"),
    ("log -n x", 2, "usage"),
    ("config", 2, "usage"),
    ("config get nonsense", 2, "usage"),
    ("config set port", 2, "usage"),
    ("config set port 70000", 2, "*"),
    ("config set port many", 2, "*"),
    ("setup nonsense", 2, "usage"),
    ("plan", 2, "usage"),
    ("plan ''", 2, "request.empty"),
    ("recommend ''", 2, "request.empty"),
    ("recommend hello --limit 51", 2, "usage"),
    ("skills install /nowhere", 2, "package.source"),
    ("skills update none", 2, "skill.unknown"),
    ("skills versions none", 2, "skill.unknown"),
    ("skills new Bad_Name", 2, "skill.id"),
    ("skills dev /nowhere", 2, "skill.folder"),
    ("skills from-run r-none", 2, "run.unknown"),
    ("skills proposals --adopt none", 2, "proposal.unknown"),
    ("memory", 2, "usage"),
    ("memory search ''", 2, "usage"),
    ("memory search x --since soon", 2, "memory.time"),
    ("memory entity nobody", 2, "memory.unknown"),
    ("memory entity ''", 2, "usage"),
    ("memory forget ''", 2, "usage"),
    ("memory forget {known} --confirm wrong", 2, "memory.seal"),
    ("memory export --form pdf", 2, "memory.form"),
    ("memory import /nowhere", 2, "memory.read"),
    ("routines show none", 2, "routine.unknown"),
    ("routines run ../x", 2, "routine.unknown"),
    ("routines pause", 2, "usage"),
    ("routines try none", 2, "routine.unknown"),
    ("routines try", 2, "usage"),
    ("macros try none", 2, "macro.unknown"),
    ("macros try x month", 2, "usage"),
    ("routines token none", 2, "routine.unknown"),
    ("routines remove none", 2, "routine.unknown"),
    ("macros show none", 2, "macro.unknown"),
    ("macros new x --run r-none", 2, "run.unknown"),
    ("macros new x", 2, "usage"),
    ("offers dismiss none", 2, "offer.unknown"),
    ("offers off nonsense", 2, "offer.source"),
    ("suggestions show none", 2, "suggestion.unknown"),
    ("suggestions edit", 2, "usage"),
    ("mcp", 2, "usage"),
    ("mcp add time", 2, "server.command"),
    ("mcp import /nowhere", 2, "usage"),
    ("mcp tools none", 2, "server.unknown"),
    ("mcp allow none ask", 2, "client.unknown"),
    ("mcp clients remove none", 2, "client.unknown"),
    ("kernels", 2, "usage"),
    ("kernels optimize /nowhere.py", 2, "usage"),
    ("kernels show none", 2, "usage"),
    ("kernels show ''", 2, "usage"),
    ("kernels optimize ''", 2, "usage"),
    ("mail set --address nonsense", 2, "mail.account"),
    ("mail set --smtp nonsense", 2, "usage"),
    ("mail show", 2, "mail.none"),
    ("secrets", 2, "usage"),
    ("secrets set x", 2, "usage"),
    ("secrets remove none", 2, "secret.none"),
    ("models set", 2, "usage"),
    ("models set near --price-in cheap", 2, "usage"),
    ("models set near --url nonsense --model m", 2, "model.config"),
    ("models use nonsense near", 2, "model.role"),
    ("models use planner none --then near", 2, "usage"),
    ("models test none", 2, "model.unknown"),
    ("models prompt r-none", 2, "run.unknown"),
    ("backup", 2, "usage"),
    ("backup /proc/none/b.zip", 2, "backup.place"),
    ("restore", 2, "usage"),
    ("restore none.zip", 2, "backup.foreign"),
    ("service", 2, "usage"),
    ("service install x", 2, "usage"),
    ("frobnicate", 2, "usage"),
]


def words(arguments: str, running: Installation) -> list[str]:
    pure = running.steward("ask", "what is 2 + 2", "--json").json["run"] if "{pure}" in arguments else ""
    if "{known}" in arguments:  # by itself: which tests ran before in this house is chance
        assert running.steward("ask", "remember that Zoe lives in Kiel").code == 0
    given = [part.strip("'") for part in arguments.split(" ")]
    return [{"{huge}": "find " * 5000, "{pure}": pure, "{known}": "Zoe"}.get(part, part) for part in given]


@pytest.mark.parametrize(("arguments", "code", "error"), BAD, ids=[row[0] for row in BAD])
def test_bad_input(running: Installation, arguments: str, code: int, error: str) -> None:
    given = words(arguments, running)
    found = running.steward(*given, "--json")
    assert found.code == code, found
    assert set(found.json) >= PROMISED
    assert found.json["error"]["code"] == error or error == "*"
    assert found.json["error"]["code"] != "internal"
    assert found.json["error"]["message"]
    assert found.json["error"]["hint"], found.json
    plain = running.steward(*given)
    assert (plain.code, plain.out) == (code, ""), plain
    message, _, hint = plain.err.partition("→")
    assert message.startswith("steward: "), plain.err
    assert hint.strip(), plain.err


def test_every_command_has_a_row(running: Installation) -> None:
    listed = set(re.findall(r"^  ([a-z]+)  ", running.steward("--help").out, re.MULTILINE))
    assert {"ask", "memory"} <= listed
    assert listed <= {row[0].split(" ")[0] for row in BAD}


def test_the_codes_of_the_guide_are_those_that_are_given(running: Installation) -> None:
    guide = (Path(__file__).parents[2] / "docs/guides/command-line.md").read_text("utf-8")
    table = guide.partition("| Exit | Meaning |")[2].partition("\n\n")[0]
    assert {int(found) for found in re.findall(r"^\| (\d+) \|", table, re.MULTILINE)} == {0, 2, 3, 4, 5, 6, 7, 130}
    asked = {
        "what is 2 + 2": 0, "delete everything in my home folder, all of it": {5, 6},
        "reticulate the splines of the quux": 6, "how many pages has nowhere.pdf": 7,
        "save a note called codes saying x": 4,
    }  # fmt: skip
    for text, code in asked.items():
        assert running.steward("ask", text).code in ({code} if isinstance(code, int) else code), text


def test_a_terminal_less_question_costs_nothing(running: Installation) -> None:
    before = {path: path.stat().st_mtime_ns for path in running.home.rglob("*")}
    assert running.steward("ask", "save a note called nothing saying x").code == 4
    assert {path: path.stat().st_mtime_ns for path in running.home.rglob("*")} == before
