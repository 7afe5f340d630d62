"""``./steward models``: every command, its JSON and its exit code, against a server on this machine."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

pytest.importorskip("openai", reason="install the extra: ./steward setup models")

from portal.cli.models import _print_removed
from tests.kernel.models.acts import able
from tests.kernel.models.behaviours import BEHAVIOURS
from tests.kernel.models.server import Server, served
from tests.portal.planning import LOST, planner_at_hand
from tests.portal.terminal import Terminal

Installation = Any  # tests/portal/conftest.py

pytestmark = [pytest.mark.slow, pytest.mark.models]
KEY = "sk-canary-0d4e7f"


@pytest.fixture
def server() -> Iterator[Server]:
    """A server that forces schemas."""
    with served(able(schema=True, tools=True)) as one:
        yield one


@pytest.fixture(autouse=True)
def nothing_set(running: Installation) -> Iterator[None]:
    """No model is set when a test begins."""
    yield
    for one in running.steward("models", "--json").json["endpoints"]:
        running.steward("models", "remove", one["name"])


def with_key(installation: Installation, *arguments: str) -> int:
    """Run a command that reads a key from a pipe."""
    done = subprocess.run(
        [sys.executable, "-P", "-m", "portal.cli", *arguments], input=f"{KEY}\n", text=True, capture_output=True,
        env=installation.environ, cwd=installation.home, timeout=60, check=False,
    )  # fmt: skip
    assert KEY not in done.stdout + done.stderr
    return done.returncode


def test_what_goes_along_with_a_model_is_said_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    plain = {"name": "near", "host": "h:1", "key": False, "revoked": [], "roles": {}, "beside": []}
    for more, said in (
        ({}, "near is gone."),
        ({"key": True, "revoked": ["g"]}, "near is gone, with its key. What h:1 was allowed to see is taken away."),
        ({"beside": ["far"]}, "near is gone. What h:1 may see stays, for far: ./steward models"),
        ({"roles": {"planner": [], "worker": ["far"]}}, "near is gone. planner is bound to nothing now. worker: far."),
    ):
        _print_removed(plain | more)
        assert " ".join("".join(capsys.readouterr()).split()) == said


def test_a_model_is_set_measured_bound_shown_and_removed(running: Installation, server: Server) -> None:
    run = running.steward
    assert "No model is set" in run("models").out
    assert with_key(running, "models", "set", "near", "--url", server.url, "--model", "m", "--key-stdin",
                    "--price-in", "0.50", "--context", "16000") == 0  # fmt: skip
    (one,) = run("models", "list", "--json").json["endpoints"]
    assert (one["price_in"], one["context_tokens"], one["key"], one["local"]) == (500_000, 16_000, True, True)
    measured = run("models", "test", "near")
    assert measured.code == 0, measured
    assert (
        "holds a schema  5 of 5" in " ".join(measured.out.split("\n")).replace("   ", "  ") or "5 of 5" in measured.out
    )
    assert server.asked[-1].headers["authorization"] == f"Bearer {KEY}"
    assert run("models", "use", "planner", "near").out == "planner: near.\n"
    listed = run("models").out
    for word in ("near", server.url, "schema", "planner", "request, tools (stays here)", "kept"):
        assert word in listed
    assert "planner: near" in run("doctor").out
    assert run("perms", "grant", "models", f"model.see:facts@127.0.0.1:{server.port}").code == 0
    assert run("models", "--json").json["endpoints"][0]["sees"] == ["request", "tools", "facts"]
    assert run("perms", "limit", "models.near", "tokens", "100k", "--total").code == 0
    gone = run("models", "remove", "near", "--json").json
    assert (gone["name"], len(gone["revoked"])) == ("near", 1)
    assert run("models", "--json").json["endpoints"] == []
    assert KEY not in running.log


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("set", "x"), "model.config"),
        (("set", "x", "--url", "http://192.168.1.2/v1", "--model", "m"), "model.config"),
        (("set", "X", "--url", "https://a.example/v1", "--model", "m"), "model.config"),
        (("test", "x"), "model.unknown"),
        (("remove", "x"), "model.unknown"),
        (("use", "boss", "x"), "model.role"),
        (("use", "planner", "x"), "model.unknown"),
        (("prompt", "r-none"), "run.unknown"),
        (("set", "x", "--price-in", "cheap"), "usage"),
    ],
)
def test_what_is_wrong_is_named_with_what_to_do(running: Installation, arguments: tuple[str, ...], says: str) -> None:
    done = running.steward("models", *arguments, "--json")
    assert done.json["error"]["code"] == says, done
    assert done.json["error"]["hint"]
    assert done.code != 0


def test_a_model_that_is_down_fails_and_says_so(running: Installation) -> None:
    with served(BEHAVIOURS["500"].act) as server:
        running.steward("models", "set", "down", "--url", server.url, "--model", "m")
        done = running.steward("models", "test", "down")
    assert done.code == 3
    assert "it answers 500" in done.out


def test_the_page_may_look_and_change_nothing(running: Installation, server: Server) -> None:
    running.steward("models", "set", "near", "--url", server.url, "--model", "m")
    with running.client() as client:
        address = client.status()["address"]
    token = {"Authorization": f"Bearer {running.places.token.read_text().strip()}"}
    assert httpx.get(f"{address}/api/v1/models", headers=token).json()["endpoints"][0]["name"] == "near", "the control"
    body = {"endpoint": {"url": "https://evil.example/v1", "model": "m"}}
    assert httpx.put(f"{address}/api/v1/models/near", headers=token, json=body).status_code == 403
    assert (
        httpx.put(f"{address}/api/v1/models/roles/planner", headers=token, json={"names": ["near"]}).status_code == 403
    )
    assert httpx.delete(f"{address}/api/v1/models/near", headers=token).status_code == 403
    assert httpx.get(f"{address}/api/v1/models/detected", headers=token).status_code == 403
    assert httpx.get(f"{address}/api/v1/models").status_code == 401
    assert running.steward("models", "--json").json["endpoints"][0]["url"] == server.url


def test_looking_on_this_machine_offers_the_command_or_says_that_nothing_is_there(running: Installation) -> None:
    found = running.steward("models", "detect", "--json")
    assert found.code == 0
    assert all(one["set"].startswith("./steward models set ") for one in found.json["found"])


def test_a_terminal_says_that_a_model_is_asked_and_the_prompt_is_shown_afterwards(running: Installation) -> None:
    with planner_at_hand(running) as planner:
        terminal = Terminal(running, "ask", LOST)
        terminal.read("Asking the model near at 127.0.0.1")
        terminal.read("0:00:01")
        planner.go.set()
        terminal.read("The model near answered after")
        terminal.read("The model near made this plan")
        terminal.read("Allow?")
        terminal.type("n\n")
        assert terminal.end()[0] == 5
        (newest,) = running.steward("runs", "--limit", "1", "--json").json["runs"]
        asked = running.steward("models", "prompt", newest["run"], "--json")
        (one,) = asked.json["asked"]
        assert (asked.code, asked.json["run"], one["endpoint"], one["code"]) == (0, newest["run"], "near", "")
        assert one["seen"] == ["request", "tools"]
        assert one["messages"][0]["role"] == "system"
        assert any("off with it to the attic" in message["text"] for message in one["messages"])
        assert "files.move" in one["reply"]
        said = running.steward("models", "prompt", newest["run"])
        assert f"m at 127.0.0.1:{planner.server.port}, which saw request, tools" in said.out
        assert "off with it to the attic" in said.out
    assert running.steward("ask", "what is 3 + 4").code == 0
    (plain,) = running.steward("runs", "--limit", "1", "--json").json["runs"]
    assert running.steward("models", "prompt", plain["run"], "--json").json["asked"] == []
    assert "No model was asked" in running.steward("models", "prompt", plain["run"]).out
