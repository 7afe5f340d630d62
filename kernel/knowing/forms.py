"""The forms in which people say what they know, and ask for it: sentences by relation, English and German.

``{s}`` is who it is about and ``{o}`` what is said of them. A German form stands twice where "dass" moves its verb.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

RELATIVES = {
    "sister": ("sister|schwester", "sister"), "brother": ("brother|bruder", "brother"),
    "parent": ("mother|father|mum|mom|dad|parent|mutter|vater|mama|papa", "parent"),
    "child": ("son|daughter|child|sohn|tochter|kind", "child"),
    "partner": ("wife|husband|partner|frau|mann|partnerin|spouse|girlfriend|boyfriend|freundin", "partner"),
    "friend": ("friend|freund", "friend"),
    "colleague": ("colleague|co-worker|coworker|kollege|kollegin", "colleague"),
    "boss": ("boss|manager|chef|chefin|vorgesetzte|vorgesetzter", "boss"),
    "neighbour": ("neighbou?r|nachbar|nachbarin", "neighbour"),
    "doctor": ("doctor|arzt|ärztin|hausarzt|hausärztin|zahnarzt|zahnärztin|dentist", "doctor"),
    "relative": ("cousin|cousine|aunt|uncle|tante|onkel|grandmother|grandfather|oma|opa|großmutter|großvater|niece|"
                 "nephew|nichte|neffe|relative", "relative"),
}  # fmt: skip
"""Words for people to each other, by relation."""

ROLES = "|".join(words for words, _ in RELATIVES.values())


def relation_of(word: str) -> str:
    """Return the relation that a word for people means; "" for none."""
    plain = word.casefold()
    return next((name for name, (words, _) in RELATIVES.items() if re.fullmatch(words, plain)), "")


@dataclass(frozen=True, slots=True)
class Form:
    """One way to say a relation; ``kinds`` are those of subject and object, the last "" for a text."""

    predicate: str
    pattern: str
    kinds: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Asking:
    """One way to ask for a relation; ``inverse``: who stands in it to the one named."""

    predicate: str
    pattern: str
    inverse: bool


_NEEDS = {
    "works_at": "work employ arbeit angestellt job".split(),
    "lives_in": "live living moved wohn leb gezogen".split(),
    "birthday": "birth born geburt geboren".split(),
    "phone": "phone mobile cell number nummer handy reach call".split(),
    "email": "mail".split(),
    "address": "adress address anschrift".split(),
    "partner": "married engaged verheiratet".split(),
    "knows": "know kenn".split(),
    "dislikes": "like hate stand hass mag".split(),
    "prefers": "prefer like love enjoy mag lieb bevorzug trink isst".split(),
    "owns": "own besitz".split(),
    "role": "as als do job profession beruf".split(),
}
"""One of these stands in every sentence of a relation: without it none of its forms is tried, or even compiled."""


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.DOTALL)


def whole(pattern: str, text: str) -> re.Match[str] | None:
    """Return the match of a whole sentence; a pattern is compiled when it is first tried."""
    return _compiled(pattern).fullmatch(text)


def first(patterns: Sequence[str], text: str) -> Iterator[re.Match[str]]:
    """Yield the matches of whole sentences."""
    return (found for pattern in patterns if (found := whole(pattern, text)))


def _may_say(predicate: str, text: str) -> bool:
    return any(need in text for need in _NEEDS[predicate])


def said_in(text: str) -> Iterator[tuple[Form, re.Match[str]]]:
    """Yield the forms in which ``text`` says a relation."""
    low = text.casefold()
    for form in FORMS:
        if _may_say(form.predicate, low) and (found := whole(form.pattern, text)):
            yield form, found


def asked_in(text: str) -> Iterator[tuple[Asking, re.Match[str]]]:
    """Yield the forms in which ``text`` asks for a relation."""
    low = text.casefold()
    for asking in QUESTIONS:
        if _may_say(asking.predicate, low) and (found := whole(asking.pattern, text)):
            yield asking, found


_S, _O = r"(?P<s>.+?)", r"(?P<o>.+?)"
_OF_EN, _OF_DE = rf"(?:(?P<my>my)|{_S}(?:['’]s|['’]))", rf"(?:(?P<my>meine?[rsnm]?)|{_S}(?:['’]s|['’]|s)?)"
_WORDS_OF_DE = rf"(?:die|der|das) {{word}} von {_S}"
_ADVERB = r"(?: (?:now|currently|jetzt|inzwischen|zurzeit|derzeit|heute))?"
_PHONE_EN = r"(?:tele|mobile |cell ?|home |work )?(?:phone|mobile|cell)(?: number)?|number"
_PHONE_DE = r"(?:Telefon|Handy|Mobil|Festnetz)?nummer|Handy"
_MAIL = r"e-?mail(?:[ -]?ad(?:d)?resse?)?|mail(?:[ -]?ad(?:d)?resse?)?"

_SAID: tuple[tuple[str, tuple[str, str], tuple[str, ...]], ...] = (
    ("works_at", ("person", "org"), (
        rf"{_S}{_ADVERB} (?:works?|worked|is working|am working|has worked|have worked|does work|do work){_ADVERB} "
        rf"(?:at|for) {_O}",
        rf"{_S} (?:is|am|are) employed (?:at|by) {_O}",
        rf"{_S} (?:arbeitet|arbeite|arbeitete){_ADVERB} (?:bei|für) {_O}",
        rf"{_S}{_ADVERB} (?:bei|für) {_O} (?:arbeitet|arbeite|arbeitete|angestellt ist|gearbeitet hat)",
    )),
    ("lives_in", ("person", "place"), (
        rf"{_S}{_ADVERB} (?:lives?|lived|is living|am living|does live|do live){_ADVERB} in {_O}",
        rf"{_S} (?:has |have )?moved to {_O}",
        rf"{_S} (?:wohnt|lebt|wohne|lebe|wohnte|lebte){_ADVERB} in {_O}",
        rf"{_S}{_ADVERB} in {_O} (?:wohnt|lebt|wohne|lebe|wohnte|lebte)",
        rf"{_S} (?:ist |bin )?nach {_O} gezogen(?: ist| bin)?",
    )),
    ("birthday", ("person", ""), (
        rf"{_OF_EN} birthday is(?: on)? (?:the )?{_O}", rf"{_S} (?:was|am) born on (?:the )?{_O}",
        rf"{_OF_DE} Geburtstag (?:ist )?(?:am |der |ist der |ist am )?{_O}(?: ist)?",
        rf"{_S} (?:hat )?am {_O} Geburtstag(?: hat)?", rf"{_S} (?:wurde |ist )?am {_O} geboren(?: wurde| ist)?",
    )),
    ("phone", ("person", ""), (
        rf"{_OF_EN} (?:{_PHONE_EN}) is {_O}", rf"the (?:{_PHONE_EN}) of {_S} is {_O}",
        rf"{_OF_DE} (?:{_PHONE_DE}) (?:ist |lautet )?{_O}(?: ist| lautet)?",
        rf"{_WORDS_OF_DE.format(word=f'(?:{_PHONE_DE})')} (?:ist |lautet )?(?P<o>[+0-9][^ ]*(?: [0-9/-]+)*)(?: ist| "
        rf"lautet)?",
    )),
    ("email", ("person", ""), (
        rf"{_OF_EN} (?:{_MAIL}) is {_O}", rf"{_OF_DE} (?:{_MAIL}) (?:ist |lautet )?{_O}(?: ist| lautet)?",
    )),
    ("address", ("person", ""), (
        rf"{_OF_EN} (?:home )?address is {_O}",
        rf"{_OF_DE} (?:Adresse|Anschrift) (?:ist |lautet )?{_O}(?: ist| lautet)?",
    )),
    ("partner", ("person", "person"), (
        rf"{_S} (?:is|am|are) (?:married|engaged) to {_O}", rf"{_S} (?:ist |bin )?mit {_O} verheiratet(?: ist| bin)?",
    )),
    ("knows", ("person", "person"), (rf"{_S} knows? {_O}", rf"{_S} kennt {_O}")),
    ("dislikes", ("person", ""), (
        rf"{_S} (?:dislikes?|hates?|does ?n[o']t like|do ?n[o']t like|can['’]t stand) {_O}",
        rf"{_S} (?:hasst|hasse|mag kein(?:e|en)?) {_O}",
    )),
    ("prefers", ("person", ""), (
        rf"{_S} (?:really )?(?:prefers?|likes?|loves?|does like|do like|enjoys?) {_O}",
        rf"{_S} (?:mag|liebt|liebe|bevorzugt|bevorzuge|trinkt gerne?|isst gerne?) {_O}",
        rf"(?P<s>[^ ]+) {_O} (?:mag|liebt|liebe|bevorzugt|bevorzuge)",
    )),
    ("owns", ("person", "thing"), (rf"{_S} owns? (?:an? |the )?{_O}",
    rf"{_S} (?:besitzt|besitze) (?:einen? |ein )?{_O}")),
    ("role", ("person", ""), (
        rf"{_S} (?:works?|am working|is working) as an? {_O}",
        rf"{_S} (?:arbeitet|arbeite) als {_O}", rf"{_S} als {_O} (?:arbeitet|arbeite)",
    )),
)  # fmt: skip

FORMS = tuple(Form(predicate, pattern, kinds) for predicate, kinds, patterns in _SAID for pattern in patterns)

RELATED = (
    rf"(?P<o>.+?) (?:is|ist) (?:(?P<my>my|meine?)|(?P<s>.+?)(?:['’]s|['’]|s)) (?P<w>{ROLES})",
    rf"(?P<o>.+?) (?:(?P<my>meine?)|(?P<s>.+?)(?:['’]s|['’]|s)) (?P<w>{ROLES}) ist",
    rf"(?P<o>.+?) is (?:an?|the) (?P<w>{ROLES}) of (?P<s>.+?)",
    rf"(?:(?P<my>my|meine?)|(?P<s>.+?)(?:['’]s|['’]|s)) (?P<w>{ROLES})(?:['’]s name)? (?:is called|is "
    rf"named|heißt|is|ist) "
    r"(?P<o>.+?)",
    rf"(?:(?P<my>meine?)|(?P<s>.+?)(?:['’]s|['’]|s)) (?P<w>{ROLES}) (?P<o>.+?) (?:heißt|ist)",
)
"""Who is what to whom: ``o`` is the sister (``w``) of ``s``."""

PROFESSION = r"(?P<s>.+?) (?:is|am) an? (?P<o>[\w -]+)|(?P<s2>.+?) (?:ist|bin) (?P<o2>(?-i:[A-ZÄÖÜ])[\w-]+)"
"""What somebody is: only of a name, see ``statements``."""

_WHO = r"(?P<s>.+?)"
_OF = rf"(?:(?P<my>my|meine?[rsnm]?)|{_WHO}(?:['’]s|['’]|s)?)"
_IS = (
    r"(?:what(?:['’]s| is| was)|which is|tell me|give me|do you know|"
    r"wie (?:ist|lautet|war)|was (?:ist|war)|welche ist|sag mir|nenn mir)"
)

_QUESTIONS: tuple[tuple[str, bool, tuple[str, ...]], ...] = (
    ("works_at", False, (rf"where (?:does|do|did) {_WHO} (?:work|have a job)",
    rf"(?:who|what company) (?:does|did) {_WHO} work for",
                            rf"wo (?:arbeitet|arbeitete) {_WHO}", rf"bei wem arbeitet {_WHO}",
                            r"wo (?:arbeite|arbeitete) (?P<my>ich)")),
    ("lives_in", False, (rf"where (?:does|do|did) {_WHO} live", rf"wo (?:wohnt|lebt|wohnte|lebte) {_WHO}",
                            r"wo (?:wohne|lebe|wohnte|lebte) (?P<my>ich)")),
    ("works_at", True, (r"who (?:works|worked) (?:at|for) (?P<s>.+?)", r"wer arbeitete? (?:bei|für) (?P<s>.+?)")),
    ("lives_in", True, (r"who (?:lives|lived) in (?P<s>.+?)", r"wer (?:wohnt|lebt|wohnte|lebte) in (?P<s>.+?)")),
    ("birthday", False, (rf"(?:when is|{_IS}) {_OF} birthday", rf"when was {_WHO} born", rf"wann hat {_WHO} geburtstag",
                            rf"(?:wann|{_IS}) (?:ist )?{_OF} geburtstag", rf"wann (?:wurde|ist) {_WHO} geboren",
                            r"wann habe (?P<my>ich) geburtstag")),
    ("phone", False, (rf"{_IS} {_OF} (?:{_PHONE_EN}|{_PHONE_DE})", rf"{_IS} die (?:{_PHONE_DE}) von {_WHO}",
                         rf"welche (?:{_PHONE_DE}) hat {_WHO}", rf"{_IS} the (?:{_PHONE_EN}) of {_WHO}",
                         rf"(?:how|under what number) can i (?:call|reach) {_WHO}")),
    ("email", False, (rf"{_IS} {_OF} (?:{_MAIL})", rf"{_IS} die (?:{_MAIL}) von {_WHO}",
    rf"{_IS} the (?:{_MAIL}) of {_WHO}")),
    ("address", False, (rf"{_IS} {_OF} (?:home )?(?:address|adresse|anschrift)",
    rf"{_IS} die (?:adresse|anschrift) von {_WHO}",
                           rf"{_IS} the address of {_WHO}")),
    ("role", False, (rf"what does {_WHO} do(?: for a living)?", rf"{_IS} {_OF} (?:job|profession|beruf)",
                        rf"was macht {_WHO} beruflich", rf"was ist {_WHO} von beruf")),
    ("prefers", False, (rf"what (?:does|do) {_WHO} (?:like|prefer|love)", rf"was (?:mag|liebt|bevorzugt) {_WHO}",
                           r"was (?:mag|liebe|bevorzuge) (?P<my>ich)")),
    ("dislikes", False, (rf"what (?:does|do) {_WHO} (?:dislike|hate|not like)", rf"was (?:mag|hasst) {_WHO} nicht")),
    ("partner", False, (rf"who is {_WHO} married to", rf"mit wem ist {_WHO} verheiratet")),
)  # fmt: skip

QUESTIONS = tuple(
    Asking(predicate, pattern, inverse) for predicate, inverse, patterns in _QUESTIONS for pattern in patterns
)

WHO_TO_WHOM = (
    rf"(?:who(?:['’]s| is| are)|wer (?:ist|sind)|wie heißt|what is the name of|{_IS}) "
    rf"{_OF} (?P<w>{ROLES})s?(?:['’]s name)?"
)
"""Who is somebody's boss."""

