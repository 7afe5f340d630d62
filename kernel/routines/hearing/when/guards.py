"""Words of time that are no rule: a name, an attribute ("the weekly report"), a habit that is told, groups to count by.

Only what words can tell: whether the ordinary reading takes the sentence whole is asked later, by others.
"""

from __future__ import annotations

from kernel.language import Line
from kernel.language.line import phrases
from kernel.routines.hearing.when.bound_words import HENCE
from kernel.routines.hearing.when.bounds import hence
from kernel.routines.hearing.when.days import ATTRIBUTES
from kernel.routines.hearing.when.gathering import Gathered
from kernel.routines.hearing.when.pieces import Clocks, Dated, Days, Only, Single, Step, Vague, Value, Window

_NAMED = frozenset("called named titled labelled labeled entitled saying namens genannt betitelt heißt".split())
_NAMING = phrases(
    "call it|name it|call them|name them|rename it to|call this|title it|call that",
    "nenn es|nenne es|nenn sie|nenn ihn|nenne sie|nenne ihn|nenn das|nenne das",
)
_SAYING = phrases(
    "saying|that says|which says|that reads|reading",
    "with the text|with text|with the words|with the content|with title",
    "with the title|containing|mit dem text|mit dem inhalt|mit dem titel|lautet|mit text",
)
_KEPT = phrases(
    "remember that|note that|know that|remember|merk dir dass|merke dir dass|merk dir|merke dir|i told you that"
)
_SHORT_HEAD = 3
_FOR_EACH = frozenset("to with mit into for per pro für of by von nach zu than as wie".split())
_ARTICLES = frozenset(
    "the a an my your our his her their this that these those der die das den dem des ein eine einen einem einer mein "
    "meine meinen meinem meiner dein deine unser unsere dieser diese dieses diesen new next last old".split()
)
_WHEN = frozenset("when whenever if wenn sobald falls sofern".split())
_ASKING = frozenset(
    "what which who whom whose when where why how was welche welcher welches welchen wer wen wem wessen wann wo warum "
    "wieso wie wieviel did does do is are were has have hat haben hatte hatten habe hab gibt gibts ist sind war "
    "waren".split()
)
_SUBJECTS = frozenset("i we he she they it ich wir er sie es man there".split())
_WISHES = frozenset(
    "want like need wish should would'd i'd love prefer may can could must please will möchte möcht brauche brauch "
    "hätte hätt soll sollst sollte muss kannst könntest wünsche mag bitte wäre super toll schön nett".split()
)
_PAST = frozenset("did was were had didn't hatte hatten hattest war waren".split())
_ENDS_SENTENCE = frozenset(". ! ? …".split())
_RELATIVE = frozenset("that which who whose where".split())
_RELATIVE_GERMAN = frozenset("die der das den dem deren dessen".split())
_SCHEDULED = frozenset(
    "meeting meetings reminder reminders alarm alarms appointment appointments event events timer timers series "
    "routine routines rule rules class call standup stand-up entry termin termine erinnerung erinnerungen wecker "
    "alarme besprechung besprechungen treffen serie serientermin regel regeln routinen kurs "
    "eintrag".split()
)
_CHANGES = frozenset(
    "move delete cancel remove postpone rename stop change reschedule shift skip switch end turn pause show find "
    "verschieb verschiebe verschieben lösch lösche löschen streich streiche streichen sag stopp stoppe beende beenden "
    "ändere ändern verlege verleg verlegen entferne entfernen entfern schalte schalt zeig zeige such suche "
    "finde".split()
)
_POLITE = frozenset("could would can will könntest kannst würdest magst möchtest willst könnten".split())
_TAGS = frozenset(
    "would will could can you please ok okay yes right alright ja gell gelle ne oder bitte gut recht du".split()
)
_LEADING = _POLITE | frozenset("you du me mir ma uns us bitte please mind mal doch ihr".split())
_MEASURES = frozenset("most more so how too very wie am so zu sehr noch least less as".split())
_FAR, _NEAR = 5, 2
_FEW_MONTHS = 2
"""Days of more months than that come again."""


def is_rule(line: Line, found: Gathered) -> bool:
    """Tell whether the pieces say when something is to be done."""
    if _is_condition(line) or _is_named(line, found) or _is_counted_by(line, found) or _is_text(line, found):
        return False
    match found.anchor.value:
        case Vague():
            return _is_wish(line, found)
        case Single():
            return found.has(Dated, Clocks)
        case value:
            value_of_others = _is_attribute(line, found) or _is_told(line, found) or _is_changed(line, found)
            return not value_of_others and _says_when(line, found, value)


