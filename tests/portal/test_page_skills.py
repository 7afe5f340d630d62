"""Skills on the page: a package is reviewed there before a yes, as at the command line; its text takes nothing over."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.portal.asked import EVIL
from tests.portal.browser import MARKS, NO, YES, Tab
from tests.skills.environments.wheelwright import lune, skill
from tests.skills.packages.wares import GOOD, laid

Installation = Any  # tests/portal/conftest.py

pytestmark = [*MARKS, pytest.mark.slow]

HOSTILE = f"{EVIL} Says how the moon looks."


@pytest.fixture
def skills(page: Tab, running: Installation) -> Any:
    """The page with the list of skills open; afterwards nothing is installed."""
    page.click_open("#skills-part")
    yield page
    page.js("document.getElementById('review').open && document.querySelector('#review [data-answer=no]').click()")
    for one in running.steward("skills", "verify", "--json").json["skills"]:
        running.steward("skills", "remove", one["skill"])


def look(page: Tab, place: Path | str) -> None:
    """Give the page a place, and have it looked at."""
    page.js(f"document.getElementById('skills-place').value = {str(place)!r}")
    page.js("document.getElementById('skills-new').requestSubmit()")


def installed(running: Installation) -> dict[str, str]:
    return {one["skill"]: one["version"] for one in running.steward("skills", "verify", "--json").json["skills"]}


def test_a_package_is_reviewed_refused_and_then_let_in(skills: Tab, running: Installation, tmp_path: Path) -> None:
    place = laid(tmp_path / "moon", GOOD | {"SKILL.md": GOOD["SKILL.md"].replace("Says how the moon looks.", HOSTILE)})
    look(skills, place)
    skills.until("document.getElementById('review').open")
    assert skills.js(f"document.querySelector('{YES}').disabled"), "asleep when it appears"
    said = skills.text("#review")
    for part in ("Install moon 1.0.0?", "Not signed", "moon.phase", "changes nothing", "fs.read:~/Moon/**",
                 "to read the table of the moon", "<img src=x"):  # fmt: skip
        assert part in said, (part, said)
    assert skills.js("document.querySelector('#review img')") is None
    assert skills.js("document.activeElement.dataset.answer") == "no"
    skills.click(NO)
    skills.until("document.getElementById('skills-said').innerText.includes('not installed')")
    assert installed(running) == {}
    look(skills, place)
    skills.click(YES)
    skills.until("document.querySelector('#skills [data-skill=moon]')")
    assert installed(running) == {"moon": "1.0.0"}
    assert not skills.noise, skills.noise


def test_an_update_says_what_it_wants_more(skills: Tab, running: Installation, tmp_path: Path) -> None:
    place = laid(tmp_path / "moon", GOOD)
    assert running.steward("skills", "install", str(place), "--yes").code == 0
    skills.click("#skills [data-skill=moon] button")
    skills.until("document.getElementById('skills-said').innerText.includes('up to date')")
    wider = GOOD["steward.toml"].replace("1.0.0", "1.1.0").replace("~/Moon/**", "~/**")
    laid(place, {"steward.toml": wider})
    skills.click("#skills [data-skill=moon] button")
    skills.until("document.getElementById('review').open")
    said = skills.text("#review")
    for part in (
        "In place of 1.0.0",
        "New: moon.phase fs.read: ~/**",
        "so far ~/Moon/**",
        "asked for every right again",
    ):
        assert part in said, (part, said)
    skills.click(YES)
    skills.until("document.querySelector('#skills [data-skill=moon]')?.innerText.includes('1.1.0')")
    assert installed(running) == {"moon": "1.1.0"}


def test_packages_of_others_and_hosts_are_part_of_it(skills: Tab, tmp_path: Path) -> None:
    place = skill(tmp_path, lune(tmp_path / "made"))
    look(skills, place)
    skills.until("document.getElementById('review').open")
    said = skills.text("#review")
    assert "brings code of others" in said
    assert "lune 1.0" in said
    skills.press("Escape")
    skills.until("document.getElementById('skills-said').innerText.includes('not installed')")


def test_what_is_no_package_is_said_where_it_was_asked(skills: Tab, running: Installation) -> None:
    (running.home / "Empty").mkdir(exist_ok=True)
    look(skills, "~/Empty")
    skills.until("document.getElementById('skills-said').className === 'error'")
    assert "SKILL.md" in skills.text("#skills-said")
    assert skills.js("document.getElementById('banner').hidden")


def test_a_review_counts_for_what_was_in_use_when_it_was_read(
    skills: Tab, running: Installation, tmp_path: Path
) -> None:
    """Another version comes into use while the review is open: what it says of the new wishes is no longer so."""
    place = laid(tmp_path / "moon", GOOD)
    look(skills, place)
    skills.until("document.getElementById('review').open")
    other = laid(tmp_path / "other" / "moon", GOOD | {"steward.toml": GOOD["steward.toml"].replace("1.0.0", "3.0.0")})
    assert running.steward("skills", "install", str(other), "--yes").code == 0
    skills.click(YES)
    skills.until("document.getElementById('skills-said').className === 'error'")
    assert installed(running) == {"moon": "3.0.0"}


def test_what_other_agents_keep_is_reviewed_from_the_list(skills: Tab, running: Installation) -> None:
    text = "---\nname: tides\ndescription: Predicts spring tides.\n---\n# Tides\n"
    laid(running.home / ".agents" / "skills" / "tides", {"SKILL.md": text})
    skills.click_open("#found-part")
    skills.click("#found button")
    skills.until("document.getElementById('review').open")
    assert "Instructions for a language model" in skills.text("#review")
    skills.click(NO)


def act(page: Tab, what: str) -> None:
    """Open what stands behind the skill moon, and press one of its buttons; both may be drawn anew meanwhile."""
    shelf = "document.querySelector('#skills [data-skill=moon] .shelf')"
    inside = f"{shelf}.querySelector('{what}')"
    page.until(f"{shelf} && ({shelf}.open = true) && {inside} && ({inside}.click(), true)")


def test_versions_are_pinned_gone_back_to_and_removed(skills: Tab, running: Installation, tmp_path: Path) -> None:
    run = running.steward
    place = laid(tmp_path / "moon", GOOD)
    assert run("skills", "install", str(place), "--yes").code == 0
    first = next(one["digest"] for one in run("skills", "verify", "--json").json["skills"])
    laid(place, {"steward.toml": GOOD["steward.toml"].replace("1.0.0", "1.1.0")})
    assert run("skills", "install", str(place), "--yes").code == 0
    right = "fs.read:~/Moon/**"
    assert run("perms", "grant", "moon", right).code == 0
    skills.until("document.querySelector('#skills [data-skill=moon]')?.innerText.includes('1.1.0')")
    skills.click_open("#skills [data-skill=moon] .shelf")
    skills.until("document.querySelectorAll('#skills .version').length >= 2")
    inside = skills.text("#skills [data-skill=moon]")
    assert all(part in inside for part in ("moon.phase", "changes nothing", "1.0.0", "in use")), inside
    act(skills, "[data-does=pin]")
    skills.until("document.getElementById('skills-said').innerText.includes('stays at its version')")
    assert run("skills", "install", str(place), "--yes").code != 0, "pinned"
    skills.until("document.querySelector('#skills [data-skill=moon]')?.innerText.includes('(pinned)')")
    act(skills, "[data-does=pin]")
    skills.until("document.getElementById('skills-said').innerText.includes('can be updated again')")
    skills.until("!document.querySelector('#skills [data-skill=moon]')?.innerText.includes('(pinned)')")
    act(skills, f'[data-back="{first}"]')
    skills.until("document.getElementById('review').open")
    skills.click(NO)
    skills.until("document.getElementById('skills-said').innerText.includes('stays as it was')")
    assert installed(running) == {"moon": "1.1.0"}
    act(skills, f'[data-back="{first}"]')
    skills.click(YES)
    skills.until("document.getElementById('skills-said').innerText.includes('moon is at version 1.0.0 now')")
    assert installed(running) == {"moon": "1.0.0"}
    skills.until("document.querySelector('#skills [data-skill=moon]')?.innerText.includes('1.0.0')")
    act(skills, "[data-does=remove]")
    skills.until("document.getElementById('review').open")
    assert "granted to it is taken back" in skills.text("#review")
    skills.click(YES)
    skills.until("document.getElementById('skills-said').innerText.includes('moon is out of use')")
    assert installed(running) == {}
    assert right not in running.steward("perms", "--json").out
    assert not skills.noise, skills.noise


def test_a_skill_that_was_changed_is_said_to_be(skills: Tab, running: Installation, tmp_path: Path) -> None:
    assert running.steward("skills", "install", str(laid(tmp_path / "moon", GOOD)), "--yes").code == 0
    skills.click("#skills-verify")
    skills.until("document.getElementById('skills-said').innerText.includes('moon is as installed')")
    (moon,) = running.steward("skills", "verify", "--json").json["skills"]
    (edited,) = running.root.rglob(f"skill-versions/{moon['digest']}/moon/skill.py")
    edited.write_text(edited.read_text() + "\n# mine\n")
    skills.click("#skills-verify")
    skills.until("document.getElementById('skills-said').innerText.includes('CHANGED')")
    assert skills.js("document.getElementById('skills-said').className") == "error"
    other = {name: text.replace("moon", "comet").replace("Moon", "Comet") for name, text in GOOD.items()}
    assert running.steward("skills", "install", str(laid(tmp_path / "comet", other)), "--yes").code == 0  # all are read
    skills.until("document.querySelector('#skills [data-unused=moon]')?.innerText.includes('skills versions moon')")


def test_those_of_steward_are_listed_with_their_tools(skills: Tab, running: Installation) -> None:
    skills.click_open("#skills-built")
    skills.until("document.querySelector('#skills-built-list [data-built=notes]')")
    skills.js("document.querySelectorAll('#skills-built details').forEach(e => { e.open = true })")
    with running.client() as client:
        shipped = [one for one in client.skills() if one["shipped"]]
    assert len(shipped) > 8
    shown = skills.text("#skills-built-list")
    for one in shipped:
        for tool in one["tools"]:
            assert tool["id"] in shown, tool["id"]
    assert skills.js("document.querySelectorAll('#skills-built-list > li').length") == len(shipped)


SENDS = GOOD | {
    "steward.toml": GOOD["steward.toml"] + '\n[tools.phase.roles]\nplace = "sink"\n',
    "skill.py": GOOD["skill.py"]
    .replace("ctx: Context)", 'ctx: Context, place: str = "here")')
    .replace("looks.", "looks.\n\n    Args:\n        place: where it goes\n    "),
}


def test_what_decides_where_something_goes_is_in_the_first_review(
    skills: Tab, running: Installation, tmp_path: Path
) -> None:
    place = laid(tmp_path / "moon", SENDS)
    look(skills, place)
    skills.until("document.getElementById('review').open || document.querySelector('#skills-said.error')")
    said = skills.text("#review")
    assert "What decides where something goes" in said, skills.text("#skills-said")
    assert "place" in said
    skills.click(NO)
    told = running.steward("skills", "install", str(place))
    assert "decides where something goes, or what is run: place" in told.out, told
