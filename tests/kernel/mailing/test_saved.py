"""A mail that was sent becomes a skill: who gets it is a parameter, and every mail of it is shown before it leaves."""

from __future__ import annotations

import email
import email.policy
import json
from pathlib import Path

import pytest

from kernel.authoring.testing import practised
from kernel.context.mind import Learning
from skills import Registry
from skills.model import EffectClass, ParamRole
from tests.kernel.authoring.test_testing import change
from tests.kernel.mailing.conftest import Posted

pytestmark = [pytest.mark.slow, pytest.mark.sandbox]

SAID = "send an email to ben@example.org with offer.txt attached saying the plumber comes at nine"


async def test_a_saved_mail_asks_as_the_mail_did(posted: Posted, tmp_path: Path) -> None:
    house = posted.bench.kernel._house  # it learns its own words: those of the tests are of the skills that ship
    house.learning = Learning(house.registry, house.folders.state / "learnt", encoder=False)
    (posted.bench.home / "offer.txt").write_text("the offer")
    done = await posted.bench.ask(SAID, yes=True)
    assert (done["resolution"], len(posted.office.taken)) == ("confirmed", 1), done
    drafted = await posted.bench.kernel.rooms.draft_skill(done["run"], "plumber", str(tmp_path / "drafts"))
    folder = Path(drafted["folder"])
    tool = Registry([folder.parent]).tools()[0]
    assert tool.effect is EffectClass.ONCE
    assert {one.name: one.role for one in tool.parameters}["to"] is ParamRole.SINK
    assert "example.org" not in (folder / "skill.py").read_text()
    report = await practised(folder)
    assert report["passed"], report["output"]
    own = ", ".join(map(json.dumps, ["wire {to:kim@example.org} with {files:a.txt}: {text:no water}"]))
    change(folder, "steward.toml", "en = [", f"en = [{own}, ")
    found = await posted.bench.kernel.rooms.installed.look_at(str(folder))
    await posted.bench.kernel.rooms.installed.install(found["package"])
    view = await posted.ask("wire amy@example.org with offer.txt: the roof is fixed")
    assert view["plan"], view["answer"]
    assert [task["tool"] for task in view["plan"]["tasks"]] == [tool.id], view["plan"]
    assert (view["resolution"], view["stage"], len(posted.office.taken)) == ("pending", "mail", 1), view
    [shown] = view["card"]["mail"]
    assert (shown["to"], shown["text"]) == (["amy@example.org"], "the roof is fixed")
    done = await posted.bench.answer(view["run"], "once")
    assert done["resolution"] == "confirmed", done["error"]
    taken = email.message_from_bytes(posted.office.taken[1].content, policy=email.policy.default)
    [attached] = list(taken.iter_attachments())
    assert (attached.get_filename(), attached.get_content().strip()) == ("offer.txt", "the offer")
