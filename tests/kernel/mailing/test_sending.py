"""A mail through the whole kernel: shown whole, sent after a yes to it, once; and what nobody may get around."""

from __future__ import annotations

import email
import email.policy
from pathlib import Path
from typing import Any

import pytest

from kernel.errors import BadRequest
from tests.kernel.mailing.conftest import Posted
from tests.mail_servers import PASSWORD

pytestmark = [pytest.mark.slow, pytest.mark.sandbox]

SAID = "send an email to ben@example.org saying the plumber comes at nine"


def subject(posted: Posted) -> str:
    [taken] = posted.office.taken
    return str(email.message_from_bytes(taken.content, policy=email.policy.default)["Subject"])


async def test_a_mail_is_shown_whole_and_sent_after_a_yes(posted: Posted) -> None:
    view = await posted.ask(SAID)
    assert (view["resolution"], view["stage"]) == ("pending", "mail")
    [shown] = view["card"]["mail"]
    assert (shown["to"], shown["text"]) == (["ben@example.org"], "the plumber comes at nine")
    assert {"why": "To", "subject": "ben@example.org"} in view["card"]["concerns"]
    assert posted.office.taken == [], "nothing leaves before the yes"
    done = await posted.bench.answer(view["run"], "once")
    assert (done["resolution"], subject(posted)) == ("confirmed", "the plumber comes at nine")
    assert done["answer"] == "I sent the mail “the plumber comes at nine” to ben@example.org."
    assert [kind for kind, _ in posted.events(view["run"])] == ["mail.prepared", "mail.handing", "mail.accepted"]


async def test_a_no_sends_nothing(posted: Posted) -> None:
    view = await posted.ask(SAID)
    done = await posted.bench.answer(view["run"], "no")
    assert (done["resolution"], posted.office.taken) == ("blocked", [])


async def test_always_is_no_answer_for_the_next_mail(posted: Posted) -> None:
    view = await posted.bench.ask(SAID, yes=False)
    assert view["stage"] == "plan"
    view = await posted.bench.answer(view["run"], "always")
    assert view["stage"] == "mail"
    await posted.bench.answer(view["run"], "always")
    assert len(posted.office.taken) == 1
    again = await posted.bench.ask(
        "send an email to ben@example.org saying the painter comes at ten", yes=False, conversation="d"
    )
    assert (again["stage"], len(posted.office.taken)) == ("mail", 1), again["answer"]


async def test_yes_in_advance_answers_for_an_address_that_was_said(posted: Posted) -> None:
    done = await posted.bench.ask(SAID, yes=True)
    assert (done["resolution"], len(posted.office.taken)) == ("confirmed", 1)


async def test_yes_in_advance_does_not_answer_for_an_address_from_elsewhere(posted: Posted) -> None:
    (posted.bench.home / "Contacts").mkdir()
    (posted.bench.home / "Contacts" / "ben.vcf").write_text(
        "BEGIN:VCARD\nFN:Ben Roth\nEMAIL:ben@example.org\nEND:VCARD\n"
    )
    view = await posted.bench.ask("send an email to Ben saying the plumber comes at nine", yes=True)
    assert (view["resolution"], view["stage"], posted.office.taken) == ("pending", "mail", [])
    assert view["card"]["mail"][0]["to"] == ["ben@example.org (Ben Roth)"]
    done = await posted.bench.answer(view["run"], "once")
    assert (done["resolution"], len(posted.office.taken)) == ("confirmed", 1)


async def test_the_password_is_nowhere_but_in_its_file(posted: Posted) -> None:
    posted.office.refuses = ("ben@example.org",)  # a server that says the password back
    view = await posted.ask(SAID)
    done = await posted.bench.answer(view["run"], "once")
    assert done["resolution"] == "failed"
    assert "5.1.1" in done["answer"]
    kernel = posted.bench.kernel
    assert PASSWORD not in repr([kernel.view(view["run"]), kernel.rooms.mail.shown(), kernel.rooms.mail.secrets()])
    assert PASSWORD not in repr([dict(one.body or {}) for one in kernel._house.ledger.events()])
    root = Path(posted.bench.folders.data).parent
    holding = [path for path in root.rglob("*") if path.is_file() and PASSWORD.encode() in path.read_bytes()]
    assert [path.name for path in holding] == ["mail"], "the control: it is in its own file"
    assert holding[0].stat().st_mode & 0o777 == 0o600