ABOUT = (
    r"what (?:all )?do you (?:know|remember)(?: all)? (?:about|of) (?P<s>.+?)",
    r"what (?:is|have you|do we) (?:known?|got|stored) (?:about|on) (?P<s>.+?)",
    r"(?:please )?(?:tell|show) me (?:everything|all|what) (?:that )?you (?:know|remember) (?:about|of) (?P<s>.+?)",
    r"(?:ich wüsste gern,? )?was (?:alles )?weißt du (?:alles )?(?:so )?(?:über|von) (?P<s>.+?)",
    r"(?:sag|zeig|erzähl) mir(?: bitte)?(?:,)? (?:alles|was)(?:,? was)? du (?:alles )?(?:über|von) (?P<s>.+?) weißt",
    r"was ist (?:dir )?über (?P<s>.+?) bekannt",
)
MAYBE_ABOUT = r"(?:who(?:['’]s| is)|wer ist) (?P<s>.+?)"
"""Only of somebody who is known."""

TELLS = (
    r"(?:please |can you |could you |would you |i want you to )*(?:remember|keep in mind|memori[sz]e|don['’]t "
    r"forget|make a mental note)"
    r"(?: for me| please)?,? that (?P<t>.+)",
    r"(?:please )?remember(?: this)?: ?(?P<t>.+)",
    r"(?:bitte |kannst du |könntest du )*(?:merke?(?: dir)?|behalte?(?: im kopf| im gedächtnis)?|vergiss nicht|denk "
    r"daran|denke daran)"
    r"(?: bitte| mal)*,? (?:dass|daß) (?P<t>.+)",
    r"(?:bitte )?merke?(?: dir)?(?: bitte| mal)*(?: folgendes)?: ?(?P<t>.+)",
    r"(?:kannst|könntest) du dir (?:bitte )?merken,? (?:dass|daß) (?P<t>.+)",
)
MAYBE_TELLS = r"(?:please )?remember (?P<t>.+)|(?:bitte )?merke? dir(?: bitte)? (?P<t2>.+)"
"""Without "that": only where what follows has a form that is known."""

