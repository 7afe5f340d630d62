"""To whom a mail goes: addresses as they were said, names as the contacts know them, and nobody else.

What this stops: a name that two people have, or nobody, becoming somebody; an address taken from a mail for one of the
contacts. What it does not: know whether the address is still theirs.
"""

from __future__ import annotations

import re

from skills.sdk import Context, ToolError, words

from .choosing import words_of

_PARTS = re.compile(r"\s*(?:[,;]|\band\b|\bund\b|&)\s*")
_ADDRESS = re.compile(r"[^\s@<>,;]+@[^\s@<>,;]+\.[^\s@<>,;.]+")


def addresses(ctx: Context, said: str) -> list[str]:
    """Return ``Name <address>`` of everybody who is said. Raises ToolError where it is not clear who is meant."""
    return list(dict.fromkeys(_one(ctx, part, said) for part in _PARTS.split(said.strip()) if part.strip()))


def _one(ctx: Context, part: str, whole: str) -> str:
    found = _ADDRESS.search(part)
    if found is not None:
        return found[0].strip("'\"")
    return _of_contact(ctx, part.strip(), whole)


def _of_contact(ctx: Context, name: str, whole: str) -> str:
    known = _people(ctx, name, whole)
    meant = [one for one in known if words_of(one) == words_of(name)] or [
        one for one in known if words_of(name) and set(words_of(name)) <= set(words_of(one))
    ]
    if len(meant) > 1:
        raise _ambiguous(name, whole, meant)
    if not meant:
        raise _unknown(name, whole, known)
    card = ctx.call("contacts.find", name=meant[0], what="all").value.fields
    if not card.get("email"):
        raise _no_address(meant[0], whole)
    return f"{_plain(meant[0])} <{card['email']}>"


def _people(ctx: Context, name: str, whole: str) -> list[str]:
    try:
        return [str(one) for one in ctx.call("contacts.people").value]
    except ToolError as error:
        if error.code != "tool.missing":
            raise
        raise _unknown(name, whole, []) from error


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


def _unknown(name: str, whole: str, known: list[str]) -> ToolError:
    del known
    return ToolError(
        f"Nobody in your contacts is called “{name}”, so I do not know the address.",
        hint="Say the address, such as anna@example.org, or put the person into your contacts.", code="tool.missing",
        asks=_alone(name, whole),
        de=f"Niemand in deinen Kontakten heißt „{name}“, darum kenne ich die Adresse nicht.",
        de_hint="Nenne die Adresse, etwa anna@example.org, oder nimm die Person in deine Kontakte auf.",
    )  # fmt: skip


def _no_address(name: str, whole: str) -> ToolError:
    return ToolError(
        f"Your contacts have no e-mail address of {name}.", hint="Say the address, such as anna@example.org.",
        code="tool.missing", asks=_alone(name, whole), de=f"In deinen Kontakten steht keine E-Mail-Adresse von {name}.",
        de_hint="Nenne die Adresse, etwa anna@example.org.",
    )  # fmt: skip


def _alone(name: str, whole: str) -> str:
    """Return what is asked for: to whom, where nobody else was named. The answer stands for all that was said."""
    return "to" if whole.strip() == name else ""
