"""How a run ends among its letters: cancelled, refused in the middle, withdrawn, or with an answer nobody understands.

Whatever happens, what is said of each letter is what the server has.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest

from kernel import Ask, load_settings, open_kernel
from kernel.mailing import sending
from kernel.mailing.asking import addresses_in, seen_of
from kernel.mailing.outbox import Waiting
from permissions.egress import Letter, Mailer
from tests.kernel.mailing.conftest import HOST, Posted
from tests.mail_servers import PASSWORD, USER

pytestmark = [pytest.mark.slow, pytest.mark.sandbox]

SAID = "send an email to ben@example.org saying the plumber comes at nine"
SECOND = "anna@example.org"


async def with_two(posted: Posted) -> str:
    """Return a run that waits for the yes to its mail, with a second letter behind it."""
    view = await posted.ask(SAID)
    run, post = str(view["run"]), posted.bench.kernel._house.post
    letter = Letter.of({"to": [SECOND], "subject": "second", "text": "two"}, {})
    now = posted.bench.kernel._runs.live[run][0].utterance.now
    mail = letter.composed(post.account(), "<second@home.test>", now)
    digest = hashlib.sha256(mail).hexdigest()
    seen = seen_of(letter, post.account())
    post.outbox.put(run, Waiting(2, "<second@home.test>", letter.recipients, digest, len(mail), seen), mail)
    return run


async def ended(posted: Posted, run: str) -> dict[str, Any]:
    """Return a run that was cancelled, when it has ended."""
    await asyncio.wait_for(asyncio.shield(posted.bench.kernel._runs.live[run][1]), 30)
    return dict(await posted.bench.kernel.settled(run))


def held(posted: Posted, stage: str) -> tuple[asyncio.Event, asyncio.Event]:
    """Hold the server at a stage: the first event says that it is there, the second lets it go on."""
    there, on = asyncio.Event(), asyncio.Event()

    async def at(now: str) -> None:
        if now == stage:
            there.set()
            await on.wait()

    posted.office.at = at
    return there, on


async def test_after_a_cancel_the_next_letter_stays(posted: Posted) -> None:
    run = await with_two(posted)
    there, on = held(posted, "taken")
    await posted.bench.kernel.approve(run, "once")
    await asyncio.wait_for(there.wait(), 30)
    await posted.bench.kernel.cancel(run)
    await asyncio.sleep(0.1)
    on.set()
    done = await ended(posted, run)
    assert [one.recipients for one in posted.office.taken] == [("ben@example.org",)]
    assert done["resolution"] == "failed"
    assert "The mail to ben@example.org was sent." in done["answer"]
    assert f"The mail to {SECOND} was not sent" in done["answer"]
    assert "nothing was changed" not in done["answer"]


async def test_without_a_cancel_both_letters_leave(posted: Posted) -> None:
    run = await with_two(posted)
    done = await posted.bench.answer(run, "once")
    assert (done["resolution"], len(posted.office.taken)) == ("confirmed", 2)


async def test_a_cancel_while_the_copy_is_kept_does_not_unsend(posted: Posted, monkeypatch: pytest.MonkeyPatch) -> None:
    there = asyncio.Event()

    async def keep(*_given: Any) -> None:
        there.set()
        await asyncio.sleep(60)

    imap = {"host": HOST, "port": 1}
    smtp = {"host": HOST, "port": posted.office.port}
    await posted.bench.kernel.rooms.mail.set({"address": USER, "name": "Me", "smtp": smtp, "imap": imap})
    assert posted.bench.kernel.rooms.mail.shown()["password"], "no new host hears the password, so it stays"
    monkeypatch.setattr(Mailer, "keep", keep)
    view = await posted.ask(SAID)
    await posted.bench.kernel.approve(view["run"], "once")
    await asyncio.wait_for(there.wait(), 30)
    await posted.bench.kernel.cancel(view["run"])
    done = await ended(posted, view["run"])
    assert (done["resolution"], len(posted.office.taken)) == ("confirmed", 1)
    assert done["answer"] == "The mail to ben@example.org was sent."


async def test_a_cancel_of_the_question_whether_leaves_it_unknown(
    posted: Posted, monkeypatch: pytest.MonkeyPatch
) -> None:
    breaks_after(monkeypatch)
    view = await posted.ask(SAID)
    view = await posted.bench.answer(view["run"], "once")
    assert view["stage"] == "unknown"
    await posted.bench.kernel.cancel(view["run"])
    done = await ended(posted, view["run"])
    assert (done["resolution"], done["error"]["code"]) == ("failed", "mail.unknown")
    assert "is not known" in done["answer"]
    assert "Ask again" not in done["answer"]


def breaks_after(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the connection break when the server has the text."""
    from permissions.egress.mail import smtp

    def breaks(self: Any, mail: bytes) -> Any:
        type(self).__mro__[1].data(self, mail)
        raise ConnectionResetError

    monkeypatch.setattr(smtp._Smtp, "data", breaks, raising=False)


async def test_a_cancel_before_anything_left_says_so(posted: Posted) -> None:
    view = await posted.ask(SAID)
    await posted.bench.kernel.cancel(view["run"])
    done = await ended(posted, view["run"])
    assert (done["resolution"], posted.office.taken) == ("rolled_back", [])


async def test_a_second_letter_that_is_refused_does_not_unsend_the_first(posted: Posted) -> None:
    run = await with_two(posted)
    posted.office.refuses = (SECOND,)
    done = await posted.bench.answer(run, "once")
    assert [one.recipients for one in posted.office.taken] == [("ben@example.org",)]
    assert (done["resolution"], done["error"]["code"]) == ("failed", "refused.mail.recipient")
    assert "The mail to ben@example.org was sent." in done["answer"]
    assert f"The mail to {SECOND} was not sent" in done["answer"]
    assert "5.1.1" in done["answer"]
    assert "othing was sent" not in done["answer"]


