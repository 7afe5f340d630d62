"""Clients on a real kernel: what one was granted no other has, and the person's own grants count for none of them."""

from __future__ import annotations

from typing import Any

import pytest

from kernel import Ask, BadRequest, ToolCall, UnknownRun

Bench = Any  # tests/kernel/conftest.py

pytestmark = [pytest.mark.slow, pytest.mark.sandbox]

FOLDER = "fs.read:~/Downloads/**"
TOOL = "files.largest"


async def called(bench: Bench, client: str, tool: str = TOOL, **arguments: Any) -> dict[str, Any]:
    """Call a tool in a client's name, and wait until the run has ended or waits."""
    run = await bench.kernel.call(ToolCall(client, tool, arguments or {"folder": "~/Downloads"}))
    view: dict[str, Any] = await bench.kernel.settled(run)
    return view


async def asked(bench: Bench, client: str, text: str, conversation: str | None = None) -> dict[str, Any]:
    run = await bench.kernel.ask(Ask(text, conversation, client=client, channel="mcp"))
    view: dict[str, Any] = await bench.kernel.settled(run)
    return view


@pytest.fixture
async def two(bench: Bench) -> Bench:
    """Two clients that may call one tool each."""
    for name in ("claude", "code"):
        await bench.kernel.clients.add(name)
        await bench.kernel.clients.allow(name, [TOOL])
    return bench


def waits(view: dict[str, Any]) -> bool:
    return view["resolution"] == "pending" and view["stage"] == "plan"


async def test_what_one_client_was_granted_no_other_has(two: Bench) -> None:
    """The control: for the one that it was granted to, the same call runs without a question."""
    await two.kernel.grant("mcp:claude.files", FOLDER)
    mine, other, person = await called(two, "claude"), await called(two, "code"), await two.ask(
        "what are the largest files in Downloads", yes=False
    )  # fmt: skip
    assert mine["resolution"] == "executed", mine
    assert waits(other)
    assert waits(person), "what a client was granted is not the person's either"


async def test_the_person_s_standing_grants_count_for_no_client(two: Bench) -> None:
    """The control: the person's own request runs without a question."""
    await two.kernel.grant("files", FOLDER)
    own = await two.ask("what are the largest files in Downloads", yes=False)
    assert own["resolution"] == "executed", own
    assert waits(await called(two, "claude"))
    assert waits(await asked(two, "claude", "what are the largest files in Downloads"))


async def test_a_person_s_yes_to_a_client_s_card_is_for_that_client(two: Bench) -> None:
    view = await called(two, "claude")
    assert (view["client"], view["card"]["client"]) == ("claude", "claude")
    assert [one["client"] for one in two.kernel.approvals()] == ["claude"]
    done = await two.answer(view["run"], "always")
    assert done["resolution"] == "confirmed", done
    (grant,) = [one for one in two.kernel.perms() if one["skill"] == "files"]
    assert grant["client"] == "mcp:claude"
    assert (await called(two, "claude"))["resolution"] == "executed"
    assert waits(await called(two, "code"))
    assert [one["id"] for one in two.kernel.rights.show("mcp:claude.files")["grants"]] == [grant["id"]]
    assert two.kernel.rights.show("mcp:code.files")["grants"] == []
    assert two.kernel.rights.show("files")["grants"] == []


async def test_it_holds_after_a_restart(two: Bench) -> None:
    await two.kernel.grant("mcp:claude.files", FOLDER)
    waiting = await called(two, "code")
    await two.kernel.close()
    two.kernel = await two.reopen()
    assert (await called(two, "claude"))["resolution"] == "executed"
    (left,) = two.kernel.approvals()
    assert (left["run"], left["client"]) == (waiting["run"], "code")
    await two.kernel.grant("files", FOLDER)
    done = await two.answer(waiting["run"], "once")
    assert done["resolution"] == "confirmed"
    assert waits(await called(two, "code")), "a resumed run is still the client's: its yes was for once"


async def test_a_removed_client_leaves_nothing_to_its_namesake(two: Bench) -> None:
    await two.kernel.grant("mcp:claude.files", FOLDER)
    token = await two.kernel.clients.add("third")
    assert two.kernel.clients.whose(token) == "third"
    await two.kernel.remove_client("third")
    assert two.kernel.clients.whose(token) is None
    await two.kernel.remove_client("claude")
    assert not [one for one in two.kernel.perms() if one.get("client") == "mcp:claude"]
    with pytest.raises(UnknownRun):
        await called(two, "claude")
    await two.kernel.clients.add("claude")
    with pytest.raises(BadRequest, match="may not call"):
        await called(two, "claude")
    await two.kernel.clients.allow("claude", [TOOL])
    assert waits(await called(two, "claude"))


