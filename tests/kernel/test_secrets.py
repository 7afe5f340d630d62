"""A secret of the person's in a request of a skill: asked for by name, put in by the daemon, seen by nobody else."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import pytest

from kernel import Ask
from permissions import Cells
from tests.kernel.small_skill import lay_skill
from tests.permissions.egress.conftest import Authority, Internet, authority, internet, read_head

__all__ = ["authority", "internet"]

Bench = Any  # tests/kernel/conftest.py
VALUE = "s3cr3t-value-of-the-person"
_CODE = '''"""Ask a service with a key."""

from __future__ import annotations

from skills.sdk import Context


def tides(ctx: Context) -> str:
    """Fetch the tides of the harbour."""
    text = ctx.fetch("https://example.org:PORT/", secrets={"X-Key": ("{}", "tides")}).text
    ctx.say(f"It says {text}.")
    return text


def swell(ctx: Context) -> str:
    """Fetch the swell of the harbour."""
    return ctx.fetch("https://example.org:PORT/", secrets={"X-Key": ("{}", "tides")}).text
'''
_TOOL = """
[tools.{name}]
effect = "idempotent"
rights = [{{ action = "net.connect", scope = "example.org:{port}", reason = "to read it there" }}, {more}]
examples.en = ["fetch the {name} of the harbour"]
"""
_MORE = '{ action = "secret.use", scope = "tides", reason = "to say who asks" }'


@pytest.fixture
async def keyed(bench: Bench, internet: Internet, authority: Authority) -> Bench:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await read_head(reader)
        said = f"hello {VALUE}" if f"X-Key: {VALUE}" in head else "who are you"
        writer.write(f"HTTP/1.1 200 OK\r\ncontent-length: {len(said)}\r\n\r\n{said}".encode())
        await writer.drain()

    port = await internet.server(answer, name="example.org", ssl=authority.context("example.org"))
    tools = _TOOL.format(name="tides", port=port, more=_MORE) + _TOOL.format(name="swell", port=port, more="")
    lay_skill(bench.folders, "keyed", tools, _CODE.replace("PORT", str(port)), "Fetch tides and swell.")
    await bench.kernel.close()
    bench.kernel = await bench.reopen()
    house = bench.kernel._house
    egress = internet.egress(ca_file=authority.file, lend=house.post.vault.lend)
    house.cells = Cells([sys.executable, "-P", "-m", "skills.worker"], network=egress)
    await bench.kernel.rooms.mail.put_secret("tides", VALUE, (f"example.org:{port}",))
    return bench


async def test_it_is_asked_for_by_name_and_put_in_by_the_daemon(keyed: Bench) -> None:
    run = await keyed.kernel.ask(Ask("fetch the tides of the harbour", "c", str(keyed.home), channel="test"))
    waiting = await keyed.kernel.settled(run)
    assert "use the secret tides" in repr(waiting["card"])
    await keyed.kernel.approve(run, "once")
    done = await keyed.kernel.settled(run)
    assert done["answer"] == f"It says hello {'*' * len(VALUE)}.", done["error"]
    events = [repr(event) for event in keyed.kernel._house.ledger.events()]
    assert any("secret.set" in one for one in events)
    assert not any(VALUE in one for one in events)
    assert keyed.kernel.rooms.mail.secrets().keys() == {"tides"}


async def test_a_tool_without_the_right_gets_none_of_it(keyed: Bench) -> None:
    view = await keyed.ask("fetch the swell of the harbour")
    assert view["error"]["code"] == "refused.net.secret", view
    assert "secret.use:tides" in view["error"]["hint"]