async def test_a_refusal_after_again_does_not_make_the_first_copy_unsent(
    posted: Posted, monkeypatch: pytest.MonkeyPatch
) -> None:
    breaks_after(monkeypatch)
    view = await posted.ask(SAID)
    view = await posted.bench.answer(view["run"], "once")
    posted.office.refuses = ("ben@example.org",)
    done = await posted.bench.answer(view["run"], "once")
    assert (done["resolution"], len(posted.office.taken)) == ("failed", 1)
    assert "is not known" in done["answer"]
    assert "was not sent" not in done["answer"]


async def _deny_tool(posted: Posted) -> None:
    await posted.bench.kernel.rights.deny("mail", "secret.use:mail")


async def _deny_host(posted: Posted) -> None:
    await posted.bench.kernel.rights.deny("mail", f"net.connect:{HOST}:{posted.office.port}")


@pytest.mark.parametrize("deny", [_deny_tool, _deny_host])
@pytest.mark.parametrize("restarted", [False, True])
async def test_again_is_not_done_for_a_tool_that_is_denied_meanwhile(
    posted: Posted, monkeypatch: pytest.MonkeyPatch, deny: Callable[[Posted], Awaitable[None]], restarted: bool
) -> None:
    breaks_after(monkeypatch)
    view = await posted.ask(SAID)
    view = await posted.bench.answer(view["run"], "once")
    if restarted:
        await posted.bench.kernel.close()
        posted.bench.kernel = await posted.bench.reopen()
        posted.connect()
        view = await posted.bench.kernel.settled(view["run"])
    assert view["stage"] == "unknown"
    await deny(posted)
    done = await posted.bench.answer(view["run"], "once")
    assert (done["resolution"] in ("failed", "blocked"), len(posted.office.taken)) == (True, 1), done
    assert "is not known" in done["answer"], "the first copy may have been taken all the same"


async def test_after_a_restart_the_question_whether_it_was_sent_waits_longer_than_the_request_had(
    posted: Posted, monkeypatch: pytest.MonkeyPatch
) -> None:
    breaks_after(monkeypatch)
    bench = posted.bench
    ask = Ask(SAID, conversation="c", cwd=str(bench.home), channel="test", deadline="1h")
    view = await bench.kernel.settled(await bench.kernel.ask(ask))
    while view["stage"] in ("plan", "mail"):
        view = await bench.answer(view["run"], "once")
    assert view["stage"] == "unknown"
    await bench.kernel.close()
    later = partial(open_kernel, load_settings(encoder=False), bench.folders)
    bench.kernel = await later(clock=lambda: datetime.now(UTC) + timedelta(hours=2))
    posted.connect()
    view = await bench.kernel.settled(view["run"])
    assert (view["resolution"], view["stage"]) == ("pending", "unknown")
    assert datetime.fromisoformat(view["expires_at"]) > datetime.now(UTC) + timedelta(minutes=1)
    done = await bench.answer(view["run"], "done")
    assert (done["resolution"], len(posted.office.taken)) == ("confirmed", 1)


async def test_a_letter_that_was_changed_on_disk_does_not_leave(posted: Posted) -> None:
    view = await posted.ask(SAID)
    outbox = posted.bench.kernel._house.post.outbox
    path = outbox._place(view["run"]) / "1.eml"
    path.write_bytes(path.read_bytes().replace(b"plumber", b"burglar"))
    done = await posted.bench.answer(view["run"], "once")
    assert (done["error"]["code"], posted.office.taken) == ("refused.mail.changed", [])


async def test_a_run_without_its_letters_is_not_called_sent(posted: Posted) -> None:
    view = await posted.ask(SAID)
    live = posted.bench.kernel._runs.live[view["run"]][0]
    live.house.post.outbox.drop(view["run"])
    stop = sending.report(live, [])
    assert (str(stop.resolution), bool(stop.answer)) == ("failed", True)
    await posted.bench.answer(view["run"], "no")


async def test_yes_in_advance_is_for_whole_addresses(posted: Posted) -> None:
    """The words name joanna; the letter goes to anna, whose address is a part of hers."""
    live = posted.bench.kernel._runs.live[(await posted.ask(SAID))["run"]][0]
    assert sending._are_named(live, await asyncio.to_thread(live.house.post.outbox.of, live.id)), "the control"
    letter = Waiting(1, "<1@home.test>", ("ben@example.org",), "", 0, {})
    for said in ("joben@example.org", "ben@example.org.evil.test", "öben@example.org", "x/ben@example.org"):
        named = addresses_in(f"send an email to {said} saying hi")
        assert not named.intersection(letter.recipients), said
    for said in ("Ben@Example.org.", "<ben@example.org>", "'ben@example.org',", "mailto:ben@example.org"):
        assert "ben@example.org" in addresses_in(f"email {said} hi"), said


async def test_a_new_server_does_not_hear_the_old_password(posted: Posted) -> None:
    mail, smtp = posted.bench.kernel.rooms.mail, {"host": HOST, "port": posted.office.port}
    assert (await mail.set({"address": USER, "name": "I", "smtp": smtp}))["password"], "the same user and host"
    assert not (await mail.set({"address": USER, "smtp": {"host": "mail.evil.test", "port": 465}}))["password"]
    await mail.put_secret("mail", PASSWORD)
    assert not (await mail.set({"address": USER, "user": "other", "smtp": {**smtp, "host": "mail.evil.test"}}))[
        "password"
    ]
    await mail.put_secret("mail", PASSWORD)
    await mail.forget()
    assert mail.secrets() == {}
