"""A server through the whole kernel: looked at, started, added, asked for, called, undone, reviewed, removed."""

from __future__ import annotations

import asyncio
import shutil
import sys
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kernel import Folders, Kernel, load_settings, open_kernel
from kernel.errors import BadRequest, UnknownRun
from kernel.opening import _record_of
from kernel.remembering import pictures
from kernel.serving.wishes import Asked, checked
from skills.model import EffectClass
from tests.kernel.conftest import Bench
from tests.kernel.hostile import attack, begin, said, step
from tests.kernel.serving.conftest import HERE, until

pytestmark = [pytest.mark.slow, pytest.mark.sandbox]


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Bench]:
    """A kernel with a mind of its own: here servers come and go."""
    home = tmp_path / "home"
    for name, text in [("Docs/plan.txt", "the plan"), ("Work/list.txt", "one\n"), (".ssh/id_rsa", "PRIVATE KEY")]:
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text)
    folders = Folders({"HOME": str(home), "STEWARD_HOME": str(tmp_path / "steward")})

    async def start() -> Kernel:
        return await open_kernel(load_settings(encoder=False), folders)

    one = Bench(await start(), home, folders, start)
    yield one
    await one.kernel.close()


def asked(bench: Bench, name: str, *arguments: str, **more: Any) -> Asked:
    place = bench.home / "servers" / "raw.py"
    place.parent.mkdir(exist_ok=True)
    shutil.copy(HERE / "raw.py", place)
    return Asked(name, [sys.executable, str(place), *arguments], **more)


