"""A state of the machine that has to last: "the network has been gone for five minutes", "bleibt der Akku eine halbe
Stunde unter 20 Prozent".

The words that say for how long are taken out, and the rest is read as ever. What has to be so for a while speaks of
more than now: nobody can see that at once.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from kernel.routines.hearing.gist import Gist
from kernel.routines.hearing.machines import LITTLE
from kernel.routines.hearing.networks import is_gone
from kernel.routines.hearing.reading import Clause, Doubt, Reading, has, only, word_set
from kernel.routines.model import Limit, Machine, State

_LEAST = (
    "at least|mindestens|wenigstens|longer than|länger als|more than|mehr als|over|über|a good|gut|the whole|ganze|"
    "already|schon|bereits|now|jetzt|inzwischen|mittlerweile"
)
_LENGTH = re.compile(
    rf"(?:(?:for|seit|during|während|{_LEAST}) )*#dur:(?P<s>[\d.]+)"
    r"(?: (?:lang|long|straight|in a row|in one go|at a stretch|at a time|on end|am stück|hintereinander|durchgehend|"
    r"ununterbrochen|without a break|ohne pause|or more|or longer|oder mehr|oder länger|already|now|schon)(?= |$))*"
)
_LEADS = frozenset("for seit during während".split())
_NO_LENGTH = frozenset("after nach in within binnen innerhalb every alle jede vor before".split())
"""Words before a length that make it a moment, and not how long something lasts."""
_LATER = frozenset("later after before ago später danach nachdem vorher".split())
_STAYS = {
    **dict.fromkeys("stays stay staying remains remain remained stayed keeps".split(), "is"),
    **dict.fromkeys("bleibt bleib bleibe bleiben geblieben".split(), "ist"),
}
_SO = word_set("so that way out it that dabei still darunter drunter darüber drüber below beneath under above there")

Read = Callable[[Clause], Reading | Doubt | None]


def lasting(clause: Clause, read: Read) -> Reading | Doubt | None:
    """Return the state that the clause says has to last, as ``read`` knows it, and for how long."""
    words = tuple(_STAYS.get(word, word) for word in clause.words)
    found = _length(words)
    if found is None:
        return None
    first, last, length_s = found
    meant = read(_with(clause, (*words[:first], *words[last:]), first, last))
    if isinstance(meant, Doubt):
        return meant
    if meant is None or not isinstance(meant.trigger, Machine) or meant.limits:
        return None
    if meant.trigger.state is State.IDLE or (meant.trigger.state is State.ONLINE and is_gone(words)):
        return None  # "there again after ten minutes without"
    return replace(meant, limits=((Limit.HELD, length_s),), state=False)


def stays(clause: Clause) -> tuple[tuple[Limit, float], ...]:
    """Return how long what was said before has to last: "the wifi drops | and stays down for five minutes"."""
    words = tuple(_STAYS.get(word, word) for word in clause.words)
    found = _length(words)
    if found is None or words == clause.words:
        return ()
    rest = (*words[: found[0]], *words[found[1] :])
    return ((Limit.HELD, found[2]),) if is_gone(rest) or only(rest, LITTLE, _SO) else ()


def _length(words: tuple[str, ...]) -> tuple[int, int, float] | None:
    """The items [first, last) that say how long, and how many seconds that is."""
    text = " ".join(words)
    found = next((one for one in _LENGTH.finditer(text) if one.start() == 0 or text[one.start() - 1] == " "), None)
    if found is None or text.count("#dur:") > 1:
        return None
    first = text[: found.start()].count(" ")
    last = first + found[0].count(" ") + 1
    led = has(words[first:last], _LEADS)
    moment = (not led and has(words[max(0, first - 1) : first], _NO_LENGTH)) or has(words[last : last + 1], _LATER)
    return None if moment else (first, last, float(found["s"]))


def _with(clause: Clause, words: tuple[str, ...], first: int, last: int) -> Clause:
    """The clause with these words, which are its own without the items [first, last) and with other verbs."""
    gist, begin = clause.gist, clause.first
    spans = gist.spans[: begin + first] + gist.spans[begin + last :]
    whole = (*gist.words[:begin], *words, *gist.words[clause.last :])
    return replace(clause, gist=Gist(gist.line, whole, spans), last=begin + len(words))
