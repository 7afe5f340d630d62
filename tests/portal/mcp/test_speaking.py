"""What programs do with Steward, by the protocol's own client, in both generations and over both ways in."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from mcp import types
from mcp.shared.exceptions import MCPError

from tests.portal.mcp.speaking import WAYS, connected, ended, new_client, view_of, waiting_run

Installation = Any  # tests/portal/conftest.py
Way = tuple[str, str]

pytestmark = [pytest.mark.slow, pytest.mark.sandbox, pytest.mark.parametrize("way", WAYS, ids="-".join)]

LARGEST, FOLDER = "files.largest", "fs.read:~/Downloads/**"


def names(found: types.ListToolsResult) -> set[str]:
    return {tool.name for tool in found.tools}


async def test_a_new_client_sees_two_tools_and_what_it_was_allowed_besides(served: Installation, way: Way) -> None:
    one, two = new_client(served), new_client(served, LARGEST)
    async with connected(served, way, one) as client:
        assert names(await client.list_tools()) == {"ask", "memory_search"}
    async with connected(served, way, two) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert set(tools) == {"ask", "memory_search", "files-largest"}
    hints = tools["files-largest"].annotations
    assert (hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint) == (True, False, True)
    assert "folder" in tools["files-largest"].input_schema["properties"]
    assert tools["ask"].annotations.read_only_hint is False


async def test_both_generations_are_spoken(served: Installation, way: Way) -> None:
    async with connected(served, way, new_client(served)) as client:
        assert (client.protocol_version >= "2026-07-28") is (way[1] == "auto")
        assert client.server_info.name == "steward"


async def test_a_granted_call_comes_back_with_its_value(served: Installation, way: Way) -> None:
    who = new_client(served, LARGEST)
    assert served.steward("perms", "grant", f"mcp:{who[0]}.files", FOLDER).code == 0
    async with connected(served, way, who) as client:
        done = await client.call_tool("files-largest", {"folder": "~/Downloads"})
    assert not done.is_error, done
    content = done.structured_content
    assert content["resolution"] == "executed"
    assert "big.iso" in json.dumps(content["result"])
    assert "big.iso" in done.content[0].text
    assert view_of(served, content["run"])["client"] == who[0], "the record says who asked"


async def test_a_macro_that_was_offered_is_a_tool_with_its_schema(served: Installation, way: Way) -> None:
    defined = served.steward("ask", "define sums as what is 17 * 3", "--yes", "--json")
    assert defined.code == 0, defined.err
    try:
        who = new_client(served, "sums")
        async with connected(served, way, new_client(served)) as client:
            assert "macro-sums" not in names(await client.list_tools())
        async with connected(served, way, who) as client:
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            assert tools["macro-sums"].annotations.read_only_hint is True
            assert tools["macro-sums"].input_schema["properties"] == {}
            done = await client.call_tool("macro-sums", {})
        assert "51" in done.content[0].text
        assert view_of(served, done.structured_content["run"])["client"] == who[0]
    finally:
        assert served.steward("macros", "remove", "sums").code == 0


async def test_a_sentence_is_asked_and_answered(served: Installation, way: Way) -> None:
    async with connected(served, way, new_client(served)) as client:
        done = await client.call_tool("ask", {"text": "what is 12 times 12?"})
    assert (done.structured_content["resolution"], done.is_error) == ("executed", False), done
    assert "144" in done.content[0].text


async def test_a_card_is_answered_in_another_process_and_the_call_comes_back(served: Installation, way: Way) -> None:
    who, heard = new_client(served, LARGEST), []

    async def progressed(progress: float, total: float | None, message: str | None) -> None:
        heard.append((progress, message))

    async with connected(served, way, who) as client:
        calling = asyncio.ensure_future(
            client.call_tool("files-largest", {"folder": "~/Downloads"}, progress_callback=progressed)
        )
        run = await waiting_run(served, who[0])
        assert not calling.done()
        answered = await asyncio.to_thread(served.steward, "approve", run, "--answer", "once")
        assert answered.code == 0, answered
        done = await calling
    assert done.structured_content["resolution"] == "confirmed", done
    assert any("person" in (message or "") for _, message in heard), heard
    assert [progress for progress, _ in heard] == sorted(progress for progress, _ in heard)


async def test_a_question_is_put_to_the_program_s_user(served: Installation, way: Way) -> None:
    who, questions = new_client(served), []

    async def answer(_context: Any, params: Any) -> types.ElicitResult:
        questions.append(params.message)
        return types.ElicitResult(action="accept", content={"answer": f"Made-{who[0]}"})

    async with connected(served, way, who, elicitation_callback=answer) as client:
        asking = asyncio.create_task(client.call_tool("ask", {"text": "make a folder"}))
        run = await waiting_run(served, who[0])
        assert (await asyncio.to_thread(served.steward, "approve", run, "--answer", "once")).code == 0
        done = await asking
    assert questions, done
    assert done.structured_content["resolution"] in ("executed", "confirmed"), done
    assert (served.home / f"Made-{who[0]}").is_dir()


async def test_a_question_that_is_declined_stays_open_and_one_that_cannot_be_put_comes_as_text(
    served: Installation, way: Way
) -> None:
    async def decline(_context: Any, _params: Any) -> types.ElicitResult:
        return types.ElicitResult(action="decline")

    who = new_client(served)
    async with connected(served, way, who, elicitation_callback=decline) as client:
        done = await client.call_tool("ask", {"text": "make a folder"})
        assert done.structured_content["resolution"] in ("clarify", "declined"), done
    async with connected(served, way, who) as client:
        asked = await client.call_tool("ask", {"text": "make a folder"})
        assert asked.structured_content["resolution"] == "clarify", asked
        talk = asked.structured_content["conversation"]
        assert talk in asked.content[0].text
        answered = await client.call_tool("ask", {"text": "never mind", "conversation": talk})
    assert answered.structured_content["resolution"] == "declined", answered


async def test_a_cancelled_call_stops_its_run(served: Installation, way: Way) -> None:
    """The control: the same call that nobody cancels is still waiting."""
    who = new_client(served, LARGEST)
    async with connected(served, way, who) as client:
        calling = asyncio.ensure_future(client.call_tool("files-largest", {"folder": "~/Downloads"}))
        run = await waiting_run(served, who[0])
        await asyncio.sleep(0.5)
        assert view_of(served, run)["resolution"] == "pending"
        calling.cancel()
        await asyncio.gather(calling, return_exceptions=True)
        assert await ended(served, run) == "rolled_back"
        assert names(await client.list_tools()), "the connection lives"


async def test_a_client_reads_its_own_runs_and_nobody_else_s(served: Installation, way: Way) -> None:
    mine, other = new_client(served), new_client(served)
    person = served.steward("ask", "what is 2 + 3?", "--json").json["run"]
    async with connected(served, way, mine) as client:
        run = (await client.call_tool("ask", {"text": "what is 12 times 12?"})).structured_content["run"]
        read = await client.read_resource(f"steward://runs/{run}")
        assert json.loads(read.contents[0].text)["answer"]
        listed = json.loads((await client.read_resource("steward://runs")).contents[0].text)
        assert [one["run"] for one in listed["runs"]] == [run]
        assert {one.uri_template for one in (await client.list_resource_templates()).resource_templates}
        with pytest.raises(MCPError, match="no run"):
            await client.read_resource(f"steward://runs/{person}")
    async with connected(served, way, other) as client:
        with pytest.raises(MCPError, match="no run"):
            await client.read_resource(f"steward://runs/{run}")


async def test_memory_is_searched_by_whom_it_was_offered_to(served: Installation, way: Way) -> None:
    served.steward("ask", "remember that Anna Berg works at Xenon")
    may, may_not = new_client(served), new_client(served)
    assert served.steward("mcp", "revoke", may_not[0], "memory_search").code == 0
    async with connected(served, way, may) as client:
        found = await client.call_tool("memory_search", {"words": "Anna Berg"})
        assert "Xenon" in found.content[0].text, found
        assert "Anna" in (await client.read_resource("steward://memory/Anna%20Berg")).contents[0].text
    async with connected(served, way, may_not) as client:
        assert names(await client.list_tools()) == {"ask"}
        refused = await client.call_tool("memory_search", {"words": "Anna"})
        assert refused.is_error
        assert "./steward mcp allow" in refused.content[0].text
        with pytest.raises(MCPError, match="may not"):
            await client.read_resource("steward://memory/Anna")
        asked = await client.call_tool("ask", {"text": "where does Anna Berg work?"})
        assert "Xenon" not in asked.content[0].text


BAD: list[tuple[str, dict[str, Any]]] = [
    ("files-largest", {"folder": "../../etc"}), ("files-largest", {"folder": "~/Downloads", "nope": 1}),
    ("files-largest", {"folder": 7}), ("files-find", {"folder": "~/Downloads"}), ("no-such", {}), ("ask", {}),
    ("ask", {"text": 5}), ("ask", {"text": "hi", "yes": True}), ("ask", {"text": "hi", "conversation": "c-1"}),
    ("ask", {"text": "x" * 30_000}), ("memory_search", {"words": "a", "limit": 10**9}),
]  # fmt: skip


async def test_calls_that_do_not_fit_are_errors_with_a_next_step(served: Installation, way: Way) -> None:
    async with connected(served, way, new_client(served, LARGEST)) as client:
        for tool, arguments in BAD:
            done = await client.call_tool(tool, arguments)
            assert done.is_error, (tool, done)
            assert done.structured_content["error"]["hint"], (tool, done)
            assert "Traceback" not in done.content[0].text
