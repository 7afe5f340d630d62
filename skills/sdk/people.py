"""The mail addresses of people: as they were said, or as the contacts know those whom names are of, and nobody else's.

A tool that asks names the rights ``skill.call`` of ``contacts.people`` and ``contacts.find``, and ``fs.read`` of
``~/Contacts/**``. What this stops: a name that two people have, or nobody, becoming somebody; an address taken from a
mail for one of the contacts. What it does not: know whether the address is still theirs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from skills.sdk import words
from skills.sdk.context import Context
from skills.sdk.errors import ToolError

_PARTS = re.compile(r"\s*(?:[,;]|\band\b|\bund\b|&)\s*")
_ADDRESS = re.compile(r"[^\s@<>,;&][^\s@<>,;]*@[^\s@<>,;&]+\.[^\s@<>,;&.]+")
_WORD = re.compile(r"[\w@.+-]*\w")
_SURPLUS = frozenset(
    "the my a an of s to from by mr mrs ms dr der die das den dem mein meine meiner meinem von vom zu zum zur "
    "herr herrn frau".split()
)


def addresses(ctx: Context, said: str, *, asks: str = "to") -> list[str]:
    """Return ``Name <address>`` of everybody who is said. Raises ToolError where it is not clear who is meant.

    ``asks`` is the parameter that was said: it is asked for where it names one person and they have no address.
    """
    return list(dict.fromkeys(_one(ctx, part, said, asks) for part in _parts(said.strip()) if part.strip()))


def _parts(said: str) -> Iterator[str]:
    """Yield what is said of each one; an "and" inside an address is part of it."""
    whole, at = [one.span() for one in _ADDRESS.finditer(said)], 0
    for found in _PARTS.finditer(said):
        if not any(first <= found.start() < last for first, last in whole):
            yield said[at : found.start()]
            at = found.end()
    yield said[at:]


def _one(ctx: Context, part: str, whole: str, asks: str) -> str:
    found = _ADDRESS.search(part)
    if found is not None:
        return found[0].strip("'\"")
    return _of_contact(ctx, part.strip(), whole, asks)


def _of_contact(ctx: Context, name: str, whole: str, asks: str) -> str:
    alone = asks if whole.strip() == name else ""  # the answer stands for all that was said
    known = _people(ctx, name, alone)
    meant = [one for one in known if _words_of(one) == _words_of(name)] or [
        one for one in known if _words_of(name) and set(_words_of(name)) <= set(_words_of(one))
    ]
    if len(meant) > 1:
        raise _ambiguous(name, whole, meant)
    if not meant:
        raise _unknown(name, alone)
    card = ctx.call("contacts.find", name=meant[0], what="all").value.fields
    if not card.get("email"):
        raise _no_address(meant[0], alone)
    return f"{_plain(meant[0])} <{card['email']}>"


def _people(ctx: Context, name: str, alone: str) -> list[str]:
    try:
        return [str(one) for one in ctx.call("contacts.people").value]
    except ToolError as error:
        if error.code != "tool.missing":
            raise
        raise _unknown(name, alone) from error


def _words_of(name: str) -> Sequence[str]:
    return [word for word in _WORD.findall(words.fold(name)) if word not in _SURPLUS]


def _plain(name: str) -> str:
    return re.sub(r'[<>"]', "", name).strip()


def _ambiguous(name: str, whole: str, meant: list[str]) -> ToolError:
    return ToolError(
        f"More than one person in your contacts could be “{name}”: {words.listing(meant, most=5)}.",
        hint="Say the whole name, or the address.", code="tool.ambiguous", instead_of=whole,
        choices=meant if whole.strip() == name else (),
        de=f"Mehr als eine Person in deinen Kontakten könnte „{name}“ sein: {words.listing(meant, 'de', most=5)}.",
        de_hint="Nenne den ganzen Namen oder die Adresse.",
    )  # fmt: skip


def _unknown(name: str, alone: str) -> ToolError:
    return ToolError(
        f"Nobody in your contacts is called “{name}”, so I do not know the address.",
        hint="Say the address, such as anna@example.org, or put the person into your contacts.", code="tool.missing",
        asks=alone,
        de=f"Niemand in deinen Kontakten heißt „{name}“, darum kenne ich die Adresse nicht.",
        de_hint="Nenne die Adresse, etwa anna@example.org, oder nimm die Person in deine Kontakte auf.",
    )  # fmt: skip


def _no_address(name: str, alone: str) -> ToolError:
    return ToolError(
        f"Your contacts have no e-mail address of {name}.", hint="Say the address, such as anna@example.org.",
        code="tool.missing", asks=alone, de=f"In deinen Kontakten steht keine E-Mail-Adresse von {name}.",
        de_hint="Nenne die Adresse, etwa anna@example.org.",
    )  # fmt: skip
