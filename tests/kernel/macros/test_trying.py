"""A macro that is tried out: told all, shown, and thrown away; it teaches nothing and is no run that could be kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kernel import Ask
from kernel.errors import BadRequest, NotNow, UnknownRun
from kernel.habits.reading import Reading
from tests.kernel.macros.conftest import Desk, by_name
from tests.kernel.macros.test_changed import TEXT, lay
from tests.kernel.routines.conftest import desk_on

pytestmark = [pytest.mark.slow, pytest.mark.sandbox]

CLOSE = "define monthly close as show the total of Finance/expenses.csv and copy Finance/expenses.csv to Backup"
TIDY = "definiere Aufräumen als sortiere Downloads nach Typ in Ordner"


async def tried(desk: Desk, name: str, *answers: str, **values: Any) -> dict[str, Any]:
    """Try a macro out, and return how that ended."""
    run = await desk.kernel.macros.try_out(name, values, Ask("", cwd=str(desk.home)))
    return await desk.answered(run, *answers)


async def test_it_says_and_shows_what_it_would_do_and_nothing_stays(desk: Desk) -> None:
    await desk.say(CLOSE)
    done = await tried(desk, "monthly close", "always")
    assert (done["resolution"], done["trial"], done["effects"]) == ("rolled_back", {"macro": "monthly close"}, [])
    assert "12" in done["answer"]
    (change,) = done["result"]["trial"]["changes"]
    assert (change["kind"], change["path"]) == ("created", str(desk.home / "Backup" / "expenses.csv"))
    assert not (desk.home / "Backup" / "expenses.csv").exists()
    assert not desk.kernel._house.policy.grants, "what was allowed has ended with it"
    again = await tried(desk, "monthly close")
    assert again["resolution"] == "pending", "it is asked again"


async def test_in_german(desk: Desk) -> None:
    defined = await desk.say(TIDY)
    assert './steward macros try "Aufräumen"' in defined["answer"]
    done = await tried(desk, "Aufräumen", "once")
    assert done["answer"].startswith("Ausprobiert; nichts davon bleibt.")
    assert "Dateien ändern" in done["answer"], done["answer"]
    assert (desk.home / "Downloads" / "big.iso").exists()


async def test_all_that_it_is_told_has_to_be_said(desk: Desk) -> None:
    await desk.say("define tidy up as sort it into folders by type")
    with pytest.raises(BadRequest, match="has to be told: folder") as lacks:
        await tried(desk, "tidy up")
    assert lacks.value.hint == './steward macros try "tidy up" folder=VALUE'
    done = await tried(desk, "tidy up", "once", folder="Downloads")
    assert done["resolution"] == "rolled_back", done["answer"]
    assert done["result"]["trial"]["changes"]
    with pytest.raises(UnknownRun):
        await tried(desk, "none")


async def test_it_teaches_nothing_and_is_nothing_that_could_be_kept_or_taken_back(desk: Desk) -> None:
    await desk.say(CLOSE)
    done = await tried(desk, "monthly close", "once")
    assert done["run"] not in {one.run for one in Reading().take(desk.kernel._house.ledger.events())}
    with pytest.raises(BadRequest):
        await desk.kernel.macros.new("another", done["run"])
    with pytest.raises(NotNow):
        await desk.kernel.undo(done["run"])
    line = next(one for one in desk.kernel.runs(50) if one["run"] == done["run"])
    assert (line["effects"], line["trial"]) == (0, {"macro": "monthly close"})
    assert (await desk.say("do the same for Downloads"))["resolution"] != "executed", "no sentence refers to it"


async def test_one_whose_skill_has_changed_is_not_tried(tmp_path: Path) -> None:
    lay(tmp_path, "ding")
    async with desk_on(tmp_path) as first:
        run = (await first.say(TEXT))["run"]
        await first.kernel.macros.new("chime", run)
        assert (await tried(first, "chime"))["resolution"] == "rolled_back"
    lay(tmp_path, "dong")
    async with desk_on(tmp_path) as later:
        with pytest.raises(NotNow, match="has changed"):
            await tried(later, "chime")
        assert (await by_name(later, "chime"))["resolution"] in ("executed", "confirmed")
