"""Which mails are meant: from whom, about what, since when, unread, with files; the newest first.

Headers of at most ``MOST_READ`` mails are read in a call, the newest; where there are more, the answer says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta

from rapidfuzz import fuzz

from skills.sdk import Context, Period, words

from . import headers
from .boxes import Stub, is_of, stubs
from .headers import Head

MOST_READ = 20_000
_ALIKE = 84.0
_WORD = re.compile(r"[\w@.+-]*\w")
_SLACK_S = timedelta(days=2).total_seconds()
_SURPLUS = frozenset(map(
    words.fold,
    "the my a an of s from by mr mrs ms dr about re fw fwd aw wg mail mails email emails message messages regarding "
    "der die das den dem mein meine meiner meinem von vom zu zum zur über herr herrn frau nachricht "
    "nachrichten".split(),
))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Wish:
    """What mails must be like; what is not said does not matter.

    ``box`` is a kind of mailbox ("drafts"), ``folder`` where one really lies.
    """

    sender: str = ""
    about: str = ""
    when: Period | None = None
    unread: bool = False
    mixed: bool = False
    sent_too: bool = False
    box: str = ""
    folder: str = ""


@dataclass(slots=True)
class Found:
    """Mails that fit, newest first. ``left`` counts mails that were not looked at, ``broken`` those nobody can read.

    ``more`` counts those that fit and whose headers were not read.
    """

    heads: list[Head] = field(default_factory=list)
    left: int = 0
    broken: int = 0
    more: int = 0

    @property
    def count(self) -> int:
        """How many fit."""
        return len(self.heads) + self.more


def choose(ctx: Context, wish: Wish, *, most: int | None = None) -> Found:
    """Return the mails that fit; with ``most`` only so many have their headers read where nothing else needs them."""
    found, read = Found(), 0
    local = ctx.now.tzinfo
    assert local is not None
    for stub in _possible(stubs(ctx), wish):
        if _needs_no_headers(wish, stub) and most is not None and len(found.heads) >= most:
            found.more += 1
            continue
        if read >= MOST_READ:
            found.left += 1
            continue
        read += 1
        try:
            head = headers.read(stub, local)
        except OSError:
            found.broken += 1
            continue
        if fits(head, wish):
            found.heads.append(head)
    found.heads.sort(key=lambda one: one.when, reverse=True)
    return found


def _possible(every: list[Stub], wish: Wish) -> Iterator[Stub]:
    """Those that fit as far as one can say without opening them."""
    start, end = _stamps(wish.when)
    for stub in every:
        if (wish.box and not is_of(stub.box, wish.box)) or (
            wish.folder and not stub.path.startswith(f"{wish.folder}/")
        ):
            continue
        named = bool(wish.box or wish.folder)
        if (stub.sent and not (wish.sent_too or named)) or (wish.unread and stub.seen):
            continue
        if stub.stamp and not start - _SLACK_S <= stub.stamp <= end + _SLACK_S:
            continue
        yield stub


def _stamps(when: Period | None) -> tuple[float, float]:
    start, end = (when.start, when.end) if when else (None, None)
    day = 86_400.0
    first = (start.toordinal() - 719_163) * day if start else float("-inf")
    return first, (end.toordinal() - 719_163) * day if end else float("inf")


def _needs_no_headers(wish: Wish, stub: Stub) -> bool:
    return not (wish.sender or wish.about or wish.when or wish.mixed) and (stub.seen is not None or not wish.unread)


def fits(head: Head, wish: Wish) -> bool:
    """Tell whether a mail is one that is wished for."""
    if wish.unread and not head.unread:
        return False
    if wish.mixed and not head.mixed:
        return False
    if wish.when is not None and not wish.when.holds(head.when.date()):
        return False
    return _is_from(head, wish.sender) and _is_about(head, wish.about)


def _is_from(head: Head, said: str) -> bool:
    if not said:
        return True
    if "@" in said:
        return said.strip().strip("<>").casefold() == head.address.casefold()
    names = words_of(f"{head.name} {head.address.replace('@', ' ').replace('.', ' ')}")
    return has_all(said, names)


def _is_about(head: Head, said: str) -> bool:
    return not said or has_all(said, words_of(head.subject))


def has_all(said: str, there: list[str]) -> bool:
    """Tell whether all words of ``said`` are ``there``, as they are or nearly."""
    wanted = words_of(said)
    return bool(wanted) and words.has_all(there, wanted, _alike)


def _alike(said: str, one: str) -> bool:
    if said in (one, f"{one}s") or (
        len(said) > 3 and (one.startswith(said) or (said.startswith(one) and len(one) > 3))
    ):
        return True
    return len(said) > 3 and fuzz.ratio(said, one) >= _ALIKE


def words_of(text: str) -> list[str]:
    """Return the words of a text that tell something."""
    return [word for word in _WORD.findall(re.sub(r"['’]s\b", "", words.fold(text))) if word not in _SURPLUS]


def of_thread(ctx: Context, first: Head) -> list[Head]:
    """Return the conversation that a mail belongs to, oldest first: what it names, and what names it or these.

    Threads are held together by Message-IDs; the subject alone joins nothing.
    """
    heads = choose(ctx, Wish(sent_too=True)).heads
    known = {one for one in (first.message_id, *first.references) if one}
    grew = True
    while grew:
        before = len(known)
        for one in heads:
            if known.intersection((one.message_id, *one.references)):
                known.update(id_ for id_ in (one.message_id, *one.references) if id_)
        grew = len(known) > before
    of_it = [one for one in heads if one.message_id in known] or [first]
    return sorted({one.message_id: one for one in of_it}.values(), key=lambda one: one.when)
