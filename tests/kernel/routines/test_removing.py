"""A routine that was taken away comes back by an undo: whole, once, and from now on."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kernel import Ask
from kernel.errors import NotNow, UnknownRun
from kernel.routines.removing import unwanted
from permissions.model import Action, Right
from permissions.policy import node_path
from tests.kernel.routines.conftest import Desk, desk_on, keeps, note, noted, quiet, watched

pytestmark = pytest.mark.slow

RULE = "every day at 9:00 show me the largest files in Downloads"
HOOK = "when the webhook doorbell is called, add the message to my note Rings"
LANDS = "whenever an iso lands in Downloads, copy it to Backup"


async def kept(desk: Desk, rule: str = RULE) -> str:
    """Keep a rule; return its name."""
    assert (await desk.say(rule))["resolution"] == "confirmed"
    return str(desk.kernel.routines.every()[-1]["name"])


def rights(desk: Desk, name: str) -> list[dict[str, Any]]:
    """What a routine may do."""
    return list(desk.kernel.routines.whole(name)["rights"])


async def test_it_comes_back_with_its_versions_and_its_rights(desk: Desk) -> None:
    name = await kept(desk)
    await desk.say(f"change the routine {name} to 18:00")
    whole = desk.kernel.routines.whole(name)
    gone = await desk.kernel.routines.remove(name)
    assert desk.kernel.routines.every() == []
    assert not [one for one in desk.kernel._house.policy.grants if one.client], "and nothing is left at its node"
    what = desk.kernel.undoable()
    assert what["run"] == gone["run"]
    assert what["returns"] == [f"files (routine:{name}): read everything in ~/Downloads"]
    taken = await desk.kernel.undo()
    assert taken["run"] == gone["run"]
    assert desk.kernel.routines.whole(name) == whole
    assert rights(desk, name)


async def test_it_fires_at_its_next_moment_and_not_for_those_that_it_was_gone_for(tmp_path: Path) -> None:
    async with desk_on(tmp_path, "2026-03-11T08:00") as desk:
        name = await kept(desk)
        await desk.kernel.routines.remove(name)
    async with desk_on(tmp_path, "2026-03-12T10:00") as desk:
        assert desk.kernel.routines.every() == []
        await desk.kernel.undo()
        assert desk.kernel.routines.view(name)["next"] == "2026-03-13T09:00+01:00"
        assert await quiet(desk) == 0
    async with desk_on(tmp_path, "2026-03-13T09:00:01") as desk:
        await desk.until(lambda: len(desk.fired()) == 1)
        view = await desk.kernel.settled(desk.fired()[0]["run"])
        assert view["resolution"] == "executed", "with the right that it had"


async def test_a_file_that_came_while_it_was_gone_or_before_does_not_set_it_off(desk: Desk) -> None:
    name = (await keeps(desk, LANDS))["name"]
    (desk.home / "Downloads/one.iso").write_text("x")
    await desk.until(lambda: len(desk.fired()) == 1)
    await desk.kernel.settled(desk.fired()[0]["run"])
    house = desk.kernel._house
    mark = house.routines.last(house.routines.get(name))["mark"]  # type: ignore[arg-type]
    await desk.kernel.routines.remove(name)
    (desk.home / "Downloads/meanwhile.iso").write_text("x")
    await desk.kernel.undo()
    back = house.routines.get(name)
    assert back is not None
    assert house.routines.has_fired(back, mark)
    await watched(desk)
    assert await quiet(desk) == 1
    (desk.home / "Downloads/two.iso").write_text("x")
    await desk.until(lambda: len(desk.fired()) == 2)


async def test_it_comes_back_once_also_after_a_restart(tmp_path: Path) -> None:
    async with desk_on(tmp_path) as desk:
        name = await kept(desk)
        gone = await desk.kernel.routines.remove(name)
        await desk.kernel.undo()
    async with desk_on(tmp_path) as desk:
        assert rights(desk, name)
        with pytest.raises(NotNow, match="taken back already"):
            await desk.kernel.undo(gone["run"])
        assert [one["name"] for one in desk.kernel.routines.every()] == [name]


async def test_then_the_rule_itself_can_be_taken_back_again_in_its_order(tmp_path: Path) -> None:
    async with desk_on(tmp_path) as desk:
        kept_by = (await desk.say(RULE))["run"]
        other = (await desk.say("every day at 11:00 show me the largest files in Backup"))["run"]
        house = desk.kernel._house
        await desk.kernel.routines.remove(next(one.name for one in house.routines.every() if one.run == kept_by))
        assert house.with_effects[:-1] == [other]
        await desk.kernel.undo()
        assert house.with_effects == [kept_by, other]
    async with desk_on(tmp_path) as desk:
        assert desk.kernel._house.with_effects == [kept_by, other]


@pytest.mark.parametrize("rule", [RULE, "jeden Tag um 9:00 zeig mir die größten Dateien in Downloads"])
async def test_where_its_name_is_taken_it_says_so_and_what_to_do(desk: Desk, rule: str) -> None:
    name = await kept(desk, rule)
    gone = await desk.kernel.routines.remove(name)
    assert await kept(desk, rule) == name
    before = desk.kernel.routines.whole(name)
    with pytest.raises(NotNow) as refused:
        await desk.kernel.undo(gone["run"])
    assert refused.value.code == "undo.name_taken"
    assert f"./steward routines remove {name}" in refused.value.hint
    assert desk.kernel.routines.whole(name) == before
    await desk.kernel.routines.remove(name)
    await desk.kernel.undo(gone["run"])
    assert desk.kernel.routines.view(name)


async def test_what_a_person_denied_it_and_how_much_it_may_use_is_so_again(tmp_path: Path) -> None:
    async with desk_on(tmp_path) as desk:
        name = await kept(desk)
        house, node = desk.kernel._house, node_path(f"routine:{name}")
        ends_s = house.now_s() + 2
        await house.deny(node, Right(Action.FS_READ, str(desk.home / "Finance"), tree=True), "not the money")
        await house.deny(node, Right(Action.FS_READ, str(desk.home / "Backup"), tree=True), "for a while",
                         ends_s)  # fmt: skip
        await house.limit(node, "pids", 7, total=False, why="it is slow")
        await desk.kernel.routines.remove(name)
        assert house.denies() == []
    async with desk_on(tmp_path, "2026-03-11T11:00") as desk:
        house = desk.kernel._house
        await desk.until(lambda: house.now_s() > ends_s)
        await desk.kernel.undo()
        ((path, rule),) = house.denies()
        assert (path, rule.origin.why, rule.right.scope) == (node, "not the money", str(desk.home / "Finance"))
        (bound,) = house.policy.nodes[node].bounds
        assert (bound.meter, bound.amount, bound.origin.why) == ("pids", 7, "it is slow")


@pytest.mark.parametrize(("words", "back", "answer"), [
    ("forget the routine {}", "undo that", "brings it back"), ("please remove my routine {}.", "undo that", "is gone"),
    ("take the routine {} away", "undo that", "is gone"),
    ("Vergiss die Routine {}", "mach das rückgängig", "holt sie zurück"),
    ("nimm die Regel {} weg", "mach das rückgängig", "gibt es nicht mehr"),
])  # fmt: skip
async def test_in_words_too(desk: Desk, words: str, back: str, answer: str) -> None:
    name = await kept(desk)
    said = await desk.say(words.format(name))
    assert said["resolution"] == "executed"
    assert answer in said["answer"]
    assert desk.kernel.routines.every() == []
    run = await desk.kernel.ask(Ask(back, conversation="c"))
    card = (await desk.kernel.settled(run))["card"]
    assert f"files (routine:{name})" in str(card["concerns"]), "which rights come back is seen first"
    assert desk.kernel.routines.every() == []
    await desk.kernel.approve(run, "once")
    assert (await desk.kernel.settled(run))["resolution"] == "confirmed"
    assert rights(desk, name)


@pytest.mark.parametrize(("words", "meant"), [
    ("forget the routine daily-note", ("daily-note", "en")), ("Delete my rule “Daily-Note”!", ("daily-note", "en")),
    ("drop the routine daily-note, please", ("daily-note", "en")), ("take away my rule x", ("x", "en")),
    ("Lösch die Regel x bitte", ("x", "de")), ("bitte entferne meine Routine „x“", ("x", "de")),
    ("take the rule x", ("", "")), ("nimm die Regel x", ("", "")), ("forget the routine x and y", ("", "")),
])  # fmt: skip
def test_which_one_a_sentence_wants_taken_away(words: str, meant: tuple[str, str]) -> None:
    assert unwanted(words) == meant


async def test_of_two_that_take_one_away_at_once_one_does_and_the_undo_is_whole(desk: Desk) -> None:
    name, house = await kept(desk), desk.kernel._house
    both = [desk.kernel.routines.remove(name) for _ in range(2)]
    told = sorted(await asyncio.gather(*both, return_exceptions=True), key=lambda one: isinstance(one, NotNow))
    assert isinstance(told[1], NotNow)
    assert house.with_effects == [told[0]["run"]]  # type: ignore[index]
    await desk.kernel.undo()
    assert rights(desk, name)


async def test_words_about_none_that_is_there_take_nothing_away(desk: Desk) -> None:
    name = await kept(desk)
    for words in ("forget the routine nosuch", f"forget the routine {name} and call mum"):
        assert (await desk.say(words, answer="no"))["resolution"] != "executed"
    assert [one["name"] for one in desk.kernel.routines.every()] == [name]
    with pytest.raises(UnknownRun):
        await desk.kernel.routines.remove("nosuch")


async def test_what_waits_in_its_name_is_stopped_whatever_takes_it_away(desk: Desk) -> None:
    for words in ("forget the routine {}", "undo that"):
        name = await kept(desk)
        await desk.kernel.revoke(next(one.id for one in desk.kernel._house.policy.grants))
        run = await desk.kernel.routines.run(name)
        assert (await desk.kernel.settled(run))["resolution"] == "pending"
        assert (await desk.say(words.format(name)))["resolution"] in ("executed", "confirmed")
        await desk.until(lambda run=run: desk.kernel.view(run)["resolution"] != "pending")  # type: ignore[misc]


async def test_the_token_of_its_webhook_opens_it_again(tmp_path: Path) -> None:
    async with desk_on(tmp_path) as desk:
        noted(desk, "Rings")
        name = (await keeps(desk, HOOK))["name"]
        token = await desk.kernel.routines.token(name)
        await desk.kernel.routines.remove(name)
        assert desk.kernel.routines.hook_of(token) is None
    async with desk_on(tmp_path) as desk:
        await desk.kernel.undo()
        await watched(desk)
        assert desk.kernel.routines.hook_of(token) == "doorbell"
        desk.kernel.routines.called("doorbell", "somebody is there")
        await desk.until(lambda: "somebody is there" in note(desk, "Rings"))


async def test_what_is_forgotten_does_not_come_back(tmp_path: Path) -> None:
    async with desk_on(tmp_path) as desk:
        (desk.home / "Quillfeather").mkdir()
        name = await kept(desk, "whenever an iso lands in Quillfeather, show me the largest files in Downloads")
        gone = await desk.kernel.routines.remove(name)
        assert (await desk.say("forget everything about Quillfeather"))["resolution"] == "confirmed"
        with pytest.raises(NotNow):
            await desk.kernel.undo(gone["run"])
    left = [
        path for path in (tmp_path / "steward").rglob("*") if path.is_file() and b"uillfeather" in path.read_bytes()
    ]
    assert left == []
    async with desk_on(tmp_path) as desk:
        assert desk.kernel.routines.every() == []
        with pytest.raises(NotNow):
            await desk.kernel.undo(gone["run"])


async def test_rights_of_which_one_names_what_is_forgotten_do_not_come_back_with_it(tmp_path: Path) -> None:
    async with desk_on(tmp_path) as desk:
        (desk.home / "Quillfeather").mkdir()
        name, house = await kept(desk), desk.kernel._house
        (grant,) = [one for one in house.policy.grants if one.client]
        right = Right(Action.FS_READ, str(desk.home / "Quillfeather"), tree=True)
        await house.grant([replace(grant, id="g-other", right=right)], None)
        gone = await desk.kernel.routines.remove(name)
        assert set(gone["revoked"]) == {grant.id, "g-other"}
        await desk.say("show me the largest files in Quillfeather")
        assert (await desk.say("forget everything about Quillfeather"))["resolution"] == "confirmed"
    async with desk_on(tmp_path) as desk:
        await desk.kernel.undo(gone["run"])
        assert rights(desk, name) == [], "it asks for what it needs"


async def test_a_program_takes_none_away(desk: Desk) -> None:
    name = await kept(desk)
    await desk.kernel.clients.add("claude")
    await desk.kernel.clients.allow("claude", ["ask"])
    run = await desk.kernel.ask(Ask(f"forget the routine {name}", client="claude"))
    view = await desk.kernel.settled(run)
    assert (view["resolution"], view["error"]["code"]) == ("blocked", "client.person")
    assert rights(desk, name)


async def test_a_program_brings_none_back(desk: Desk) -> None:
    name = await kept(desk)
    await desk.kernel.clients.add("claude")
    await desk.kernel.clients.allow("claude", ["ask"])
    await desk.kernel.routines.remove(name)
    view = await desk.kernel.settled(await desk.kernel.ask(Ask("undo that", client="claude")))
    assert (view["resolution"], view["error"]["code"]) == ("blocked", "client.undo")
    assert desk.kernel.routines.every() == []
