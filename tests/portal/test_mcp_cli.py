"""``./steward mcp``: added after two questions, listed, reviewed, removed; with ``--json`` for programs."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.portal.conftest import Installation

RAW = Path(__file__).parents[1] / "kernel" / "serving" / "raw.py"

pytestmark = [pytest.mark.slow, pytest.mark.sandbox]


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Installation]:
    one = Installation(tmp_path)
    (one.home / "servers").mkdir(parents=True)
    (one.home / "Docs").mkdir()
    shutil.copy(RAW, one.home / "servers" / "raw.py")
    with one.daemon():
        yield one


def test_a_server_is_added_listed_reviewed_and_removed(house: Installation) -> None:
    command = ("--", sys.executable, "servers/raw.py")
    waits = house.steward("mcp", "add", "raw", "--read", "~/Docs", *command)
    assert waits.code == 4, waits.err
    assert "may read: ~/Docs/" in waits.out
    assert "Nothing was added" in waits.out
    assert "lists:" not in waits.out, "nothing of it ran"
    added = house.steward("mcp", "add", "raw", "--read", "~/Docs", "--safe", "look", "--yes", "--json", *command)
    assert added.code == 0, added.err
    assert added.json["added"]["skill"] == "raw"
    (one,) = house.steward("mcp", "list", "--json").json["servers"]
    assert (one["name"], one["reads"], one["safe"], one["running"]) == ("raw", ["~/Docs/"], ["look"], None)
    tools = house.steward("mcp", "tools", "raw")
    assert "raw.echo (once): Say it back." in tools.out
    assert "raw.look (pure)" in tools.out
    again = house.steward("mcp", "review", "raw", "--yes")
    assert "Nothing has changed." in again.out
    assert house.steward("mcp", "remove", "raw").code == 0
    assert "There is no server" in house.steward("mcp", "list").out


def test_what_cannot_be_added_says_what_to_do(house: Installation) -> None:
    fetched = house.steward("mcp", "add", "raw", "--yes", "--", "npx", "-y", "some-server")
    assert fetched.code != 0
    assert "npm install" in fetched.err
    dead = house.steward("mcp", "add", "raw", "--yes", "--json", "--", sys.executable, "servers/raw.py", "die")
    assert dead.code != 0
    assert "No database here" in dead.json["error"]["message"]
    gone = house.steward("mcp", "tools", "nothing", "--json")
    assert gone.json["error"]["code"] == "server.unknown"


def test_servers_of_another_program_are_taken_over(house: Installation) -> None:
    file = house.home / "servers.json"
    entries = {
        "Raw One": {"command": sys.executable, "args": ["servers/raw.py"]},
        "web": {"command": "npx", "args": ["x"]},
    }
    file.write_text(json.dumps({"mcpServers": entries}))
    done = house.steward("mcp", "import", "servers.json", "--yes", "--json")
    first, second = done.json["servers"]
    assert first["added"]["skill"] == "raw-one"
    assert "every start" in second["refused"]
    assert done.code != 0