@pytest.mark.parametrize("restarts", [False, True])
async def test_what_a_removed_client_did_is_not_its_namesake_s(two: Bench, restarts: bool) -> None:
    """The control: the client that did it sees it, goes on with it and takes it back."""
    house, place = two.kernel._house, two.home / "Downloads" / "Theirs"
    own = await asked(two, "claude", "make a folder called Theirs in Downloads")
    await two.answer(own["run"], "once")
    assert place.is_dir()
    assert [one["run"] for one in two.kernel.runs(client="claude")] == [own["run"]]
    assert two.kernel.is_run_of(own["run"], "claude")
    assert house.past("x", client="mcp:claude").runs == [own["run"]]
    await two.kernel.remove_client("claude")
    await two.kernel.clients.add("claude")
    if restarts:
        await two.kernel.close()
        two.kernel = await two.reopen()
    assert two.kernel.runs(client="claude") == []
    assert not two.kernel.is_run_of(own["run"], "claude")
    assert two.kernel._house.past("x", client="mcp:claude").runs == []
    with pytest.raises(BadRequest, match="somebody else"):
        await asked(two, "claude", "undo that", own["conversation"])
    assert (await asked(two, "claude", "undo that"))["resolution"] != "executed"
    assert place.is_dir()
    await two.kernel.undo(own["run"])
    assert not place.exists(), "the person can"


async def test_removing_a_client_stops_what_runs_in_its_name_and_nothing_else(two: Bench) -> None:
    mine, other = await called(two, "claude"), await called(two, "code")
    await two.kernel.remove_client("claude")
    assert (await two.kernel.settled(mine["run"]))["resolution"] == "rolled_back"
    assert waits(two.kernel.view(other["run"]))


async def test_a_client_calls_what_it_was_offered_and_nothing_else(two: Bench) -> None:
    offered = [one["offer"] for one in two.kernel.clients.offers("claude")]
    assert offered == ["steward.ask", "steward.memory_search", TOOL]
    with pytest.raises(BadRequest, match="may not call") as refused:
        await called(two, "claude", "files.find", folder="~/Downloads")
    assert refused.value.hint.endswith("./steward mcp allow claude files.find")
    await two.kernel.clients.allow("claude", ["files"])
    assert "files.find" in [one["offer"] for one in two.kernel.clients.offers("claude")]
    assert "files.find" not in [one["offer"] for one in two.kernel.clients.offers("code")]
    await two.kernel.clients.withdraw("claude", ["files", TOOL])
    await two.kernel.clients.withdraw("claude", ["ask"])
    assert [one["offer"] for one in two.kernel.clients.offers("claude")] == ["steward.memory_search"]
    with pytest.raises(BadRequest, match="may not call"):
        await asked(two, "claude", "what are the largest files in Downloads")


async def test_one_tool_of_a_whole_skill_cannot_be_taken_out_of_it(two: Bench) -> None:
    await two.kernel.clients.allow("claude", ["files"])
    with pytest.raises(BadRequest, match="all of files"):
        await two.kernel.clients.withdraw("claude", ["files.find"])


@pytest.mark.parametrize("name", ["", "Claude", "a b", "a" * 40, "mcp:x", "../x", "é", "-a", "1a"])
async def test_a_name_that_is_none_is_refused(bench: Bench, name: str) -> None:
    with pytest.raises(BadRequest) as refused:
        await bench.kernel.clients.add(name)
    assert refused.value.hint


async def test_a_client_is_added_once_and_an_unknown_offer_is_refused(two: Bench) -> None:
    with pytest.raises(BadRequest, match="already"):
        await two.kernel.clients.add("claude")
    with pytest.raises(BadRequest, match="no tool"):
        await two.kernel.clients.allow("claude", ["files.nope"])
    with pytest.raises(UnknownRun):
        await two.kernel.clients.allow("nobody", ["ask"])


async def test_conversations_of_clients_and_of_the_person_are_apart(two: Bench) -> None:
    """The control: in its own conversation a client goes on."""
    first = await asked(two, "claude", "what are the largest files in Downloads")
    talk = first["conversation"]
    assert talk.startswith("mcp:claude/")
    again = await asked(two, "claude", "never mind", talk)
    assert again["conversation"] == talk
    for client, conversation in [("code", talk), ("claude", "c"), ("", talk), ("", "mcp:claude/new")]:
        with pytest.raises(BadRequest, match="somebody else"):
            await two.kernel.ask(Ask("what did I say", conversation, client=client))


async def test_a_client_teaches_nothing(two: Bench) -> None:
    """The control: the same sentences of the person are kept."""
    told, phrase = "remember that Anna Berg works at Xenon", "when I say month end, do: list the files in Downloads"
    for sentence in (told, "forget everything about Anna Berg"):
        assert (await asked(two, "claude", sentence))["error"]["code"] == "client.person", sentence
    await asked(two, "claude", phrase)
    assert (await two.kernel.known.facts())["total"] == 0
    assert not (await two.kernel.learnt.list())["phrases"]
    assert (await two.ask(told))["resolution"] == "executed"
    assert (await two.kernel.known.facts())["total"] > 0


