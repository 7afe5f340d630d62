"""``./steward skills``: found, search, install from other agents, update; JSON, exit codes, and text of strangers."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.skills.environments.wheelwright import lune, skill
from tests.skills.packages.wares import GOOD, laid

Installation = Any  # tests/portal/conftest.py

pytestmark = pytest.mark.slow

TIDES = "---\nname: tides\ndescription: Predicts spring tides.\n---\n# Tides\n"


@pytest.fixture
def others(running: Installation) -> Iterator[Path]:
    """The home, in which other agents keep skills; afterwards nothing of theirs is left for the next test."""
    yield running.home
    for name in (".agents", ".claude"):
        shutil.rmtree(running.home / name, ignore_errors=True)


def test_what_other_agents_keep_is_listed_taken_and_updated(running: Installation, others: Path) -> None:
    run = running.steward
    assert "No skill lies in" in run("skills", "found").out
    place = laid(others / ".agents" / "skills" / "tides", {"SKILL.md": TIDES})
    (found,) = run("skills", "found", "--json").json["skills"]
    assert (found["name"], found["kind"], found["installed"], found["place"]) == (
        "tides", "instructions", False, "~/.agents/skills/tides"
    )  # fmt: skip
    assert "tides  (instructions)" in run("skills", "found").out
    waits = run("skills", "install", "agents:tides")
    assert (waits.code, "needs a model to be followed" in waits.out) == (4, True), waits
    assert run("skills", "install", "agents:tides", "--yes").code == 0
    assert "tides  (instructions for a model)" in run("skills").out
    assert run("skills", "search", "spring", "tides", "--json").json["skills"][0]["id"] == "tides"
    assert "tides is up to date." in run("skills", "update").out
    (place / "SKILL.md").write_text(TIDES + "More.\n")
    assert run("skills", "update", "tides").code == 4
    done = run("skills", "update", "--yes", "--json")
    assert (done.code, [one["outcome"] for one in done.json["skills"]]) == (0, ["installed"]), done
    assert run("skills", "update", "nothing").code == 2
    assert run("skills", "remove", "tides").code == 0


def test_a_yes_in_advance_does_not_cover_what_wants_more(running: Installation, tmp_path: Path) -> None:
    run = running.steward
    place = laid(tmp_path / "moon", GOOD)
    assert run("skills", "install", str(place), "--yes").code == 0
    wider = GOOD["steward.toml"].replace("1.0.0", "1.1.0").replace("~/Moon/**", "~/**")
    laid(place, {"steward.toml": wider})
    left = run("skills", "update", "moon", "--yes")
    assert left.code == 4
    assert "NEW: moon.phase fs.read: ~/** (so far ~/Moon/**)" in left.out
    assert "moon stays at 1.0.0." in left.out
    assert run("skills", "install", str(place), "--yes").code == 0
    (place / "steward.toml").write_text(wider.replace("1.1.0", "0.9.0"))
    older = run("skills", "update", "--json")
    assert (older.code, older.json["skills"][0]["error"]["code"]) == (3, "package.older")
    assert run("skills", "remove", "moon").code == 0


def test_packages_of_others_are_reviewed_listed_and_repaired(running: Installation, tmp_path: Path) -> None:
    run = running.steward
    place = skill(tmp_path, lune(tmp_path / "made"))
    (place / "requirements.lock").unlink()
    refused = run("skills", "install", str(place), "--yes")
    assert (refused.code, "./steward skills lock" in refused.err) == (2, True), refused
    (tmp_path / "index").mkdir()
    made = run("skills", "lock", str(place), env={"STEWARD_PACKAGE_INDEX": str(tmp_path / "index")})
    assert (made.code, "lune 1.0 (1 wheel)" in made.out) == (0, True), made
    waits = run("skills", "install", str(place))
    assert waits.code == 4
    assert "BRINGS CODE OF OTHERS" in waits.out
    assert "lune 1.0, 1 KiB, from the package itself" in waits.out
    assert run("skills", "install", str(place), "--yes").code == 0
    assert "with Python packages of others: lune 1.0" in run("skills").out
    (module,) = running.home.parent.rglob("environments/*/lib/lune/__init__.py")
    module.chmod(0o644)
    module.write_text("def look():\n    return 'of cheese'\n")
    held = run("skills", "verify")
    assert (held.code, "PACKAGES CHANGED" in held.out) == (3, True)
    assert run("skills", "verify", "--repair").code == 0
    assert "of cheese" not in module.read_text()
    assert run("skills", "remove", "moon").code == 0
    assert not module.exists()


def test_text_of_strangers_does_not_take_the_terminal_over(running: Installation, others: Path) -> None:
    name = "\x1b[2J\u202eevil"
    laid(
        others / ".claude" / "skills" / name,
        {"SKILL.md": "---\nname: x\ndescription: a\x1b[31m\u202eb\n---\n"},
    )
    said = running.steward("skills", "found").out
    assert "evil" in said
    assert not {"\x1b", "\u202e"} & set(said)
    assert running.steward("skills", "install", f"agents:{name}").code == 2
    assert running.steward("skills", "search", " ").code == 2


def test_a_skill_that_cannot_be_used_is_listed_with_the_reason(running: Installation) -> None:
    folder = running.root / "s" / "data" / "skills" / "tide"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text("---\nname: tide\ndescription: Tells the tide.\n---\n")
    (folder / "steward.toml").write_text("format = 99\n")
    running.steward("down")
    listed = running.steward("skills")
    assert (listed.code, "tide  NOT USED: " in listed.out) == (0, True), listed.out
    (problem,) = running.steward("skills", "--json").json["problems"]
    assert problem["skill"] == "tide"
    shutil.rmtree(folder)
    running.steward("down")
    assert running.steward("skills", "--json").json["problems"] == []


def test_a_name_of_its_own_in_another_folder_is_said(running: Installation, tmp_path: Path) -> None:
    text = "---\nname: lines-teller\ndescription: Counts the lines of texts.\n---\n# Lines\n"
    shown = running.steward("skills", "install", str(laid(tmp_path / "wordcount", {"SKILL.md": text})))
    assert (shown.code, "calls itself lines-teller; here it is called wordcount" in shown.out) == (4, True), shown.out
    other = text.replace("lines-teller", "wordcount")
    plain = running.steward("skills", "install", str(laid(tmp_path / "plain" / "wordcount", {"SKILL.md": other})))
    assert "calls itself" not in plain.out
