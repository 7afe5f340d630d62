"""What a plan and a skill made of steps have alike where they branch and repeat: how much, what is left out, the words.

The kernel goes through lists and decides conditions; a skill goes through lists with ``ctx.items``, and asks the kernel
about conditions. Here is what both hold to.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

HOLDS = "holds"
"""What the daemon is asked for, in the form of a call, where a condition is to be decided. No tool is called so."""

MOST_ITEMS = 200
"""So many items something may be done for."""

OF_ONE_ITEM = ("tool.", "task.field", "task.nothing", "task.many", "task.form", "condition.", "ensures.", "requires.")
"""How the codes of errors begin that are about one item, and leave the others alone."""

NOTHING = {"en": "There was nothing to do it for.", "de": "Es gab nichts, wofür etwas zu tun war."}
_MOST_SHOWN = 10


def items_in(value: Any) -> list[Any]:
    """Return what a result holds, item by item: one thing is a list of one, and nothing is none."""
    return list(value) if isinstance(value, list | tuple) else [] if value is None else [value]


def not_done(words: str, found: str, language: str, what: str = "") -> str:
    """Return the sentence for ``what`` is not done, because not ``words`` but ``found`` is so."""
    named = f" ({what})" if what else ""
    if language == "de":
        return f"Nicht getan{named}: nur wenn {words}; es ist {found}."
    return f"Not done{named}: only if {words}; it is {found}."


def left_out(why: Iterable[str], count: int, language: str) -> str:
    """Return what is said of items that are left out of ``count``: how many they are, and ``why`` each of them is."""
    each = list(why)
    said = list(dict.fromkeys(each))
    head = f"Ausgelassen: {len(each)} von {count}." if language == "de" else f"Left out: {len(each)} of {count}."
    return "\n".join([head, *(f"  {one}" for one in said[:_MOST_SHOWN]), *(["  …"] if len(said) > _MOST_SHOWN else [])])
