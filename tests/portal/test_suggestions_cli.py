"""Suggestions at the doors: ``./steward suggestions``, every command and its JSON, and what is none."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from portal.cli import suggestions
from tests.portal.conftest import Installation
from tests.portal.habitual import LOOK, write_weeks

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """A person who looked at two folders in one go every week, until yesterday."""
    made = Installation(tmp_path_factory.mktemp("running"))
    write_weeks(made, LOOK)
    with made.daemon():
        _looked_through(made)
        yield made


def test_where_nothing_came_again_the_list_says_so(installation: Installation) -> None:
    assert installation.steward("suggestions", "--json").json == {"suggestions": []}
    told = installation.steward("suggestions", "list")
    assert (told.code, "Nothing is suggested now" in told.out) == (0, True)


def test_while_it_is_still_looking_the_list_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    suggestions._print({"suggestions": [], "left": 0.25})
    told = capsys.readouterr().out
    assert "still looking through what was done (75 % so far)" in told
    assert "Nothing is suggested" not in told


def _looked_through(running: Installation) -> dict[str, Any]:
    """Return the list once all is looked through: the first look is cut short on a busy machine."""
    for _ in range(20):
        found: dict[str, Any] = running.steward("suggestions", "--json").json
        if not found.get("left"):
            return found
    raise AssertionError(f"It is still looking: {found}")


def _the_one(running: Installation) -> dict[str, Any]:
    (one,) = _looked_through(running)["suggestions"]
    return dict(one)


def test_one_is_listed_shown_changed_put_off_kept_and_refused(running: Installation) -> None:
    found = _the_one(running)
    key = found["key"]
    listed = running.steward("suggestions")
    for part in (found["why"], found["saves"], f"./steward suggestions accept {key}"):
        assert part in listed.out + listed.err, part
    shown = running.steward("suggestions", "show", key)
    for part in (found["sure"], found["name"], *(step["text"] for step in found["steps"]), *found["runs"]):
        assert part in shown.out + shown.err, part
    changed = running.steward("suggestions", "edit", key, "--without", "1", "--ask", "2.folder", "--name", "big ones")
    for part in ("(left out)", "asked each time: 2.folder", "big ones"):
        assert part in changed.out + changed.err, part
    back = running.steward("suggestions", "edit", key, "--back", "1", "--fixed", "2.folder", "--json").json
    assert [step["left_out"] for step in back["steps"]] == [False, False]
    assert not any(one["asked"] for step in back["steps"] for one in step["arguments"])
    off = running.steward("suggestions", "snooze", key, "--days", "3", "--json").json
    assert timedelta(days=2) < datetime.fromisoformat(off["until"]) - datetime.now(UTC) < timedelta(days=4)
    assert running.steward("suggestions", "--json").json == {"suggestions": []}
    kept = running.steward("suggestions", "accept", key, "--name", "weekly look", "--json").json
    assert kept["rule"].endswith("do weekly look")
    done = running.steward("macros", "run", "weekly look", "--yes", "--json").json
    assert (done["macro"], done["resolution"]) == ("weekly look", "confirmed"), done
    assert "big.iso" in done["answer"]
    assert running.steward("suggestions", "never", key, "--json").json == {"never": key}
    assert running.steward("suggestions", "show", key, "--json").json["answer"] == "never"


@pytest.mark.parametrize(
    "words",
    [
        ("show", "nothing"), ("accept", "nothing", "--name", "monthly close"), ("snooze", "nothing", "--days", "3"),
        ("never", "nothing"), ("edit", "nothing", "--without", "1", "--ask", "1.folder"),
    ],
)  # fmt: skip
def test_what_is_no_suggestion_is_refused(running: Installation, words: tuple[str, ...]) -> None:
    done = running.steward("suggestions", *words, "--json")
    assert done.code != 0
    assert "There is no suggestion nothing" in done.out + done.err
