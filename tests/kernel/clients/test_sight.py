"""What a client finds in memory is what it may read, whichever way it asks; the person finds everything."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from kernel import Ask
from kernel.clients.sight import sees_of
from memory.graph import Claim, Object
from permissions.labels import ANYONE, KERNEL_SAID, USER_SAID, Integrity, Label

Bench = Any  # tests/kernel/conftest.py

pytestmark = [pytest.mark.slow, pytest.mark.sandbox]

NODE = "mcp:claude"
SECRETS = {
    "for another reader": ("Zora Kern", "phone", "0170 4711", Label(Integrity.TRUSTED_SOURCE, frozenset({"mcp:code"}))),
    "found in a file": ("Milan Voss", "address", "Hidden Lane 9", Label()),
    "kept from two readers": ("Petra Lind", "phone", "0170 4712", Label(Integrity.UNTRUSTED, frozenset({"a", "b"}))),
}
SHOWN = {
    "for this reader": ("Uwe Frank", "phone", "0170 4713", Label(Integrity.UNTRUSTED, frozenset({NODE}))),
    "for anybody": ("Ines Adler", "phone", "0170 4714", Label(Integrity.UNTRUSTED, ANYONE)),
    "of the person": ("Olga Braun", "phone", "0170 4715", USER_SAID),
}  # fmt: skip


@pytest.fixture
async def told(bench: Bench) -> Bench:
    """A client that may search memory, and facts with all kinds of labels."""
    await bench.kernel.clients.add("claude")
    graph = bench.kernel._house.knowledge.graph()
    for name, predicate, value, label in (*SECRETS.values(), *SHOWN.values()):
        who = graph.make_entity("person", name, label=label.to_json())
        graph.assert_fact(Claim(who.id, predicate, Object.text(value), f"file:{name}", label=label.to_json()))
    return bench


async def found_by_client(bench: Bench, name: str) -> str:
    """Everything that the client gets to see of somebody, by every way that it has."""
    views: list[Mapping[str, Any]] = [await bench.kernel.search_for("claude", name, 100)]
    for text in (
        f"what do you know about {name}?", f"what is {name}'s phone number?", f"Was weißt du über {name}?",
        f"what did I ask you about {name}?", f"which notes mention {name}?",
    ):  # fmt: skip
        run = await bench.kernel.ask(Ask(text, client="claude", channel="mcp"))
        view = await bench.kernel.settled(run)
        views.append({key: view[key] for key in ("answer", "result", "question", "error", "plan")})
    return json.dumps(views, ensure_ascii=False)


@pytest.mark.parametrize("kind", SECRETS)
async def test_a_client_finds_no_fact_that_it_may_not_read(told: Bench, kind: str) -> None:
    name, _, value, _ = SECRETS[kind]
    assert value not in await found_by_client(told, name)
    hits = (await told.kernel.known.search(f"{name} {value}"))["hits"]
    assert [hit for hit in hits if value in hit["text"]], "the control: the person finds it"
    for client, seen in ((NODE, False), ("", True)):
        facts = (await told.kernel.known.search(name, at="2030-01-01", client=client))["facts"]
        assert (value in json.dumps(facts)) is seen
    assert value in (await told.ask(f"what do you know about {name}?"))["answer"]


@pytest.mark.parametrize("kind", SHOWN)
async def test_a_client_finds_what_it_may_read(told: Bench, kind: str) -> None:
    name, _, value, _ = SHOWN[kind]
    found = await told.kernel.search_for("claude", name, 100)
    assert [hit for hit in found["hits"] if value in hit["text"]]
    assert value in await found_by_client(told, name)


async def test_what_tools_found_is_read_by_whom_it_was_granted(told: Bench) -> None:
    """A grant opens a kind of label, no label that names its readers; a deny shuts what the offer opens."""
    hidden, other = SECRETS["found in a file"], SECRETS["kept from two readers"]
    given = await told.kernel.grant(NODE, "graph.read:untrusted")
    assert hidden[2] in await found_by_client(told, hidden[0])
    assert other[2] not in await found_by_client(told, other[0])
    await told.kernel.revoke(given)
    assert hidden[2] not in await found_by_client(told, hidden[0])
    own = SHOWN["of the person"]
    await told.kernel.rights.deny(NODE, "graph.read:user")
    assert own[2] not in await found_by_client(told, own[0])


async def test_an_answer_made_of_a_file_is_not_recalled_to_a_client(told: Bench) -> None:
    """Neither as a turn, nor beside one that is shown, nor when it asks what was answered; the request itself is."""
    (told.home / "Notes").mkdir()
    (told.home / "Notes/gate.md").write_text("the gate code is 90210\n")
    view = await told.ask("read the note called gate")
    assert "90210" in view["answer"]
    seen = [await told.kernel.search_for("claude", "note gate code", 100)]
    for text in ("what did you tell me about the gate?", "what did I ask you today?"):
        run = await told.kernel.ask(Ask(text, client="claude", channel="mcp"))
        view = await told.kernel.settled(run)
        seen.append({"answer": view["answer"], "result": view["result"]})
    assert "90210" not in json.dumps(seen)
    assert "called gate" in json.dumps(seen[0]["hits"])
    assert "90210" in json.dumps((await told.kernel.known.search("note gate code"))["hits"]), "the control"
    assert "90210" in (await told.ask("what did you tell me about the gate?"))["answer"]


async def test_a_client_is_not_told_what_was_done_in_other_names(told: Bench) -> None:
    done = await told.ask("make a note called heron saying the reeds are high")
    assert done["resolution"] == "confirmed", done
    seen = []
    for text in ("what did you do today?", "what notes did you make today?"):
        run = await told.kernel.ask(Ask(text, client="claude", channel="mcp"))
        view = await told.kernel.settled(run)
        seen.append({"answer": view["answer"], "result": view["result"]})
    assert "heron" not in json.dumps(seen).casefold(), seen
    assert "heron" in (await told.ask("what did you do today?"))["answer"].casefold(), "the control"


async def test_a_client_is_told_what_it_asked_itself_and_no_namesake_or_other_is(told: Bench) -> None:
    async def asks(client: str, text: str) -> str:
        view = await told.kernel.settled(await told.kernel.ask(Ask(text, client=client, channel="mcp")))
        return json.dumps({"answer": view["answer"], "result": view["result"]})

    await told.kernel.clients.add("code")
    await asks("claude", "what is 31 plus 4?")
    assert "31 plus 4" in await asks("claude", "what did I ask you today?")
    assert "31 plus 4" not in await asks("code", "what did I ask you today?")
    await told.kernel.clients.remove("claude")
    await told.kernel.clients.add("claude")
    assert "31 plus 4" not in await asks("claude", "what did I ask you today?")
    assert "31 plus 4" in (await told.ask("what did I ask you today?"))["answer"], "the control"


async def test_a_client_that_is_gone_or_was_not_offered_memory_sees_nothing(told: Bench) -> None:
    labels = [label.to_json() for _, _, _, label in SHOWN.values()] + [KERNEL_SAID.to_json()]
    house = told.kernel._house
    may = sees_of(house, NODE)
    assert may is not None
    assert all(may(label) for label in labels), "the control"
    assert sees_of(house, "") is None
    await told.kernel.clients.withdraw("claude", ["memory_search"])
    for node in (NODE, "mcp:nobody"):
        sees = sees_of(house, node)
        assert sees is not None
        assert not any(sees(label) for label in [*labels, None, "x", {"readers": None}])


async def test_what_steward_repeated_to_the_person_is_not_washed_clean(told: Bench) -> None:
    """An attack by detours: what is kept from a client, answered from memory and then told again ("what did you just
    do?"), is an answer of Steward's own, and still not for a client; not even for one that was granted what files say.
    """
    await told.kernel.grant(NODE, "graph.read:untrusted")
    name, _, value, _ = SECRETS["for another reader"]
    for text in (f"what is {name}'s phone number?", "what did you just do?", f"what do you know about {name}?"):
        assert (await told.ask(text))["resolution"] == "executed"
    assert value in (await told.ask(f"what is {name}'s phone number?"))["answer"], "the control"
    seen = [await told.kernel.search_for("claude", f"{name} phone {value}", 100)]
    for text in ("what did I ask you today?", f"what did you tell me about {name}?", "what did you just do?"):
        run = await told.kernel.ask(Ask(text, client="claude", channel="mcp"))
        view = await told.kernel.settled(run)
        seen.append({"answer": view["answer"], "result": view["result"]})
    assert value not in json.dumps(seen)