UNSAYS = (
    r"(?:please )?(?:forget|unlearn) that (?P<t>.+)",
    r"(?:it is|it['’]s|that is) (?:not true|wrong|no longer true)(?: any ?more)? that (?P<t>.+)",
    r"(?:bitte )?vergiss(?: bitte)?,? (?:dass|daß) (?P<t>.+)",
    r"es (?:stimmt|ist) (?:nicht|falsch|nicht wahr)(?: mehr)?,? (?:dass|daß) (?P<t>.+)",
)

FORGETS = (
    r"(?:please )?(?:forget|delete|erase) (?:everything|all|anything|what|whatever)(?: that)?"
    r"(?: (?:you|we) (?:know|have|remember|learned|learnt|stored|saved))?(?: (?:about|on|of))+ (?P<s>.+?)",
    r"(?:bitte )?(?:vergiss|lösche)(?: bitte)? (?:alles|was)(?:,? was)?(?: du)? (?:über|von) (?P<s>.+?)"
    r"(?: weißt| gespeichert hast| gelernt hast)?",
)
MAYBE_FORGETS = r"(?:please |bitte )?(?:forget(?: about)?|vergiss) (?P<s>.+?)"
"""Only of somebody who is known."""

NO_LONGER = re.compile(
    r"\b(?:no longer|not any ?more|nicht mehr|nicht länger)\b|\b(?:does|do|is|am)(?: not|n['’]t)\b(?=.*\bany ?more\b)",
    re.IGNORECASE,
)
ANYMORE = re.compile(r"\s*\bany ?more\b", re.IGNORECASE)
NEVER = re.compile(r"\b(?:does|do|did)(?: not|n['’]t)\b|\b(?:never|nie|nicht)\b", re.IGNORECASE)
