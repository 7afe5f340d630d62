"""Secrets that a server is told: by name, after a yes, for the hosts that they are for, and out of what it says."""

from __future__ import annotations

import asyncio
import json
import shutil
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from kernel.errors import BadRequest, TaskFailed
from kernel.serving.cell import ServerCell, ServerOver
from kernel.serving.given import cell_spec, request
from kernel.serving.masking import Mask
from kernel.serving.told import no_secret, told
from kernel.serving.wishes import Asked, checked
from permissions.vault import Kept
from tests.kernel.conftest import Bench
from tests.kernel.hostile import attack, step
from tests.kernel.serving.conftest import HERE, Rack
from tests.kernel.serving.test_whole import bench
from tests.permissions.egress.conftest import Internet, internet, saying

__all__ = ["bench", "internet"]

KEY, OTHER = "ghp-canary-5d1e77", "ghp-canary-0a9b34"
WHERE = "api.example.org:443"


def entry(**more: Any) -> SimpleNamespace:
    return SimpleNamespace(**{"secrets": {"TOKEN": "github"}, "url": "", "hosts": [WHERE], **more})


def lend(*hosts: str) -> Any:
    return lambda _name: Kept(KEY, hosts)


@pytest.mark.parametrize(
    ("asked", "hosts", "why"),
    [
        (entry(hosts=[WHERE, "evil.example.org:443"]), (WHERE,), "reaches evil.example.org:443"),
        (entry(hosts=["*.example.org:443"]), (WHERE,), "reaches *.example.org:443"),
        (entry(hosts=["api.example.org:80"]), (WHERE,), "reaches api.example.org:80"),
        (entry(), (), "for no host"),
        (entry(hosts=[]), (), "for no host"),
        (entry(url="http://api.example.org/mcp"), (WHERE,), "without encryption"),
        (entry(url="https://api.example.org/mcp", secrets={"Host": "github"}), (WHERE,), "cannot carry"),
    ],
)
def test_it_is_told_to_nobody_who_could_tell_it_elsewhere(
    asked: SimpleNamespace, hosts: tuple[str, ...], why: str
) -> None:
    with pytest.raises(TaskFailed, match=why.replace("*", r"\*")) as failed:
        told(asked, lend(*hosts))
    assert failed.value.code == "server.secret"
    assert KEY not in f"{failed.value} {failed.value.hint}"


def test_what_is_not_kept_is_asked_for() -> None:
    with pytest.raises(TaskFailed, match="no secret github"):
        told(entry(), no_secret)


@pytest.mark.parametrize(("value", "sent"), [(KEY, f"Bearer {KEY}"), ("Basic dTpw", "Basic dTpw")])
def test_at_an_address_it_is_a_header(value: str, sent: str) -> None:
    there = entry(url="https://api.example.org/mcp", secrets={"Authorization": "github"})
    secrets = told(there, lambda _: Kept(value, (WHERE,)))
    assert secrets == {"Authorization": sent}
    there.command, there.env = [], {}
    assert request(there, secrets=secrets)["headers"] == {"Authorization": sent}
    assert request(there, secrets=secrets)["env"] == {}


def test_it_is_taken_out_of_texts_lists_and_tables() -> None:
    values = {"TOKEN": KEY, "Authorization": f"Bearer {OTHER}"}
    said = {"text": f"bad {KEY}", "structured": {"a": [f"{OTHER}!", 3, None], KEY: True}}
    assert Mask(values.values()).out_of(said) == {
        "text": "bad ***",
        "structured": {"a": ["***!", 3, None], "***": True},
    }
    assert Mask(["short"]).out_of("a short one") == "a short one"


def wish(bench: Bench, **more: Any) -> Asked:
    place = bench.home / "servers" / "raw.py"
    place.parent.mkdir(exist_ok=True)
    shutil.copy(HERE / "raw.py", place)
    return Asked("raw", [sys.executable, str(place)], **more)


async def added(bench: Bench, **more: Any) -> dict[str, Any]:
    servers = bench.kernel.rooms.servers
    card = servers.look_at(wish(bench, **more))
    await servers.start(card["server"])
    await servers.add(card["server"])
    return card


