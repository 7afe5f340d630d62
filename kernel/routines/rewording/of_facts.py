"""What a rule wants done with a fact that it learns, in the words of a request: into the contacts, into the calendar.

"Trag sie bei der Person in den Kontakten ein" is "ändere die Telefonnummer von <who> auf <what>"; a birthday is an
event of whole days that repeats, with the name in it, so nothing of that has to be said.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from kernel.routines.parts import Part, stands_for

_DETAILS: Mapping[str, Mapping[str, str]] = {
    "en": {"phone": "phone number", "email": "email address", "address": "address", "birthday": "birthday"},
    "de": {"phone": "Telefonnummer", "email": "Mailadresse", "address": "Adresse"},
}
_INTO_CONTACTS: Mapping[str, tuple[re.Pattern[str], str]] = {
    "en": (
        re.compile(
            r"(?:please )?(?:enter|put|add|save|update|write|store|note) (?:it|that|this|the (?:new )?\w+(?: \w+)?)"
            r"(?: down)? "
            r"(?:in|into|to|on|under|with) (?:my |the |their |that person's |the person's )?"
            r"(?:contacts?(?: card)?|address book|card)(?: (?:of|for|under) (?:the|that) person| there)?",
            re.IGNORECASE,
        ),
        "change {who}'s {detail} to {what}",
    ),
    "de": (
        re.compile(
            r"(?:bitte )?(?:trage?|schreibe?|speichere?|lege?|setze?|notiere?) (?:sie|ihn|es|das|die (?:neue )?\w+)"
            r"(?: (?:gleich|bitte|sofort|dann))*(?: bei (?:der|dieser) Person| bei (?:ihm|ihr))? "
            r"(?:in|zu|unter) (?:den |die |meinen |meine |dem |das )?(?:Kontakten?|Kontakte|Adressbuch)"
            r"(?: bei (?:der|dieser) Person)?(?: ein| ab)?",
            re.IGNORECASE,
        ),
        "ändere die {detail} von {who} auf {what}",
    ),
}
_OF_A_BIRTHDAY: Mapping[str, tuple[tuple[re.Pattern[str], str], ...]] = {
    "en": (
        (re.compile(r",? as an? (?:all|whole|full)-?(?: )?day (?:thing|event|entry|appointment)", re.IGNORECASE), ""),
        (re.compile(r",? (?:that|which) (?:comes (?:round|back|up)|returns|repeats)(?: again)? (?:every year|yearly)",
                    re.IGNORECASE), " every year"),
        (re.compile(r",? with (?:their|the|his|her|the person's) names? in (?:it|the title)", re.IGNORECASE), ""),
    ),
    "de": (
        (re.compile(r" als ganztägige[nrs]? (?:Eintrag|Termin|Ereignis|Sache)", re.IGNORECASE), ""),
        (re.compile(r",? de[rn] (?:jedes Jahr|jährlich) wieder(?:kommt|kehrt)", re.IGNORECASE), " jedes Jahr"),
        (re.compile(r",? mit (?:dem|seinem|ihrem) Namen(?: drin| darin| dabei| im Titel)?", re.IGNORECASE), ""),
    ),
}  # fmt: skip


def into_contacts(said: str, what: str, language: str) -> str:
    """Return a request that puts a fact of the kind ``what`` into the contacts; empty where ``said`` is none."""
    detail = _DETAILS.get(language, {}).get(what, "")
    if not detail or language not in _INTO_CONTACTS:
        return ""
    form, change = _INTO_CONTACTS[language]
    if form.fullmatch(said.strip().rstrip(".!")) is None:
        return ""
    return change.format(detail=detail, who=stands_for(Part.PERSON), what=stands_for(Part.VALUE))


def of_a_birthday(said: str, language: str) -> str:
    """Return a request about a birthday without what goes for each: all day, every year, whose it is."""
    for form, plain in _OF_A_BIRTHDAY.get(language, ()):
        said = form.sub(plain, said)
    return said
