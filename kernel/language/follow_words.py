"""Words with which a sentence goes on from the last one: what opens it, and what sets one value anew."""

from __future__ import annotations

from collections.abc import Collection

CORRECTING = (
    ("no",),
    ("nein",),
    ("nee",),
    ("nö",),
    ("not", "that"),
    ("i", "meant"),
    ("i", "mean"),
    ("ich", "meinte"),
    ("ich", "meine"),
    ("ich", "wollte"),
    ("sorry",),
    ("actually",),
    ("wait",),
    ("warte",),
    ("moment",),
    ("halt",),
    ("stop",),
    ("stopp",),
    ("besser",),
    ("lieber",),
    ("doch", "lieber"),
)
"""What says that one value of the last request was meant otherwise."""

SETTING_RIGHT = (
    ("ne",),
    ("nope",),
    ("nah",),
    ("oops",),
    ("ups",),
    ("rather",),
    ("not", "until"),
    ("not", "before"),
    ("doch",),
    ("erst",),
)
"""What says beside those that something just made is to be otherwise."""

BEGINNINGS = frozenset("ach oh ah äh ähm uh um hm ok okay sorry na".split())
"""What may stand before such words."""

MAKING_IT = (
    ("make", "it"),
    ("make", "that"),
    ("change", "it"),
    ("change", "that"),
    ("set", "it"),
    ("move", "it"),
    ("push", "it"),
    ("mach", "es"),
    ("mach", "das"),
    ("änder", "das"),
    ("ändere", "das"),
    ("ändere", "es"),
    ("stell", "ihn"),
    ("stell", "es"),
    ("verschieb", "es"),
    ("verschieb", "das"),
    ("verschieb", "ihn"),
    ("verschieb", "sie"),
)
"""What changes something that was just made."""

_INTO = frozenset("draus daraus".split())
_MAKES = frozenset("mach mache machen macht".split())


def makes_of_it(norms: Collection[str]) -> bool:
    """Tell whether the words make something else of what was made: "mach halb acht draus"."""
    return not _INTO.isdisjoint(norms) and not _MAKES.isdisjoint(norms)


NOT_BEFORE = (("not", "until"), ("not", "before"), ("nicht", "vor"))
"""What says that something is later, and denies nothing."""

OF_MAKING = frozenset(
    "make makes change set move push reschedule wait mach mache machen änder ändere stell stelle stellen verschieb "
    "verschiebe draus daraus besser lieber rather better instead doch no nope nah nee ne nein nö moment warte sorry "
    "actually oops ups erst schon oder or wohl stattdessen".split()
)
"""Words beside the new value that say nothing of their own."""

_WHICH_OF_THEM = tuple(
    (*which, *of, *verb.split())
    for whiches, those, verbs in (
        (("which", "which one", "which ones"), ("of them", "of those", "of these", ""), ("is", "are", "was", "were")),
        (
            ("welche", "welcher", "welches"),
            ("davon", "darunter", "von denen", "von ihnen", "von diesen"),
            ("ist", "sind", "war", "waren", "stammt", "stammen"),
        ),
    )
    for which in map(str.split, whiches)
    for of in map(str.split, those)
    for verb in (*verbs, "")
    if (of or len(which) > 1) and (of or verb)
)
"""Which of the things that were found: "which one of those is the oldest?", "welche davon sind von 2024?"."""

_OF_THEM = (
    *(("of", those) for those in ("them", "those", "these")),
    *(("von", those) for those in ("denen", "ihnen", "diesen")),
    ("davon",),
    ("darunter",),
)


def is_of_them(norms: tuple[str, ...]) -> bool:
    """Tell whether the sentence asks for some of the things that were found, and for no others."""
    return any(norms[at : at + len(one)] == one for one in _OF_THEM for at in range(len(norms)))


FOLLOW_UP = (
    ("what", "about"),
    ("how", "about"),
    ("and",),
    ("und",),
    ("or",),
    ("oder",),
    ("now",),
    ("jetzt",),
    ("nun",),
    ("was", "ist", "mit"),
    ("wie", "ist", "es", "mit"),
    ("wie", "sieht", "es", "aus", "mit"),
    ("wie", "wäre", "es", "mit"),
    ("the", "same", "for"),
    ("the", "same", "with"),
    ("same", "for"),
    ("same", "with"),
    ("do", "the", "same", "for"),
    ("do", "the", "same", "with"),
    ("das", "gleiche", "für"),
    ("das", "gleiche", "mit"),
    ("das", "gleiche", "bitte", "für"),
    ("dasselbe", "für"),
    ("dasselbe", "mit"),
    ("dasselbe", "bitte", "für"),
    ("das", "selbe", "für"),
    ("genauso", "für"),
    ("genauso", "mit"),
    ("do", "that", "with"),
    ("mach", "das", "auch", "mit"),
    ("mach", "das", "gleiche", "für"),
    ("mach", "dasselbe", "für"),
    *_WHICH_OF_THEM,
    *CORRECTING,
)
"""What says that the sentence asks for the same as the last one with another value."""

_SETTING = frozenset(
    "make makes set change take use say put mach mache machen macht setz setze setzen nimm nehmen nehme sag sagen sagt "
    "wäre wären wait warte instead stattdessen lieber besser dann wieviel rather work worth".split()
)


def sets_anew(norm: str) -> bool:
    """Tell whether the word, beside a number, only says that it stands for the one before: "make it 15"."""
    return norm in _SETTING


_GOING_ON = frozenset("drauf darauf obendrauf dazu hinzu davon top add".split())


def goes_on(norm: str) -> bool:
    """Tell whether the word says that something is done to the number before it: "... and 19 percent VAT on top"."""
    return norm in _GOING_ON


WHERE_IT_IS = tuple(
    (*asked, *thing)
    for asked, things in (
        (("where",), ((), ("exactly",), ("at",))),
        (("wo",), ((), ("denn",), ("genau",))),
        (("where", "is"), (("it",), ("that",), ("this",))),
        (("where's",), (("it",), ("that",))),
        (("where", "are"), (("they",), ("those",))),
        (("where", "does"), (("it", "lie"),)),
        (("wo", "ist"), (("er",), ("sie",), ("es",), ("das",), ("die",), ("der",))),
        (("wo", "sind"), (("sie",), ("die",))),
        (("wo", "liegt"), (("er",), ("sie",), ("es",), ("das",), ("die",), ("der",))),
        (("wo", "liegen"), (("sie",), ("die",))),
    )
    for thing in things
)
"""Whole sentences that ask where the thing is that was found: it is told once more, with its place."""

HOW_MANY = (
    ("how", "many", "are", "there"),
    ("how", "many", "are", "they"),
    ("how", "many", "are", "those"),
    ("how", "many", "is", "that"),
    ("how", "many"),
    ("wie", "viele", "sind", "das"),
    ("wie", "viele", "sind", "es"),
    ("wie", "viele", "gibt", "es"),
    ("wie", "viele"),
)
"""Whole sentences that ask how many were found: what was found is told once more, with its number."""

_SOMEBODY = frozenset("him her them ihm ihr ihn ihnen".split())


def means_somebody(norm: str) -> bool:
    """Tell whether the word means a person who was spoken of: "draft him a mail", "schreib ihr"."""
    return norm in _SOMEBODY
