"""What the cards of a person say, in words."""

from __future__ import annotations

from collections import Counter
from datetime import date

from skills.sdk import File, words

from .cards import Birthday, Card
from .saying import birthday_words

MOST_NOTED = 200
"""Letters of a note that are told."""

NOUNS = {
    "all": ("details", "Angaben"), "phone": ("phone number", "Telefonnummer"),
    "email": ("e-mail address", "E-Mail-Adresse"), "birthday": ("birthday", "Angabe zum Geburtstag"),
    "address": ("address", "Adresse"), "organisation": ("organisation", "Firma"),
    "role": ("job title", "Funktion"), "note": ("note", "Notiz"), "name": ("name", "Angabe zum Namen"),
}  # fmt: skip
_NUMBERS = {"mobile": "cell", "work_phone": "work", "home_phone": "home"}
NOUNS |= dict.fromkeys(_NUMBERS, NOUNS["phone"])
LABELS = {
    "en": {"phone": "phone", "email": "e-mail", "birthday": "birthday", "address": "address",
           "organisation": "organisation", "role": "role", "note": "note"},
    "de": {"phone": "Telefon", "email": "E-Mail", "birthday": "Geburtstag", "address": "Adresse",
           "organisation": "Firma", "role": "Funktion", "note": "Notiz"},
}  # fmt: skip
_KINDS = {
    "en": {"cell": "mobile", "home": "home", "work": "work", "fax": "fax"},
    "de": {"cell": "mobil", "home": "privat", "work": "Arbeit", "fax": "Fax"},
}


def told(card: Card, what: str, language: str) -> list[tuple[str, str, str]]:
    """Return what one card says of ``what``: (label, value, what kind of it).

    Of the numbers only those of the kind that was asked for, where there is one; each stands with its kind else.
    """
    what, asked = ("phone", _NUMBERS[what]) if what in _NUMBERS else (what, "")
    tongue = "de" if language == "de" else "en"
    kinds = _KINDS[tongue] | {"": ""}
    own = [one for one in card.phones if one[1] == asked]
    found = [("phone", value, kinds[kind]) for value, kind in (own if asked and own else card.phones)]
    found += [("email", value, kinds[kind]) for value, kind in card.mails]
    found += [("birthday", birthday_words(card.birthday, tongue), "")] if card.birthday else []
    found += [("address", one, "") for one in card.addresses]
    found += [("organisation", firm(card), "")] if firm(card) else []
    found += [("role", card.role, "")] if card.role else []
    found += [("note", words.short(card.notes, MOST_NOTED), "")] if card.notes else []
    return [one for one in found if what in ("all", one[0])]


def said_of(found: list[tuple[Card, File]], what: str, language: str) -> list[tuple[str, str]]:
    """Return what the cards say of ``what``: (label, value), the first the one that is meant.

    What not all of them say stands with the organisation or the file that its card is of.
    """
    known: dict[tuple[str, str], tuple[str, str, set[int]]] = {}
    for at, (card, _) in enumerate(found):
        for label, value, kind in told(card, what, language):
            known.setdefault((label, "".join(words.fold(value).split())), (value, kind, set()))[2].add(at)
    whence = origins(found)
    said = []
    for (label, _), (value, kind, cards_of) in known.items():
        where = [whence[at] for at in sorted(cards_of)] if len(cards_of) < len(found) else []
        notes = ", ".join(dict.fromkeys(one for one in (kind, *where) if one and one != value))
        said.append((label, f"{value} ({notes})" if notes else value))
    return sorted(said, key=lambda one: list(LABELS["en"]).index(one[0]))


def origins(found: list[tuple[Card, File]]) -> list[str]:
    """What tells cards of one name apart: the organisation where only one is of it, else the file."""
    firms = Counter(firm(card) for card, _ in found)
    return [own if (own := firm(card)) and firms[own] == 1 else file.name for card, file in found]


def firm(card: Card) -> str:
    return card.organisation if card.organisation != card.name else ""


def merged(found: list[Card]) -> Card:
    """Return what cards of one name say together; of what there is only one of, what they agree on."""
    days = {card.birthday for card in found if card.birthday}
    firms = {card.organisation for card in found if card.organisation}
    return Card(
        name=found[0].name,
        phones=[one for card in found for one in card.phones],
        mails=[one for card in found for one in card.mails],
        addresses=[one for card in found for one in card.addresses],
        birthday=days.pop() if len(days) == 1 else None,
        organisation=firms.pop() if len(firms) == 1 else "",
    )


def answer(card: Card, what: str, said: list[tuple[str, str]], today: date) -> tuple[str, str]:
    if what == "all":
        lines = [
            "; ".join(f"{LABELS[tongue][label]}: {value}" for label, value in said) for tongue in ("en", "de")
        ]  # fmt: skip
        return f"{card.name}: {lines[0]}.", f"{card.name}: {lines[1]}."
    values = " / ".join(value for _, value in said)
    if what == "birthday":
        age = _age(card.birthday, today)
        years, jahre = (f" ({age} years old)", f" und ist {age} Jahre alt") if age is not None else ("", "")
        return f"{card.name}’s birthday is {values}{years}.", f"{card.name} hat am {values} Geburtstag{jahre}."
    if what == "organisation":
        return f"{card.name} is with {values}.", f"{card.name} gehört zu {values}."
    noun, nomen = NOUNS[what]
    return f"{card.name}’s {noun}: {values}.", f"{nomen} von {card.name}: {values}."


def _age(when: Birthday | None, today: date) -> int | None:
    """Return how old somebody is today; None where the year is not known."""
    if when is None or not when.year or when.year > today.year:
        return None
    return when.next_after(today).year - when.year - (when.next_after(today) != today)