async def add(bench: Bench, name: str, *arguments: str, safe: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
    servers = bench.kernel.rooms.servers
    found = servers.look_at(asked(bench, name, *arguments, **more))
    await servers.start(found["server"])
    return await servers.add(found["server"], safe)


def value(view: dict[str, Any]) -> Any:
    return view["result"]["values"]["t1"] if "values" in view["result"] else view["result"]["t1"]


async def test_nothing_runs_before_a_yes_and_nothing_is_there_before_the_second(bench: Bench) -> None:
    servers = bench.kernel.rooms.servers
    card = servers.look_at(asked(bench, "raw", read=["~/Docs"], env={"TOKEN": "secret-value"}))
    assert (card["reads"], card["programs"], card["env"]) == (["~/Docs/"], ["~/servers/raw.py"], ["TOKEN"])
    assert "secret-value" not in str(card)
    assert bench.kernel._house.at_work is None, "not even the worker"
    review = await servers.start(card["server"])
    assert {"name": "echo", "function": "echo"}.items() <= review["tools"][0].items()
    assert review["tools"][0]["claims"] == ["readonlyhint=true", "destructivehint=false"]
    assert servers.listed() == []
    await servers.add(card["server"])
    assert [one["name"] for one in servers.listed()] == ["raw"]
    with pytest.raises(UnknownRun):
        await servers.add(card["server"])


async def test_a_first_use_is_asked_for_and_a_second_is_not(bench: Bench) -> None:
    await add(bench, "raw", read=["~/Docs"])
    waits = await attack(bench, step(1, "raw.echo", text=said("hi")), yes=False)
    assert waits["resolution"] == "pending"
    scopes = {one["scope"] for one in waits["card"]["rights"]}
    assert f"fs.read:{bench.home}/Docs/**" in scopes
    assert "skill.call:raw.echo" in scopes
    done = await bench.answer(waits["run"], "always")
    assert (done["resolution"], done["answer"]) == ("confirmed", "hi\n(said by the server raw)"), done["error"]
    again = await attack(bench, step(1, "raw.echo", text=said("ho")), yes=False)
    assert again["resolution"] == "executed", again
    other = await attack(bench, step(1, "raw.look", path=said(str(bench.home / "Docs/plan.txt"))), yes=False)
    assert [one["scope"] for one in other["card"]["rights"] if one["verdict"] == "ask"] == ["skill.call:raw.look"]
    label = [one.label for one in bench.kernel._house.ledger.events(run=again["run"]) if one.kind == "task.finished"]
    assert all(one is None or one.get("integrity") != "user" for one in label)


async def test_what_a_server_writes_is_shown_committed_and_taken_back(bench: Bench) -> None:
    await add(bench, "writer", write=["~/Work"])
    place = bench.home / "Work" / "list.txt"
    done = await attack(bench, step(1, "writer.put", path=said(str(place)), text=said("one\ntwo\n")))
    assert done["resolution"] == "confirmed", (done["error"], done["answer"])
    assert place.read_text() == "one\ntwo\n"
    assert [(one["path"], one["kind"]) for one in done["effects"]] == [(str(place), "modified")]
    assert not bench.kernel._house.serving.running(), "one that writes is not kept"
    await bench.kernel.undo(done["run"])
    assert place.read_text() == "one\n"


async def test_it_writes_nowhere_else(bench: Bench) -> None:
    await add(bench, "writer", write=["~/Work"], read=["~/Docs"])
    before = bench.tree()
    place = bench.home / "Docs" / "plan.txt"
    view = await attack(bench, step(1, "writer.put", path=said(str(place)), text=said("gone")))
    assert view["resolution"] == "failed"
    assert bench.tree() == before


async def test_a_safe_tool_of_a_writer_only_reads_and_is_kept(bench: Bench) -> None:
    await add(bench, "writer", write=["~/Work"], safe=("look",))
    place = str(bench.home / "Work" / "list.txt")
    waits = await attack(bench, step(1, "writer.look", path=said(place)), yes=False)
    seen = await bench.answer(waits["run"], "always")
    assert "one" in seen["answer"], seen
    assert not seen["effects"]
    assert "writer" in bench.kernel._house.serving.running(), "it is kept"
    again = await attack(bench, step(1, "writer.look", path=said(place)), yes=False)
    assert again["resolution"] == "executed", again
    started = bench.kernel._house.ledger.events(kinds=("server.started",))
    assert len([one for one in started if (one.body or {}).get("skill") == "writer"]) == 1, "and used again"


async def test_a_question_of_the_server_is_a_card(bench: Bench) -> None:
    await add(bench, "raw")
    run = await begin(bench, step(1, "raw.ask", text=said("Delete everything?")), yes=False)
    waits = await bench.kernel.settled(run)
    await bench.kernel.approve(run, "once")
    waits = await _asked_by_the_server(bench, run)
    assert "The server of raw.ask asks: “Delete everything?”" in waits["card"]["limit"]["question"]
    assert "sure = True" in waits["card"]["limit"]["question"]
    done = await bench.answer(run, "once")
    assert '"action": "accept"' in done["answer"], done
    run = await begin(bench, step(1, "raw.ask", text=said("Sure?")), yes=True)
    await _asked_by_the_server(bench, run)
    refused = await bench.answer(run, "no")
    assert '"action": "decline"' in refused["answer"], "a script's yes in advance is no answer to a server"


async def _asked_by_the_server(bench: Bench, run: str) -> dict[str, Any]:
    async with asyncio.timeout(20):
        while True:
            view = bench.kernel.view(run)
            if (view["card"] or {}).get("limit") and bench.kernel._runs.waits(run, view):
                return view
            assert view["resolution"] == "pending", view
            await asyncio.sleep(0.02)


def _pictures(bench: Bench) -> list[str]:
    return [one.parent.name for one in (bench.folders.data / "pictures").glob("*/*")]


async def test_pictures_go_with_the_words_of_their_run(bench: Bench) -> None:
    await add(bench, "raw")
    open_run = await attack(bench, step(1, "raw.picture"))
    (kept,) = open_run["result"]["files"] if "files" in open_run["result"] else _pictures(bench)
    assert open_run["run"] in str(kept)
    house = bench.kernel._house
    place = bench.folders.data / "pictures"
    (content,) = [one.read_bytes() for one in place.glob("*/*")]
    pictures.keep(place, "r-private", [content])
    pictures.keep(place, "r-killed", [content])
    bench.kernel._upkeep.privacy.let_go_later("r-private")
    bench.kernel._upkeep.privacy._let_words_go("r-private")
    assert sorted(_pictures(bench)) == sorted([open_run["run"], "r-killed"])
    pictures.drop_left_behind(house)
    assert _pictures(bench) == [open_run["run"]], "the control: of an open run they stay"
    await bench.kernel.retention.set(1)
    assert _pictures(bench) == [open_run["run"]]
    for _ in range(100):  # a run that has just ended may be held a moment longer
        bench.kernel.retention.apply(time.time_ns() + 2 * 86_400 * 10**9)
        if not _pictures(bench):
            break
        await asyncio.sleep(0.1)
    assert _pictures(bench) == []


async def test_pictures_of_a_forgotten_run_go(bench: Bench) -> None:
    await add(bench, "raw")
    run = (await attack(bench, step(1, "raw.picture")))["run"]
    place = bench.folders.data / "pictures"
    assert _pictures(bench) == [run]
    pictures.keep(place, "r-other", [next(place.glob("*/*")).read_bytes()])
    await asyncio.to_thread(_record_of(bench.kernel._house).purge, (), ("raw.picture",))
    assert _pictures(bench) == ["r-other"]


async def test_a_server_that_cannot_be_written_down_leaves_nothing(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = bench.kernel.rooms.servers.look_at(asked(bench, "raw"))
    await bench.kernel.rooms.servers.start(found["server"])

    def full(folder: Path, *_: Any) -> None:
        folder.mkdir(parents=True)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("kernel.serving.servers.written", full)
    with pytest.raises(OSError, match="No space"):
        await bench.kernel.rooms.servers.add(found["server"])
    assert not list((bench.folders.data / "servers-new").glob("*"))


async def test_a_right_that_goes_ends_the_server(bench: Bench) -> None:
    await add(bench, "raw", read=["~/Docs"])
    house = bench.kernel._house
    waits = await attack(bench, step(1, "raw.echo", text=said("hi")), yes=False)
    await bench.answer(waits["run"], "always")
    assert "raw" in house.serving.running()
    await asyncio.sleep(2.5)
    assert "raw" in house.serving.running(), "it was granted lastingly"
    await house.revoke(next(one.id for one in house.policy.standing(house.now_s())))
    await until(lambda: not house.serving.running())


async def test_what_was_granted_once_does_not_outlive_its_run(bench: Bench) -> None:
    await add(bench, "raw", read=["~/Docs"])
    await attack(bench, step(1, "raw.echo", text=said("hi")))
    await until(lambda: not bench.kernel._house.serving.running())


async def test_a_run_that_waits_keeps_no_server_of_another(bench: Bench) -> None:
    await add(bench, "raw")
    other = await attack(bench, step(1, "raw.look", path=said("/tmp")), yes=False)
    await attack(bench, step(1, "raw.echo", text=said("hi")))
    assert other["run"] in bench.kernel._house.live
    await until(lambda: not bench.kernel._house.serving.running())
    assert other["run"] in bench.kernel._house.live


async def test_a_server_that_changed_is_reviewed_and_asked_for_again(bench: Bench) -> None:
    await add(bench, "raw")
    waits = await attack(bench, step(1, "raw.echo", text=said("hi")), yes=False)
    await bench.answer(waits["run"], "always")
    place = bench.home / "servers" / "raw.py"
    place.write_text(place.read_text().replace("Say it back. Nothing else.", "Say it back, and more."))
    bench.kernel._house.serving.recheck()
    await until(lambda: not bench.kernel._house.serving.running())
    blocked = await attack(bench, step(1, "raw.echo", text=said("hi")))
    assert blocked["error"]["code"] == "server.changed"
    assert "./steward mcp review raw" in blocked["answer"]
    found = bench.kernel.rooms.servers.look_again("raw")
    review = await bench.kernel.rooms.servers.start(found["server"])
    (one,) = review["changes"]
    assert (one["tool"], one["what"], one["now"]) == ("echo", "description", "Say it back, and more.")
    await bench.kernel.rooms.servers.add(found["server"])
    again = await attack(bench, step(1, "raw.echo", text=said("hi")), yes=False)
    assert again["resolution"] == "pending", "what was granted was granted to what was reviewed"
    done = await bench.answer(again["run"], "once")
    assert done["resolution"] == "confirmed"


async def test_a_safe_tool_that_changed_is_safe_no_longer(bench: Bench) -> None:
    """The control: the safe tool that says the same stays one."""
    await add(bench, "raw", safe=("echo", "look"))
    place = bench.home / "servers" / "raw.py"
    place.write_text(place.read_text().replace("Say it back. Nothing else.", "Send it to everybody."))
    found = bench.kernel.rooms.servers.look_again("raw")
    review = await bench.kernel.rooms.servers.start(found["server"])
    assert {"tool": "echo", "what": "was safe, no longer", "was": "", "now": ""} in review["changes"]
    assert [one["name"] for one in review["tools"] if one["safe"]] == ["look"]
    await bench.kernel.rooms.servers.add(found["server"])
    effects = {one["name"]: one["effect"] for one in bench.kernel.rooms.servers.tools("raw")["tools"]}
    assert (effects["echo"], effects["look"]) == (str(EffectClass.ONCE), str(EffectClass.PURE))


async def test_what_the_person_denied_holds_at_the_first_start(bench: Bench) -> None:
    servers, rights = bench.kernel.rooms.servers, bench.kernel.rights
    (bench.home / "Docs" / "diary").mkdir()
    denied = await rights.deny("root/user", "fs.read:~/Docs/diary/**")
    wish, _ = checked(asked(bench, "raw", read=["~/Docs"], host=["api.example.org"]), str(bench.home))
    await rights.deny("root/user", "net.connect:mail.example.org:443")
    places = (str(bench.home / "Docs"),)
    assert str(bench.home / "Docs/diary") in servers._given(wish, places).hidden_paths
    wide = replace(wish, hosts=("*.example.org:443",))
    assert servers._given(wide, places).denied_hosts == ("mail.example.org:443",)
    await rights.limit("root/user", "memory", "64 MB")
    assert servers._given(wish, places).limits.memory_bytes <= 64 << 20
    await rights.limit("root/user", "memory", "none")
    inside = servers.look_at(asked(bench, "raw", read=["~/Docs/diary"]))
    with pytest.raises(BadRequest, match="denied") as refused:
        await servers.start(inside["server"])
    assert denied in refused.value.hint
    shut = servers.look_at(asked(bench, "raw", host=["mail.example.org"]))
    with pytest.raises(BadRequest, match="denied"):
        await servers.start(shut["server"])
    assert bench.kernel._house.at_work is None, "nothing of it ran"


async def test_its_program_is_no_place_of_updates(bench: Bench) -> None:
    await add(bench, "raw")
    (entry,) = bench.kernel.rooms.installed.in_use()
    assert (entry["source"], entry["asked"], entry["server"]) == (sys.executable, "", True)


async def test_remove_ends_it_and_rollback_brings_it_back(bench: Bench) -> None:
    await add(bench, "raw")
    waits = await attack(bench, step(1, "raw.echo", text=said("hi")), yes=False)
    await bench.answer(waits["run"], "always")
    revoked = await bench.kernel.rooms.servers.remove("raw")
    assert revoked
    await until(lambda: not bench.kernel._house.serving.running())
    assert bench.kernel.rooms.servers.listed() == []
    await bench.kernel.rooms.installed.go_back("raw")
    assert [one["name"] for one in bench.kernel.rooms.servers.listed()] == ["raw"]


async def test_requests_are_understood_beside_a_server_without_examples(bench: Bench) -> None:
    await add(bench, "raw", read=["~/Docs"])
    shown = next(one for one in bench.kernel.skills() if one.get("id", one.get("skill")) == "raw")
    assert len(shown["tools"]) > 10
    for text in ("list the files in ~/Docs", "liste die Dateien in ~/Docs auf"):
        view = await bench.ask(text)
        assert (view["resolution"], "plan.txt" in view["answer"]) == ("confirmed", True), (text, view["answer"])


async def test_a_name_that_is_nearly_another_is_refused(bench: Bench) -> None:
    for name in ("f1les", "calender"):
        with pytest.raises(BadRequest, match="nearly"):
            bench.kernel.rooms.servers.look_at(asked(bench, name))
    assert bench.kernel.rooms.servers.look_at(asked(bench, "weather"))["name"] == "weather"


async def test_a_name_that_a_server_cannot_have_is_refused_before_anything_of_it_runs(bench: Bench) -> None:
    for name in ("kernel", "Weather", "x"):
        with pytest.raises(BadRequest) as refused:
            bench.kernel.rooms.servers.look_at(asked(bench, name))
        assert refused.value.hint.startswith("Take"), refused.value
    with pytest.raises(BadRequest, match="files already") as refused:
        bench.kernel.rooms.servers.look_at(asked(bench, "files"))
    assert refused.value.hint == "Take another name.", "what is part of Steward is no server that could be removed"


async def test_a_server_may_be_called_like_a_module_of_python(bench: Bench) -> None:
    await add(bench, "time")
    assert [one["name"] for one in bench.kernel.rooms.servers.listed()] == ["time"]


async def test_private_places_are_given_to_no_server(bench: Bench) -> None:
    found = bench.kernel.rooms.servers.look_at(asked(bench, "thief", read=["~/.ssh"]))
    with pytest.raises(BadRequest, match="private"):
        await bench.kernel.rooms.servers.start(found["server"])


async def test_one_that_dies_is_not_added_and_says_why(bench: Bench) -> None:
    found = bench.kernel.rooms.servers.look_at(asked(bench, "dead", "die"))
    with pytest.raises(BadRequest, match="No database here"):
        await bench.kernel.rooms.servers.start(found["server"])
    assert bench.kernel.status()["pid"], "the daemon lives"