def is_done_then(line: Line, found: Gathered) -> bool:
    """Tell whether one moment to come may be when a request is to be done: nobody asks or tells what is then."""
    first = found.stretches[0][0]
    if _is_condition(line) or _is_named(line, found) or _is_text(line, found) or _is_told(line, found):
        return False
    return not (_wants_an_answer(line) or line.norm(0) in _ASKING or _looks_back(line, first))


def _says_when(line: Line, found: Gathered, value: Value) -> bool:
    first = found.stretches[0][0]
    timed = found.has(Clocks, Window)
    if isinstance(value, Days) and value.weak:
        return timed and (found.has(Only) or (_is_head(line, first) and _comes_again(value)))
    return not _looks_back(line, first) if timed else _is_ordered(line, found)


def _comes_again(days: Days) -> bool:
    """Of the words that may mean one day as well: "the last working day of the month", "Monday to Friday"."""
    if days.freq == "WEEKLY":
        return len(days.weekdays) > 2
    several = len(days.months) > _FEW_MONTHS
    return days.freq in {"MONTHLY", "DAILY"} or several or days.place < 0 or any(day < 0 for day in days.month_days)


def _is_head(line: Line, first: int) -> bool:
    """Tell whether a sentence begins with it."""
    return all(
        line.is_mark(at) or line.norm(at) in {"and", "und", "please", "bitte", "also", "so", "then", "dann"}
        for at in range(_begin(line, first), first)
    )


def _begin(line: Line, at: int) -> int:
    """Where the sentence begins in which the token stands; no sentence ends behind the number of a day."""
    ends = (one for one in range(at, 0, -1) if line.norm(one - 1) in _ENDS_SENTENCE)
    return next((one for one in ends if one < 2 or not line.norm(one - 2).isdigit()), 0)


def _is_tail(line: Line, last: int) -> bool:
    return all(
        line.is_mark(at) or line.norm(at) in {"please", "bitte", "thanks", "danke", "ok"}
        for at in range(last, line.size)
    )


def _is_condition(line: Line) -> bool:
    """ "When I learn a birthday, put it in my calendar every year": what sets it off is no time."""
    at = int(line.norm(0) in {"immer", "always", "only", "and", "und", "jedes"})
    at += line.norm(at) == "mal"
    at += line.norm(at) == ","
    return line.norm(at) in _WHEN or line.words(at, 3) == "as soon as"


def _is_named(line: Line, found: Gathered) -> bool:
    first = found.anchor.first
    return any(
        line.norm(start - 1) in _NAMED or line.phrase(start - 2, _NAMING) == 2 or line.phrase(start - 3, _NAMING) == 3
        for start in {first, found.stretches[0][0], *(one.first for one in found.pieces)}
        if start > 0
    )


def _is_text(line: Line, found: Gathered) -> bool:
    """ "A note with the text mondays at 5": words that are announced as the person's own, up to the next comma."""
    for at in range(found.stretches[0][0] - 1, -1, -1):
        if line.norm(at) in {",", ".", ";"}:
            return False
        if line.norm(at) == ":" and at > _SHORT_HEAD:
            return line.norm(at - 1) not in HENCE
        if line.norm(at) != ":" and line.phrase(at, _SAYING):
            return True
    return False


def _is_counted_by(line: Line, found: Gathered) -> bool:
    """ "The sum for each month", "mails of every day"."""
    return line.norm(found.anchor.first - 1) in _FOR_EACH


def _is_attribute(line: Line, found: Gathered) -> bool:
    """ "The weekly report", "open my daily", "daily standup notes"."""
    anchor = found.anchor
    before, behind = line.norm(anchor.first - 1), line.norm(anchor.last)
    if before in _ARTICLES and anchor.last - anchor.first <= 2:
        return True
    word = line.norm(anchor.last - 1)
    if word in ATTRIBUTES and _ends_a_name(line, anchor.last - 1):
        return True
    if word not in ATTRIBUTES | {"hourly", "half-hourly"} or len(found.pieces) > 1:
        return False
    return (
        line.is_content(anchor.last)
        or behind in {"-", "/", "'s"}
        or bool(line.norm(anchor.last + 1) and before in _FOR_EACH)
    )


