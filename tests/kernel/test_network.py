"""A skill with a host in its manifest, through the whole kernel: asked, fetched, in the ledger, and no more."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import pytest

from kernel.dispatching.connections import hosts_of
from permissions import Cells
from permissions.model import Action, Principal, Right, Verdict
from skills.model import EffectClass, SkillId, Tool, ToolId, ValueKind, ValueType
from tests.kernel.small_skill import lay_skill
from tests.permissions.egress.conftest import Internet, internet, read_head

__all__ = ["internet"]

Bench = Any  # tests/kernel/conftest.py

_CODE = '''"""Fetch a greeting."""

from __future__ import annotations

from skills.sdk import Context


def greet(ctx: Context) -> str:
    """Fetch the greeting of the day."""
    text = ctx.fetch("http://example.org:PORT/path-word?query-word=1", headers={"x-key": "header-word"}).text
    ctx.say(f"It says {text}.")
    return text


def stray(ctx: Context) -> str:
    """Fetch the weather of the moon."""
    return ctx.fetch("http://other.test:PORT/").text


def pull(ctx: Context) -> str:
    """Pull the map of the town."""
    ran = ctx.run(["curl", "--silent", "--max-time", "10", "http://example.org:PORT/map-word"])
    ctx.say(f"It says {ran.stdout}.")
    return ran.stdout


def roam(ctx: Context) -> str:
    """Fetch the news from anywhere."""
    text = ctx.fetch("http://example.org:PORT/").text
    ctx.say(f"It says {text}.")
    return text


def linger(ctx: Context) -> str:
    """Fetch the end of all days."""
    return ctx.fetch("http://example.org:PORT/linger", timeout_s=60).text


def claim(ctx: Context) -> str:
    """Fetch the price of a star."""
    return ctx.fetch("http://example.org:PORT/").text
'''
_TOOL = """
[tools.{name}]
effect = "{effect}"
rights = [{{ action = "net.connect", scope = "{scope}:{port}", reason = "to read it there" }}]
examples.en = ["{example}"]
{more}
"""
_SENTENCES = {"greet": "fetch the greeting of the day", "stray": "fetch the weather of the moon",
              "claim": "fetch the price of a star", "pull": "pull the map of the town",
              "roam": "fetch the news from anywhere", "linger": "fetch the end of all days"}  # fmt: skip


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Say hello, but to whoever lingers nothing at all."""
    head = await read_head(reader)
    if "/linger" in head:
        await reader.read()
        return
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello")
    await writer.drain()


@pytest.fixture
async def fetcher(bench: Bench, internet: Internet) -> Bench:
    port = await internet.server(_answer, name="example.org")
    internet.names["other.test"] = internet.names["example.org"]
    tools = (_TOOL.format(name=name, port=port, example=text, effect="pure" if name == "claim" else "idempotent",
                          scope="*.org" if name in ("roam", "linger") else "example.org",
                          more='runs_programs = "to run curl"' if name == "pull" else "")
             for name, text in _SENTENCES.items())  # fmt: skip
    lay_skill(bench.folders, "fetcher", "".join(tools), _CODE.replace("PORT", str(port)), "Fetch things from afar.")
    await bench.kernel.close()
    bench.kernel = await bench.reopen()
    house = bench.kernel._house
    asked = house.policy.decide(
        Principal("fetcher", "", "", "", ""), Right(Action.NET_CONNECT, "example.org:80"), now_s=0
    )
    if asked.verdict is Verdict.DENY:
        pytest.skip("the policy lets no host be asked for")
    house.cells = Cells([sys.executable, "-P", "-m", "skills.worker"], network=internet.egress())
    return bench


def network_events(bench: Bench, run: str) -> list[tuple[str, dict[str, Any]]]:
    events = bench.kernel._house.ledger.events(run=run)
    return [(event.kind, dict(event.body)) for event in events if event.kind.startswith("net.")]


