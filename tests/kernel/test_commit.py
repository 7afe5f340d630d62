"""Commit: what asks again, and what a script's yes answers."""

from __future__ import annotations

import pytest

from kernel.commit import MANY_FILES, Concern, concerns
from kernel.model import Authorization, TaskId, TaskRights
from permissions.model import Action, Change, ChangeKind, ChangeSet, Right, Verdict

NAMED = "/h/named.txt"
FOLDER = "/h/folder"
NEEDS = (Right(Action.FS_WRITE, NAMED), Right(Action.FS_DELETE, NAMED), Right(Action.FS_DELETE, FOLDER, True))
CARD = Authorization(Verdict.ALLOW, (TaskRights(TaskId("t1"), NEEDS, (), (), (NAMED, FOLDER, "/h/read.txt")),))


def why(*changes: Change, yes: bool = False) -> list[str]:
    return [str(kind) for kind, _ in concerns(ChangeSet("s", "r", changes), CARD, yes=yes)]


@pytest.mark.parametrize(
    ("change", "asks"),
    [
        (Change(ChangeKind.CREATED, "/h/new"), []),
        (Change(ChangeKind.MODIFIED, "/h/log", appends=True), []),
        (Change(ChangeKind.MOVED, "/h/b", source="/h/a"), []),
        (Change(ChangeKind.MODIFIED, "/h/x"), [Concern.OVERWRITES]),
        (Change(ChangeKind.DELETED, "/h/x"), [Concern.DELETES]),
    ],
)
def test_only_creating_appending_and_moving_pass_without_a_question(change: Change, asks: list[Concern]) -> None:
    assert why(change) == asks
    assert why(change, yes=True) == asks, "a yes in advance covers only paths that the request named"


@pytest.mark.parametrize("kind", [ChangeKind.MODIFIED, ChangeKind.DELETED])
def test_yes_covers_the_paths_that_the_request_named(kind: ChangeKind) -> None:
    assert why(Change(kind, NAMED)) != []
    assert why(Change(kind, NAMED), yes=True) == []
    assert why(Change(kind, NAMED + "2"), yes=True) != []


@pytest.mark.parametrize("path", [FOLDER, "/h/read.txt"])
def test_yes_does_not_cover_what_was_named_to_look_into_or_to_read(path: str) -> None:
    assert why(Change(ChangeKind.DELETED, path, folder=path == FOLDER), yes=True) == [Concern.DELETES]
    assert why(Change(ChangeKind.MODIFIED, path), yes=True) == [Concern.OVERWRITES]


def test_many_files_ask_even_after_yes_and_folders_are_counted_by_themselves() -> None:
    few = [Change(ChangeKind.CREATED, f"/h/{n}") for n in range(MANY_FILES)]
    assert why(*few) == []
    assert why(*few, Change(ChangeKind.CREATED, "/h/dir", folder=True)) == []
    assert why(*few, Change(ChangeKind.CREATED, "/h/one more"), yes=True) == [Concern.MANY]
    folders = [Change(ChangeKind.CREATED, f"/h/{n}", folder=True) for n in range(MANY_FILES + 1)]
    assert why(*folders[1:], *few) == []
    assert why(*folders) == [Concern.MANY]


@pytest.mark.parametrize("yes", [False, True])
def test_what_a_tool_notes_is_asked_whatever_was_granted_or_said_in_advance(yes: bool) -> None:
    noted = Change(ChangeKind.MODIFIED, NAMED, appends=True, note="an equal row is there")
    assert concerns(ChangeSet("s", "r", (noted,)), CARD, yes=yes) == ((Concern.NOTED, "an equal row is there"),)


def test_of_very_many_reasons_the_first_are_named_and_the_others_counted() -> None:
    found = concerns(
        ChangeSet("s", "r", tuple(Change(ChangeKind.DELETED, f"/h/{n:03}") for n in range(300))), CARD, yes=True
    )
    assert found[:10] == tuple((Concern.DELETES, f"/h/{n:03}") for n in range(10))
    assert found[10:] == ((Concern.DELETES, "… +290"), (Concern.MANY, "300"))
