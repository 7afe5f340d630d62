"""Sending: what a run described is composed, shown, and after a yes handed over; each step is in the ledger first.

What this stops: a letter that leaves without a yes to exactly it; a second copy after a crash; a person's no, or the
daemon's end, coming between "it is being handed over" in the ledger and what the server says.
What it does not: take a letter back.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections.abc import Callable
from functools import partial
from typing import Any

from kernel.approval.consent import REFUSALS, answer_to, any_answer_to
from kernel.authorize import forbidden
from kernel.dispatching.connections import ConnectionLog
from kernel.mailing import asking
from kernel.mailing.outbox import Waiting
from kernel.mailing.post import Post
from kernel.mailing.standing import KINDS, Standing, standing_of
from kernel.model import Plan, Resolution, TaskId
from kernel.run import Run, Stop, error_view, unbroken
from permissions.errors import PermissionsError, Unclear
from permissions.model import Action, Right


async def ask_to_send(run: Run) -> None:
    """Compose what the run described, put it before the person, and wait for a yes. Raises Stop on a no."""
    post = run.house.post
    letters = await asyncio.to_thread(post.outbox.of, run.id)
    if run.letters and not letters:
        letters = await _prepared(run, post)
    if not letters:
        return
    card = asking.card(letters, run.language)
    if run.staging is not None and (await asyncio.to_thread(run.staging.seal)).changes:
        await asyncio.to_thread(run.staging.keep)  # what else the run changes waits with its letters
    request = {"stage": asking.STAGE, "seal": asking.seal_of(letters), "card": card}
    await answer_to(run, request, consented=run.yes and _are_named(run, letters))


async def _prepared(run: Run, post: Post) -> list[Waiting]:
    account = post.account()
    made = []
    for number, letter in enumerate(run.letters, 1):
        message_id = f"<{secrets.token_hex(16)}@{account.address.rpartition('@')[2]}>"
        mail = await asyncio.to_thread(letter.composed, account, message_id, run.utterance.now)
        seen = asking.seen_of(letter, account)
        digest = hashlib.sha256(mail).hexdigest()
        waiting = Waiting(number, message_id, letter.recipients, digest, len(mail), seen)
        await asyncio.to_thread(post.outbox.put, run.id, waiting, mail)
        await _say(run, "mail.prepared", waiting, to=list(letter.recipients), subject=letter.subject, digest=digest)
        made.append(waiting)
    return made


def _are_named(run: Run, letters: list[Waiting]) -> bool:
    """Tell whether the person's own words name every address: then a script's ``--yes`` answers for them."""
    words = run.utterance.text.casefold()
    return all(address.casefold() in words for one in letters for address in one.recipients)


async def send(run: Run, plan: Plan) -> None:
    """Hand over every letter of the run that waits. Raises PermissionsError, Stop."""
    letters = await asyncio.to_thread(run.house.post.outbox.of, run.id)
    denied = denied_hosts(run, plan) if letters else ()
    for letter in letters:
        if standing(run).get(letter.number, Standing.PREPARED) is Standing.PREPARED:
            await send_one(run, letter, denied)


def standing(run: Run) -> dict[int, Standing]:
    """Return how the letters of the run stand; those of a private run as this process knows it."""
    if run.private:
        return dict(run.posted)
    return standing_of(run.house.ledger.events(run=run.id, kinds=KINDS))


def denied_hosts(run: Run, plan: Plan | None) -> tuple[str, ...]:
    """Return the account's server where a person denied one of the plan's tools to connect to it."""
    server = run.house.post.account().smtp
    if server is None or plan is None:
        return ()
    around = run.house.circumstances(run.id, run.utterance.cwd)
    right = Right(Action.NET_CONNECT, server.target.place)
    tools = {task.tool: around.tool(task.tool) for task in plan.tasks}
    return (right.scope,) if any(forbidden(right, tool, around) for tool in tools.values()) else ()


async def send_one(run: Run, letter: Waiting, denied: tuple[str, ...] = ()) -> None:
    """Hand one letter over, once. Raises PermissionsError where it was not sent, Stop where nobody knows."""
    post, loop = run.house.post, asyncio.get_running_loop()
    mail = await asyncio.to_thread(post.outbox.mail, run.id, letter)
    network = ConnectionLog(TaskId(""), partial(_about_connection, run), changes=True)

    def handing() -> None:
        asyncio.run_coroutine_threadsafe(_say(run, "mail.handing", letter), loop).result()

    async def handed_over() -> None:
        try:
            await post.mailer().send(mail, letter.recipients, handing, network.add, denied)
        except Unclear:
            raise
        except PermissionsError as error:
            await _say(run, "mail.refused", letter, code=error.code)
            raise
        finally:
            await network.written()
        await _say(run, "mail.accepted", letter)

    try:
        await unbroken(handed_over())
    except Unclear:
        await settle(run, letter, denied)
        return
    await _kept(run, letter, mail, network.add)


async def _about_connection(run: Run, kind: str, _task: str, body: Any, durable: bool) -> None:
    await run.log.say(kind, None, body, durable)


async def _kept(run: Run, letter: Waiting, mail: bytes, report: Callable[[Any], None]) -> None:
    """Put a copy among the sent letters where there is IMAP; that this fails changes nothing of what was sent."""
    try:
        post = run.house.post
        if post.account().imap is not None:
            await post.mailer().keep(mail, letter.message_id, run.utterance.now, report)
    except PermissionsError as error:
        await _say(run, "mail.unkept", letter, code=error.code)


# --- what nobody knows --------------------------------------------------------------------------------------------


async def settle(run: Run, letter: Waiting, denied: tuple[str, ...] = ()) -> None:
    """Find out what became of an unclear letter, or ask: send it again, it was sent, or leave it; then raises Stop."""
    found = await _found(run, letter)
    if found:
        await _say(run, "mail.settled", letter, how="found")
        return
    shown = asking.card([letter], run.language, unclear=True, looked=found is False)
    request = {"stage": asking.UNKNOWN, "seal": asking.seal_of([letter], asking.UNKNOWN), "card": shown}
    answer = await any_answer_to(run, request)
    how = "done" if answer == "done" else "left" if answer in REFUSALS else "again"
    await _say(run, "mail.settled", letter, how=how)
    if how == "left":
        message = asking.said(run.language, "left", to=asking.people_of(letter))
        raise Stop(Resolution.FAILED, message, error=error_view("mail.unknown", message, ""))
    if how == "again":
        await send_one(run, letter, denied)


async def _found(run: Run, letter: Waiting) -> bool | None:
    """Tell whether it lies among the sent letters; None where that cannot be asked."""
    post = run.house.post
    network = ConnectionLog(TaskId(""), partial(_about_connection, run), changes=False)
    try:
        if post.account().imap is None:
            return None
        return await post.mailer().find(letter.message_id, network.add)
    except PermissionsError:
        return None
    finally:
        await network.written()


async def take_up(run: Run, plan: Plan | None) -> None:
    """After a crash: settle what is unclear, and say how each letter of the run stands. Always raises Stop."""
    post = run.house.post
    letters = await asyncio.to_thread(post.outbox.of, run.id)
    for letter in letters:
        if standing(run).get(letter.number) is Standing.UNCLEAR:
            await settle(run, letter, denied_hosts(run, plan))
    raise report(run, letters)


def report(run: Run, letters: list[Waiting]) -> Stop:
    """Say how the letters of an interrupted run stand."""
    now = standing(run)
    lines = []
    for one in letters:
        key = "sent" if now.get(one.number) is Standing.SENT else "unsent"
        lines.append(asking.said(run.language, key, to=asking.people_of(one)))
    answer = "\n".join(lines)
    if all(now.get(one.number) is Standing.SENT for one in letters):
        return Stop(Resolution.CONFIRMED, answer)
    hint = asking.said(run.language, "interrupted")
    return Stop(Resolution.FAILED, f"{answer} {hint}", error=error_view("run.interrupted", answer, hint))


async def _say(run: Run, kind: str, letter: Waiting, **more: Any) -> None:
    """Write one step down; on disk when this returns."""
    run.posted[letter.number] = _STEP.get(kind, run.posted.get(letter.number, Standing.PREPARED))
    if kind == "mail.settled":
        run.posted[letter.number] = Standing.SENT if more["how"] in ("found", "done") else Standing.PREPARED
    await run.log.say(kind, None, {"number": letter.number, "message_id": letter.message_id, **more})


_STEP = {"mail.handing": Standing.UNCLEAR, "mail.accepted": Standing.SENT, "mail.refused": Standing.REFUSED}
