"""``ctx.fetch`` in a real cell: what a tool's author writes, and what a person reads when it is refused."""

from __future__ import annotations

import asyncio
import gzip
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from permissions.confine import Cells
from permissions.model import CellSpec
from skills import Ran, Runner
from skills.model import Call, ToolId
from tests.permissions.egress.conftest import Handler, Internet, internet, read_head, saying

__all__ = ["internet"]

_CODE = '''from __future__ import annotations
from skills.sdk import Context, Text

def get(ctx: Context, url: Text) -> str:
    """Get.

    Args:
        url: what.
    """
    answer = ctx.fetch(url, limit_bytes=100_000, timeout_s=2.0)
    ctx.say(f"{answer.status} {answer.header('Content-Type')}")
    return answer.text if answer.ok else "not ok"

def order(ctx: Context, url: Text) -> int:
    """Order.

    Args:
        url: where.
    """
    answer = ctx.fetch(url, method="POST", body=b'{"pieces": 2}', headers={"content-type": "application/json"})
    return answer.json()["number"]
'''
HOST = "example.org"


@pytest.fixture
async def runner(internet: Internet) -> AsyncIterator[Runner]:
    cells = Cells([sys.executable, "-P", "-m", "skills.worker"], network=internet.egress())
    yield Runner(cells)
    await cells.close()


@pytest.fixture
def skill(tmp_path: Path) -> Path:
    folder = tmp_path / "fetcher"
    folder.mkdir()
    (folder / "skill.py").write_text(_CODE)
    return folder


async def fetch(runner: Runner, skill: Path, url: str, *hosts: str, **given: Any) -> Ran:
    changes, function = given.pop("changes", False), given.pop("function", "get")
    call = Call(
        tool=ToolId(f"fetcher.{function}"), folder=str(skill), function=function, arguments={"url": url}, home="/h",
        cwd="/h", now="2025-07-01T12:00:00+02:00", timezone="Europe/Berlin", seed=1,
        language=given.pop("language", "en"),
    )  # fmt: skip
    return await runner.run(call, CellSpec((str(skill),), hosts=hosts, changes_hosts=changes))


def packed(data: bytes) -> Handler:
    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_head(reader)
        body = gzip.compress(data)
        head = f"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: {len(body)}\r\n\r\n"
        writer.write(head.encode() + body)
        await writer.drain()

    return handle


async def test_a_tool_gets_text(runner: Runner, skill: Path, internet: Internet) -> None:
    port = await internet.server(saying("grüezi", headers="Content-Type: text/plain; charset=utf-8\r\n"), name=HOST)
    ran = await fetch(runner, skill, f"http://{HOST}:{port}/", f"{HOST}:{port}")
    assert (ran.result.value, ran.result.answer) == ("grüezi", "200 text/plain; charset=utf-8")
    assert ran.cell.connections == 1
    port = await internet.server(packed(b"packed"), name=HOST)
    assert (await fetch(runner, skill, f"http://{HOST}:{port}/", f"{HOST}:{port}")).result.value == "packed"


async def test_only_a_tool_that_is_declared_so_changes_something(
    runner: Runner, skill: Path, internet: Internet
) -> None:
    port = await internet.server(saying('{"number": 7}'), name=HOST)
    url, right = f"http://{HOST}:{port}/", f"{HOST}:{port}"
    assert (await fetch(runner, skill, url, right, function="order", changes=True)).result.value == 7
    error = (await fetch(runner, skill, url, right, function="order")).result.error
    assert error is not None
    assert error["code"] == "refused.net.method"


@pytest.mark.parametrize(
    ("language", "message", "hint"),
    [
        ("en", "may not connect to other.test:80", "net.connect:other.test:80"),
        ("de", "darf sich nicht mit other.test:80 verbinden", "fehlt die Erlaubnis net.connect:other.test:80"),
    ],
)
async def test_a_refusal_names_the_right_that_is_missing(
    runner: Runner, skill: Path, language: str, message: str, hint: str
) -> None:
    ran = await fetch(runner, skill, "http://other.test/", f"{HOST}:80", language=language)
    assert ran.result.error is not None
    assert ran.result.error["code"] == "refused.net.host"
    assert message in ran.result.error["message"]
    assert hint in ran.result.error["hint"]


@pytest.mark.parametrize("language", ["en", "de"])
async def test_whatever_goes_wrong_is_said_in_the_language_of_the_request(
    runner: Runner, skill: Path, internet: Internet, language: str
) -> None:
    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()

    async def broken(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"no http\r\n\r\n")
        await writer.drain()

    ports = [await internet.server(one) for one in (silent, broken, packed(b"\0" * 10_000_000))]
    internet.names = {"example.org": [["127.0.1.1"]], "inside.test": [["10.0.0.1"]]}
    wrong = {
        f"http://{HOST}:{ports[0]}/": "net.time", f"http://{HOST}:{ports[1]}/": "net.protocol",
        f"http://{HOST}:{ports[2]}/": "net.size", "http://inside.test/": "refused.net.address",
        "http://nowhere.test/": "net.name", "file:///etc/passwd": "refused.net.url",
        "http://0x7f.1/": "refused.net.spelling",
    }  # fmt: skip
    for url, code in wrong.items():
        ran = await fetch(runner, skill, url, "*:80", *(f"*:{port}" for port in ports), language=language)
        error = ran.result.error
        assert error is not None, url
        assert error["code"] == code
        assert error["hint"]
        german = {"Adresse", "dauerte", "brach", "sind", "Rechnername", "Webadresse"} & set(
            error["message"].replace(".", "").split()
        )
        assert bool(german) == (language == "de"), error


async def test_without_a_right_to_any_host_there_is_no_network(runner: Runner, skill: Path) -> None:
    error = (await fetch(runner, skill, f"http://{HOST}/")).result.error
    assert error is not None
    assert (error["code"], error["message"]) == ("tool.network", "This tool has no network.")
    assert "net.connect" in error["hint"]
