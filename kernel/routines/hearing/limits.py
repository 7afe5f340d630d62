"""What keeps a routine still: "no more than once an hour", "only while the charger isn't plugged in", "nicht nachts".

A limit is said beside the trigger ("... and it's gone eight in the evening") or at an end of the sentence.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from kernel.language.time.calendar_words import WEEKDAYS
from kernel.routines.model import Limit

Limits = tuple[tuple[Limit, float], ...]
_HOUR, _DAY = 3600, 86400
_EVERY_S = {
    "minute": 60, "hour": _HOUR, "stunde": _HOUR, "stund": _HOUR, "week": 7 * _DAY, "woche": 7 * _DAY, "hourly": _HOUR,
    "stündlich": _HOUR, "minütlich": 60, "month": 30 * _DAY, "monat": 30 * _DAY,
    **dict.fromkeys(("half hour", "half an hour", "halbe stunde", "halben stunde", "halbe stund"), _HOUR // 2),
    **dict.fromkeys(("quarter of an hour", "quarter hour", "viertelstunde"), _HOUR // 4),
}  # fmt: skip
_DAYS = "day|evening|morning|night|afternoon|tag|abend|morgen|nacht|nachmittag|vormittag|täglich|daily"
_SPAN = rf"(?P<span>{'|'.join(_EVERY_S)}|{_DAYS})"
_PER_EN = r"(?:an?|per|each|every|in an?|the|in the)"
_PER_DE = r"(?:pro|je|in der|die|am|im|alle|per|jede[nrs]?|in da|de|an einem|in einer|a|der|den)"
_ONCE = r"(?:once|one time|#num:1 ?x|1x|ein ?mal|amol|amal|a moi|oamoi|#num:1 times?|#num:1 ?mal)"
_TIMES = r"(?:(?P<count>twice|zweimal|dreimal|viermal|fünfmal|thrice)|#num:(?P<n>\d+) ?(?:times|mal|x))"
_MOST = (
    r"(?:(?:but |and |aber |und |though )?(?:no|not|never|nie|ned|net|nicht|please not|bitte nicht|don't do it|only|"
    r"just|nur|at (?:the )?most|at max|max|maximal|"
    r"höchstens|hechstens|maximum|allerhöchstens|allenfalls)(?: please| bitte)?(?: (?:more|mehr|öfter|häufiger|"
    r"oftener|oft|more often|als|than|as))*)"
)
_ENOUGH = (
    r"(?:is|are|'s|will be|would be|ist|wär|das)? ?(?:plenty|enough|fine|sufficient|all i need|will do|"
    r"does it|reicht|langt|genügt|genug|reichts|okay|ok)(?: me| mir| ma| völlig| for me| schon| dicke| dafür)?"
)
_OFTENER = r"(?:more often|more frequently|oftener|öfter|öfters|häufiger|mehr) (?:than|als|wie)"
_ONCE_A = rf"(?:{_ONCE} )?(?:{_PER_EN}|{_PER_DE}|once every|once in)"
_IT = r"(?:it|that|this|them|das|es|des|davon|die)"
_NO_NEED = (
    rf"(?:(?:but |and |aber |und )?(?:i don't need|i do not need|there 's no need for|there is no need for|no need for|"
    rf"i don't want|you need not do|don't do|don't tell me|don't show me|{_IT} need not be|{_IT} doesn't have to be|"
    rf"(?:ich |i )?(?:brauche?|will|möchte)(?: ich| i)?|{_IT} (?:muss|braucht)(?: {_IT})?|tu|mach|sag|zeig)"
    rf"(?: {_IT}| mir| me| ma)*(?: nicht| ned| net| nich| done)? )"
)
_BE_SO = "(?:sein|haben|hören|wissen|passieren|geschehen)"
_UNNEEDED = (
    rf"(?:(?:brauche?|will|möchte|muss|braucht|is|ist|i don't|i do not|isn't|would be|wär|wäre)(?: ich| i| {_IT}| mir|"
    rf" ma)*(?: need| want)?(?: {_IT})?(?: nicht| ned| net| nich| not)?(?: sein| nötig| notwendig| haben| hören|"
    rf" wissen| needed| necessary| too much| zu viel)?)"
)
_COUNTS = {"twice": 2, "zweimal": 2, "dreimal": 3, "thrice": 3, "viermal": 4, "fünfmal": 5}
_CHARGER = (
    r"(?:(?:the |my |das |der |mein )?(?:charger|ladegerät|laptop|netzteil|ladekabel|computer|power cable|"
    r"power cord|cable|it|er|es|kabel|rechner|notebook|stecker|i am|i|battery|akku|strom|he))"
)
_PLUGGED = (
    r"(?:plugged in|connected|charging|angesteckt|eingesteckt|angeschlossen|am strom|am netz|an der steckdose|"
    r"am ladegerät|dran|on mains|on power|on the charger|on ac|"
    r"on ac power|plugged|steckt|angesteckt|geladen|lädt|am kabel|drin|on the mains)"
)
_BE = r"(?:is|'s|'re|am|are|be|ist|hängt|is'|steckt|wird|hängt er)"
_NOT = r"(?:not|n't|nicht|ned|net|nich|no|kein|keine)"
_WHILE = (
    r"(?:(?:but |aber |and |und )?(?:only while|only when|only if|only as long as|nur solange|nur so lange|"
    r"nur wenn|nur falls|nur dann , wenn|nur dann wenn|"
    r"provided|as long as|so long as|solange|so lange|while|if|when|and only if|and|sofern|just|just when|"
    r"just while|wenn|nur|und)|"
    r"(?:but |aber |and |und )?(?P<not>unless|not while|not when|not if|nicht solange|nicht wenn|nicht , wenn|"
    r"ned wenn|net wenn|außer|außer wenn|außer , wenn|ausser wenn|ausgenommen|except when|except while|"
    r"except if|es sei denn|es sei denn ,))"
)
_KEPT = rf"(?:{_WHILE} )?"
_HOLDS_CHARGE = r"(?:it|er|es|(?:(?:der|the|my|mein) )?(?:akku|battery|akkustand|laptop|charge)|they|die batterie|der)"
_BOUND = (
    r"(?:at )?(?P<low>below|under|above|over|more than|less than|fewer than|unter|über|mehr als|weniger als|"
    r"nur noch|only|just)(?: at)? #(?:pct|num|clk):(?P<p>[\d.]+)"
)
_LATE = 24 * _HOUR
_PARTS = {
    "night": (22, 6), "nachts": (22, 6), "nacht": (22, 6), "evening": (17, 24), "evenings": (17, 24), "abend": (17, 24),
    "abends": (17, 24), "morning": (6, 12), "mornings": (6, 12), "morgens": (6, 12), "vormittag": (6, 12),
    "vormittags": (6, 12),
    "afternoon": (12, 18), "afternoons": (12, 18), "nachmittag": (12, 18), "nachmittags": (12, 18), "day": (6, 22),
    "tagsüber": (6, 22), "daytime": (6, 22), "tag": (6, 22), "früh": (6, 12), "nights": (22, 6), "am morgen": (6, 12),
}  # fmt: skip
_PART = (
    rf"(?:at |in the |during the |in da |in der |am |by |bei |on |in |während der |overnight |through the |"
    rf"zur )?(?P<part>{'|'.join(sorted(_PARTS, key=len, reverse=True))})"
)
_DAY_NAMES = {name: 1 << day for name, day in WEEKDAYS.items()} | {
    f"{name}s": 1 << day for name, day in WEEKDAYS.items() if not name.endswith("s")
}
_WEEK, _WEEKEND, _ALL_DAYS = 0b0011111, 0b1100000, 0b1111111
_DAY_NAMES |= dict.fromkeys(
    "weekday weekdays workday workdays werktag werktags werktagen werktage arbeitstag "
    "arbeitstagen wochentags woche week".split(),
    _WEEK,
)
_DAY_NAMES |= dict.fromkeys("weekend weekends wochenende wochenenden wochenend".split(), _WEEKEND)
_NAMED = rf"(?:{'|'.join(sorted(_DAY_NAMES, key=len, reverse=True))})"
_ON = (
    r"(?:on |at |at the |on the |am |an |unter der |during the |unter da |over the |übers |an den |in der |"
    r"working |a |on a |in da )?"
)
_ON_DAYS = (
    rf"{_ON}(?P<days>(?:working days|{_NAMED})(?:(?: ,| and| or| und| oder)+ {_ON}{_NAMED})*(?: (?:to|"
    rf"through|bis|-) {_NAMED})?)"
)
_IT_IS = (
    r"(?:(?:and |und )?(?:it is|it's|it 's|it has|its|es|it|the time is|es ist|wir haben|as long as it 's|"
    r"nur wenn es|only if it 's|only when it 's|only if it is|nur)? ?)"
)

_EARLIEST = (
    r"(?:(?:erst|frühestens|aber erst)(?: um| ab| nach| gegen)?|at the earliest(?: at)?|(?:no|not) earlier than|"
    r"only (?:after|from)|not (?:before|until))"
)
_LATEST = r"(?:spätestens(?: um| bis)?|at the latest(?: at)?|(?:no|not) later than|not after)"

Read = Callable[[re.Match[str]], Limits]


def _apart(found: re.Match[str]) -> Limits:
    said = found["span"]
    if said in _MONTH:
        return ((Limit.A_MONTH, 1.0),)
    return ((Limit.APART, float(_EVERY_S[said])),) if said in _EVERY_S else ((Limit.A_DAY, 1.0),)


_MONTH = frozenset("month monat".split())
_OF_SPAN = {
    **dict.fromkeys(("hour", "stunde", "stund"), Limit.AN_HOUR),
    **dict.fromkeys(("week", "woche"), Limit.A_WEEK),
    **dict.fromkeys(_MONTH, Limit.A_MONTH),
}


def _so_often(found: re.Match[str]) -> Limits:
    count = _COUNTS.get(found["count"] or "", 0) or int(found["n"] or 0)
    span = found["span"]
    if span in _EVERY_S and span not in _OF_SPAN:  # "three times in half an hour"
        return ((Limit.APART, _EVERY_S[span] / max(count, 1)),)
    return ((_OF_SPAN.get(span, Limit.A_DAY), float(count)),)


def _length(found: re.Match[str]) -> Limits:
    return ((Limit.APART, float(found["s"])),)


def _charging(found: re.Match[str]) -> Limits:
    holds = bool(found["neg"]) == bool(found["not"])
    return ((Limit.CHARGING, 0.0 if holds else 1.0),)


def _on_battery(found: re.Match[str]) -> Limits:
    return ((Limit.CHARGING, 0.0 if found["not"] else 1.0),)


def _battery(found: re.Match[str]) -> Limits:
    low = found["low"] in _FEWER
    negative = bool(found["neg"]) != bool(found["not"])
    return ((Limit.BATTERY if low == negative else Limit.NOT_LOW, float(found["p"])),)


_FEWER = frozenset("below|under|unter|less than|weniger als|fewer than|nur noch|only|just".split("|"))


def _part(found: re.Match[str]) -> Limits:
    first, last = (hour * _HOUR for hour in _PARTS[found["part"]])
    if found["neg"]:
        first, last = last % _LATE, first or _LATE
    return ((Limit.FROM, float(first)), (Limit.UNTIL, float(last)))


def _clock(found: re.Match[str]) -> Limits:
    said = found.groupdict()
    if said.get("b"):
        return ((Limit.FROM, float(found["a"])), (Limit.UNTIL, float(found["b"])))
    later = (found["way"] in _LATER_WORDS) != bool(found["neg"])
    return ((Limit.FROM if later else Limit.UNTIL, float(found["a"])),)


_LATER_WORDS = frozenset("after gone past from nach ab later since".split())


def _second(found: re.Match[str]) -> float:
    """The time of day that is said, also as a bare hour: "no earlier than eight"."""
    return float(found["a"] or int(found["h"]) % 24 * _HOUR)


def _at_the_earliest(found: re.Match[str]) -> Limits:
    return ((Limit.FROM, _second(found)),)


def _at_the_latest(found: re.Match[str]) -> Limits:
    """Its last minute is still within."""
    return ((Limit.UNTIL, _second(found) + 60),)


def _days(found: re.Match[str]) -> Limits:
    words = found["days"].replace(",", " ").split()
    if found["days"].startswith("working days"):
        named = [_WEEK]
    else:
        named = [_DAY_NAMES[word] for word in words if word in _DAY_NAMES]
    mask = 0
    for one in named:
        mask |= one
    if {"to", "through", "bis", "-"} & set(words) and len(named) == 2:
        first, last = (one.bit_length() - 1 for one in named)
        mask = sum(1 << day % 7 for day in range(first, last + 1 + (7 if last < first else 0)))
    return ((Limit.DAYS, float(_ALL_DAYS & ~mask if found["neg"] else mask)),)


def _own(found: re.Match[str]) -> Limits:
    return ((Limit.OWN, 1.0),)


_NEG = (
    r"(?P<neg>(?:but |and |aber |und |bitte )?(?:not|never|don't|nicht|ned|net|nie|except|außer|ausser|"
    r"apart from|ausgenommen|bloß nicht|only not)(?: bitte| please| for| on)? )"
)
_ONLY = r"(?:(?:but |and |aber |und zwar |und )?(?:only|just|nur|solely|ausschließlich|bloß)(?: bitte| please)? )"
_SPARED = (
    r"(?:you can (?:skip|leave(?: (?:it|that))?|spare (?:me|yourself)(?: (?:it|that))?)|you need ?n'?t(?: bother)?|"
    r"(?:kannst du|brauchst du)(?: (?:dir|mir|das|es)){0,3} (?:nicht|sparen|schenken|lassen|weglassen|auslassen)|"
    r"(?:it|that) (?:is not|is ?n'?t) needed|brauche? ich (?:das|es) nicht)"
)
_TABLE: tuple[tuple[str, Read], ...] = (
    (rf"{_MOST} {_ONCE} {_PER_EN} {_SPAN}", _apart),
    (rf"{_MOST} {_ONCE} {_PER_DE} {_SPAN}", _apart),
    (rf"{_MOST} {_ONCE}(?: alle| every| in| pro| per)? #dur:(?P<s>[\d.]+)", _length),
    (rf"{_MOST} (?:every|alle|jede) #dur:(?P<s>[\d.]+)", _length),
    (rf"(?:but |aber |und )?(?:an )?(?:jede[nrsm]?|pro|am|every|each|in a) {_SPAN} (?:höchstens|maximal|nur|at most|"
    rf"only) {_ONCE}", _apart),
    (rf"{_MOST} {_TIMES} (?:{_PER_EN}|{_PER_DE}) {_SPAN}", _so_often),
    (rf"{_MOST} (?P<span>hourly|daily|stündlich|täglich|minütlich)", _apart),
    (rf"{_MOST} (?:jede|alle|every|each) {_SPAN}(?: {_ONCE})?", _apart),
    (rf"{_NO_NEED}{_OFTENER} {_ONCE_A} {_SPAN}(?: {_UNNEEDED}| {_BE_SO})?", _apart),
    (rf"{_NO_NEED}{_OFTENER} {_ONCE_A} #dur:(?P<s>[\d.]+)(?: {_UNNEEDED}| {_BE_SO})?", _length),
    (rf"{_OFTENER} {_ONCE_A} {_SPAN} {_UNNEEDED}", _apart),
    (rf"{_OFTENER} {_ONCE_A} #dur:(?P<s>[\d.]+) {_UNNEEDED}", _length),
    (rf"(?:but |aber |und |and |a )?(?:just )?{_ONCE} (?:{_PER_EN}|{_PER_DE}) {_SPAN} ?{_ENOUGH}", _apart),
    (rf"(?:but |aber )?{_TIMES} (?:{_PER_EN}|{_PER_DE}) {_SPAN} ?{_ENOUGH}", _so_often),
    (rf"(?:but |aber )?(?:es |das |mir |it )?(?:reicht|langt|genügt|is enough|will do) (?:mir |ma |"
    rf"völlig )?{_ONCE} (?:{_PER_EN}|{_PER_DE}) {_SPAN}", _apart),
    (rf"(?:but |aber |und |and )?(?:{_ONCE}) (?:{_PER_EN}|{_PER_DE}) {_SPAN} (?:at (?:the )?most|höchstens|maximal|"
    rf"max|tops|maximum)", _apart),
    (r"(?:but |and |aber |und )?(?:with |mit )?(?:at least|mindestens|wenigstens) #dur:(?P<s>[\d.]+) (?:apart|"
    r"between|in between|abstand|dazwischen|pause|auseinander|between them)(?: dazwischen)?", _length),
    (rf"{_KEPT}{_CHARGER} {_BE} ?(?P<neg>{_NOT} )?{_PLUGGED}", _charging),
    (rf"{_KEPT}{_CHARGER} (?P<neg>{_NOT} )?{_PLUGGED}(?: {_BE})?", _charging),
    (rf"{_KEPT}(?P<neg>(?:no|keine?|kein) ){_CHARGER} {_PLUGGED}(?: {_BE})?", _charging),
    (rf"{_KEPT}{_PLUGGED} {_BE}?(?P<neg> {_NOT})?", _charging),
    (rf"{_WHILE} (?P<neg>{_NOT} )?{_PLUGGED}", _charging),
    (rf"{_WHILE} (?:(?:i am|i'm|it is|it 's|it's|the laptop is|the laptop 's|der laptop|er|ich) )?(?:on|running on|"
    rf"auf|im|läuft auf) (?:battery|akku|akkubetrieb|batterie|battery power)(?: läuft| bin| ist)?", _on_battery),
    (rf"{_KEPT}{_HOLDS_CHARGE} ?(?:is |'s |ist |at |has |hat |liegt |only at )?(?P<neg>{_NOT} )?(?:noch )?{_BOUND}"
     r"(?: left)?(?: ist| liegt| hat| is| fällt| steht| drin ist| übrig hat)?", _battery),
    (rf"{_KEPT}(?:there is |there 's |there's |there are |es sind |sind )?(?P<neg>){_BOUND}(?: left|remaining)?"
     r" (?:in the battery|im akku|in der batterie|akku|batterie)(?: left| sind| ist| übrig sind)?", _battery),
    (rf"{_KEPT}(?:there is |there 's |there's |there are )(?P<neg>){_BOUND} (?:of )?(?:battery|charge|power) left",
     _battery),
    (rf"{_KEPT}(?:ist |hat |liegt |steht )?{_HOLDS_CHARGE} (?P<neg>{_NOT} )?(?:noch )?{_BOUND}", _battery),
    (r"(?:and |und )?(?:i am|i'm|it is|it 's|it's|the laptop is|der laptop|er|es) (?P<not>)(?:on|running on|auf|im|"
    r"läuft auf) "
     r"(?:battery|akku|akkubetrieb|batterie|battery power)(?: läuft| ist)?", _on_battery),
    (rf"{_NEG}{_PART}", _part),
    (rf"{_ONLY}(?P<neg>){_PART}", _part),
    (rf"{_PART} (?:aber |but |bitte |jedoch ){{0,2}}(?P<neg>nicht|not|never|nie|ned|net)", _part),
    (rf"(?:and |und )(?:it's |it is |it 's |es ist )?(?P<neg>){_PART}(?: is| ist)?", _part),
    (rf"{_IT_IS}(?P<neg>{_NOT} |nie |never )?(?:but )?(?P<way>after|gone|past|from|nach|ab|later than|since|before|"
    rf"vor|bis) #clk:(?P<a>\d+)(?: or later| oder später| on| onwards)?(?: ist| is)?(?: on)?", _clock),
    (r"(?:but |aber )?(?:only |nur )(?P<neg>)(?P<way>after|past|from|nach|ab|before|vor|bis|until|"
    r"till) #clk:(?P<a>\d+)(?: on| onwards| uhr)?", _clock),
    (r"(?:but |aber )(?P<neg>not |nicht )(?P<way>after|past|from|nach|ab|before|vor|until) #clk:(?P<a>\d+)(?: on|"
    r" onwards)?", _clock),
    (rf"(?:unless|außer|ausser)(?: wenn)?(?: ,)? {_IT_IS}(?:later than|after|past|gone|nach|später als) "
     rf"#clk:(?P<b>\d+)(?: ist)? (?:or|oder) {_IT_IS}(?:not yet|before|earlier than|noch nicht|noch vor|vor|früher "
     r"als) #clk:(?P<a>\d+)(?: ist)?", _clock),
    (rf"(?:but |aber )?{_EARLIEST} #(?:clk:(?P<a>\d+)|num:(?P<h>\d+))(?:\.0)?(?: uhr)?", _at_the_earliest),
    (rf"(?:but |aber )?{_LATEST} #(?:clk:(?P<a>\d+)|num:(?P<h>\d+))(?:\.0)?(?: uhr)?", _at_the_latest),
    (rf"{_IT_IS}(?:schon |already |bereits )?(?P<neg>)(?P<way>gone|past|nach|after) #clk:(?P<a>\d+)(?: ist|"
    rf" is)?", _clock),
    (rf"{_IT_IS}?{_KEPT}(?:only |nur |but only |aber nur )?(?:between|zwischen|from|von) #clk:(?P<a>\d+) (?:and|und|"
    rf"to|bis|till|until) #clk:(?P<b>\d+)(?: ist| is)?", _clock),
    (rf"{_NEG}(?:between|zwischen|from|von) #clk:(?P<b>\d+) (?:and|und|to|bis|till|"
    rf"until) #clk:(?P<a>\d+)(?: uhr)?", _clock),
    (rf"{_NEG}{_ON_DAYS}", _days),
    (rf"{_ON_DAYS} (?P<neg>{_SPARED})", _days),
    (rf"{_ONLY}(?P<neg>){_ON_DAYS}", _days),
    (r"(?:(?:but |aber )?(?:not|nicht|except|außer|apart from)) (?:if|when|for|wenn|bei|your own|deine|deinen|"
    r"changes) ?(?:you|du|of|changes|änderungen|your|own|deine|eigenen|it|es|sie|ihn|selbst|selber|was|war|warst|"
    r"were|did|made|that|yourself|geändert|hast|by|the|one|ones| )*", _own),
)  # fmt: skip
_INSIDE: tuple[tuple[str, Read], ...] = (
    (
        rf"(?:and |und )?(?P<not>)(?P<neg>(?:{_NOT}|keine?n?) )(?:charger |cable |strom |ladegerät |ladekabel |kabel )?"
        rf"(?:{_PLUGGED}|in|dran|drin)",
        _charging,
    ),
    (
        r"(?:and |und )?(?P<not>)(?P<neg>nobody|no one|noone|niemand)(?: has| 's| hat)? "
        r"(?:plugged (?:it|the charger) in|(?:ihn|es|das ladegerät|das kabel) (?:angesteckt|eingesteckt)(?: hat)?)",
        _charging,
    ),
    (rf"{_IT_IS}(?P<neg>(?:not|nicht|n't) )?{_PART}(?: is| ist)?", _part),
    (rf"{_IT_IS}(?P<neg>(?:not|nicht|n't) )?{_ON_DAYS}(?: is| ist)?", _days),
)
"""What limits where it stands in the clause of a trigger, and belongs to the request anywhere else: "at night"."""
_LONGEST = 200
_BETWEEN = re.compile(r"^(?:das |that )(?=aber |but |nur |only )|(?<= )(?:eh|sowieso|ohnehin|anyway) ")
_FILLING = re.compile(
    r"(?: ,)?(?: (?:though|please|bitte|however|mind you|halt|thanks|danke|of course|natürlich)){1,3}$"
)


@cache
def _compiled(*, inside: bool) -> tuple[tuple[re.Pattern[str], Read], ...]:
    """No start waits for them: most sentences have no trigger."""
    return tuple((re.compile(pattern), read) for pattern, read in (*_TABLE, *(_INSIDE if inside else ())))


def limit(text: str, *, inside: bool = False) -> Limits:
    """Return what the words of a gist mean as a limit, nothing where they are none. ``inside``: a trigger's clause."""
    if len(text) > _LONGEST:
        return ()
    text = _BETWEEN.sub("", _FILLING.sub("", text))
    for pattern, read in _compiled(inside=inside):
        found = pattern.fullmatch(text)
        if found is not None:
            return read(found)
    return ()


_OPENS = frozenset(
    (
        "in during on am an but only not no never except apart unless while provided aber nur nicht außer ausser "
        "ausgenommen solange höchstens maximal nie ned net at once einmal max and und es langt reicht with mit "
        "nachts abends max. amol allerhöchstens just twice #num:1 as so it's between zwischen after before nach "
        "ab vor erst frühestens spätestens jeden jede tagsüber zweimal dreimal ein öfter öfters häufiger oftener more"
    ).split()
)


_OPENS_APART = frozenset(_DAY_NAMES).union(
    "i ich brauch brauche das there don't tu mach sag zeig es it that no".split()
)


def opens_limit(word: str, *, apart: bool = False) -> bool:
    """Tell whether a limit may begin with the word; ``apart`` where a mark stands before it."""
    return word in _OPENS or (apart and word in _OPENS_APART)


def clash(limits: Limits) -> bool:
    """Tell whether limits leave no moment at all."""
    charging = {amount for kind, amount in limits if kind is Limit.CHARGING}
    days = [int(amount) for kind, amount in limits if kind is Limit.DAYS]
    left = _ALL_DAYS
    for one in days:
        left &= one
    return len(charging) > 1 or not left