@pytest.mark.slow
@pytest.mark.sandbox
async def test_through_the_whole_kernel(bench: Bench) -> None:
    desk = bench.kernel.rooms.mail
    with pytest.raises(BadRequest, match="no secret github"):
        bench.kernel.rooms.servers.look_at(wish(bench, secret={"TOKEN": "github"}))
    await desk.put_secret("github", KEY, (WHERE,))
    card = await added(bench, secret={"TOKEN": "github"})
    assert card["secrets"] == ["github (TOKEN)"]
    ask = step(1, "raw.environment")
    waits = await attack(bench, ask, yes=False)
    assert waits["resolution"] == "pending"
    assert "secret.reveal:github" in {one["scope"] for one in waits["card"]["rights"]}
    done = await bench.answer(waits["run"], "always")
    assert done["resolution"] == "confirmed", done["error"]
    assert "TOKEN" in done["answer"], "it was told"
    assert "***" in done["answer"], "and does not tell"
    await desk.put_secret("github", OTHER, (WHERE,))
    again = await attack(bench, ask, yes=False)
    assert again["resolution"] == "executed", again["error"]
    assert OTHER not in str(again), "the new one is masked: it was begun anew"
    assert "***" in again["answer"]
    await desk.remove_secret("github")
    gone = await attack(bench, ask, yes=False)
    assert gone["error"]["code"] == "server.secret", gone["error"]
    assert gone["error"]["hint"].endswith("secrets set github")
    kept = bench.home.parent / "steward"
    written = b"".join(path.read_bytes() for path in kept.rglob("*") if path.is_file())
    assert KEY.encode() not in written, "neither in the manifest nor in the ledger"
    assert OTHER.encode() not in written


@pytest.mark.slow
@pytest.mark.sandbox
async def test_control_in_the_open_environment_it_is_told_and_stands_in_a_file(bench: Bench) -> None:
    await added(bench, env={"TOKEN": KEY})
    done = await attack(bench, step(1, "raw.environment"), yes=True)
    assert KEY in done["answer"]
    manifests = (bench.home.parent / "steward").rglob("steward.toml")
    assert any(KEY in one.read_text() for one in manifests)


@pytest.mark.slow
@pytest.mark.sandbox
async def test_what_is_denied_is_told_to_no_server(bench: Bench) -> None:
    await bench.kernel.rooms.mail.put_secret("github", KEY, (WHERE,))
    await added(bench, secret={"TOKEN": "github"})
    await bench.kernel.rights.deny("raw", "secret.reveal:github")
    done = await attack(bench, step(1, "raw.environment"), yes=True)
    assert done["resolution"] == "blocked", done


def test_a_key_in_the_open_is_said_on_the_card(tmp_path: Path) -> None:
    script = tmp_path / "server.py"
    script.write_text("")
    _, notes = checked(Asked("notes", ["python3", str(script)], env={"GITHUB_TOKEN": KEY, "MODE": "x"}), str(tmp_path))
    (note,) = [one for one in notes if "vault" in one]
    assert "GITHUB_TOKEN" in note
    assert KEY not in note


@pytest.mark.parametrize("secret", [{"LD_PRELOAD": "github"}, {"A B": "github"}, {"TOKEN": "Not A Name"}])
def test_what_is_no_name_is_refused(tmp_path: Path, secret: dict[str, str]) -> None:
    with pytest.raises(BadRequest, match="cannot be told"):
        checked(Asked("notes", ["python3", "x.py"], secret=secret), str(tmp_path))


@pytest.mark.slow
@pytest.mark.sandbox
async def test_an_address_hears_the_header(rack: Rack, internet: Internet) -> None:
    heard: list[str] = []
    port = await internet.server(saying("{}", heard=heard), name="api.example.org")
    there, _ = checked(Asked("far", url=f"http://api.example.org:{port}/mcp"), str(rack.home))
    asked = request(there, secrets={"Authorization": f"Bearer {KEY}"})
    rack.serving.house._network = internet.egress()
    cell = ServerCell(rack.serving.house, cell_spec(rack.spec(there), there, str(rack.home)), asked, lambda _: None)
    try:
        async with asyncio.timeout(30):
            with pytest.raises(ServerOver):
                await cell.listing()
    finally:
        await cell.end()
    assert f"authorization: bearer {KEY}" in heard[0].lower(), json.dumps(heard)
