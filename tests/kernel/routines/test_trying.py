"""What a rule would have done: on its card, and when a person tries it out; nothing of a dry run stays."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from kernel import Ask
from kernel.errors import BadRequest, NotNow, UnknownRun
from kernel.handling import trying
from kernel.model import Plan
from kernel.routines.watching.things import MOST_LYING
from kernel.run import Run
from tests.kernel.routines.conftest import Desk

pytestmark = pytest.mark.slow

RULE = "every day at 18:00 show me the largest files in Downloads"
FILES = "whenever a pdf comes into Downloads, move it to Backup"
FILES_DE = "immer wenn eine PDF in Downloads kommt, verschiebe sie nach Backup"


def put(desk: Desk, *names: str) -> None:
    """Have files lie in Downloads."""
    for name in names:
        (desk.home / "Downloads" / name).write_bytes(b"%PDF-1.4 " + name.encode())


def tree(home: Path) -> dict[str, bytes]:
    """Every file of the home and what stands in it."""
    return {str(one.relative_to(home)): one.read_bytes() for one in sorted(home.rglob("*")) if one.is_file()}


async def card_of(desk: Desk, text: str) -> tuple[str, dict[str, Any]]:
    """Say a rule and return its run and the card that waits."""
    run = await desk.kernel.ask(Ask(text, conversation="c", cwd=str(desk.home), channel="test"))
    view = await desk.kernel.settled(run)
    assert view["stage"] == "routine", view
    return run, view


async def test_a_rule_of_the_clock_says_when_it_is_due_and_which_right_the_dry_run_lacks(desk: Desk) -> None:
    _, view = await card_of(desk, RULE)
    would = view["card"]["would"]
    assert would["fires"] == ["Due next: 2026-03-11 18:00, 2026-03-12 18:00, 2026-03-13 18:00."]
    assert would["dry"]["missing"] == ["read everything in ~/Downloads"]
    assert "routines try" in would["dry"]["said"]


async def test_what_a_person_may_do_anyhow_is_tried_out_on_the_card(desk: Desk) -> None:
    _, view = await card_of(desk, "every day at 18:00 tell me what 17 * 4 is")
    dry = view["card"]["would"]["dry"]
    assert "68" in dry["said"], dry
    of = desk.kernel.view(dry["run"])
    assert (of["resolution"], of["trial"], of["client"]) == ("rolled_back", {"routine": "tell"}, ""), of


async def test_a_rule_of_files_names_those_that_lie_there_and_is_tried_on_the_latest(desk: Desk) -> None:
    put(desk, "a.pdf", "b.pdf", "c.pdf", "d.pdf")
    await desk.kernel.grant("files", f"fs.read:{desk.home}/**")
    run, view = await card_of(desk, FILES)
    before = tree(desk.home)
    (line,) = view["card"]["would"]["fires"]
    assert line.startswith("4 files that lie there now"), line
    assert "“d.pdf”" in line
    begun = await desk.kernel.routines.try_out(run)
    done = await desk.answered(begun, "always")
    assert done["resolution"] == "rolled_back", done["answer"]
    (change,) = done["result"]["trial"]["changes"]
    assert change["kind"] == "moved", change
    assert change["path"].endswith("Backup/d.pdf")
    assert done["effects"] == []
    assert tree(desk.home) == before
    again = await desk.answered(await desk.kernel.routines.try_out(run))
    assert again["resolution"] == "pending", "what was allowed ended with the dry run"


async def test_one_that_is_kept_is_tried_with_its_own_rights_and_is_no_run_of_its_own(desk: Desk) -> None:
    put(desk, "a.pdf")
    kept = await desk.say(FILES_DE)
    assert kept["resolution"] == "confirmed", kept["answer"]
    (one,) = desk.kernel.routines.every()
    before = tree(desk.home)
    done = await desk.answered(await desk.kernel.routines.try_out(one["name"]))
    assert (done["resolution"], done["client"]) == ("rolled_back", one["node"]), done["answer"]
    assert done["answer"].startswith("Ausprobiert; nichts davon bleibt.")
    assert "1 Datei" in done["answer"]
    assert tree(desk.home) == before
    assert desk.kernel.routines.view(one["name"])["latest"] is None, "a dry run is no run of it"
    (fires,) = desk.kernel.routines.whole(one["name"])["fires"]
    assert fires == "Eine Datei, die jetzt dort liegt, hätte sie ausgelöst: „a.pdf“."


async def test_it_is_tried_on_the_file_that_a_person_names_and_on_no_other(desk: Desk) -> None:
    put(desk, "a.pdf", "b.pdf")
    await desk.say(FILES)
    (one,) = desk.kernel.routines.every()
    wanted = str(desk.home / "Downloads" / "a.pdf")
    done = await desk.answered(await desk.kernel.routines.try_out(one["name"], wanted))
    (change,) = done["result"]["trial"]["changes"]
    assert change["source"] == wanted
    for other in ("Downloads/big.iso", "Downloads/none.pdf", "../secret.pdf", "Downloads"):
        with pytest.raises(BadRequest, match="no such file"):
            await desk.kernel.routines.try_out(one["name"], str(desk.home / other))


async def test_where_nothing_fits_nothing_is_tried(desk: Desk) -> None:
    _, view = await card_of(desk, FILES)
    would = view["card"]["would"]
    assert would["fires"] == ["No file that lies there now is one that it waits for."]
    assert would["dry"]["said"].startswith("No file that lies there now")
    with pytest.raises(NotNow, match="No file that lies there"):
        await desk.kernel.routines.try_out(view["run"])
    with pytest.raises(UnknownRun):
        await desk.kernel.routines.try_out("none")


async def test_a_no_to_its_rights_ends_it_and_grants_nothing(desk: Desk) -> None:
    run, _ = await card_of(desk, RULE)
    done = await desk.answered(await desk.kernel.routines.try_out(run), "no")
    assert done["resolution"] == "blocked"
    begun = await desk.kernel.routines.try_out(run)
    waits = await desk.kernel.settled(begun)
    assert waits["card"]["trial"], "its card says that it is a dry run"
    assert waits["card"]["concerns"][0]["subject"].startswith("Nothing of it stays")
    assert (await desk.answered(begun, "always"))["resolution"] == "rolled_back"
    assert not desk.kernel._house.policy.grants


async def test_what_is_denied_is_not_tried(desk: Desk) -> None:
    await desk.say(RULE)
    (one,) = desk.kernel.routines.every()
    await desk.kernel.rights.deny(one["node"], f"fs.read:{desk.home}/Downloads/**")
    done = await desk.answered(await desk.kernel.routines.try_out(one["name"]))
    assert (done["resolution"], done["error"]["code"]) == ("blocked", "policy.denied"), done["answer"]


async def test_what_was_done_last_is_what_a_rule_of_deeds_is_tried_on(desk: Desk) -> None:
    (desk.home / "Notes").mkdir()
    (desk.home / "Notes" / "Slips.md").write_text("x\n")
    (desk.home / "Downloads" / "gone.txt").write_text("g")
    run = await desk.kernel.ask(Ask("delete Downloads/gone.txt", conversation="c", cwd=str(desk.home), yes=True))
    assert (await desk.kernel.settled(run))["resolution"] == "confirmed"
    await desk.say("whenever you delete something, add it to my note Slips")
    (one,) = desk.kernel.routines.every()
    lines = desk.kernel.routines.whole(one["name"])["fires"]
    assert "~/Downloads/gone.txt" in "\n".join(lines), lines
    done = await desk.answered(await desk.kernel.routines.try_out(one["name"]))
    drawn = "\n".join(str(each["text"]) for each in done["result"]["trial"]["diff"])
    assert "~/Downloads/gone.txt" in drawn, done
    assert (desk.home / "Notes" / "Slips.md").read_text() == "x\n"


@pytest.mark.parametrize("rule", ["whenever the webhook build is called, tell me what 17 * 4 is",
                                  "immer wenn der Webhook build gerufen wird, sag mir, was 17 * 4 ist"])  # fmt: skip
async def test_of_what_nobody_can_know_it_says_so(desk: Desk, rule: str) -> None:
    _, view = await card_of(desk, rule)
    (line,) = view["card"]["would"]["fires"]
    assert ("not known beforehand" in line) or ("vorher nicht bekannt" in line)
    assert "68" in view["card"]["would"]["dry"]["said"]


async def test_the_next_moments_keep_to_what_limits_them(desk: Desk) -> None:
    _, view = await card_of(desk, f"{RULE}, but not on weekends")
    assert view["card"]["would"]["fires"] == ["Due next: 2026-03-11 18:00, 2026-03-12 18:00, 2026-03-13 18:00."]
    desk.clock.set("2026-03-13T19:00")
    _, view = await card_of(desk, RULE.replace("every day", "every weekday"))
    assert view["card"]["would"]["fires"] == ["Due next: 2026-03-16 18:00, 2026-03-17 18:00, 2026-03-18 18:00."]


async def test_of_very_many_files_no_more_are_looked_at_than_a_moment_allows(desk: Desk) -> None:
    put(desk, *(f"{number}.pdf" for number in range(MOST_LYING + 100)))
    await desk.say(FILES)
    (one,) = desk.kernel.routines.every()
    began = time.thread_time()
    (line,) = desk.kernel.routines.whole(one["name"])["fires"]
    assert time.thread_time() - began < 1.0
    assert line.startswith("At least "), line


async def test_a_card_waits_no_longer_than_it_says(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trying, "ASIDE_S", 0.0)
    run, view = await card_of(desk, "every day at 18:00 tell me what 17 * 4 is")
    dry = view["card"]["would"]["dry"]
    assert dry["said"].startswith("The dry run takes longer than a card waits."), dry
    assert f"routines try {run}" in dry["said"]
    assert dry["run"] == ""
    assert desk.kernel._house.live == {run}, "it was stopped"


async def test_a_request_that_is_cancelled_while_its_dry_run_is_stopped_is_cancelled(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    stopped, ends = asyncio.Event(), asyncio.Event()

    async def slowly(_run: Run, _plan: Plan) -> None:
        with suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        stopped.set()
        await ends.wait()

    monkeypatch.setattr(trying, "ASIDE_S", 0.0)
    monkeypatch.setattr(trying, "try_out", slowly)
    run = await desk.kernel.ask(Ask("every day at 18:00 tell me what 17 * 4 is", conversation="c", cwd=str(desk.home)))
    async with asyncio.timeout(20):
        await stopped.wait()
        await desk.kernel.cancel(run)
        ends.set()
        view = await desk.kernel.settled(run)
    assert (view["resolution"], view["error"]["code"]) == ("rolled_back", "run.cancelled"), view
    assert desk.kernel.routines.every() == []


@pytest.mark.parametrize(("rule", "files"), [
    ("whenever an iso lands in Downloads, copy it to Backup", ["big.iso"]),
    ("whenever a file is deleted from Downloads, show me the largest files in Backup", None),
    ("every day at 9:00 show me the largest files in Downloads", None),
])  # fmt: skip
async def test_which_files_one_may_be_tried_on_is_told(desk: Desk, rule: str, files: list[str] | None) -> None:
    assert (await desk.say(rule))["resolution"] == "confirmed"
    (one,) = desk.kernel.routines.every()
    found = desk.kernel.routines.whole(one["name"])["files"]
    assert (found and [path.rsplit("/", 1)[-1] for path in found]) == files