def _ends_a_name(line: Line, at: int) -> bool:
    """ "Mails from Design Weekly": a capital behind a capital, inside a sentence."""
    before, word = line.tokens[at - 1].text if at else "", line.tokens[at].text
    return at > 1 and before[:1].isupper() and before.isalpha() and word[:1].isupper() and not word.isupper()


def _is_told(line: Line, found: Gathered) -> bool:
    """ "I go running every Monday at 8": somebody does it already."""
    last = hence(line, found.anchor.first)
    begins = last + 1 if last else _begin(line, found.anchor.first)
    head = [line.norm(at) for at in range(begins, min(begins + _FAR + 1, line.size))]
    told = bool(head) and head[0] in _SUBJECTS and not _WISHES & set(head)
    return found.stretches[0][0] > 0 and (told or line.phrase(0, _KEPT) > 0)


def _is_changed(line: Line, found: Gathered) -> bool:
    """ "Cancel the meeting every Monday at 9": what comes again is there already."""
    first = found.anchor.first
    near = {line.norm(at) for at in range(max(0, first - 3), first)}
    head = {line.norm(at) for at in range(min(3, line.size))} | {line.lemma(at) for at in range(min(3, line.size))}
    return bool(near & _SCHEDULED) and bool(head & _CHANGES) and first > 0


def _looks_back(line: Line, first: int) -> bool:
    begins = next((at for at in range(first, 0, -1) if line.norm(at - 1) in _ENDS_SENTENCE), 0)
    return any(line.norm(at) in _PAST for at in range(begins, first)) or _is_relative(line, first)


def _is_relative(line: Line, first: int) -> bool:
    """ "Files that change every day", "Mails, die jeden Tag kommen"."""
    for at in range(first - 1, max(-1, first - 2 * _FAR), -1):
        if line.norm(at) in _RELATIVE_GERMAN and line.norm(at - 1) == "," and line.language == "de":
            return True
        if line.is_mark(at):
            return False
        if (
            line.norm(at) in _RELATIVE
            and line.language == "en"
            and at > 0
            and first - at > 1
            and line.is_content(at - 1)
        ):
            return True
    return False


def _is_ordered(line: Line, found: Gathered) -> bool:
    """Tell whether a sentence without a time of day asks for something to be done again and again."""
    first, last = found.stretches[0][0], found.stretches[-1][1]
    head = _is_head(line, first)
    asks = _wants_an_answer(line) or (line.norm(0) in _ASKING and not head)
    if asks or _looks_back(line, first):
        return False
    value = found.anchor.value
    near = first <= _FAR
    return head or near or _is_tail(line, last) or (isinstance(value, Step) and near)


def _wants_an_answer(line: Line) -> bool:
    """Tell whether a sentence asks, and is no request that is put as a question: "would you ...?", "..., ja?"."""
    last = line.size - 1
    if line.norm(last) != "?":
        return False
    comma = next((at for at in range(last, -1, -1) if line.norm(at) == ","), last)
    tagged = comma < last - 1 and all(line.norm(at) in _TAGS for at in range(comma + 1, last))
    polite = any(line.norm(at) in _POLITE and (not at or line.is_mark(at - 1)) for at in range(last))
    return not (tagged or polite)


def _is_wish(line: Line, found: Gathered) -> bool:
    """ "Sometimes throw out ...", "..., und dann halt öfter"; "the files that I sometimes use" is none."""
    first, last = found.anchor.first, found.anchor.last
    told = any(line.norm(at) in _SUBJECTS for at in range(first)) or line.norm(last) in _SUBJECTS - {"es", "it"}
    compared = line.norm(last) in {"als", "than"}  # "öfter als alle halbe Stunde brauch ich das nicht"
    if told or compared or _wants_an_answer(line) or line.norm(0) in _ASKING or _looks_back(line, first):
        return False
    if _is_head(line, first):
        return True
    apart = any(line.norm(at) in {",", "dann", "then", "-", "–"} for at in range(max(0, first - 3), first))
    counted = line.norm(first) in {"every", "alle", "each"}
    if line.norm(first - 1) in _MEASURES | _ARTICLES:
        return False
    lead = next((at for at in range(first) if line.norm(at) not in _LEADING), first)
    near = first <= max(lead, _FAR if counted else _NEAR if line.language == "de" else 0)
    return near or (_is_tail(line, last) and (apart or counted or first > 1))
