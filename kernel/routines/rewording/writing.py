"""What a rule wants written down of what sets it off, in the words that an ordinary request has for that.

"Jot down in my note Slips what was taken back" is "add <it> to my note Slips"; "make it a task", "mit dem Empfänger
dazu" and "put it on my screen" likewise. Only where a word stands in for what is brought; whatever else is said stays,
but for a day by its number, and why it is wanted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from functools import cache

from kernel.dispatching.standing_in import MARK
from kernel.language.amounts.numbers import ordinals
from kernel.routines.parts import Part, stands_for

_STANDS = rf"{MARK}-\w+"
_IT = rf"(?P<it>(?:\S[^,]*? )??{_STANDS})"
_NOTE_EN = r"(?P<note>(?:my|the) (?:note|list) [^,:]+?)"
_NOTE_DE = r"(?:die|der|meine|meiner|d'|d) ?(?P<kind>notiz|liste) (?P<note>[^,:]+?)"
_WRITE_EN = r"(?:please )?(?:jot|write|note|put|scribble|enter|log|add|record)(?: it| this| that)?(?: down)?"
_WRITE_DE = (
    r"(?:bitte )?(?:schreib(?:e|st|s)?|notier(?:e|st)?|trag(?:e|st)?|vermerke?)(?: (?:ma|mir|das|dazu|noch|bitte))*"
)
_SHOW_EN = r"(?:put|show|display|give)(?: me)?"
_BEHIND_DE = r"(?: eini| rein| hinein| dazu| ein)?"
_FORMS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "en": (
        (rf"{_WRITE_EN} (?:in|into|to|on|onto) {_NOTE_EN},? {_IT}", "add {it} to {note}"),
        (rf"{_WRITE_EN}(?: a line)?(?: saying| that says| with)? {_IT},? (?:in|into|to|on|onto) {_NOTE_EN}",
         "add {it} to {note}"),
        (rf"{_SHOW_EN} {_IT} (?:(?:up )?on (?:my|the) screen|on (?:my|the) desktop)(?: as a "
         r"(?:notice|notification))?", "show {it} as a notification"),
        (rf"(?:notify|alert|inform) me (?:of|about|with) {_IT}", "show {it} as a notification"),
        (rf"{_SHOW_EN} {_IT} as a (?:notice|notification|message)", "show {it} as a notification"),
        (rf"(?:make|turn) {_IT} (?:into )?a task(?P<rest>.*)", "add a task {it}{rest}"),
        (rf"make a task (?:of|out of|from) {_IT}(?P<rest>.*)", "add a task {it}{rest}"),
    ),
    "de": (
        (rf"{_WRITE_DE} (?:in|auf|zu) ?{_NOTE_DE}{_BEHIND_DE},? {_IT}",
         "häng {it} an die {kind} {note} an"),
        (rf"{_WRITE_DE} {_IT} (?:in|auf|zu) ?{_NOTE_DE}{_BEHIND_DE}", "häng {it} an die {kind} {note} an"),
        (rf"(?:zeige?|bring|gib|schicke?)(?: mir| ma)? {_IT}(?: mir| ma)? (?:auf dem (?:bildschirm|schirm)|"
         r"als (?:eine )?(?:notiz|hinweis|meldung|benachrichtigung))(?: an)?", "zeig die Benachrichtigung {it}"),
        (rf"(?:benachrichtige?|informiere?) mich (?:über|mit) {_IT}", "zeig die Benachrichtigung {it}"),
        (rf"mache? (?:mir |ma )?(?:aus )?{_IT} (?:zu einer|eine) aufgabe(?P<rest>.*)",
         "füge die Aufgabe {it} hinzu{rest}"),
    ),
}  # fmt: skip
_BESIDE = re.compile(
    rf"(?P<before>.*\b(?:task|aufgabe) )(?P<text>\S+(?: (?!(?:auf|mit|on|with|for|für|to|zu|in|hinzu)\b)[^\s,]+)*)"
    rf"(?P<middle>(?:,? .*?)?),? (?P<it>{_STANDS})(?P<after>.*)",
    re.IGNORECASE | re.DOTALL,
)
_ASKED_NICELY = re.compile(r"^(\w+) (?:bitte|please) ", re.IGNORECASE)
_LATER = re.compile(r"\b(?:für|in) (?P<n>\S+) (?P<unit>tagen?|wochen?|stunden?) (?:drauf|darauf|später|danach)\b", re.I)
_POINTS = rf"(?:it|that|this|{_STANDS})"
_LOOK = re.compile(
    rf",? so (?:that )?i (?:can|could|may) (?:have (?:another |a )?look(?: at {_POINTS})?|(?:look at|check|deal with|"
    rf"see to|take care of|do) {_POINTS})(?: again)? (?P<day>today|tomorrow|on \w+day|next week|later today)",
    re.IGNORECASE,
)
_WHY = re.compile(
    r",? (?:so (?:that )?i (?:don't|dont|do not|won't|never|can't) (?:forget|miss|overlook|lose)|"
    r"damit ich (?:ihn|es|das|sie|den)? ?(?:nicht|nie|ned|net) (?:vergess|verpass|überseh))\w*\b"
    r"[^,.;:]*?(?=$|[,.;:]| (?:and|und|then|dann)\b)",
    re.IGNORECASE,
)
"""Why it is wanted, up to what else is asked for."""
_SAYS = re.compile(
    rf",? (?:(?:in|auf) (?:der|dem|welcher|welchem) steht ?,? dass (?:ich|i|man|wir) (?P<de>{_IT}[^,;:]*?) "
    r"(?:soll|sollte|muss|sollen|müssen)"
    r"|(?:that says|saying|to say|which says)(?: that)? (?:i|we) (?:should|must|have to|need to|am to) (?P<en>[^;:]*))"
    r"(?=$|[,;])",
    re.IGNORECASE,
)
"""What a thing says that is to be made, where it says what is to be done."""
_JOINT = re.compile(r"(,? (?:and|und)(?: then| dann)? )", re.IGNORECASE)
_UNITS = {"tag": "Tagen", "woc": "Wochen", "stu": "Stunden"}


def with_day_numbers(said: str, language: str) -> str:
    """Return ``said`` with a figure for the day of the month on which something is due: "due on the first"."""

    def figure(found: re.Match[str]) -> str:
        number = ordinals()[found["day"].casefold()]
        ending = "." if language == "de" else {1: "st", 2: "nd", 3: "rd"}.get(number, "th")
        return f"{found['due']} {number}{ending}" if number > 0 else found[0]

    return _due(language).sub(figure, said)


@cache
def _due(language: str) -> re.Pattern[str]:
    led = r"fällig (?:am|zum)" if language == "de" else r"due (?:on|by) the"
    days = "|".join(sorted(map(re.escape, ordinals()), key=len, reverse=True))
    return re.compile(rf"\b(?P<due>{led}) (?P<day>{days})\b(?! \w)", re.IGNORECASE)


def without_reason(said: str) -> str:
    """Return ``said`` without why it is wanted: "..., so I don't forget to answer"."""
    return _WHY.sub("", said)


def birthday_words(language: str) -> str:
    """Return the words of a birthday as an appointment has them, with words that stand in for whose and when."""
    who, day = stands_for(Part.PERSON), stands_for(Part.DAY)
    if language == "de":
        return f"„Geburtstag von {who}“ am {date.fromisoformat(day):%d.%m.%Y}"
    return f"“{who}'s birthday” on {day}"


def as_written(said: str, language: str) -> str:
    """Return ``said``, in which a word stands in for what is brought, in the words of an ordinary request."""
    wish = re.sub(" {2,}", " ", said).strip().rstrip(".!")
    deeds = _JOINT.split(wish)
    if sum(MARK in one for one in deeds) > 1:
        return "".join(_one_written(one, language) for one in deeds)
    return _one_written(wish, language)


def _one_written(wish: str, language: str) -> str:
    """Return one deed, or a wish that speaks once of what is brought, in such words."""
    wish = _ASKED_NICELY.sub(r"\1 ", wish)
    wish = _LOOK.sub(lambda found: f", due {found['day']}", wish)
    wish = _SAYS.sub(lambda found: f": {found['de'] or found['en']}", wish)
    wish = _LATER.sub(lambda found: f"in {found['n']} {_UNITS[found['unit'][:3].casefold()]}", wish)
    for form, plain in _FORMS.get(language, ()):
        found = re.fullmatch(form, wish, re.IGNORECASE)
        if found is not None:
            parts = {name: part or "" for name, part in found.groupdict().items()}
            return plain.format(**parts | {"kind": parts.get("kind", "").capitalize()})
    found = _BESIDE.fullmatch(wish)
    if found is None or MARK in found["text"]:
        return wish
    return f"{found['before']}{found['text']} {found['it']}{found['middle']}{found['after']}"
