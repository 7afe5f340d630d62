"""Whom a change means, where a new card goes, and the words about both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from skills.sdk import Context, ErrorWords, File, ToolError, words

from . import book, saying, telling, writing
from .cards import Card
from .saying import Said

Known = list[tuple[Card, File, str]]

KINDS = {
    "phone": ("phone", ""), "mobile": ("phone", "cell"), "work_phone": ("phone", "work"),
    "home_phone": ("phone", "home"), "fax": ("phone", "fax"), "email": ("email", ""), "work_email": ("email", "work"),
    "home_email": ("email", "home"), "birthday": ("birthday", ""), "address": ("address", ""),
    "organisation": ("organisation", ""), "role": ("role", ""), "note": ("note", ""), "name": ("name", ""),
}  # fmt: skip
"""What each detail is, and of which kind."""

_NO_NAME = ErrorWords(
    "contacts.name", "I do not know what the person is called.", "Say the name: add Lena Fischer, 0170 123456.",
    "Ich weiß nicht, wie die Person heißt.", "Sag den Namen: füge Lena Fischer, 0170 123456, zu den Kontakten hinzu.",
)  # fmt: skip
_THERE = ErrorWords(
    "contacts.exists", "{place} is in your contacts already.",
    "Say what is new of them (their new number is …), or add them as another person of that name.",
    "{place} steht schon in deinen Kontakten.",
    "Sag, was neu ist (die neue Nummer ist …), oder trag eine andere Person dieses Namens ein.",
)  # fmt: skip
_WIDE = ErrorWords(
    "contacts.letters", "{place} cannot hold these letters, so nothing was written to it.", "Save the file as UTF-8.",
    "{place} kann diese Buchstaben nicht aufnehmen, darum wurde nichts hineingeschrieben.",
    "Speichere die Datei als UTF-8.",
)  # fmt: skip


def parted(text: str) -> tuple[str, str]:
    """Return a name, and what was said behind it: "Lena Fischer, 0170 1". Raises ToolError where there is no name."""
    name, _, rest = saying.plain(text, lines=False).partition(",")
    if not any(letter.isalpha() for letter in name) or "@" in name:
        raise _NO_NAME()
    return name.strip(" .:;"), rest.strip()


def one_of(known: Known, name: str) -> tuple[Card, File]:
    """Return the one card that is meant, and its file. Raises ToolError where that is not sure."""
    labels = _labels(known)
    for card, file, _ in known:
        if words.fold(name) in map(words.fold, labels.get(id(card), ())):
            return card, file
    found = book.meant(known, name, surely=True)
    if len(found) == 1:
        return found[0]
    person = found[0][0].name
    offered = [labels[id(card)][0] for card, _ in found]
    raise ToolError(
        f"There are {len(found)} cards of {person}: {words.listing(offered, most=5)}.",
        hint="Say which one.",
        code="tool.ambiguous",
        instead_of=name,
        choices=offered,
        de=f"Es gibt {len(found)} Karten von {person}: {words.listing(offered, 'de', most=5)}.",
        de_hint="Sag, welche gemeint ist.",
    )


def one_with(known: Known, name: str) -> tuple[Card, File, str]:
    """Return the one card that is meant, its file, and which of its numbers or addresses was said behind the name:
    "Tom Weber (0170 1)", as ``several`` offers it; "" where none was. Raises ToolError where that is not sure.
    """
    person, _, rest = name.rpartition(" (")
    said = rest.removesuffix(")")
    for card, file, _ in known if person else ():
        held = [*(value for value, _ in (*card.phones, *card.mails)), *card.addresses]
        if said in held and words.fold(card.name) == words.fold(person):
            return card, file, said
    return *one_of(known, name), ""


def _labels(known: Known) -> dict[int, list[str]]:
    """What tells the cards of one name apart, by the card; nothing for who is the only one of their name."""
    named: dict[str, list[tuple[Card, File]]] = {}
    for card, file, _ in known:
        named.setdefault(words.fold(card.name), []).append((card, file))
    return {id(card): told for alike in named.values() if len(alike) > 1 for card, told in _told_apart(alike)}


def _told_apart(alike: Sequence[tuple[Card, File]]) -> Iterator[tuple[Card, list[str]]]:
    """Cards of one name, each with what it alone has: its firm, its number, its mail, or its place in a file."""
    ways = [
        [telling.firm(card), *(value for value, _ in (*card.phones[:1], *card.mails[:1])), file.name]
        for card, file in alike
    ]
    shared = Counter(one for way in ways for one in set(way))
    for at, ((card, _), way) in enumerate(zip(alike, ways, strict=True), 1):
        own = [one for one in way if one and shared[one] == 1]
        yield card, [f"{card.name} ({one})" for one in (own or [f"{way[-1]}, {at}"])]


def said_of(detail: str, value: str, card: Card) -> Said:
    """Return a detail as it was said of a card. Raises ToolError where the value is none of its kind."""
    what, kind = KINDS[detail]
    said = saying.value_of(what, kind, value)
    if what == "name" and " " not in said.value and " " in card.name:
        whole = [f"{card.name.rpartition(' ')[0]} {said.value}", f"{said.value} {card.name.rpartition(' ')[2]}"]
        raise ToolError(
            f"Is {card.name} called {words.listing(whole).replace(' and ', ' or ')} now?",
            hint="Say the whole name.", code="tool.ambiguous", instead_of=value, choices=whole,
            de=f"Heißt {card.name} jetzt {words.listing(whole, 'de').replace(' und ', ' oder ')}?",
            de_hint="Sag den ganzen Namen.",
        )  # fmt: skip
    return said


def shelf(ctx: Context, known: Known, name: str) -> tuple[File, bytes, list[Card]]:
    """Return the file that a new card goes to, what is in it, and its cards.

    People who are kept in one file stay together; else each has a file of their own.
    """
    held: dict[str, list[tuple[Card, File]]] = {}
    for card, file, _ in known:
        held.setdefault(file.path, []).append((card, file))
    largest = max(held.values(), key=lambda one: (len(one), one[0][1].path), default=[])
    if len(largest) > 1 and sum(len(one) == 1 for one in held.values()) < len(largest):
        file = largest[0][1]
        return file, ctx.read_bytes(file), [card for card, _ in largest]
    title = words.file_name(name) or "contact"
    return File(ctx.unused(f"{book.FOLDER}/{title}.vcf")), b"", []


# --- errors -------------------------------------------------------------------------------------------------------


def is_there(name: str) -> ToolError:
    """Return the error of somebody who is in the contacts already."""
    return _THERE(name)


def unwritable(file: str) -> ToolError:
    """Return the error of a file that cannot hold what was said."""
    return _WIDE(file)


def several(name: str, what: str, values: Sequence[str], instead_of: str, choices: Sequence[str]) -> ToolError:
    """Return the error of a detail of which a card has more than one; one of the ``choices`` says which."""
    noun, nomen = telling.NOUNS[what]
    return ToolError(
        f"{name} has more than one {noun}: {words.listing(values, most=5)}.",
        hint="Say which one, or its kind: the mobile number, the work number; or that the new one is a further one.",
        code="contacts.several",
        instead_of=instead_of,
        choices=choices,
        de=f"Zu {name} gibt es mehr als eine {nomen}: {words.listing(values, 'de', most=5)}.",
        de_hint="Sag, welche, oder ihre Art: die Handynummer, die Büronummer; oder dass es eine weitere ist.",
    )


def not_there(name: str, said: Said, values: Sequence[str], instead_of: str, language: str) -> ToolError:
    """Return the error of a new number or address in place of one that a card does not have, but ``values``."""
    noun, nomen = telling.NOUNS[said.what]
    there, da = (
        f"; there {'is' if len(values) == 1 else 'are'} {words.listing(values, most=5)}",
        f"; da {'ist' if len(values) == 1 else 'sind'} {words.listing(values, 'de', most=5)}",
    ) if values else ("", "")  # fmt: skip
    return ToolError(
        f"{name} has no {noun} {said.old}{there}.",
        hint="Say which one is meant, or that the new one is a further one.",
        code="contacts.not_there", instead_of=instead_of, choices=in_place_of(said, values, language),
        de=f"Zu {name} gibt es keine {nomen} {said.old}{da}.",
        de_hint="Sag, welche gemeint ist, oder dass es eine weitere ist.",
    )  # fmt: skip


def in_place_of(said: Said, values: Sequence[str], language: str) -> list[str]:
    """Return the ways to say which of several a new number or address takes the place of."""
    return [f"{said.value} {'statt' if language == 'de' else 'instead of'} {one}" for one in values]


def no_such(name: str, what: str) -> ToolError:
    """Return the error of a detail that a card does not have."""
    noun, nomen = telling.NOUNS[what]
    return ToolError(
        f"The card of {name} says no {noun}.", hint="Ask for what the contacts know about them.", code="tool.missing",
        de=f"Die Karte von {name} nennt keine {nomen}.", de_hint="Frag, was die Kontakte sonst wissen.",
    )  # fmt: skip


# --- telling ------------------------------------------------------------------------------------------------------


def say_added(ctx: Context, name: str, details: Sequence[Said], file: File) -> None:
    """Say who was put into the contacts, with what, and where."""
    listed = (", ".join(saying.shown(one, language) for one in details) for language in ("en", "de"))
    told, gesagt = (f" ({one})" if one else "" for one in listed)
    place = ctx.shown(file)
    ctx.say(f"I put {name} into your contacts{told}: {place}.",
            de=f"Ich habe {name} in deine Kontakte eingetragen{gesagt}: {place}.")  # fmt: skip


def say_changed(ctx: Context, card: Card, said: Said, *, besides: bool) -> None:
    """Say what is new, and what stood there."""
    noun, nomen = telling.NOUNS[said.what]
    if said.what == "name":
        ctx.say(f"{card.name} is now called {said.value} in your contacts.",
                de=f"{card.name} heißt in deinen Kontakten jetzt {said.value}.")  # fmt: skip
        return
    before, bisher = ("" if besides else _before(card, said, language) for language in ("en", "de"))
    was, war = (f" (before: {before})", f" (bisher: {bisher})") if before else ("", "")
    ctx.say(f"{card.name}’s {noun} is now {saying.shown(said, 'en')}{was}.",
            de=f"{_NOMEN.get(said.what, nomen)} von {card.name}: jetzt {saying.shown(said, 'de')}{war}.")  # fmt: skip


_NOMEN = {"birthday": "Geburtstag"}


def _before(card: Card, said: Said, language: str) -> str:
    """What a card says in the place where the detail goes that is new; "" where nothing does."""
    match said.what:
        case "birthday":
            return saying.birthday_words(card.birthday, language) if card.birthday else ""
        case "organisation":
            return card.organisation
        case "role":
            return card.role
        case "note":
            return ""
    return next((writing.readable(one, card.block.version) for one in writing.replaced(card.block, said)), "")


def say_same(ctx: Context, name: str, said: Said) -> None:
    """Say that a card says so already."""
    value, wert = saying.shown(said, "en"), saying.shown(said, "de")
    ctx.say(f"The card of {name} says that already: {value}.", de=f"Die Karte von {name} sagt das schon: {wert}.")


def say_lost(ctx: Context, name: str, what: str) -> None:
    """Say what was taken out of a card."""
    noun, nomen = telling.NOUNS[what]
    ctx.say(f"I took the {noun} out of the card of {name}.",
            de=f"Ich habe aus der Karte von {name} entfernt: {_NOMEN.get(what, nomen)}.")  # fmt: skip


def say_removed(ctx: Context, name: str, file: File) -> None:
    """Say who was taken out of the contacts."""
    shown = words.name(file.name)
    ctx.say(f"I took {name} out of your contacts ({shown}).",
            de=f"Ich habe {name} aus deinen Kontakten entfernt ({shown}).")  # fmt: skip
