"""A macro as a tool of a client: listed where it was offered, typed, under the rights of the client."""

from __future__ import annotations

from typing import Any

import pytest

from kernel import BadRequest, ToolCall
from kernel.clients.macros import offer_of

Bench = Any  # tests/kernel/conftest.py

pytestmark = [pytest.mark.slow, pytest.mark.sandbox]

BIG = "define big files as list the N largest files in a folder"


@pytest.fixture
async def offered(bench: Bench) -> Bench:
    """Two clients, of which one may call a macro that the person defined."""
    made = await bench.ask(BIG)
    assert made["resolution"] == "confirmed", made["answer"]
    for name in ("claude", "code"):
        await bench.kernel.clients.add(name)
    assert await bench.kernel.clients.allow("claude", ["big files"])
    return bench


def of_macros(bench: Bench, client: str) -> list[dict[str, Any]]:
    return [one for one in bench.kernel.clients.offers(client) if one["name"].startswith("macro-")]


def offer(bench: Bench) -> str:
    return offer_of(bench.kernel._house.macros.get("big files"))


async def test_it_is_listed_where_it_was_offered_with_its_steps_types_and_effects(offered: Bench) -> None:
    (one,) = of_macros(offered, "claude")
    assert (one["name"], one["title"]) == ("macro-big-files", "big files")
    assert "space" in one["description"]
    schema = one["input_schema"]
    assert (schema["required"], schema["additionalProperties"]) == (["N", "folder"], False)
    assert [schema["properties"][name]["type"] for name in ("N", "folder")] == ["integer", "string"]
    assert one["annotations"]["readOnlyHint"]
    assert not one["annotations"]["destructiveHint"]
    assert of_macros(offered, "code") == []
    listed = {one["name"]: one["offers"] for one in offered.kernel.clients.listed()}
    assert "big files" in listed["claude"]


async def test_it_is_called_in_the_client_s_name_and_asks_the_person(offered: Bench) -> None:
    await offered.kernel.grant("files", "fs.read:~/Downloads/**")  # the person's own counts for no client
    call = ToolCall("claude", offer(offered), {"N": 1, "folder": "~/Downloads"})
    run = await offered.kernel.call(call)
    view = await offered.kernel.settled(run)
    assert (view["resolution"], view["stage"]) == ("pending", "plan"), view["answer"]
    assert view["client"] == "claude"
    assert "big files" in view["text"]
    await offered.kernel.approve(run, "once")
    done = await offered.kernel.settled(run)
    assert done["resolution"] == "confirmed", done["answer"]
    assert done["plan"]["tasks"][0]["arguments"].items() >= {"count": "1", "folder": "~/Downloads"}.items()


@pytest.mark.parametrize(("given", "says"), [
    ({"N": 1}, "folder is missing"), ({"N": 1, "folder": "~", "other": 1}, "other is not known"),
    ({"N": "many", "folder": "~/Downloads"}, "count"),
])  # fmt: skip
async def test_arguments_of_another_form_are_refused(offered: Bench, given: dict[str, Any], says: str) -> None:
    with pytest.raises(BadRequest, match=says):
        await offered.kernel.call(ToolCall("claude", offer(offered), given))


async def test_it_is_nothing_for_another_client_nor_once_it_is_withdrawn_or_kept_anew(offered: Bench) -> None:
    call = {"N": 1, "folder": "~/Downloads"}
    with pytest.raises(BadRequest, match="may not call"):
        await offered.kernel.call(ToolCall("code", offer(offered), call))
    await offered.kernel.clients.withdraw("claude", ["big files"])
    assert of_macros(offered, "claude") == []
    await offered.kernel.clients.allow("claude", ["big files"])
    before = offer(offered)
    await offered.kernel.macros.remove("big files")
    await offered.ask(BIG)
    assert of_macros(offered, "claude") == [], "what was offered was another plan"
    with pytest.raises(BadRequest):
        await offered.kernel.call(ToolCall("claude", before, call))