@pytest.mark.parametrize("effect", EffectClass)
def test_a_tool_that_says_it_is_pure_connects_to_nothing(effect: EffectClass) -> None:
    tool = Tool(ToolId("a.b"), SkillId("a"), "b", "", effect, (), ValueType(ValueKind.ANY), (), ())
    needs = (
        Right(Action.NET_CONNECT, "b.test:443"),
        Right(Action.FS_READ, "/h"),
        Right(Action.NET_CONNECT, "a.test:80"),
    )
    assert hosts_of(tool, needs) == (() if effect is EffectClass.PURE else ("a.test:80", "b.test:443"))


async def test_a_granted_host_is_fetched_and_stands_in_the_ledger(fetcher: Bench) -> None:
    view = await fetcher.ask(_SENTENCES["greet"])
    assert (view["resolution"], view["answer"]) == ("confirmed", "It says hello."), view["error"]
    [(kind, body)] = network_events(fetcher, view["run"])
    assert (kind, body["host"], body["address"], body["code"]) == ("net.connected", "example.org", "127.0.1.1", "")
    assert body["up_bytes"] > 0 < body["down_bytes"]
    assert "-word" not in repr(body)
    done = next(event for event in fetcher.kernel._house.ledger.events(run=view["run"]) if event.kind == "task.done")
    assert done.body["network"] == {"connections": 1, **{key: body[key] for key in ("up_bytes", "down_bytes")}}


async def test_a_program_of_a_tool_connects_through_the_relay(fetcher: Bench) -> None:
    if fetcher.kernel._house.level()[0] != "L3":
        pytest.skip("no namespaces here")
    view = await fetcher.ask(_SENTENCES["pull"])
    assert (view["resolution"], view["answer"]) == ("confirmed", "It says hello."), view["error"]
    [(kind, body)] = network_events(fetcher, view["run"])
    assert (kind, body["host"], body["address"], body["code"]) == ("net.connected", "example.org", "127.0.1.1", "")
    assert "-word" not in repr(body)


async def test_nothing_is_connected_before_a_person_says_yes(fetcher: Bench) -> None:
    view = await fetcher.ask(_SENTENCES["greet"], yes=False)
    assert view["resolution"] == "pending"
    assert "example.org" in repr(view["card"])
    view = await fetcher.answer(view["run"], "no")
    assert view["resolution"] == "blocked"
    assert network_events(fetcher, view["run"]) == []


@pytest.mark.parametrize(("tool", "code"), [("stray", "refused.net.host"), ("claim", "tool.network")])
async def test_a_host_that_the_plan_did_not_name_is_refused(fetcher: Bench, tool: str, code: str) -> None:
    view = await fetcher.ask(_SENTENCES[tool])
    assert view["resolution"] == "failed"
    assert view["error"]["code"] == code
    events = network_events(fetcher, view["run"])
    assert [kind for kind, _ in events] == (["net.refused"] if tool == "stray" else [])


async def test_a_host_that_a_person_denies_inside_of_what_was_granted_is_not_reached(fetcher: Bench) -> None:
    allowed = await fetcher.ask(_SENTENCES["roam"])
    assert (allowed["resolution"], allowed["answer"]) == ("confirmed", "It says hello."), allowed["error"]
    [(_, body)] = network_events(fetcher, allowed["run"])
    one = await fetcher.kernel.rights.deny("fetcher", f"net.connect:example.org:{body['port']}")
    view = await fetcher.ask(_SENTENCES["roam"])
    assert view["error"]["code"] == "refused.net.denied", view
    assert [kind for kind, _ in network_events(fetcher, view["run"])] == ["net.refused"]
    await fetcher.kernel.rights.revoke(one, denies=True)
    assert (await fetcher.ask(_SENTENCES["roam"]))["answer"] == "It says hello."


async def test_a_host_that_is_denied_meanwhile_ends_the_call_that_may_reach_it(
    fetcher: Bench, internet: Internet
) -> None:
    view = await fetcher.ask(_SENTENCES["greet"])
    [(_, body)] = network_events(fetcher, view["run"])
    asking = asyncio.create_task(fetcher.ask(_SENTENCES["linger"]))
    while len(internet.asked) < 2:  # noqa: ASYNC110 - it asks in another process
        await asyncio.sleep(0.01)
    await fetcher.kernel.rights.deny("fetcher", f"net.connect:example.org:{body['port']}")
    ended = await asyncio.wait_for(asking, 20)
    assert ended["error"]["code"] == "task.revoked", ended
