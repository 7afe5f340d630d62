"""A person's desk and a real kernel: what is set, bound, allowed, measured, written down and forgotten."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("openai", reason="install the extra: ./steward setup models")

from kernel import Ask
from kernel.errors import BadRequest, ModelFailed, UnknownRun
from kernel.knowing.stores import RecordStore
from kernel.models import Message, Prompt, Role, Seen
from kernel.models.testing import chosen
from tests.kernel.models.acts import able
from tests.kernel.models.behaviours import BEHAVIOURS
from tests.kernel.models.server import GOOD as GOOD_TEXT
from tests.kernel.models.server import SCHEMA, VALUE, Line, serving

Bench = Any  # tests/kernel/conftest.py

pytestmark = [pytest.mark.slow, pytest.mark.models]
KEY = "sk-canary-77aa31b2"
SECRET_WORDS = "the roof of the summer house leaks"
GOOD = BEHAVIOURS["good"].act


def prompt(*seen: Seen) -> Prompt:
    """Return a question that holds words of the person."""
    messages = (Message("system", "Choose."), Message("user", f"{SECRET_WORDS}: velm or trosk?"))
    return Prompt(messages, SCHEMA, most_tokens=100, seen=frozenset({Seen.REQUEST, Seen.TOOLS, *seen}))


async def a_run(bench: Bench, *, private: bool = False) -> Any:
    """Return a run that asks."""
    return await bench.kernel._receiving.created(Ask("what is new?", private=private), "")


async def ask(bench: Bench, run: Any, *seen: Seen) -> Any:
    """Ask the planner on behalf of ``run``."""
    try:
        return await bench.kernel._house.models.ask(Role.PLANNER, prompt(*seen), run, deadline_s=5)
    finally:
        await bench.kernel._house.refused({"what": "nothing"})  # a durable event: what was said before is written


async def test_a_question_of_a_run_is_written_down_and_shown_word_for_word(bench: Bench) -> None:
    desk = bench.kernel.rooms.models
    async with serving(GOOD) as server:
        await desk.set("scripted", {"url": server.url, "model": "m"}, KEY)
        await desk.use("planner", ["scripted"])
        run = await a_run(bench)
        assert (await ask(bench, run)).value == VALUE
    assert server.asked[0].headers["authorization"] == f"Bearer {KEY}"
    shown = desk.prompts(run.id)
    (one,) = shown["asked"]
    assert SECRET_WORDS in one["messages"][1]["text"]
    assert (one["reply"], one["code"], one["seen"]) == (GOOD_TEXT, "", ["request", "tools"])
    events = list(bench.kernel._house.ledger.events())
    assert KEY not in str([event.body for event in events])
    with pytest.raises(UnknownRun):
        desk.prompts("r-none")


async def test_of_a_private_run_no_word_is_kept(bench: Bench) -> None:
    desk = bench.kernel.rooms.models
    async with serving(GOOD) as server:
        await desk.set("scripted", {"url": server.url, "model": "m"})
        await desk.use("planner", ["scripted"])
        private, other = await a_run(bench, private=True), await a_run(bench)
        await ask(bench, private)
        await ask(bench, other)
    ledger = bench.kernel._house.ledger
    ledger.let_go(private.id)
    kinds = [event.kind for event in ledger.events(run=private.id)]
    assert {"model.asked", "model.replied"} <= set(kinds), "that it was is kept"
    said = [event.body for event in ledger.events(run=private.id) if event.kind.startswith("model.")]
    assert SECRET_WORDS not in str(said)
    assert "velm" not in str(said)
    (one,) = desk.prompts(private.id)["asked"]
    assert (one["messages"], one["reply"]) == (None, None)
    assert SECRET_WORDS in str([event.body for event in ledger.events(run=other.id)]), "the control"


async def test_forgetting_a_run_forgets_what_a_model_was_asked(bench: Bench) -> None:
    desk, house = bench.kernel.rooms.models, bench.kernel._house
    async with serving(GOOD) as server:
        await desk.set("scripted", {"url": server.url, "model": "m"})
        await desk.use("planner", ["scripted"])
        run = await a_run(bench)
        await ask(bench, run)
    assert SECRET_WORDS in str(desk.prompts(run.id))
    record = RecordStore(house.ledger, house.transactions, lambda _: None)
    await asyncio.to_thread(record.purge, [], ["summer house"])
    assert SECRET_WORDS not in str([event.body for event in house.ledger.events(run=run.id)])
    (one,) = desk.prompts(run.id)["asked"]
    assert (one["forgotten"], one["messages"]) == (True, None)


async def test_a_new_address_has_neither_the_key_nor_the_rights_of_the_old_one(bench: Bench) -> None:
    desk, rights = bench.kernel.rooms.models, bench.kernel.rights
    async with serving(GOOD) as server, serving(GOOD) as other:
        view = await desk.set("scripted", {"url": server.url, "model": "m"}, KEY)
        await desk.use("planner", ["scripted"])
        await rights.grant("models", f"model.see:facts@{view['host']}")
        run = await a_run(bench)
        await ask(bench, run, Seen.FACTS)
        assert desk.listed()["endpoints"][0]["sees"] == ["request", "tools", "facts"]
        await desk.set("scripted", {"model": "other"})
        assert desk.listed()["endpoints"][0]["key"], "the control: the same address keeps it"
        view = await desk.set("scripted", {"url": other.url})
        assert (view["key"], view["secret"], view["sees"]) == (False, "", ["request", "tools"])
        assert bench.kernel.rooms.mail.secrets() == {}
        with pytest.raises(ModelFailed) as refused:
            await ask(bench, run, Seen.FACTS)
        assert (refused.value.code, other.asked) == ("model.not_allowed", [])
        await ask(bench, run)
        assert "authorization" not in other.asked[0].headers
        await desk.set("scripted", {"url": server.url})
        with pytest.raises(ModelFailed):
            await ask(bench, run, Seen.FACTS)


@pytest.mark.parametrize(("key", "said"), [
    ("sk with-a-blank", {}), ("sk-ü", {}), ("sk-a\u200b", {}), ("sk\r\nX-Evil: yes", {}), ("", {}),
    (None, {"secret": "model-other"}),
])  # fmt: skip
async def test_a_key_that_cannot_be_sent_and_that_of_another_are_refused(
    bench: Bench, key: str | None, said: dict[str, Any]
) -> None:
    desk = bench.kernel.rooms.models
    await desk.set("other", {"url": "https://api.example.org/v1", "model": "m"}, KEY)
    await desk.set("mine", {"url": "https://evil.example/v1", "model": "m"})
    with pytest.raises(BadRequest) as refused:
        await desk.set("mine", said, key)
    assert (refused.value.code, bool(refused.value.hint)) == ("model.key", True)
    assert {one["name"]: one["key"] for one in desk.listed()["endpoints"]} == {"other": True, "mine": False}
    assert bench.kernel.rooms.mail.secrets() == {"model-other": []}


async def test_a_new_key_never_goes_to_the_old_address_also_where_the_new_one_cannot_be_kept(bench: Bench) -> None:
    desk, house = bench.kernel.rooms.models, bench.kernel._house
    async with serving(GOOD) as old:
        await desk.set("scripted", {"url": old.url, "model": "m"}, KEY)
        await desk.use("planner", ["scripted"])
        run = await a_run(bench)
        draft = house.models.file.with_name(f".{house.models.file.name}.new")
        draft.mkdir()  # so nothing can be written
        with pytest.raises(BadRequest):
            await desk.set("scripted", {"url": "https://new.example/v1"}, "sk-for-the-new-one")
        draft.rmdir()
        with pytest.raises(ModelFailed) as refused:
            await ask(bench, run)
        assert (refused.value.code, old.asked) == ("model.refused", [])
        await desk.set("scripted", {}, KEY)
        assert (await ask(bench, run)).value == VALUE, "the control"


async def test_a_key_that_cannot_be_destroyed_keeps_the_address(bench: Bench) -> None:
    desk, old = bench.kernel.rooms.models, "https://old.example/v1"
    await desk.set("scripted", {"url": old, "model": "m"}, KEY)
    (kept,) = bench.kernel._house.folders.home.parent.rglob("model-scripted")
    kept.unlink()
    kept.mkdir()  # so nothing can take it away
    for change in (desk.set("scripted", {"url": "https://new.example/v1"}), desk.remove("scripted")):
        with pytest.raises(BadRequest):
            await change
    assert [one["url"] for one in desk.listed()["endpoints"]] == [old]


async def test_a_deny_and_a_budget_are_a_persons_as_for_any_right(bench: Bench) -> None:
    desk, rights = bench.kernel.rooms.models, bench.kernel.rights
    async with serving(GOOD) as server:
        host = (await desk.set("scripted", {"url": server.url, "model": "m", "price_out": 10_000_000}))["host"]
        await desk.use("planner", ["scripted"])
        run = await a_run(bench)
        await rights.grant("models", f"model.see:facts@{host}")
        await ask(bench, run, Seen.FACTS)
        denied = await rights.deny("models", f"model.see:*@{host}")
        with pytest.raises(ModelFailed) as refused:
            await ask(bench, run, Seen.FACTS)
        assert (refused.value.code, refused.value.hint) == ("model.not_allowed", f"./steward perms revoke {denied}")
        await rights.limit("models.scripted", "tokens", "1k", total=True)
        await rights.limit("user", "money.EUR", "0.001", total=True)
        await ask(bench, run)
        left = bench.kernel._house.accounts.budgets.left
        assert left("root/user/workspace/models/scripted", "tokens") == 1000 - 29
        with pytest.raises(ModelFailed) as dear:
            await ask(bench, run)
        assert (dear.value.code, "perms limit user money.EUR AMOUNT --total" in dear.value.hint) == (
            "model.budget",
            True,
        )
        assert len(server.asked) == 2
    await bench.kernel.close()
    bench.kernel = await bench.reopen()
    left = bench.kernel._house.accounts.budgets.left
    assert left("root/user/workspace/models/scripted", "tokens") == 1000 - 29, "a restart counts the same"


@pytest.mark.parametrize(("skill", "right", "code"), [
    ("models", "fs.read:~/Documents/**", "grant.model"), ("files", "model.see:facts@127.0.0.1:1", "grant.model"),
    ("models", "model.see:request@127.0.0.1:1", "scope.seen"), ("models", "model.see:facts@*:1", "scope.seen"),
    ("models", "model.see:*", "grant.denied"), ("models", "model.see:facts", "scope.seen"),
])  # fmt: skip
async def test_only_a_class_at_a_host_is_given_and_to_models_alone(
    bench: Bench, skill: str, right: str, code: str
) -> None:
    with pytest.raises(BadRequest) as refused:
        await bench.kernel.rights.grant(skill, right)
    assert (refused.value.code, bool(refused.value.hint)) == (code, True)


async def test_the_card_says_what_is_seen_and_where_it_goes() -> None:
    from kernel.approval.rights_words import right_words
    from permissions.model import Action, Right

    here, far = (Right(Action.MODEL_SEE, f"facts@{host}") for host in ("127.0.0.1:11434", "api.example.org:443"))
    assert right_words(here, "/home/u", "en") == (
        "let a model see what is known about you, at 127.0.0.1:11434 (it stays on this machine)"
    )
    assert (
        right_words(far, "/home/u", "de") == "einem Modell zeigen: was über dich bekannt ist, bei api.example.org:443"
    )


async def test_a_second_model_is_asked_only_where_a_person_named_it(bench: Bench) -> None:
    desk = bench.kernel.rooms.models
    async with serving(BEHAVIOURS["500"].act) as broken, serving(GOOD) as well:
        await desk.set("first", {"url": broken.url, "model": "m"})
        await desk.set("second", {"url": well.url, "model": "m"})
        await desk.use("planner", ["first"])
        run = await a_run(bench)
        with pytest.raises(ModelFailed) as failed:
            await ask(bench, run)
        assert (failed.value.code, well.asked) == ("model.unreachable", [])
        await desk.use("planner", ["first", "second"])
        assert (await ask(bench, run)).endpoint == "second"
        broken.act = BEHAVIOURS["401"].act
        with pytest.raises(ModelFailed) as refused:
            await ask(bench, run)
        assert refused.value.code == "model.refused", "who says no is not passed over"


async def test_what_is_taken_away_while_the_first_is_asked_the_second_is_not_shown(bench: Bench) -> None:
    desk, rights = bench.kernel.rooms.models, bench.kernel.rights
    async with serving(BEHAVIOURS["500"].act) as broken, serving(GOOD) as well:
        hosts = []
        for name, server in (("first", broken), ("second", well)):
            hosts.append((await desk.set(name, {"url": server.url, "model": "m"}))["host"])
        await desk.use("planner", ["first", "second"])
        await rights.grant("models", f"model.see:facts@{hosts[0]}")
        given = await rights.grant("models", f"model.see:facts@{hosts[1]}")
        run = await a_run(bench)
        assert (await ask(bench, run, Seen.FACTS)).endpoint == "second", "the control"
        fails = broken.act

        async def meanwhile(line: Line) -> None:
            if given in [one["id"] for one in rights.grants()]:
                await rights.revoke(given)
            await fails(line)

        broken.act, well.asked[:] = meanwhile, []
        with pytest.raises(ModelFailed) as refused:
            await ask(bench, run, Seen.FACTS)
    assert (refused.value.code, well.asked) == ("model.not_allowed", [])


async def test_where_no_role_is_bound_it_is_said(bench: Bench) -> None:
    run = await a_run(bench)
    with pytest.raises(ModelFailed) as none:
        await ask(bench, run)
    assert none.value.code == "model.none"
    assert bench.kernel._house.models.endpoint(Role.PLANNER) is None


@pytest.mark.parametrize(("schema", "tools", "way"), [
    (True, True, "schema"), (False, True, "tools"), (False, False, "text"),
])  # fmt: skip
async def test_the_way_is_the_strongest_that_holds_by_force(bench: Bench, schema: bool, tools: bool, way: str) -> None:
    desk = bench.kernel.rooms.models
    async with serving(able(schema=schema, tools=tools)) as server:
        await desk.set("scripted", {"url": server.url, "model": "m"})
        found = await desk.test("scripted")
    assert (found["way"], desk.listed()["endpoints"][0]["way"]) == (way, way)
    assert (found["reachable"], found["listed"], found["plain"], found["usage"]) == (True, True, True, True)
    assert found["schema"] == ((5, 5) if schema else (0, 5))
    assert found["words"] == (2, 2)
    assert found["first_ms"] > 0


async def test_one_that_is_not_there_is_said_and_keeps_its_way(bench: Bench) -> None:
    desk = bench.kernel.rooms.models
    async with serving(GOOD) as server:
        await desk.set("scripted", {"url": server.url, "model": "m", "way": "tools"})
    found = await desk.test("scripted")
    assert (found["reachable"], found["way"], bool(found["problem"])) == (False, None, True)
    assert desk.listed()["endpoints"][0]["way"] == "tools"


async def test_one_that_is_left_alone_is_tested_when_a_person_asks(bench: Bench) -> None:
    desk = bench.kernel.rooms.models
    async with serving(BEHAVIOURS["500"].act) as server:
        await desk.set("scripted", {"url": server.url, "model": "m"})
        await desk.use("planner", ["scripted"])
        run = await a_run(bench)
        for code in ["model.unreachable"] * 3 + ["model.resting"]:
            with pytest.raises(ModelFailed) as down:
                await ask(bench, run)
            assert down.value.code == code
        server.act = able(schema=True, tools=True)
        assert "models test scripted" in down.value.hint
        assert (await desk.test("scripted"))["plain"], "it was mended meanwhile"
        server.act = GOOD
        assert (await ask(bench, run)).value == VALUE


async def test_what_was_changed_while_it_was_measured_is_left_as_it_is(bench: Bench) -> None:
    desk = bench.kernel.rooms.models
    forced = able(schema=True, tools=True)

    async def act(line: Line) -> None:
        if len(line.server.asked) == 2:
            await desk.remove("scripted")
        await forced(line)

    async with serving(act) as server:
        await desk.set("scripted", {"url": server.url, "model": "m"})
        assert (await desk.test("scripted"))["way"] == "schema"
    assert desk.listed()["endpoints"] == []


async def test_servers_of_this_machine_are_found_where_they_answer(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = bench.kernel.rooms.models
    async with serving(GOOD) as server, serving(GOOD) as other:
        server.models = ("a model; rm -rf ~", "second")
        monkeypatch.setattr(
            "kernel.models.testing.SERVERS", {server.port: ("near", "Ollama"), other.port: ("far", "vLLM")}
        )
        await desk.set("known", {"url": other.url, "model": "m"})
        first, second = await desk.detect()
    assert (first["server"], first["models"], first["known"]) == ("Ollama", list(server.models), False)
    assert first["set"] == f"./steward models set near --url {server.url} --model 'a model; rm -rf ~'"
    assert (second["server"], second["known"]) == ("vLLM", True)
    assert await desk.detect() == [], "nobody answers there any more"


async def test_what_was_reserved_is_given_back_to_whoever_leaves_at_any_moment(bench: Bench) -> None:
    desk, house = bench.kernel.rooms.models, bench.kernel._house
    async with serving(able(schema=True, tools=True)) as server:
        await desk.set("scripted", {"url": server.url, "model": "m"})
        await bench.kernel.rights.limit("models.scripted", "tokens", "100k", total=True)
        testing = asyncio.create_task(desk.test("scripted"))
        while not house.accounts.budgets.reserved:  # noqa: ASYNC110  (nobody tells)
            await asyncio.sleep(0)
        testing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await testing
    assert not house.accounts.budgets.reserved


def test_no_way_is_chosen_by_half() -> None:
    from kernel.models.testing import Found

    assert chosen(Found(schema=(4, 5), tools=(1, 2))) == "text"
    assert chosen(Found(schema=(0, 0), tools=(2, 2))) == "tools"


async def test_an_endpoint_that_is_removed_takes_its_key_its_rights_and_its_roles_along(bench: Bench) -> None:
    desk = bench.kernel.rooms.models
    await desk.set("far", {"url": "https://api.example.org/v1", "model": "m"}, KEY)
    await desk.use("reviewer", ["far"])
    grant = await bench.kernel.rights.grant("models", "model.see:files@api.example.org:443")
    gone = await desk.remove("far")
    assert (gone["revoked"], gone["key"], gone["roles"], gone["beside"]) == ([grant], True, {"reviewer": []}, [])
    assert desk.listed() == {"endpoints": [], "roles": {str(role): [] for role in Role}}
    assert bench.kernel.rooms.mail.secrets() == {}
    with pytest.raises(BadRequest):
        await desk.remove("far")


async def test_what_a_host_may_see_stays_while_another_endpoint_leads_there(bench: Bench) -> None:
    desk = bench.kernel.rooms.models
    for name in ("one", "two"):
        await desk.set(name, {"url": "https://api.example.org/v1", "model": name})
    await desk.use("planner", ["one", "two"])
    grant = await bench.kernel.rights.grant("models", "model.see:files@api.example.org:443")
    gone = await desk.remove("one")
    assert (gone["revoked"], gone["key"], gone["beside"]) == ([], False, ["two"])
    assert gone["roles"] == {"planner": ["two"]}
    assert (await desk.remove("two"))["revoked"] == [grant]


async def test_without_the_library_the_doctor_says_that_no_model_can_be_asked(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    from kernel.models import desk

    house = bench.kernel._house
    await bench.kernel.rooms.models.set("near", {"url": "http://127.0.0.1:9/v1", "model": "m"})
    assert desk.state_of(house)[0], "the control: the library is there"
    monkeypatch.setattr(desk, "find_spec", lambda _name: None)
    good, state, remedy = desk.state_of(house)
    assert (good, "extra models is not installed" in state, remedy) == (False, True, "./steward setup models")


async def test_the_doctor_has_a_line(bench: Bench) -> None:
    from kernel.models.desk import state_of

    desk, house = bench.kernel.rooms.models, bench.kernel._house
    assert state_of(house)[:2] == (True, "none configured; Steward works without one")
    await desk.set("lan", {"url": "http://192.168.7.7:8000/v1", "model": "m"}, plain=True)
    good, state, remedy = state_of(house)
    assert (good, "readable on the way: lan" in state, bool(remedy)) == (False, True, True), "also bound to no role"
    await desk.use("worker", ["lan"])
    good, state, remedy = state_of(house)
    assert (good, "readable on the way: lan" in state, bool(remedy)) == (False, True, True)
    house.models.file.write_text("nonsense")
    assert state_of(house)[0] is False


_REQUEST = """
import asyncio, sys
from pathlib import Path
from kernel import Ask, Folders, load_settings, open_kernel

async def main():
    folders = Folders({"HOME": sys.argv[1], "STEWARD_HOME": sys.argv[1] + "/s"})
    kernel = await open_kernel(load_settings(encoder=False), folders)
    for text in ("what time is it?", "the biggest thing hampers me, off with it to the attic"):
        await kernel.settled(await kernel.ask(Ask(text)))
    rooms = ("kernel.models", "kernel.prompting", "openai", "httpx2")
    print(*sorted(name for name in sys.modules if name.startswith(rooms)))
    await kernel.close()

asyncio.run(main())
"""


def test_without_a_model_a_request_loads_nothing_of_it_but_its_nouns(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-c", _REQUEST, str(tmp_path)], capture_output=True, text=True, check=True, timeout=100
    )
    assert done.stdout.split() == [
        "kernel.models", "kernel.models.model", "kernel.prompting", "kernel.prompting.handling",
    ]  # fmt: skip
