"""Mails that have come, read for a rule that waits for some of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b

from skills.sdk import Context

from . import expecting, headers, letter
from .boxes import Stub, stubs
from .expecting import Sender
from .headers import Head
from .letter import Inside

MOST = 100
LONGEST = 20_000
EITHER = "|"
"""Between subjects of which one is enough."""


@dataclass(frozen=True, slots=True)
class Waited:
    """What a mail has to be like; what is empty or None does not matter."""

    sender: Sender | None
    subject: str
    attached: str


def waited_for(ctx: Context, sender: str, subject: str, attached: str) -> Waited:
    """Return what is waited for; whom a name means is asked of the contacts once."""
    return Waited(expecting.who(ctx, sender) if sender else None, subject, attached)


def among(ctx: Context, paths: Iterable[str], waited: Waited) -> list[tuple[Head, Inside]]:
    """Return those of the mails at ``paths`` that are waited for; what was sent or binned is no mail that came."""
    wanted = {headers.lasting(path) for path in list(paths)[:MOST]}
    there = (one for one in stubs(ctx) if headers.lasting(one.path) in wanted and not one.sent)
    read = (_read(ctx, one, waited) for one in there)
    return sorted((one for one in read if one is not None), key=lambda one: (one[0].when, one[0].stub.path))


def _read(ctx: Context, stub: Stub, waited: Waited) -> tuple[Head, Inside] | None:
    local = ctx.now.tzinfo
    assert local is not None
    try:
        head = headers.read(stub, local)
        if waited.sender is not None and not waited.sender.is_of(head):
            return None
        if waited.subject and not any(expecting.is_about(head, one) for one in waited.subject.split(EITHER)):
            return None
        inside = letter.read(stub)
    except OSError:
        return None  # it is gone again
    names = [one.name for one in inside.files]
    if waited.attached and not expecting.has_such(names, waited.attached):
        return None
    return head, Inside(inside.text[:LONGEST], inside.files, inside.cut)


def key_of(head: Head) -> str:
    """Return a digest that stays when the mail is read, moved, or fetched once more."""
    text = f"{head.address.casefold()}\0{head.message_id or headers.lasting(head.stub.path)}"
    return blake2b(text.encode("utf-8", "replace"), digest_size=12).hexdigest()