async def test_memory_answers_a_client_that_was_offered_it_and_no_other(two: Bench) -> None:
    await two.ask("remember that Anna Berg works at Xenon")
    may = await asked(two, "claude", "where does Anna Berg work?")
    assert "Xenon" in may["answer"]
    await two.kernel.clients.withdraw("claude", ["memory_search"])
    refused = await asked(two, "claude", "where does Anna Berg work?")
    assert (refused["resolution"], refused["error"]["code"]) == ("blocked", "client.memory")
    assert "Xenon" not in refused["answer"]
    last = await asked(two, "claude", "what did you just do?")
    assert "Anna" not in last["answer"]


async def test_a_client_takes_back_what_it_did_in_its_conversation_and_nothing_else(two: Bench) -> None:
    made = await two.ask("make a folder called Mine in Downloads")
    assert (two.home / "Downloads" / "Mine").is_dir(), made
    refused = await asked(two, "claude", "undo that")
    assert refused["resolution"] == "blocked", refused
    assert refused["error"]["code"] == "client.undo"
    assert (two.home / "Downloads" / "Mine").is_dir()
    own = await asked(two, "claude", "make a folder called Theirs in Downloads")
    done = await two.answer(own["run"], "once")
    assert (two.home / "Downloads" / "Theirs").is_dir(), done
    back = await asked(two, "claude", "undo that", own["conversation"])
    assert back["resolution"] in ("executed", "confirmed"), back
    assert not (two.home / "Downloads" / "Theirs").exists()


async def test_nobody_consents_in_advance_for_a_client(two: Bench) -> None:
    """A path that the person names is covered by ``yes``; the same words of a client wait twice: for the card, and for
    what would be lost. The control: the person's do not wait.
    """
    own = await two.ask("delete ~/Downloads/small.txt", yes=True)
    assert own["resolution"] in ("executed", "confirmed"), own
    run = await two.kernel.ask(Ask("delete ~/Downloads/middle.zip", client="claude", yes=True, private=True))
    view = await two.kernel.settled(run)
    assert waits(view), view
    assert not view["private"]
    view = await two.answer(run, "run")
    assert (view["resolution"], view["stage"]) == ("pending", "commit"), view
    assert (two.home / "Downloads" / "middle.zip").exists()


async def test_grants_at_a_client_s_node_say_what_they_mean(two: Bench) -> None:
    for node, right in [("mcp:claude", FOLDER), ("mcp:claude.files.find", FOLDER), ("mcp:nobody.files", FOLDER),
                        ("mcp:claude.nope", FOLDER)]:  # fmt: skip
        with pytest.raises(BadRequest) as refused:
            await two.kernel.grant(node, right)
        assert refused.value.hint, node
    given = await two.kernel.grant("mcp:claude", "skill.call:files.find")
    assert "files.find" in [one["offer"] for one in two.kernel.clients.offers("claude")]
    await two.kernel.revoke(given)
    why = two.kernel.rights.explain("mcp:claude.files", "fs.read:~/Downloads/a")
    assert why["decided_by"] == "root/user/workspace/mcp:claude/files"
    kinds = [(one["kind"], (one["body"] or {}).get("name")) for one in two.kernel.rights.history()]
    assert ("client.added", "claude") in kinds


async def test_a_deny_a_limit_and_a_budget_at_the_client_hold_for_it_alone(two: Bench) -> None:
    for client in ("claude", "code"):
        await two.kernel.grant(f"mcp:{client}.files", FOLDER)
    denied = await two.kernel.rights.deny("mcp:claude", "fs.read:~/Downloads/**")
    assert (await called(two, "claude"))["resolution"] == "blocked"
    assert (await called(two, "code"))["resolution"] == "executed"
    await two.kernel.rights.revoke(denied, denies=True)
    await two.kernel.rights.limit("mcp:claude", "wall", "0")
    assert (await called(two, "claude"))["resolution"] == "failed"
    assert (await called(two, "code"))["resolution"] == "executed"
    await two.kernel.rights.limit("mcp:claude", "wall", "none")
    await two.kernel.rights.limit("mcp:claude", "wall", "1h", total=True)
    assert (await called(two, "claude"))["resolution"] == "executed"
    (limit,) = two.kernel.rights.show("mcp:claude")["limits"]
    assert limit["left"] < limit["amount"], "its calls are charged to it"


async def test_a_direct_call_goes_the_whole_way_and_can_be_taken_back(two: Bench) -> None:
    await two.kernel.clients.allow("claude", ["files.delete"])
    place = two.home / "Downloads" / "small.txt"
    view = await called(two, "claude", "files.delete", files=["~/Downloads/small.txt"])
    while view["resolution"] == "pending":
        view = await two.answer(view["run"], "once")
    assert view["resolution"] == "confirmed", view
    assert not place.exists()
    await two.kernel.undo(view["run"])
    assert place.exists()
