"""A contact file of somebody taken into the contacts: who is new comes in as they are there, byte by byte.

What this stops: a file that nobody can read, or that is too large, changing anything; somebody being there twice; what
the person knows being overwritten by what others say. What it does not: say whether what a card says is true.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from skills.sdk import Context, ErrorWords, File, words
from skills.sdk.contentlines import is_wide

from . import book, cards, telling
from .cards import Card
from .saying import same_number

LARGEST = book.MOST_BYTES
MOST_CARDS = 3_000

_MOST_SAID = 10
_ENDS = re.compile(rb"END:VCARD\s*\Z", re.IGNORECASE)

_WHY = {
    "none": ErrorWords(
        "contacts.file", "{place} holds no card that can be read, or its end is missing. Nothing was changed.",
        "Get the file anew, and name one that ends in .vcf.",
        "In {place} lässt sich keine Karte lesen, oder das Ende fehlt. Nichts wurde geändert.",
        "Hol die Datei noch einmal, und nenne eine, die auf .vcf endet."),
    "wide": ErrorWords(
        "contacts.file", "{place} is in UTF-16, and was not taken in.", "Save it as UTF-8.",
        "{place} ist in UTF-16 geschrieben und wurde nicht übernommen.", "Speichere es als UTF-8."),
    "large": ErrorWords(
        "contacts.file", "{place} is too large to be taken into your contacts. Nothing was changed.",
        "To have it beside them, put the file into ~/Contacts.",
        "{place} ist zu groß, um in deine Kontakte übernommen zu werden. Nichts wurde geändert.",
        "Um sie daneben zu haben, lege die Datei in ~/Contacts."),
    "own": ErrorWords(
        "contacts.file", "{place} lies in ~/Contacts, so everybody in it is in your contacts already.",
        "Ask who is in your contacts.",
        "{place} liegt in ~/Contacts, alle darin stehen also schon in deinen Kontakten.",
        "Frag, wer in deinen Kontakten steht."),
}  # fmt: skip


@dataclass(slots=True)
class Taken:
    """Who of a file is new, who was there already, and what the file says of these that their cards do not; ``data`` is
    what the new ones are.
    """

    new: list[Card] = field(default_factory=list)
    alike: list[Card] = field(default_factory=list)
    same: list[Card] = field(default_factory=list)
    other: list[tuple[Card, Card]] = field(default_factory=list)
    data: bytes = b""


def read(ctx: Context, file: File, known: Sequence[Card]) -> Taken:
    """Return who of a file is new beside those who are ``known``. Raises ToolError where it cannot be taken in."""
    data, sent = _cards(ctx, file)
    found = Taken()
    names = {words.fold(card.name) for card in known}
    there = _People(known)
    for card in sent:
        old = there.same(card)
        if old is None:
            found.new.append(card)
            found.alike += [card] if words.fold(card.name) in names else []
            there.add(card)
            raw = data[card.block.first : card.block.last]
            found.data += raw if raw.endswith(b"\n") else raw + b"\r\n"
        elif _differences(old, card, "en"):
            found.other.append((card, old))
        else:
            found.same.append(card)
    return found


def _cards(ctx: Context, file: File) -> tuple[bytes, list[Card]]:
    name = words.name(file.name)
    if ctx.path(file).startswith(f"{ctx.path(book.FOLDER)}/"):
        raise _WHY["own"](name)
    if (file.size_bytes or 0) > LARGEST:
        raise _WHY["large"](name)
    data = ctx.read_bytes(file)
    if len(data) > LARGEST:
        raise _WHY["large"](name)
    if is_wide(data):
        raise _WHY["wide"](name)
    try:
        found = cards.read(data)
    except cards.NoCards as error:
        raise _WHY["none"](name) from error
    if not _ENDS.search(data):
        raise _WHY["none"](name)
    if len(found) > MOST_CARDS:
        raise _WHY["large"](name)
    return data, found


class _People:
    """Who is there already: found by their UID, else by their name and a number or an address."""

    def __init__(self, known: Sequence[Card]) -> None:
        self._by_uid: dict[str, Card] = {}
        self._by_name: dict[str, list[Card]] = {}
        for card in known:
            self.add(card)

    def add(self, card: Card) -> None:
        """Take note of somebody."""
        if uid := _uid(card):
            self._by_uid.setdefault(uid, card)
        self._by_name.setdefault(words.fold(card.name), []).append(card)

    def same(self, card: Card) -> Card | None:
        """Return the card of the same person; None where there is none."""
        alike = self._by_name.get(words.fold(card.name), ())
        return self._by_uid.get(_uid(card)) or next((one for one in alike if _is_reached_alike(one, card)), None)


def _uid(card: Card) -> str:
    line = card.block.one("UID")
    return line.value.strip() if line is not None else ""


def _is_reached_alike(one: Card, other: Card) -> bool:
    """Tell whether two cards of one name share a number or an address, or say nothing different."""
    reached = any(mail.casefold() == of.casefold() for mail, _ in one.mails for of, _ in other.mails) or any(
        same_number(number, of) for number, _ in one.phones for of, _ in other.phones
    )
    return reached or not _differences(one, other, "en")


def _differences(old: Card, new: Card, language: str) -> list[str]:
    """What a card says that the one of the person does not, in words."""
    there = telling.told(old, "all", language)
    found = [] if words.fold(old.name) == words.fold(new.name) else [_plain(new.name)]
    for label, value, _ in telling.told(new, "all", language):
        held = [one for of, one, _ in there if of == label]
        same = same_number if label == "phone" else _says_same
        if not any(same(one, value) for one in held):
            found.append(f"{telling.LABELS[language if language == 'de' else 'en'][label]} {_plain(value)}")
    return found


def _says_same(one: str, other: str) -> bool:
    return words.fold(one) == words.fold(other)


def say(ctx: Context, found: Taken, file: File, place: str) -> str:
    """Say what became of a file, and return it."""
    english, german = (_said(found, words.name(file.name), place, language) for language in ("en", "de"))
    ctx.say(english, de=german)
    return german if ctx.language == "de" else english


def _said(found: Taken, name: str, place: str, language: str) -> str:
    german = language == "de"
    parts = []
    if found.new:
        who = _listed(found.new, language)
        count = words.count(len(found.new), *(("Person", "Personen") if german else ("person", "people")))
        parts.append(f"{count} aus {name} in deine Kontakte eingetragen ({place}): {who}." if german
                     else f"I put {count} from {name} into your contacts ({place}): {who}.")  # fmt: skip
    if found.alike:
        who = _listed(found.alike, language)
        parts.append(f"So heißt schon jemand in deinen Kontakten, mit anderer Nummer und Adresse: {who}." if german
                     else f"Somebody else in your contacts is called so, with another number and address: {who}."
                     )  # fmt: skip
    if found.same:
        who = _listed(found.same, language)
        parts.append(f"Schon in deinen Kontakten: {who}." if german else f"In your contacts already: {who}.")
    if found.other:
        lines = [f"- {_plain(old.name)}: {', '.join(_differences(old, new, language))}"
                 for new, old in found.other[:_MOST_SAID]]  # fmt: skip
        head = (f"Schon in deinen Kontakten; {name} sagt von ihnen noch oder anders (nichts davon wurde übernommen)"
                if german else f"In your contacts already; {name} says of them also, or otherwise (none of it was "
                "taken over)")  # fmt: skip
        rest = len(found.other) - _MOST_SAID
        lines += [f"... {'und' if german else 'and'} {rest} {'weitere' if german else 'more'}"] if rest > 0 else []
        parts.append(head + ":\n" + "\n".join(lines))
    return "\n".join(parts)


def _listed(found: Sequence[Card], language: str) -> str:
    return words.listing([_plain(one.name) for one in found], language, most=_MOST_SAID)


def _plain(text: str) -> str:
    """A stranger's text in one line, without what does not show."""
    return words.short(words.without_unseen(" ".join(text.split())), 200)
