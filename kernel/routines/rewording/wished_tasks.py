"""A task that a rule wants, told as a clause ("mach mir eine Aufgabe, dass ich's in drei Tagen anschau"), or with words
that would be a place of its own ("put take the glass to the bottle bank on my to-do list").

The title of a clause is what is to be done, with the thing by its name where it has a pronoun; a day in it is when the
task is due. Without anything that a pronoun could mean, or in another order, the words stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from kernel.language import Found, Line, tokenize
from kernel.language.time.dates import find_dates
from kernel.language.time.hours import find_hours


@dataclass(frozen=True, slots=True)
class WishedTask:
    """A request for a task in plain words, and the title in it."""

    text: str
    title: str


_BEFORE = r"(?P<before>(?:.+?,? (?:and|und|then|dann) (?:then |dann |auch |also )?)?)"
_FORMS: Mapping[str, tuple[re.Pattern[str], ...]] = {
    "en": (
        re.compile(
            rf"{_BEFORE}(?:please )?(?:make|add|create|set up|give me|put down|write down)(?: me)? "
            r"an?(?:other)?(?: new)? "
            r"(?:task|to-?do)(?: (?:to|on) my (?:to-?do )?list)?,? "
            r"(?:(?:so )?that i(?: should| must| need to| have to| will)?|to|for me to) "
            r"(?P<clause>(?!my\b|the\b|a\b).+)",
            re.IGNORECASE,
        ),
    ),
    "de": (
        re.compile(
            rf"{_BEFORE}(?:bitte )?(?:mach|erstell|leg|setz|schreib|notier|füg)(?:e|st|t|s)?"
            r"(?: (?:mir|ma|bitte|noch|gleich|dazu))* (?:a|eine|ne|ane|'ne)(?: neue)? (?:aufgabe|to-?do)"
            r"(?: (?:an|auf|hinzu|ein))?,? (?:dass|daß|damit) (?:ich|i)(?P<clause>(?:'s)? .+)",
            re.IGNORECASE,
        ),
    ),
}  # fmt: skip
_PRONOUNS = {"en": frozenset("it them this that these those".split()), "de": frozenset("es 's ihn sie das".split())}
_MODALS = frozenset("soll sollte muss müsste sollt muß darf will kann".split())
_LEADING = frozenset("by until on before bis am zum spätestens".split())
_DET = r"(?:the|its|his|her|their|all|every|den|die|das|alle|seinen|seine|ihren|ihre|sein|ihr)"
_THING = re.compile(rf"\b{_DET} (?P<thing>[\w-]+)\b", re.IGNORECASE)
_COMING = {
    "en": re.compile(r"\b(?:an?|any|every|new) (?:new )?(?P<thing>[a-z-]+)\b", re.IGNORECASE),
    "de": re.compile(r"\b(?:eine?n?|a|ane|jede[rsn]?|neue[rsn]?) (?:neue[rsn]? )?(?P<thing>[A-ZÄÖÜ][\w-]+)"),
}
_ON_LIST = re.compile(
    r"(?:please )?(?P<verb>put|add|write|enter) (?P<text>[^“”\"]+?) (?:on|onto|to|in) (?:my|the) "
    r"(?:to-?do|task)s?[- ]?list(?: please)?",
    re.IGNORECASE,
)
_PARTED = re.compile(
    r"(?<![\w-])(?P<verb>put|add|write) (?P<text>(?!(?:the|a|an|my|it|that|them)\b)\w+ (?:up|down|off|out|on|over) "
    r"[^,.;“”]+?) "
    r"(?P<list>(?:on|onto|to) (?:my|the) (?:(?:to-?do|task)s?[- ]?list|list of tasks|tasks))",
    re.IGNORECASE,
)
_HAS_PLACE = re.compile(r"\b(?:to|into|in|from|at|with|for|about) \w+", re.IGNORECASE)
_HAS_DAY = re.compile(
    r"\b(?:today|tomorrow|tonight|due|by|next|on (?:the|\w+day)|\w+day|priority|every|daily|weekly)\b", re.IGNORECASE
)


def wished_task(said: str, line: Line, happens: str) -> WishedTask | None:
    """Return ``said`` as a plain request for its task; None where it wants none told so.

    ``happens`` are the words of the trigger: what a pronoun means where nothing is done before.
    """
    wish = said.strip().rstrip(".!")
    found = next((one for form in _FORMS.get(line.language, ()) if (one := form.fullmatch(wish))), None)
    if found is None:
        return None
    words = found["clause"].strip()
    clause = Line(words, tokenize(words, line.language), line.language, line.now)
    times = list(_times(clause))
    gone = {at for one in times for at in range(one.first, one.last)}
    gone |= {one.first - 1 for one in times if clause.norm(one.first - 1) in _LEADING}
    left = [at for at in range(clause.size) if at not in gone]
    title = _title(clause, left, _thing(found["before"], happens, line.language))
    if not title:
        return None
    due = " ".join(clause.slice(one.first, one.last) for one in times)
    if line.language == "de":
        return WishedTask(f"{found['before']}füge die Aufgabe „{title}“ hinzu{f', fällig {due}' if due else ''}", title)
    return WishedTask(f"{found['before']}add a task “{title}”{f' due {due}' if due else ''}", title)


def as_task(said: str, language: str) -> str:
    """Return a wish for a task with its text as a quotation, where the text has a place in it that is no list: "put
    take the glass to the bottle bank on my to-do list"; empty where nothing says so.
    """
    found = _ON_LIST.fullmatch(said.strip().rstrip(".!")) if language == "en" else None
    if found is None or not _HAS_PLACE.search(found["text"]) or _HAS_DAY.search(found["text"]):
        return ""
    text = found["text"].replace("„", "'")
    return f"{found['verb']} “{text}” on my to-do list"


def with_quoted_task(said: str, language: str) -> str:
    """Return ``said`` with the text of a task as a quotation where its verb has a part that may seem to be a place:
    "save it, and put pin up the plan on my to-do list".
    """
    if language != "en" or any(mark in said for mark in '“”"'):
        return said
    return _PARTED.sub(lambda found: f"{found['verb']} “{found['text']}” {found['list']}", said)


def _times(clause: Line) -> Iterator[Found]:
    """The first day of the clause, the longest words of it, and the first time of day."""
    for grammar in (find_dates, find_hours):
        found = sorted(grammar(clause), key=lambda one: (one.first, one.first - one.last))
        yield from found[:1]


def _title(clause: Line, left: list[int], thing: str) -> str:
    """What is to be done, as a title: "Anhang anschauen", "look at the attachment"; empty where it is not known."""
    pronoun = next((at for at in left if clause.norm(at) in _PRONOUNS[clause.language]), None)
    if clause.language == "en":
        words = [f"the {thing}" if at == pronoun else clause.raw(at) for at in left]
    else:
        while left and clause.norm(left[-1]) in _MODALS:
            left = left[:-1]
        words = [thing if at == pronoun else clause.raw(at) for at in left[:-1]]
        words += [_infinitive(clause.raw(at)) for at in left[-1:]]
    return " ".join(words) if len(words) > 1 and (pronoun is None or thing) else ""


def _infinitive(verb: str) -> str:
    """ "Anschau", "anschaue": what I do, as a verb is called."""
    if verb.endswith("en") or verb.endswith(("eln", "ern")):
        return verb
    if re.search("[bdfgkmpstz]le$", verb):  # "ich sammle"
        return f"{verb[:-2]}eln"
    return f"{verb.removesuffix('e')}en"


def _thing(before: str, happens: str, language: str) -> str:
    """What was named last: the object of what is done before, else what comes."""
    named = [one["thing"] for one in _THING.finditer(before) if language == "en" or one["thing"][:1].isupper()]
    if named:
        return named[0]
    coming = _COMING[language].search(happens)
    return coming["thing"] if coming is not None else ""
