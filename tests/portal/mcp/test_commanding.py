"""``./steward mcp serve`` and the commands of clients: nothing but protocol on standard output, restarts survived."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import pytest
from mcp import Client

from tests.portal.mcp.conftest import furnished
from tests.portal.mcp.speaking import WAYS, connected, ended, new_client, serving, waiting_run

Installation = Any  # tests/portal/conftest.py

pytestmark = pytest.mark.slow

HELLO = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}  # fmt: skip
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}


class Talk:
    """The command, spoken to line by line."""

    def __init__(self, installation: Installation, name: str) -> None:
        self.child = subprocess.Popen(
            [sys.executable, "-P", "-m", "portal.cli", "mcp", "serve", "--client", name], env=installation.environ,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=installation.home,
        )  # fmt: skip
        assert self.child.stdin
        assert self.child.stdout
        self.given: IO[bytes] = self.child.stdin
        self.out: IO[bytes] = self.child.stdout

    def say(self, message: Any) -> None:
        self.given.write((message if isinstance(message, bytes) else json.dumps(message).encode()) + b"\n")
        self.given.flush()

    def hear(self) -> dict[str, Any]:
        line = self.out.readline()
        assert line, self.child.stderr and self.child.stderr.read()
        found: dict[str, Any] = json.loads(line)
        assert found["jsonrpc"] == "2.0", "nothing but protocol"
        return found

    def answer(self, asked: Any, until: Callable[[dict[str, Any]], bool] = lambda _: True) -> dict[str, Any]:
        while not ((found := self.hear()).get("id") == asked and until(found)):
            pass
        return found

    def call(self, number: int, tool: str, **arguments: Any) -> None:
        self.say(
            {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
        )

    def end(self) -> tuple[int, str]:
        """Close what the command reads; return its exit code and what it said to people."""
        self.given.close()
        self.child.stdin = None
        code = self.child.wait(30)
        assert self.child.stderr
        return code, self.child.stderr.read().decode()

    def __enter__(self) -> Talk:
        return self

    def __exit__(self, *_: object) -> None:
        self.child.kill()
        with contextlib.suppress(BrokenPipeError):
            self.child.communicate()


def test_it_starts_the_daemon_and_ends_when_its_program_does(own: Installation) -> None:
    name, _ = new_client(own)
    own.steward("down")
    with Talk(own, name) as talk:
        talk.say(HELLO)
        assert talk.answer(1)["result"]["serverInfo"]["name"] == "steward"
        talk.say(READY)
        talk.call(2, "ask", text="what is 12 times 12?")
        assert "144" in json.dumps(talk.answer(2)["result"])
        assert talk.end()[0] == 0


def test_it_survives_a_restart_and_says_which_call_was_cut_off(own: Installation) -> None:
    name, _ = new_client(own, "files.largest")
    with Talk(own, name) as talk:
        talk.say(HELLO)
        talk.answer(1)
        talk.say(READY)
        talk.call(2, "files-largest", folder="~/Downloads")
        asyncio.run(waiting_run(own, name))
        own.steward("down")
        cut = talk.answer(2)
        assert "./steward runs" in cut["error"]["message"]
        talk.call(3, "ask", text="what is 12 times 12?")
        assert "144" in json.dumps(talk.answer(3)["result"]), "the handshake was taken up again"
        (left,) = [one for one in own.steward("approve", "--json").json["approvals"] if one["client"] == name]
        assert left["client"] == name, "what waited for the person still waits: the daemon ended, not the program"
        assert talk.end()[0] == 0


def test_garbage_and_what_is_too_long_are_answered_and_the_next_message_is_heard(own: Installation) -> None:
    name, _ = new_client(own)
    with Talk(own, name) as talk:
        talk.say(HELLO)
        talk.answer(1)
        talk.say(READY)
        for garbage in (b"{", b"not json", b"[]", b"\xff\xfe", b"[" * 50_000, b"", b"null"):
            talk.say(garbage)
        talk.call(7, "ask", text="x" * 10_000_000)
        assert "2 MB" in talk.answer(7)["error"]["message"]
        talk.call(8, "ask", text="what is 12 times 12?")
        assert "144" in json.dumps(talk.answer(8)["result"])
        assert talk.end()[0] == 0


def test_a_client_that_there_is_not_is_told_so_and_nothing_else_is_written(own: Installation) -> None:
    own.steward("up")
    with Talk(own, "nobody") as talk:
        talk.say(HELLO)
        assert "no client" in talk.answer(1)["error"]["message"]
        code, said = talk.end()
        assert code == 5
        assert "./steward mcp clients" in said
        none = own.steward("mcp", "serve")
        assert (none.code, none.out) == (3, "")
        assert "./steward mcp clients add" in none.err


def test_a_command_ends_when_its_client_is_removed(own: Installation) -> None:
    name, _ = new_client(own)
    with Talk(own, name) as talk:
        talk.say(HELLO)
        talk.answer(1)
        assert own.steward("mcp", "revoke", name).code == 0
        assert talk.child.wait(30) == 5


@pytest.mark.sandbox
@pytest.mark.parametrize("way", WAYS, ids="-".join)
async def test_a_program_that_goes_away_in_the_middle_stops_what_it_asked_for(
    served: Installation, way: tuple[str, str]
) -> None:
    if way == ("http", "legacy"):
        pytest.skip("there a program may come back for the answer: its session, not its connection, is what ends")
    name, token = new_client(served, "files.largest")

    async def gone() -> str:
        async with connected(served, way, (name, token)) as client:
            calling = asyncio.ensure_future(client.call_tool("files-largest", {"folder": "~/Downloads"}))
            run = await waiting_run(served, name)
            calling.cancel()
            return run

    assert await ended(served, await gone()) == "rolled_back"


@pytest.mark.sandbox
def test_a_program_that_is_killed_stops_what_it_asked_for(own: Installation) -> None:
    """The control: while it lives, its run waits."""
    name, _ = new_client(own, "files.largest")
    with Talk(own, name) as talk:
        talk.say(HELLO)
        talk.answer(1)
        talk.say(READY)
        talk.call(2, "files-largest", folder="~/Downloads")
        run = asyncio.run(waiting_run(own, name))
        time.sleep(0.5)
        assert own.steward("runs", run, "--json").json["resolution"] == "pending"
        talk.child.send_signal(signal.SIGKILL)
        talk.child.wait(10)
        assert asyncio.run(ended(own, run)) == "rolled_back"


@pytest.mark.sandbox
async def test_two_hundred_calls_at_once_are_all_answered(served: Installation) -> None:
    name, token = new_client(served)
    for way in (("http", "auto"), ("command", "legacy")):
        async with connected(served, way, (name, token)) as client:
            calls = (client.call_tool("memory_search", {"words": f"word{n}"}) for n in range(200))
            answers = await asyncio.gather(*calls)
            assert len(answers) == 200
            assert all(not one.is_error for one in answers), next(one for one in answers if one.is_error)
    assert served.steward("status").code == 0


@pytest.mark.sandbox
async def test_what_nobody_allows_in_time_is_pending_and_can_be_read_later(tmp_path: Path) -> None:
    hurried = furnished(tmp_path, STEWARD_CLIENT_WAIT_S="3")
    with hurried.daemon():
        await _nobody_allows_in_time(hurried)


async def _nobody_allows_in_time(served: Installation) -> None:
    name, _ = new_client(served, "files.largest")
    async with Client(serving(served, name)) as client:
        done = await client.call_tool("files-largest", {"folder": "~/Downloads"})
        content = done.structured_content
        assert (content["resolution"], done.is_error) == ("pending", False)
        run = content["run"]
        assert content["pending"]["approve"] == f"./steward approve {run}"
        shown = served.steward("approve").out
        assert f"The program {name} asks this" in shown
        assert served.steward("approve", run, "--answer", "once").code == 0
        later = await client.read_resource(content["pending"]["look_later"])
    assert json.loads(later.contents[0].text)["resolution"] == "confirmed"


def test_the_commands_of_clients(own: Installation) -> None:
    run = own.steward
    made = run("mcp", "clients", "add", "claude")
    assert made.code == 0
    assert "stw-" in made.out
    token = next(word for word in made.out.split() if word.startswith("stw-"))
    assert run("mcp", "allow", "claude", "files.find", "documents").code == 0
    (listed,) = run("mcp", "clients", "--json").json["clients"]
    assert listed["offers"] == ["steward.ask", "steward.memory_search", "documents", "files.find"]
    assert token not in json.dumps(listed)
    assert token not in run("log", "--json").out
    assert "files.find" in run("mcp", "clients").out
    assert run("mcp", "revoke", "claude", "files.find").code == 0
    assert "files.find" not in run("mcp", "clients").out
    assert "mcp:claude may skill.call:documents" in run("perms", "history").out
    assert "client added: claude" in run("perms", "history").out
    assert run("perms", "grant", "mcp:claude.files", "fs.read:~/Documents/**").code == 0
    assert "mcp:claude.files" in run("perms", "show", "mcp:claude").out
    assert "mcp:claude.files" not in run("perms", "show", "files").out
    assert run("mcp", "clients", "remove", "claude").code == 0
    assert run("mcp", "clients", "--json").json["clients"] == []
    assert run("perms", "--json").json["grants"] == []
    for words in (("mcp", "allow", "claude", "ask"), ("mcp", "clients", "add", "No!"), ("mcp", "revoke", "claude")):
        failed = run(*words, "--json")
        assert failed.code == 2, failed
        assert failed.json["error"]["hint"]


def test_nothing_of_the_library_is_loaded_before_a_client_knocks() -> None:
    code = "import sys, portal.app, portal.mcp.door, portal.cli.commands, portal.mcp.pipe\n"
    code += "print(sorted(m for m in sys.modules if m.split('.')[0] in ('mcp', 'mcp_types', 'httpx2')))"
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
