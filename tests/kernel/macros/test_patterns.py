"""A pattern becomes a macro: what is always the same, what comes of an earlier step, what is asked, what is a day."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from kernel.habits.model import Open, Output, Pattern, Relative, Same, Seen, Step, Within
from kernel.macros import Macro
from kernel.macros.patterns import Around, frozen
from kernel.model import Constant, FromTask
from permissions.labels import USER_SAID
from skills import Registry
from tests.kernel.macros.conftest import by_name
from tests.kernel.routines.conftest import BERLIN, Desk, desk_on

NOW = datetime(2026, 3, 11, 10, tzinfo=BERLIN)


def pattern(*steps: Step) -> Pattern:
    return Pattern("p1", steps, Seen(3, NOW, NOW, 3, 0.9, 4.2, 2))


def made(registry: Registry, *steps: Step, language: str = "en", home: str = "/home/jana") -> Macro:
    return frozen(pattern(*steps), registry, Around("month end", language, NOW, home))


def test_each_slot_becomes_what_it_means(builtin: Registry) -> None:
    macro = made(
        builtin,
        Step("files.largest", {"folder": Same("/home/jana/Downloads"), "count": Same(3)}),
        Step("notes.create", {"title": Open(("a", "b")), "text": Output(0, "name")}),
        Step("files.copy", {"files": Within("/home/jana/Documents"), "to": Same("/home/jana/Backup")}),
        Step("files.find", {"folder": Same("/home/jana"), "modified": Relative("last week")}),
    )
    first, second, third, fourth = macro.plan.tasks
    assert first.arguments["folder"] == Constant("/home/jana/Downloads", USER_SAID)
    assert second.arguments == {"text": FromTask(first.id, "name")}
    assert (second.after, third.after) == ((first.id,), (second.id,)), "several requests are one plan in order"
    names = [(one.name, one.tasks, one.folder, one.usual) for one in macro.parameters]
    assert names == [("title", (second.id,), "", ("a", "b")), ("files", (third.id,), "/home/jana/Documents", ())]
    week = fourth.arguments["modified"]
    assert isinstance(week, Constant)
    assert (week.value["start"], week.text) == ("2026-03-02", "last week")
    assert macro.origin == "p1"


def test_two_of_one_name_are_told_apart_and_what_a_tool_needs_is_asked(builtin: Registry) -> None:
    macro = made(
        builtin, Step("notes.create", {"text": Open()}), Step("notes.create", {"text": Open(), "title": Open()})
    )
    assert sorted(one.name for one in macro.parameters) == ["text", "text-2", "title", "title-2"]


@pytest.mark.parametrize(("language", "then"), [("en", "; then "), ("de", "; dann ")])
def test_its_words_are_those_of_its_tools(builtin: Registry, language: str, then: str) -> None:
    steps = (Step("files.largest", {"folder": Same("/home/jana/Downloads")}), Step("notes.create", {"text": Output(0)}))
    text = made(builtin, *steps, language=language).text
    assert text.count(then) == 1
    assert "/home/jana/Downloads" in text
    german = made(builtin, *steps, language="de").text
    assert (text == german) == (language == "de")


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "de"])
async def test_one_is_kept_asks_and_is_done_on_the_day_it_is_run(tmp_path: Path, language: str) -> None:
    async with desk_on(tmp_path) as first:
        home = str(first.home)
        macro = made(
            first.kernel._house.registry,
            Step("files.find", {"folder": Same(f"{home}/Downloads"), "modified": Relative("today")}),
            Step("notes.create", {"title": Open(("january", "february")), "text": Output(0, "name")}),
            language=language, home=home,
        )  # fmt: skip
        await first.kernel.macros.keep(macro)
    async with desk_on(tmp_path, "2026-04-02T09:00") as later:
        asked = await later.say("month end")
        assert asked["resolution"] == "clarify", asked
        assert "january, february" in asked["answer"]
        done = await later.say("march")
        assert done["resolution"] in ("executed", "confirmed"), done
        assert "2026-04-02" in str(done["plan"]["tasks"][0]["arguments"])
        assert (later.home / "Notes/march.md").is_file()


@pytest.mark.slow
async def test_two_steps_do_what_two_requests_did(desk: Desk) -> None:
    home = str(desk.home)
    macro = made(
        desk.kernel._house.registry,
        Step("files.copy", {"files": Same([f"{home}/Downloads/small.txt"]), "to": Same(f"{home}/Backup")}),
        Step("files.largest", {"folder": Same(f"{home}/Downloads"), "count": Same(1)}), home=home,
    )  # fmt: skip
    await desk.kernel.macros.keep(macro)
    view = await by_name(desk, "month end")
    assert (desk.home / "Backup/small.txt").is_file(), view
    assert [task["tool"] for task in view["plan"]["tasks"]] == ["files.copy", "files.largest"]
