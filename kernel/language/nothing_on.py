"""Whether something is on, as a condition: "if I've got nothing on Sunday", "wenn am Samstag nichts ansteht".

What is said becomes the question that finds out ("what do I have on Sunday?"), to be understood like any other. Read
are the words of grammar alone: who is free has nothing at that time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Asked:
    """The question that finds out; the condition holds where something is found (``some``), or where nothing is.

    ``when`` are the words that say the time of it, empty where they stand among others.
    """

    ask: str
    some: bool
    when: str = ""


_PLANNED = r"(?:\s+(?:planned|scheduled|going on|booked|up))?"
_I_HAVE = r"(?:i|we)(?:['’]?ve|\s+have)?(?:\s+got|\s+have)?"
_I_LACK = r"(?:i|we)\s+(?:do(?:n['’]?t|\s+not)\s+have|have(?:n['’]?t|\s+not)\s+got)"
_I_AM = r"(?:i['’]?m|i\s+am|we['’]?re|we\s+are)"
_WHO = r"(?P<who>ich|wir)"
_STILL = r"(?:(?:noch|schon|sonst|bereits)\s+)?"
_SOME_DE = r"(?:was|etwas|irgendwas|irgendetwas)"
_SPLIT = {"ansteht": ("steht", "an"), "anliegt": ("liegt", "an"), "anfällt": ("fällt", "an")}


def _mine(found: re.Match[str]) -> str:
    """What I have then, in English: "on" belongs to "nothing on" as well as to "on Sunday"."""
    return f"what do I have on {_bare(found['when'])}"


def _there(found: re.Match[str]) -> str:
    return f"what is {found['rest']}"


def _of_it(found: re.Match[str]) -> str:
    return f"what is in my {found['thing']} {found['when']}"


def _meine(found: re.Match[str]) -> str:
    """What I have then, in German."""
    return f"was {'haben wir' if found['who'].lower() == 'wir' else 'habe ich'} {found['when']} vor"


def _frei(found: re.Match[str]) -> str:
    return f"was habe ich {_on_day(found['when'])} vor"


def _steht(found: re.Match[str]) -> str:
    """ "Am Montag nichts im Kalender steht": the verb comes second in a question, and what parts from it last."""
    verb, particle = _SPLIT.get(found["verb"].lower(), (found["verb"].split()[-1], ""))
    before = found["verb"][: -len(verb)].strip() if " " in found["verb"] else particle
    return " ".join(word for word in ("was", verb, found["when"], (found["rest"] or "").strip(), before) if word)


_Ask = Callable[[re.Match[str]], str]
_STATED: Mapping[str, tuple[tuple[str, bool, _Ask], ...]] = {
    "en": (
        (rf"{_I_HAVE}\s+nothing(?:\s+else)?{_PLANNED}(?:\s+(?:on|for))?\s+(?P<when>.+)", False, _mine),
        (rf"{_I_LACK}\s+anything(?:\s+else)?{_PLANNED}(?:\s+(?:on|for))?\s+(?P<when>.+)", False, _mine),
        (rf"{_I_HAVE}\s+(?:something|anything){_PLANNED}(?:\s+(?:on|for))?\s+(?P<when>.+)", True, _mine),
        (rf"{_I_AM}\s+(?:still\s+)?(?:not\s+busy|free|available)\s+(?P<when>.+)", False, _mine),
        (rf"{_I_AM}\s+(?:already\s+)?(?:not\s+free|busy)\s+(?P<when>.+)", True, _mine),
        (rf"there(?:['’]?s|\s+is)\s+nothing{_PLANNED}\s+(?P<rest>.+)", False, _there),
        (rf"there\s+is(?:n['’]?t|\s+not)\s+anything{_PLANNED}\s+(?P<rest>.+)", False, _there),
        (rf"there(?:['’]?s|\s+is)\s+(?:something|anything){_PLANNED}\s+(?P<rest>.+)", True, _there),
        (r"(?:my|our|the)\s+(?P<thing>\w+)\s+is\s+(?:still\s+)?(?:empty|free|clear)\s+(?P<when>.+)", False, _of_it),
    ),
    "de": (
        (rf"{_WHO}\s+(?P<when>.+?)\s+{_STILL}nichts\s+(?:anderes\s+)?(?:vor)?hab(?:e|en)?", False, _meine),
        (rf"{_WHO}\s+{_STILL}nichts\s+(?P<when>.+?)\s+vorhab(?:e|en)?", False, _meine),
        (rf"{_WHO}\s+(?P<when>.+?)\s+{_STILL}{_SOME_DE}\s+vorhab(?:e|en)?", True, _meine),
        (rf"{_WHO}\s+(?P<when>.+?)\s+{_STILL}(?:frei|zeit)\s+(?:bin|sind|hab(?:e|en)?)", False, _meine),
        (rf"(?P<when>.+?)\s+{_STILL}nichts(?P<rest>\s+(?:im|in|auf)\s+.+?)?\s+(?P<verb>steht|ansteht|anliegt|"
         r"los ist|eingetragen ist|geplant ist)", False, _steht),
        (rf"(?P<when>.+?)\s+{_STILL}{_SOME_DE}(?P<rest>\s+(?:im|in|auf)\s+.+?)?\s+(?P<verb>steht|ansteht|anliegt|"
         r"los ist|eingetragen ist|geplant ist)", True, _steht),
        (rf"(?P<when>.+?)\s+{_STILL}frei\s+ist", False, _frei),
    ),
}  # fmt: skip
_QUESTIONS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "en": (
        (r"am i\s+(.+)", r"I am \1"),
        (r"are we\s+(.+)", r"we are \1"),
        (r"(?:do|have) (i|we)\s+(?:have\s+|got\s+)?((?:any|some)thing|nothing)\s+(.+)", r"\1 have \2 \3"),
        (r"is there\s+(.+)", r"there is \1"),
        (r"are there\s+(.+)", r"there are \1"),
        (r"is my (\w+)\s+(.+)", r"my \1 is \2"),
    ),
    "de": (
        (r"(?:bin|sind) (ich|wir)\s+(.+?)\s+((?:noch\s+)?frei)", r"\1 \2 \3 bin"),
        (r"(?:hab|habe|haben) (ich|wir)\s+(.+?)\s+((?:(?:noch|schon)\s+)?(?:zeit|frei))", r"\1 \2 \3 habe"),
        (r"(?:hab|habe|haben) (ich|wir)\s+(.+?)\s+vor", r"\1 \2 vorhabe"),
        (r"(?:steht|liegt)\s+(.+?)\s+(an)", r"\1 ansteht"),
        (r"steht\s+(.+?)\s+(im .+)", r"\1 \2 steht"),
        (r"ist\s+(.+?)\s+((?:noch\s+)?frei|(?:was|etwas|nichts)\s+(?:los|geplant|eingetragen))", r"\1 \2 ist"),
        (r"gibt es\s+(.+)", r"es \1 gibt"),
    ),
}


def asked_of(text: str, language: str) -> Asked | None:
    """Return what finds out whether ``text`` holds, a clause behind "if"; None where it is of another kind."""
    for pattern, some, ask in _STATED[language]:
        found = re.fullmatch(pattern, text.strip(), re.IGNORECASE)
        if found is not None:
            return Asked(ask(found), some, found.groupdict().get("when") or found.groupdict().get("rest") or "")
    return None


def stated(question: str, language: str) -> str:
    """Return a question for yes or no as the statement it asks about: "am I free today", "I am free today"."""
    for pattern, statement in _QUESTIONS[language]:
        found = re.fullmatch(pattern, question.strip(), re.IGNORECASE)
        if found is not None:
            return found.expand(statement)
    return ""


def _bare(when: str) -> str:
    return re.sub(r"^(?:on|for)\s+", "", when, flags=re.IGNORECASE)


def _on_day(when: str) -> str:
    """ "Der Samstag frei ist" is of that day: "am Samstag"."""
    return re.sub(r"^(?:der|den)\s+", "am ", when, flags=re.IGNORECASE)
