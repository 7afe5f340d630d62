"""Servers as they come from the registries, named nowhere in our code: added, listed, called.

Where they lie is said by ``STEWARD_MCP_SERVERS``: a folder with a virtual environment ``venv`` (mcp-server-time,
mcp-server-git) and a folder ``js`` with ``node_modules`` (the three of @modelcontextprotocol).
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from kernel.serving.wishes import Asked, checked
from skills.loading import load_skill
from skills.mcp.writing import written
from skills.model import Skill, ValueKind
from tests.kernel.serving.conftest import Rack, rack

__all__ = ["rack"]

SERVERS = Path(os.environ.get("STEWARD_MCP_SERVERS", "/nonexistent"))
HINT = "servers of the registries are fetched by make mcp-real, which runs these tests"

pytestmark = [pytest.mark.slow, pytest.mark.sandbox, pytest.mark.asyncio(loop_scope="module")]
python = pytest.mark.skipif(not (SERVERS / "venv").is_dir(), reason=HINT)
node = pytest.mark.skipif(not (SERVERS / "js").is_dir() or not shutil.which("node"), reason=HINT)


def placed(rack: Rack, part: str) -> Path:
    """Copy what was installed into the home, where a person's servers lie."""
    goal = rack.home / ".local" / "share" / "mcp" / part
    if not goal.exists():
        shutil.copytree(SERVERS / part, goal, symlinks=True)
    return goal


async def added(rack: Rack, name: str, command: list[str], **more: Any) -> Skill:
    wish, _ = checked(Asked(name, command, **more), str(rack.home))
    folder = rack.root / "skills" / name
    written(folder, wish, await rack.listing(wish), "1.0.0")
    return load_skill(folder)


@python
async def test_time(rack: Rack) -> None:
    program = placed(rack, "venv") / "bin" / "python"
    skill = await added(rack, "time-server", [str(program), "-m", "mcp_server_time"])
    tool = next(one for one in skill.tools if one.function == "get_current_time")
    assert [one.name for one in tool.parameters if one.required] == ["timezone"]
    found = await rack.call(skill, "get_current_time", timezone="Europe/Zurich")
    assert "Europe/Zurich" in found.result.answer, found.result
    wrong = await rack.call(skill, "get_current_time", timezone="Moon/Base")
    assert wrong.result.error is not None


def repository(work: Path) -> Path:
    """A repository with one commit."""
    work.mkdir()
    (work / "a.txt").write_text("one\n")
    git = ("git", "-C", str(work), "-c", "user.name=A", "-c", "user.email=a@example.org")
    for words in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "The beginning")):
        subprocess.run([*git, *words], check=True)
    return work


def status(work: Path) -> str:
    words = ["git", "-C", str(work), "status", "--porcelain"]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


@python
async def test_git(rack: Rack) -> None:
    work = repository(rack.home / "repo")
    program = placed(rack, "venv") / "bin" / "python"
    safe = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*"}
    skill = await added(rack, "git-server", [str(program), "-m", "mcp_server_git"], read=["~/repo"], env=safe)
    log = next(one for one in skill.tools if one.function == "git_log")
    assert log.parameter("repo_path").type.kind is ValueKind.FOLDER
    found = await rack.call(skill, "git_log", repo_path={"path": str(work)})
    assert "The beginning" in found.result.answer, found.result
    (work / "b.txt").write_text("two\n")
    added_too = await rack.call(skill, "git_add", repo_path={"path": str(work)}, files=["b.txt"])
    assert added_too.result.error is not None, "it may only read"
    assert status(work) == "?? b.txt\n"


def script(rack: Rack, name: str) -> str:
    package = placed(rack, "js") / "node_modules" / "@modelcontextprotocol" / name
    entry = json.loads((package / "package.json").read_text())["bin"]
    return str(package / next(iter(entry.values())))


@node
async def test_filesystem(rack: Rack) -> None:
    folder = str(rack.home / "Docs")
    skill = await added(rack, "file-server", ["node", script(rack, "server-filesystem"), folder], read=["~/Docs"])
    read = next(one for one in skill.tools if one.function == "read_text_file")
    assert read.parameter("path").type.kind is ValueKind.FILE
    found = await rack.call(skill, "read_text_file", path={"path": f"{folder}/plan.txt"})
    assert "the plan" in found.result.answer, found.result
    assert (await rack.call(skill, "write_file", path={"path": f"{folder}/new.txt"}, content="x")).result.error
    assert not (rack.home / "Docs" / "new.txt").exists()


@node
async def test_memory(rack: Rack) -> None:
    skill = await added(rack, "memory-server", ["node", script(rack, "server-memory")],
                        env={"MEMORY_FILE_PATH": "/tmp/memory.json"})  # fmt: skip
    ada = {"name": "Ada", "entityType": "person", "observations": ["likes engines"]}
    made = await rack.call(skill, "create_entities", entities=[ada])
    assert made.result.error is None, made.result
    assert "likes engines" in (await rack.call(skill, "search_nodes", query="engines")).result.answer


@node
async def test_everything(rack: Rack) -> None:
    skill = await added(rack, "every-server", ["node", script(rack, "server-everything")])
    functions = {one.function for one in skill.tools}
    assert {"echo", "read_resource", "use_prompt"} <= functions, functions
    assert "Echo: hello" in (await rack.call(skill, "echo", message="hello")).result.answer
    for tool in skill.tools:
        assert tool.summary
        assert all(one.doc for one in tool.parameters)
