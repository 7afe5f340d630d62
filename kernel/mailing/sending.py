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
from kernel.mailing.standing import KINDS, Standing, after, standing_of
from kernel.model import Plan, Resolution, TaskId
from kernel.run import Run, Stop, error_view, unbroken
from permissions.errors import PermissionsError, Refused, Unclear
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
    """Tell whether the person's own words name every address, whole: then a script's ``--yes`` answers for them."""
    said = asking.addresses_in(run.utterance.text)
    return all(address.casefold() in said for one in letters for address in one.recipients)


Still = Callable[[], Any]
"""Raises Stop where a right that the run was given has been taken away since."""


async def send(run: Run, plan: Plan, still: Still) -> None:
    """Hand over every letter of the run that waits. Raises PermissionsError, Stop; CancelledError between letters."""
    for letter in await asyncio.to_thread(run.house.post.outbox.of, run.id):
        if standing(run).get(letter.number, Standing.PREPARED) is Standing.PREPARED:
            _stop_if_cancelled()
            await send_one(run, letter, plan, still)


def _stop_if_cancelled() -> None:
    """A cancel that came while a letter was being handed over counts before the next one."""
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError


def standing(run: Run) -> dict[int, Standing]:
    """Return how the letters of the run stand; those of a private run as this process knows it."""
    if run.private:
        return dict(run.posted)
    return standing_of(run.house.ledger.events(run=run.id, kinds=KINDS))


def denied_hosts(run: Run, plan: Plan | None) -> tuple[str, ...]:
    """Return the account's servers where a person denied one of the plan's tools to connect to them."""
    if plan is None:
        return ()
    account, around = run.house.post.account(), run.around()
    places = {one.target.place for one in (account.smtp, account.imap) if one is not None}
    tools = {task.tool: around.tool(task.tool) for task in plan.tasks}.values()
    rights = [Right(Action.NET_CONNECT, place) for place in sorted(places)]
    return tuple(right.scope for right in rights if any(forbidden(right, tool, around) for tool in tools))


async def send_one(run: Run, letter: Waiting, plan: Plan | None, still: Still, *, again: bool = False) -> None:
    """Hand one letter over, once. Raises PermissionsError where it was not sent, Stop where nobody knows.

    ``again`` says that an earlier copy may have been taken: a no to this one does not make that unsent.
    """
    still()
    post, loop = run.house.post, asyncio.get_running_loop()
    denied = denied_hosts(run, plan)
    mail = await asyncio.to_thread(_as_shown, post, run.id, letter)
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
            if again:
                await _say(run, "mail.settled", letter, how="left")
            raise
        finally:
            await network.written()
        await _say(run, "mail.accepted", letter)

    try:
        await unbroken(handed_over())
    except Unclear:
        await settle(run, letter, plan, still)
        return
    await _kept(run, letter, mail, denied)


def _as_shown(post: Post, run: str, letter: Waiting) -> bytes:
    """Return the bytes of a letter. Raises Refused where they are not those that a person has seen."""
    try:
        mail = post.outbox.mail(run, letter)
    except OSError:
        mail = b""
    if hashlib.sha256(mail).hexdigest() != letter.digest:
        raise Refused("refused.mail.changed", "The mail is no longer the one that you saw, so it was not sent.",
                      hint="Write it again.")  # fmt: skip
    return mail


async def _about_connection(run: Run, kind: str, _task: str, body: Any, durable: bool) -> None:
    await run.log.say(kind, None, body, durable)


async def _kept(run: Run, letter: Waiting, mail: bytes, denied: tuple[str, ...]) -> None:
    """Put a copy among the sent letters where there is IMAP; that this fails changes nothing of what was sent."""
    network = ConnectionLog(TaskId(""), partial(_about_connection, run), changes=True)
    try:
        post = run.house.post
        if post.account().imap is not None:
            await post.mailer().keep(mail, letter.message_id, run.utterance.now, network.add, denied)
    except PermissionsError as error:
        await _say(run, "mail.unkept", letter, code=error.code)
    finally:
        await network.written()


# --- what nobody knows --------------------------------------------------------------------------------------------


async def settle(run: Run, letter: Waiting, plan: Plan | None, still: Still) -> None:
    """Find out what became of an unclear letter, or ask: send it again, it was sent, or leave it; then raises Stop."""
    found = await _found(run, letter, plan)
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
        await send_one(run, letter, plan, still, again=True)


async def _found(run: Run, letter: Waiting, plan: Plan | None) -> bool | None:
    """Tell whether it lies among the sent letters; None where that cannot be asked."""
    post = run.house.post
    network = ConnectionLog(TaskId(""), partial(_about_connection, run), changes=False)
    try:
        if post.account().imap is None:
            return None
        return await post.mailer().find(letter.message_id, network.add, denied_hosts(run, plan))
    except PermissionsError:
        return None
    finally:
        await network.written()


async def take_up(run: Run, plan: Plan | None, still: Still) -> None:
    """After a crash: settle what is unclear; nothing else leaves. Raises Stop, PermissionsError."""
    for letter in await asyncio.to_thread(run.house.post.outbox.of, run.id):
        if standing(run).get(letter.number) is Standing.UNCLEAR:
            await settle(run, letter, plan, still)


_SENTENCES = {
    Standing.PREPARED: "unsent", Standing.UNCLEAR: "unclear", Standing.SENT: "sent", Standing.REFUSED: "refused",
    Standing.LEFT: "left",
}  # fmt: skip
_UNKNOWN = frozenset({Standing.UNCLEAR, Standing.LEFT})


def report(run: Run, letters: list[Waiting], *, why: str = "", code: str = "") -> Stop:
    """Say how each letter of a run that ended early stands; ``why`` it ended, where somebody said so, with its code."""
    now = standing(run)
    stands = [now.get(one.number, Standing.PREPARED) for one in letters]
    lines = [
        asking.said(run.language, _SENTENCES[stand], to=asking.people_of(one))
        for one, stand in zip(letters, stands, strict=True)
    ]
    if not letters or now.keys() - {one.number for one in letters}:
        lines.append(asking.said(run.language, "gone"))
        stands.append(Standing.UNCLEAR)
    if not why and all(stand is Standing.SENT for stand in stands):
        return Stop(Resolution.CONFIRMED, "\n".join(lines))
    unknown = _UNKNOWN.intersection(stands)
    hints = [asking.said(run.language, "look")] if unknown else []
    hints += [asking.said(run.language, "interrupted")] if Standing.PREPARED in stands else []
    answer, hint = "\n".join([*lines, *([why] if why and why not in lines else [])]), " ".join(hints)
    view = error_view(code or ("mail.unknown" if unknown else "run.interrupted"), answer, hint)
    return Stop(Resolution.FAILED, f"{answer} {hint}".strip(), error=view)


async def _say(run: Run, kind: str, letter: Waiting, **more: Any) -> None:
    """Write one step down; on disk when this returns."""
    known = run.posted.get(letter.number, Standing.PREPARED)
    run.posted[letter.number] = after(kind, more.get("how")) or known
    await run.log.say(kind, None, {"number": letter.number, "message_id": letter.message_id, **more})
