"""How what strangers wrote is shown: in one line, in quotation marks that it cannot end."""

from __future__ import annotations

from skills.sdk import words

from .invitations import Person

_LONGEST = 300


def named(person: Person) -> str:
    """Return somebody by name and address: the name is what the message says, the address is where answers go."""
    return f"{plain(person.name)} <{person.address}>" if person.name else person.address


def plain(text: str) -> str:
    """A stranger's text in one line, without what does not show, and without quotation marks of ours."""
    line = words.without_unseen(" ".join(text.split()))
    return words.short(line.translate({ord(mark): "'" for mark in '“”„"'}), _LONGEST)


def quoted(text: str, language: str) -> str:
    """A stranger's text in quotation marks of ours."""
    return f"„{plain(text)}“" if language == "de" else f"“{plain(text)}”"
