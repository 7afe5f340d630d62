"""Everybody in the contact files of ~/Contacts, and who of them is meant by a name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rapidfuzz import fuzz

from skills.sdk import Context, File, ToolError, words

from . import cards
from .cards import Card

FOLDER = "~/Contacts"
MOST_BYTES = 20 << 20

_WORD = re.compile(r"\w+")
_SURPLUS = frozenset(
    "the my a an of s from contact contacts card person called named mr mrs ms dr name "
    "der die das den dem mein meine meiner meinem von vom kontakt herr herrn frau".split()
)
_ALIKE = 82.0


def everybody(ctx: Context) -> Iterator[tuple[Card, File, str]]:
    """Yield every card with its file and the source that its facts stand under; broken files are named."""
    if not ctx.is_folder(FOLDER):
        raise ToolError(
            "There are no contacts: the folder ~/Contacts does not exist.",
            hint="Put .vcf files into ~/Contacts.",
            code="tool.missing",
            de="Es gibt keine Kontakte: den Ordner ~/Contacts gibt es nicht.",
            de_hint="Lege .vcf-Dateien in ~/Contacts.",
        )
    broken = []
    for file in sorted(ctx.scan(FOLDER), key=lambda one: one.path):
        if file.suffix != ".vcf":
            continue
        found = _cards(ctx, file)
        broken += [] if found else [file.name]
        for card in found:
            yield card, file, place(file, card, len(found))
    if broken:
        named, benannt = words.listing(broken, most=5), words.listing(broken, "de", most=5)
        ctx.say(f"Passed over, because no card in it can be read: {named}.",
                de=f"Übergangen, weil sich darin keine Karte lesen lässt: {benannt}.")  # fmt: skip


def place(file: File, card: Card, count: int) -> str:
    """Return the source that the facts of a card stand under, in a file of ``count`` cards."""
    return file.path if count == 1 else f"{file.folder}/#{card.key}/{file.name}"


def _cards(ctx: Context, file: File) -> list[Card]:
    """Return the cards of a file; none where it is no such file."""
    try:
        return cards.read(ctx.read_bytes(file)) if (file.size_bytes or 0) <= MOST_BYTES else []
    except (cards.NoCards, ToolError):
        return []


def meant(known: list[tuple[Card, File, str]], name: str, *, surely: bool = False) -> list[tuple[Card, File]]:
    """Return every card of the one name that is meant; ``surely``, where a name that is only like it is asked about.

    Raises ToolError where none is meant, or several are.
    """
    people = list({words.fold(card.name): card.name for card, _, _ in reversed(matching(known, name))}.values())[::-1]
    if len(people) == 1 and (not surely or _is_sure(known, name)):
        return [(card, file) for card, file, _ in known if words.fold(card.name) == words.fold(people[0])]
    if len(people) == 1:
        raise _perhaps(name, people[0])
    choices = people or sorted({card.name for card, _, _ in known}, key=words.fold)
    if people:
        raise ToolError(
            f"More than one person in your contacts could be “{name}”: {words.listing(people, most=5)}.",
            hint="Say the whole name.",
            code="tool.ambiguous",
            instead_of=name,
            choices=choices,
            de=f"Mehr als eine Person in deinen Kontakten könnte „{name}“ sein: {words.listing(people, 'de', most=5)}.",
            de_hint="Nenne den ganzen Namen.",
        )
    raise ToolError(
        f"Nobody in your contacts is called “{name}”.",
        hint=f"There are: {words.listing(choices, most=5)}." if choices else "Put .vcf files into ~/Contacts.",
        code="tool.missing",
        instead_of=name,
        choices=choices,
        de=f"Niemand in deinen Kontakten heißt „{name}“.",
        de_hint=f"Es gibt: {words.listing(choices, 'de', most=5)}." if choices else "Lege .vcf-Dateien in ~/Contacts.",
    )


def _perhaps(said: str, name: str) -> ToolError:
    return ToolError(
        f"Nobody in your contacts is surely “{said}”; it could be “{name}”.",
        hint="Say whether that is the one.",
        code="tool.ambiguous",
        instead_of=said,
        choices=[name],
        de=f"Niemand in deinen Kontakten ist sicher „{said}“; es könnte „{name}“ sein.",
        de_hint="Sag, ob das die richtige Person ist.",
    )


def _is_sure(known: list[tuple[Card, File, str]], name: str) -> bool:
    """Tell whether the words said are of a name as they are, and not only like it."""
    said = words_of(name)
    return any(words.has_all(_names_of(card), said, _is_word) for card, _, _ in known)


def matching(known: list[tuple[Card, File, str]], name: str) -> list[tuple[Card, File, str]]:
    """Return those who may be called so: all words said are of the name, as they are or nearly."""
    said = words_of(name)
    if not said:
        return []
    whole = [one for one in known if any(words_of(form) == said for form in (one[0].name, *one[0].also))]
    if whole:
        return whole
    for alike in (_is_word, _is_near):
        found = [one for one in known if words.has_all(_names_of(one[0]), said, alike)]
        if found:
            return found
    return []


def _names_of(card: Card) -> list[str]:
    return [word for form in (card.name, *card.also, card.organisation) for word in words_of(form)]


def _is_word(said: str, name: str) -> bool:
    return said in (name, f"{name}s", f"{name}es") or name == f"{said}s"


def _is_near(said: str, name: str) -> bool:
    return fuzz.ratio(said, name) >= _ALIKE


def words_of(text: str) -> list[str]:
    return [word for word in _WORD.findall(words.fold(text)) if word not in _SURPLUS]
