"""The card: each fact once, in words that a person can answer."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from kernel.approval.rights_words import NAMED, right_lines, right_words
from permissions.model import Action, Right

Bench = Any  # tests/kernel/conftest.py

HOME = "/h"
RIGHTS = st.builds(
    Right,
    st.sampled_from([Action.FS_READ, Action.FS_CREATE, Action.FS_WRITE, Action.FS_DELETE]),
    st.sampled_from([f"/h/{name}" for name in "abcdefghijklmno"]),
    st.booleans(),
)
HELD = st.lists(
    st.tuples(st.sampled_from(["files", "notes"]), RIGHTS, st.sampled_from(["ask", "allow"]), st.text("xy"))
)


def test_a_place_with_two_rights_is_one_line() -> None:
    held = [("files", Right(Action.FS_READ, "/h/a.png"), "ask", "to look"),
            ("files", Right(Action.FS_DELETE, "/h/a.png"), "ask", "to bin")]  # fmt: skip
    (line,) = right_lines(held, HOME, "en")
    assert line["words"] == "read and remove ~/a.png"
    assert line["reasons"] == ["to look", "to bin"]
    (german,) = right_lines(held, HOME, "de")
    assert german["words"] == "~/a.png lesen und entfernen"


def test_places_with_the_same_rights_share_a_line_and_many_are_counted() -> None:
    held = [("files", Right(Action.FS_DELETE, f"/h/{n}.png"), "ask", "to bin") for n in range(NAMED + 5)]
    (line,) = right_lines(held, HOME, "en")
    assert line["places"] == NAMED + 5
    assert line["words"].endswith("and 5 more")
    two = right_lines([*held[:1], ("files", Right(Action.FS_DELETE, "/h", tree=True), "ask", "to bin")], HOME, "en")
    assert [one["words"] for one in two] == ["remove ~/0.png", "remove files in ~"]


def test_every_folder_and_host_is_named_and_of_many_files_one_in_each_folder() -> None:
    folders = [("a", Right(Action.FS_READ, f"/h/{n}", tree=True), "ask", "") for n in range(NAMED + 5)]
    assert right_lines(folders, HOME, "en")[0]["words"].endswith(f"and ~/{NAMED + 4}")
    hosts = [("a", Right(Action.NET_CONNECT, f"h{n}:443"), "ask", "") for n in range(NAMED + 5)]
    assert right_lines(hosts, HOME, "de")[0]["words"].endswith(f"und h{NAMED + 4}:443")
    files = [("a", Right(Action.FS_READ, f"/h/x/{n}"), "ask", "") for n in range(NAMED + 5)]
    files.append(("a", Right(Action.FS_READ, "/h/Letters/doctor"), "ask", ""))
    assert right_lines(files, HOME, "en")[0]["words"].endswith("~/Letters/doctor and 5 more")
    assert right_lines(files, HOME, "en", {"a"})[0]["words"].endswith("and ~/Letters/doctor")
    assert "more" not in right_lines(files, HOME, "en", {"a"})[0]["words"], "a stranger's are named, every one"


@given(HELD)
def test_every_right_is_on_exactly_one_line_of_its_skill_and_verdict(held: list[tuple[str, Right, str, str]]) -> None:
    lines = right_lines(held, HOME, "en")
    places = {(skill, verdict, right.scope, right.tree) for skill, right, verdict, _ in held}
    assert sum(line["places"] for line in lines) == len(places)
    for skill, right, verdict, reason in held:
        mine = [line for line in lines if (line["skill"], line["verdict"]) == (skill, verdict)]
        verb = right_words(right, HOME, "en").split(" ")[0]
        assert any(verb in line["words"] and (not reason or reason in line["reasons"]) for line in mine)


async def test_the_plan_and_the_card_write_the_home_as_a_person_does(bench: Bench) -> None:
    view = await bench.ask("delete the file ~/Downloads/small.txt", yes=False)
    assert view["plan"]["tasks"][0]["arguments"] == {"files": "~/Downloads/small.txt"}
    (line,) = view["card"]["lines"]
    assert line["words"] == "read and remove ~/Downloads/small.txt"
    assert [right["action"] for right in view["card"]["rights"]] == ["fs.read", "fs.delete"]


async def test_who_answers_an_approval_sees_the_sentence_and_the_plan(bench: Bench) -> None:
    view = await bench.ask("lösche die Datei Downloads/small.txt", yes=False)
    (waiting,) = bench.kernel.approvals()
    assert waiting["text"] == "lösche die Datei Downloads/small.txt"
    assert waiting["plan"] == view["plan"]
    assert waiting["language"] == "de"


async def test_a_short_reply_goes_on_in_the_language_of_the_request(bench: Bench) -> None:
    (bench.home / "Documents").mkdir()
    for folder in ("Downloads", "Documents"):
        (bench.home / folder / "brief.txt").write_text("x")
    asked = await bench.ask("lösche die Datei brief.txt", yes=False)
    assert (asked["resolution"], asked["language"]) == ("clarify", "de")
    reply = await bench.ask("1", yes=False)
    assert (reply["resolution"], reply["language"]) == ("pending", "de")


async def test_the_list_of_runs_names_tools_and_the_first_changes(bench: Bench) -> None:
    await bench.ask("save a note called errands saying post office")
    (line,) = bench.kernel.runs()
    assert line["tools"] == ["notes.create"]
    assert line["effects"] == 2  # the folder and the note
    assert [change["kind"] for change in line["changed"]] == ["created", "created"]
