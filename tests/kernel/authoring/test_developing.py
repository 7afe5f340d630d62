"""A skill while it is written: each save counts at once, a bad one does not, and at the end all of it is gone."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from kernel.authoring.developing import Developing
from kernel.errors import BadRequest, NotNow
from kernel.house import WRITTEN_GRANT_S
from permissions.model import GrantMode
from tests.kernel.authoring.test_testing import change
from tests.kernel.conftest import Bench
from tests.skills.packages.wares import laid

FILES = {
    "SKILL.md": "---\nname: moon\ndescription: Says how the moon looks. Use when someone asks about the moon.\n---\n",
    "steward.toml": """version = "1.0.0"
title = "Moon"

[tools.phase]
effect = "pure"
examples.en = ["how is the moon", "what phase is the moon in", "phase of the moon"]

[[tools.phase.rights]]
action = "fs.read"
scope = "~/Moon/**"
reason = "to read the table of the moon"
""",
    "skill.py": '''"""The moon."""

from skills.sdk import Context


def phase(ctx: Context) -> str:
    """Say how the moon looks tonight."""
    ctx.say("moon one")
    return "full"
''',
}

Seen = AsyncIterator[dict[str, Any]]


@pytest.fixture
def moon(tmp_path: Path) -> Path:
    return laid(tmp_path / "mine" / "moon", FILES)


async def following(seen: Seen) -> dict[str, Any]:
    return await asyncio.wait_for(anext(seen), 60)


async def said(bench: Bench) -> str:
    view = await bench.ask("what phase is the moon in")
    return str(view["answer"]) if view["resolution"] in ("executed", "confirmed") else str(view["resolution"])


def skills(bench: Bench) -> set[str]:
    return {one["id"] for one in bench.kernel.skills()}


async def test_every_save_counts_and_at_the_end_it_is_gone(bench: Bench, moon: Path) -> None:
    seen = bench.kernel.rooms.developing.follow(bench.kernel.rooms.developing.check(str(moon)))
    first = await following(seen)
    assert (first["kind"], first["version"], [one["id"] for one in first["tools"]]) == (
        "dev.loaded", "1.0.0", ["moon.phase"]
    )  # fmt: skip
    assert "moon one" in await said(bench)
    waiting = asyncio.ensure_future(following(seen))
    await asyncio.sleep(0.3)  # the watch stands
    began = time.monotonic()
    change(moon, "skill.py", "moon one", "moon two")
    second = await waiting
    took_s = time.monotonic() - began
    assert second["digest"] != first["digest"]
    assert took_s < 5  # a second where nobody else wants the processor
    assert "moon two" in await said(bench)
    await seen.aclose()  # type: ignore[attr-defined]
    assert "moon" not in skills(bench)
    assert list((bench.folders.data / "skills-written").iterdir()) == []
    assert (moon / "skill.py").exists()


async def test_a_version_that_does_not_load_is_said_and_the_last_good_one_stays(bench: Bench, moon: Path) -> None:
    seen = bench.kernel.rooms.developing.follow(moon)
    await following(seen)
    waiting = asyncio.ensure_future(following(seen))
    await asyncio.sleep(0.3)
    change(moon, "steward.toml", 'effect = "pure"', 'effect = "sometimes"')
    failed = await waiting
    assert (failed["kind"], failed["still"]) == ("dev.failed", "1.0.0")
    assert f"{moon}/steward.toml:5" in failed["message"]
    assert "moon one" in await said(bench)
    waiting = asyncio.ensure_future(following(seen))
    await asyncio.sleep(0.3)
    change(moon, "steward.toml", 'effect = "sometimes"', 'effect = "idempotent"')
    assert (await waiting)["kind"] == "dev.loaded"
    await seen.aclose()  # type: ignore[attr-defined]


async def test_one_that_never_loaded_counts_for_nothing(bench: Bench, moon: Path) -> None:
    change(moon, "skill.py", "def phase(", "def phase(:")
    seen = bench.kernel.rooms.developing.follow(moon)
    assert ((await following(seen))["still"], "moon" in skills(bench)) == ("", False)
    await seen.aclose()  # type: ignore[attr-defined]


async def test_what_was_granted_is_for_that_content_ends_by_itself_and_goes_with_it(bench: Bench, moon: Path) -> None:
    seen = bench.kernel.rooms.developing.follow(moon)
    await following(seen)
    run = (await bench.ask("what phase is the moon in", yes=False))["run"]
    await bench.answer(run, "always")
    house = bench.kernel._house
    (grant,) = [one for one in house.policy.grants if one.skill == "moon"]
    assert grant.mode is GrantMode.UNTIL
    assert grant.expires_s == grant.at_s + WRITTEN_GRANT_S
    assert (await bench.ask("how is the moon", yes=False))["resolution"] == "executed"  # it counts for these bytes
    waiting = asyncio.ensure_future(following(seen))
    await asyncio.sleep(0.3)
    change(moon, "skill.py", "moon one", "moon two")
    await waiting
    asked = await bench.ask("how is the moon", yes=False)
    assert asked["resolution"] == "pending"  # and for no others
    await bench.answer(asked["run"], "no")
    await seen.aclose()  # type: ignore[attr-defined]
    assert [one for one in house.policy.grants if one.skill == "moon"] == []


async def test_what_is_installed_counts_again_afterwards(bench: Bench, moon: Path, tmp_path: Path) -> None:
    old = laid(tmp_path / "old" / "moon", {**FILES, "skill.py": FILES["skill.py"].replace("moon one", "moon zero")})
    found = await bench.kernel.rooms.installed.look_at(str(old))
    await bench.kernel.rooms.installed.install(found["package"])
    await bench.kernel.grant("moon", "fs.read:~/Moon/**")
    standing = {one.id for one in bench.kernel._house.policy.grants if one.skill == "moon"}
    assert "moon zero" in await said(bench)
    seen = bench.kernel.rooms.developing.follow(moon)
    await following(seen)
    assert "moon one" in await said(bench)
    await seen.aclose()  # type: ignore[attr-defined]
    assert "moon zero" in await said(bench)
    assert standing <= {one.id for one in bench.kernel._house.policy.grants}  # what was given before stays


async def test_a_daemon_that_was_killed_leaves_nothing_that_counts(bench: Bench, moon: Path) -> None:
    seen = bench.kernel.rooms.developing.follow(moon)
    await following(seen)
    left = bench.folders.data / "skills-written"
    assert list(left.iterdir())
    Developing(bench.kernel._house, bench.kernel.rooms.installed.tidy)  # what the next daemon does first
    assert not left.exists()
    await seen.aclose()  # type: ignore[attr-defined]


async def test_a_daemon_that_stops_ends_it(bench: Bench, moon: Path) -> None:
    seen = bench.kernel.rooms.developing.follow(moon)
    await following(seen)
    await bench.kernel.rooms.developing.close()
    assert "moon" not in skills(bench)
    await seen.aclose()  # type: ignore[attr-defined]


async def test_who_may_not_begin_is_told(bench: Bench, moon: Path, tmp_path: Path) -> None:
    with pytest.raises(BadRequest, match="no folder"):
        bench.kernel.rooms.developing.check(str(tmp_path / "nothing"))
    with pytest.raises(BadRequest, match="part of Steward"):
        bench.kernel.rooms.developing.check(str(laid(tmp_path / "files", FILES)))
    seen = bench.kernel.rooms.developing.follow(moon)
    await following(seen)
    with pytest.raises(NotNow, match="another window"):
        bench.kernel.rooms.developing.check(str(moon))
    await seen.aclose()  # type: ignore[attr-defined]
    bench.kernel.rooms.developing.check(str(moon))
