"""Words of time as they are typed in haste: "evry tusday", "jeden tga", "taeglich". Only the reading changes.

A word that no dictionary has is read as the one word of time that is a slip away from it.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from rapidfuzz.distance import OSA

from kernel.language import Line
from kernel.language.lemmas import is_known
from kernel.language.time.calendar_words import (
    MONTHS,
    SHORT_GERMAN_WEEKDAYS,
    SHORT_WEEKDAYS,
    TIME_UNITS,
    WEEKDAYS,
)

_CASUAL = {
    "ned": "nicht", "net": "nicht", "nich": "nicht", "stund": "stunde", "wochenend": "wochenende", "tgl": "täglich",
    "wkdays": "weekdays", "wkday": "weekday", "tomorow": "tomorrow", "til": "until", "untill": "until", "evry": "every",
    "jedn": "jeden", "jed": "jede", "ausser": "außer", "monatl": "monatlich", "abds": "abends", "tga": "tag",
    "dya": "day", "jänner": "januar", "ev": "every", "fri": "friday", "mon": "monday", "tue": "tuesday",
    "tues": "tuesday", "wed": "wednesday", "thu": "thursday", "thur": "thursday", "thurs": "thursday",
    "sat": "saturday", "sun": "sunday", "mondog": "montag", "deansdog": "dienstag", "irda": "dienstag",
    "donnasdog": "donnerstag", "pfinzda": "donnerstag", "freidog": "freitag",
    "samsdog": "samstag", "sonndog": "sonntag", "sunndog": "sonntag", "sunntag": "sonntag", "jedm": "jedem",
    "hoiba": "halb", "hoib": "halb", "fria": "früh", "frua": "früh",
}  # fmt: skip
_SPOKEN_HOURS = {
    "oans": "eins", "oane": "eins", "zwoa": "zwei", "zwoi": "zwei", "zwoie": "zwei",
    "zweie": "zwei", "dreie": "drei", "viere": "vier", "fünfe": "fünf", "fümfe": "fünf", "fünfi": "fünf",
    "sechse": "sechs", "sechsi": "sechs", "siebene": "sieben", "siem": "sieben", "siebme": "sieben", "simme": "sieben",
    "achte": "acht", "achti": "acht", "neune": "neun", "neuni": "neun", "zehne": "zehn", "zehni": "zehn",
    "elfe": "elf", "zwölfe": "zwölf", "zwölfi": "zwölf",
}  # fmt: skip
_BEFORE_HOURS = frozenset("um halb hoib hoiba viertel dreiviertel gegen nach vor punkt ab".split())
"""The hours as they are said in the south: "um achte", "halb siebene"; "die achte" is an ordinal."""
_CAPITALS = {
    "Mo": "montag", "Di": "dienstag", "Mi": "mittwoch", "Do": "donnerstag", "Fr": "freitag", "Sa": "samstag",
    "So": "sonntag",
}  # fmt: skip
_SHORT_ENGLISH = frozenset("sat sun wed ev net".split())
"""Words of their own, which stand for a day only before a time or beside another."""

_ENGLISH_NAMES, _GERMAN_NAMES = [*WEEKDAYS][:7], [*WEEKDAYS][7:14]
_SHORT_DAYS = {word: _ENGLISH_NAMES[day] for word, day in SHORT_WEEKDAYS.items()}
_SHORT_GERMAN = {word: _GERMAN_NAMES[day] for word, day in SHORT_GERMAN_WEEKDAYS.items()}
_JOINTS = frozenset(", + & / u und and bis to - – thru".split())
_TERSE = frozenset("+ & / bis to - – thru".split())
_LEADS = frozenset("um at @ ab".split())
_CLOCK_WORDS = frozenset("uhr h pm : .".split())
_PAIR = 2
_NAMES = {one.removesuffix("s") for one in WEEKDAYS}
_VOCABULARY = frozenset(
    "every each jeden jede jeder jedes jedem morning mornings evening evenings afternoon night nights weekday weekdays "
    "weekend weekends workday werktag werktags wochentags wochenende täglich wöchentlich monatlich stündlich jährlich "
    "daily weekly monthly hourly starting beginning until between zwischen insgesamt manchmal sometimes morgens abends "
    "nachts mittags nachmittags vormittags abend morgen außer except erstmals früh frühe übermorgen "
    "noon midnight mitternacht letzten ersten "
    "zweiten other second".split()
).union(
    _NAMES,
    {f"{one}s" for one in _NAMES},
    (one for one in MONTHS if len(one) > 4),
    (one for one in TIME_UNITS if len(one) > 3),
)
_TWO_LETTERS = (("ae", "ä"), ("oe", "ö"), ("ue", "ü"), ("ss", "ß"))
_SHORTEST = 4
_LONGEST = 14


def mended(line: Line) -> Line:
    """Return ``line`` with careless words of time read as what they mean, token for token."""
    terse = _terse_days(line)
    read = [terse.get(index) or _read(line, index) for index in range(line.size)]
    if all(word == token.norm for word, token in zip(read, line.tokens, strict=True)):
        return line
    tokens = (
        token if word == token.norm else replace(token, norm=word, lemma=word)
        for word, token in zip(read, line.tokens, strict=True)
    )
    return Line(line.text, tuple(tokens), line.language, line.now)


def _terse_days(line: Line) -> dict[int, str]:
    """Short names of several days with which a sentence begins, before a time: "mo bis do 11:15", "fr+sa 20:00".

    "Tue and thu at 18:00" may as well be the next two.
    """
    short = _SHORT_GERMAN if line.language == "de" else _SHORT_DAYS
    found, at = dict[int, str](), 0
    timed, led = False, False
    while line.norm(at) in short or (found and (line.norm(at) in _JOINTS or _is_clock(line.norm(at)))):
        if line.norm(at) in short:
            found[at] = f"{short[line.norm(at)]}s"
        led, timed = led or line.norm(at) in _LEADS, timed or line.norm(at)[:1].isdigit()
        at += 1
    noted = len(found) > _PAIR or not led or not {*line.words(0, at).split()}.isdisjoint(_TERSE)
    return found if len(found) > 1 and noted and timed else {}


def _is_clock(word: str) -> bool:
    return word[:1].isdigit() or word in _LEADS or word in _CLOCK_WORDS


def _read(line: Line, index: int) -> str:
    word = line.norm(index)
    if word in _SPOKEN_HOURS and line.norm(index - 1) in _BEFORE_HOURS:
        return _SPOKEN_HOURS[word]
    if line.language == "de" and line.raw(index) in _CAPITALS:
        return _CAPITALS[line.raw(index)] if _is_beside_time(line, index) else word
    if word in _CASUAL:
        lone = word in _SHORT_ENGLISH and not _is_beside_time(line, index)
        return word if lone or (line.language == "de" and _CASUAL[word].endswith("day")) else _CASUAL[word]
    if not word.isalpha() or not _SHORTEST <= len(word) <= _LONGEST or word in _VOCABULARY:
        return word
    inner_name = line.language != "de" and index > 0 and line.raw(index)[:1].isupper()
    return word if inner_name else _nearest(word)


def _is_beside_time(line: Line, index: int) -> bool:
    """Tell whether a day, a time or "every" stands beside a short word."""
    around = (line.norm(index - 2), line.norm(index - 1), line.norm(index + 1), line.norm(index + 2))
    return any(
        word in _VOCABULARY or word in _CASUAL or word[:1].isdigit() or word in {"um", "at", "on", "am", "@"}
        for word in around
    ) or any(line.raw(at) in _CAPITALS for at in (index - 2, index + 2))


@lru_cache(maxsize=4096)
def _nearest(word: str) -> str:
    """The one word of time that is a slip away from a word that nobody knows; else the word itself."""
    for written, meant in _TWO_LETTERS:
        if written in word and word.replace(written, meant) in _VOCABULARY:
            return word.replace(written, meant)
    if is_known(word):
        return word
    near = [
        one for one in _VOCABULARY if len(one) > _SHORTEST and abs(len(one) - len(word)) < 2 and one[:1] == word[:1]
    ]
    found = [one for one in near if OSA.distance(one, word, score_cutoff=1) <= 1]
    return found[0] if len(found) == 1 else word