async def test_a_mail_that_cannot_be_sent_is_said_and_the_kernel_lives(posted: Posted) -> None:
    posted.internet.names["post.test"] = [["127.0.0.1"]]
    view = await posted.ask(SAID)
    done = await posted.bench.answer(view["run"], "once")
    assert (done["resolution"], done["error"]["code"]) == ("failed", "refused.net.address")
    assert [kind for kind, _ in posted.events(view["run"])] == ["mail.prepared", "mail.refused"]
    assert (await posted.bench.ask("what is 1+1"))["resolution"] == "executed"


async def test_without_an_account_it_says_how_to_set_one(posted: Posted) -> None:
    await posted.bench.kernel.rooms.mail.forget()
    done = await posted.ask(SAID)
    assert (done["resolution"], done["error"]["code"]) == ("failed", "mail.none")
    assert "./steward mail set" in done["answer"]


async def test_a_denied_secret_sends_nothing(posted: Posted) -> None:
    await posted.bench.kernel.rights.deny("mail", "secret.use:mail")
    done = await posted.ask(SAID)
    assert (done["resolution"], posted.office.taken) == ("blocked", [])


async def test_undo_after_a_mail_does_not_take_back_something_older(posted: Posted) -> None:
    await posted.bench.ask("create a folder called Papers", yes=True)
    await posted.bench.ask(SAID, yes=True)
    view = await posted.bench.ask("undo that", yes=False)
    assert view["resolution"] == "pending", "it is asked about, since the mail cannot come back"
    assert (posted.bench.home / "Papers").is_dir() or (posted.bench.home / "papers").is_dir()


async def test_a_mail_that_waits_for_its_yes_waits_over_a_restart(posted: Posted) -> None:
    view = await posted.ask(SAID)
    await posted.bench.kernel.close()
    posted.bench.kernel = await posted.bench.reopen()
    posted.connect()
    waiting = await posted.bench.kernel.settled(view["run"])
    assert (waiting["stage"], waiting["card"]["mail"]) == ("mail", view["card"]["mail"])
    assert len(posted.bench.kernel.approvals()) == 1
    done = await posted.bench.answer(view["run"], "once")
    assert (done["resolution"], len(posted.office.taken)) == ("confirmed", 1)


async def test_a_server_that_never_says_whether_is_asked_about(posted: Posted, monkeypatch: pytest.MonkeyPatch) -> None:
    from permissions.egress.mail import smtp

    def breaks(self: Any, mail: bytes) -> Any:  # the connection breaks when the server has the text
        type(self).__mro__[1].data(self, mail)
        raise ConnectionResetError

    monkeypatch.setattr(smtp._Smtp, "data", breaks, raising=False)
    view = await posted.ask(SAID)
    view = await posted.bench.answer(view["run"], "once")
    assert (view["resolution"], view["stage"]) == ("pending", "unknown")
    assert view["card"]["unknown"]["question"]
    done = await posted.bench.answer(view["run"], "done")
    assert (done["resolution"], len(posted.office.taken)) == ("confirmed", 1)


async def test_done_is_no_answer_to_anything_else(posted: Posted) -> None:
    view = await posted.ask(SAID)
    with pytest.raises(BadRequest, match="answers only whether"):
        await posted.bench.kernel.approve(view["run"], "done")
    await posted.bench.answer(view["run"], "no")


async def test_a_fault_of_ours_is_told_to_the_call_that_asked(posted: Posted, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_self: object) -> object:
        raise RuntimeError("the post horn is broken")

    monkeypatch.setattr("kernel.mailing.post.Post.mailer", fails)
    view = await posted.ask("fetch my mail", yes=True)
    assert (view["resolution"], view["error"]["code"]) == ("failed", "call.fault"), view
    assert view["error"]["message"] == (
        "The call mail.fetch stopped on an internal fault: RuntimeError: the post horn is broken"
    )
    assert view["error"]["hint"] == "./steward doctor"
    german = await posted.ask("ruf meine Mails ab", yes=True)
    assert german["error"]["message"].startswith("Der Aufruf mail.fetch brach mit einem inneren Fehler ab")
