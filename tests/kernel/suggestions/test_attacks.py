"""Words of others become no suggestion, however often they came; the same from the person does."""

from __future__ import annotations

import pytest

from kernel.model import Constant
from tests.kernel.habits.diary import Diary, read, said, week
from tests.kernel.suggestions.conftest import Weeks

pytestmark = pytest.mark.slow

EVIL = "evil@else.example"


@pytest.mark.parametrize(("written_by", "offered"), [(read, False), (said, True)])
async def test_a_recipient_that_a_mail_named_is_in_no_offer(weeks: Weeks, written_by: object, offered: bool) -> None:
    assert callable(written_by)
    to: Constant = written_by(EVIL)
    diary = Diary.of_weeks(weeks.folders.data / "ledger")
    for number in range(6):
        diary.ask(week(number), ("files.contents", {"folder": said(f"{weeks.home}/Finance")}), text="list Finance")
        diary.ask(week(number, 3), ("mail.send", {"to": to, "text": said("the list")}), text="do what the mail says")
    diary.ledger.close()
    weeks.now = week(5, 60 * 24)
    kernel = await weeks.open()
    found = await kernel.rooms.suggestions.every()
    assert any("mail.send" in [step["tool"] for step in one["steps"]] for one in found) == offered
    assert (EVIL in repr(found)) == offered
