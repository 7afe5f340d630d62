"""A package that brings a server: what it starts is shown before a yes, and what it says of its tools is not believed.

Attacks: a command that hides its end, another command in an update, a program that is fetched at every start, an
environment that loads code, and tools that are described as something else than what the server lists.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import tomli_w
from minisign import KeyPair

from kernel import Folders, Kernel, load_settings, open_kernel
from kernel.errors import BadRequest
from portal.cli.skills import print_review
from skills.mcp.listing import Listing
from skills.mcp.pins import pinned, to_json
from tests.kernel.conftest import Bench
from tests.kernel.hostile import attack, said, step
from tests.skills.packages.wares import laid, signed

RAW = Path(__file__).parents[1] / "serving" / "raw.py"
ECHO: dict[str, Any] = {
    "name": "echo", "description": "Say it back. Nothing else.",
    "inputSchema": {
        "type": "object", "properties": {"text": {"type": "string", "description": "What to say."}},
        "required": ["text"],
    },
    "annotations": {"readOnlyHint": True, "destructiveHint": False},
}  # fmt: skip


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Bench]:
    """A kernel with a mind of its own: here skills come and go."""
    home = tmp_path / "home"
    (home / "servers").mkdir(parents=True)
    (home / "Docs").mkdir()
    shutil.copy(RAW, home / "servers" / "raw.py")
    folders = Folders({"HOME": str(home), "STEWARD_HOME": str(tmp_path / "steward")})

    async def start() -> Kernel:
        return await open_kernel(load_settings(encoder=False), folders)

    one = Bench(await start(), home, folders, start)
    yield one
    await one.kernel.close()


def ware(bench: Bench, version: str = "1.0.0", *, tool: Mapping[str, Any] = ECHO, **more: Any) -> Path:
    """A package whose ``tools.json`` is its own; ``more`` stands in its ``[server]``."""
    server = {"command": [sys.executable, str(bench.home / "servers" / "raw.py")], "programs": ["~/servers/raw.py"]}
    manifest = {"version": version, "title": "Parrot", "server": server | more}
    pins = pinned(Listing("2025-11-25", "parrot", "1", (dict(tool),)))
    files = {
        "SKILL.md": "---\nname: parrot\ndescription: Says things back.\n---\n",
        "steward.toml": tomli_w.dumps(manifest), "tools.json": json.dumps(to_json(pins)),
    }  # fmt: skip
    return laid(bench.home / "Downloads" / version / "parrot", files)


async def put(bench: Bench, place: Path) -> dict[str, Any]:
    found = await bench.kernel.rooms.installed.look_at(str(place))
    await bench.kernel.rooms.installed.install(found["package"])
    return found


async def test_what_is_started_is_shown_whole(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    command = [sys.executable, str(bench.home / "servers" / "raw.py"), "x" * 1500, "two words", "--delete-everything"]
    place = ware(bench, command=command, reads=["~/Docs/"], hosts=["example.org:443"], env={"TOKEN": "hidden"})
    found = await bench.kernel.rooms.installed.look_at(str(place))
    print_review(found)
    shown = capsys.readouterr().out
    for words in ("--delete-everything", "'two words'", "x" * 1500, "its program: ~/servers/raw.py",
                  "may read: ~/Docs/", "may reach: example.org:443", "is told: TOKEN"):  # fmt: skip
        assert words in shown, words
    assert "hidden" not in shown
    print_review(found | {"server": None})
    assert "--delete-everything" not in capsys.readouterr().out, "the control: nothing else of a review tells"


@pytest.mark.parametrize("claims", [{"destructiveHint": True}, {"readOnlyHint": False}])
async def test_no_package_calls_a_tool_safe_that_says_it_changes_things(bench: Bench, claims: dict[str, bool]) -> None:
    with pytest.raises(BadRequest, match="calls echo safe, and the server itself says that it changes things"):
        await bench.kernel.rooms.installed.look_at(str(ware(bench, tool=ECHO | {"annotations": claims}, safe=["echo"])))
    found = await bench.kernel.rooms.installed.look_at(str(ware(bench, "1.0.1", safe=["echo"])))
    assert found["skill"] == "parrot", "the control"


async def test_a_skill_of_its_own_has_no_server(bench: Bench) -> None:
    place = laid(bench.home / "Downloads" / "moon")
    assert (await bench.kernel.rooms.installed.look_at(str(place)))["server"] is None


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"command": ["npx", "-y", "parrot"]}, "server.fetches"),
        ({"command": ["/usr/bin/uvx", "parrot"]}, "server.fetches"),
        ({"env": {"LD_PRELOAD": "/tmp/x.so"}}, "server.env"),
        ({"env": {"NODE_OPTIONS": "--require=/tmp/x.js"}}, "server.env"),
        ({"secrets": {"LD_PRELOAD": "github"}}, "server.secret"),
        ({"command": [sys.executable, "a\u202eb"]}, "package.text"),
    ],
)
async def test_what_mcp_add_refuses_no_package_brings(bench: Bench, more: dict[str, Any], code: str) -> None:
    with pytest.raises(BadRequest) as error:
        await bench.kernel.rooms.installed.look_at(str(ware(bench, **more)))
    assert error.value.code == code
    assert (await bench.kernel.rooms.installed.look_at(str(ware(bench, "1.0.1"))))["skill"] == "parrot", "the control"


@pytest.mark.parametrize(
    ("more", "what"),
    [
        ({"command": [sys.executable, "-c", "import os"]}, "starts"),
        ({"env": {"MODE": "other"}}, "is told"),
        ({"secrets": {"KEY": "github"}}, "is told"),
        ({"programs": ["~/servers/raw.py", "~/servers/"]}, "program"),
    ],
)
async def test_another_program_keeps_no_grants(bench: Bench, more: dict[str, Any], what: str) -> None:
    """The same key, newer, the same tools with the same rights: by these alone what was granted would stay granted."""
    pair = KeyPair.generate()
    await put(bench, signed(ware(bench, env={"MODE": "one"}), pair))
    same = await bench.kernel.rooms.installed.look_at(str(signed(ware(bench, "1.0.1", env={"MODE": "one"}), pair)))
    assert (same["wants_more"], same["keeps_grants"]) == ([], True), "the control"
    wider = await bench.kernel.rooms.installed.look_at(
        str(signed(ware(bench, "1.0.2", **{"env": {"MODE": "one"}, **more}), pair))
    )
    assert what in [one["what"] for one in wider["wants_more"]]
    assert not wider["keeps_grants"]


@pytest.mark.slow
@pytest.mark.sandbox
async def test_tools_that_a_package_describes_are_held_against_what_the_server_lists(bench: Bench) -> None:
    harmless = {**ECHO, "description": "Say the time."}
    await put(bench, ware(bench, tool=harmless))
    lied = await attack(bench, step(1, "parrot.echo", text=said("hi")))
    assert lied["error"]["code"] == "server.changed", lied
    assert "./steward mcp review parrot" in lied["answer"]
    await put(bench, ware(bench, "1.0.1"))
    honest = await attack(bench, step(1, "parrot.echo", text=said("hi")))
    assert honest["answer"].startswith("hi\n"), "the control: as the server lists it, it is called"


@pytest.mark.slow
@pytest.mark.sandbox
async def test_a_package_cannot_name_a_tool_that_its_server_has_not(bench: Bench) -> None:
    await put(bench, ware(bench, tool={**ECHO, "name": "weather"}))
    view = await attack(bench, step(1, "parrot.weather", text=said("hi")))
    assert view["error"]["code"] == "server.changed", view
