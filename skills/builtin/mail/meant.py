"""Which one mail is meant: one that was found before, or the newest that fits.

What this stops: that another mail is taken because the one that was found is gone, or because its mbox has grown; that
a file which is no mail is read as one.
What it does not: find what was moved to another folder since. That is said, and nothing else is taken.
"""

from __future__ import annotations

from skills.sdk import Context, File, ToolError

from . import headers, telling
from .boxes import Stub, stubs
from .choosing import Wish, choose
from .headers import Head


def file_of(head: Head) -> File:
    """Return a mail as a file: where it lies, how long it is and when it was written, which tells it in an mbox."""
    return File(head.stub.path, (head.stub.end or head.stub.start) - head.stub.start, head.when)


def one_of(ctx: Context, wish: Wish, mail: File | None) -> Head:
    """Return the mail that was found before, where one is given, else the newest that fits. Raises ToolError."""
    if mail is not None:
        return meant(ctx, mail)
    found = choose(ctx, wish, most=1)
    if not found.heads:
        raise telling.nothing(wish)
    return found.heads[0]


def meant(ctx: Context, mail: File) -> Head:
    """Return the mail that ``file_of`` told of, also where it was read since. Raises ToolError where it is gone."""
    local = ctx.now.tzinfo
    assert local is not None
    for stub in stubs(ctx):
        if headers.lasting(stub.path) == headers.lasting(mail.path) and _has_length(stub, mail):
            head = headers.read(stub, local)
            if mail.modified is None or head.when == mail.modified:
                return head
    raise ToolError(
        "That mail is not there any more.", hint="List your mails again.", code="tool.missing",
        de="Diese Mail ist nicht mehr da.", de_hint="Liste deine Mails noch einmal auf.",
    )  # fmt: skip


def _has_length(stub: Stub, mail: File) -> bool:
    """A mail of an mbox is told by its length, one that is a file of its own by its name alone."""
    return not stub.end or not mail.size_bytes or stub.end - stub.start == mail.size_bytes
