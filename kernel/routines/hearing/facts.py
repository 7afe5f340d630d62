"""Facts that are learnt and told as a clause: "who somebody works for", "dass jemand eine neue Nummer hat".

How one comes to know of it may be said in many ways; it is always what a person tells. "Somebody" is anybody.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

_VERBS_EN = (
    r"(?:learns?|learnt|learned|find out|finds out|found out|hears?|heard|get to know|gets to know|are told|am told|"
    r"get told|discover|discovers|realise|realize|notice|note|know|come to know|get wind|catch|pick up|remember|"
    r"come to know|comes to know|"
    r"understand)"
)
_VERBS_DE = (
    r"(?:erfährst|erfahre|erfahr|hörst|höre|mitkriegst|mitbekommst|mitkriege|mitbekomme|lernst|merkst|weißt|wissen|"
    r"rausfindest|herausfindest|rauskriegst|rausbekommst|spitzkriegst|feststellst|bemerkst|entdeckst|erfahren hast|"
    r"mitbekommen hast|mitgekriegt hast|gehört hast|dir merkst|davon hörst|davon erfährst|kriegst mit|"
    r"bekommst mit|findest raus|findest heraus|kriegst raus|bekommst raus|hörst davon|erfährst davon)"
)
_TELLS_DE = (
    r"(?:sage|sag|sagen|erzähle|erzähl|erzählen|verrate|mitteile|beibringe|sog|schreibe|gesagt habe|erzählt habe)"
)
_FINDS_OUT = (
    r"(?:(?:i|we) (?:tell|told|mention|mentioned|say|said|let)(?: to)?(?: (?:you|steward))?(?: know)?|"
    rf"(?:i|you|we|steward)(?: have|'ve)? {_VERBS_EN}(?: of| about)?|it comes to (?:your|my) (?:ears|notice)|"
    rf"(?:du|ich|i|wir)(?: irgendwo| mal| irgendwann)? {_VERBS_DE}|"
    rf"(?:ich|i|wir) (?:dir|euch)(?: mal| irgendwann| etwas dazu)? {_TELLS_DE}|"
    rf"(?:ich|i|wir) {_TELLS_DE} (?:dir|euch)(?: mal| irgendwann| etwas dazu)?|"
    r"(?:dir|uns) (?:zu ohren kommt|jemand sagt|jemand erzählt)) (?:, )?"
)
_NO_NAME = (
    r"(?:is|has|have|had|was|ist|hat|works|lives|got|moved|uses|moves|a|an|the|new|her|his|their|"
    r"eine?[nmr]?|die|den|der|das|neue?[nr]?|seine?n?|ihre?n?|jetzt|nun|inzwischen|schon|von|umgezogen|geboren|geburtstag|now|s)"
)
_WHO = rf"(?P<who>(?!{_NO_NAME}\b)[\w-]+(?: else)?(?: (?!{_NO_NAME}\b)[\w-]+)?)"
_WHOSE = (
    rf"(?:(?P<whose>(?:my )?(?!{_NO_NAME}\b)[\w-]+(?: (?!{_NO_NAME}\b)[\w-]+)??) ?(?:'s|s'|') |(?P<whose_de>[\w-]+)s )"
)
_NOW = r"(?: (?:now|these days|nowadays|by now|today|jetzt|inzwischen|mittlerweile|neuerdings))?"
_NEW = (
    r"(?:(?:a|an|the|another|her|his|their|eine?n?|die|den|der|das|ihre?n?|seine?n?) )?"
    r"(?:(?:new|other|different|neue?n?|andere?n?) )?"
)
NAMES = {
    "birthday": "birthday|bday|birth date|date of birth|geburtstag|geburtsdatum",
    "phone": "phone number|phone|number|telefonnummer|handynummer|nummer|mobile number|telefon",
    "email": "email address|e-mail address|email|mail address|mailadresse|e-mail-adresse|emailadresse",
    "address": "address|postal address|adresse|anschrift",
    "lives_in": "home town|hometown|wohnort",
    "works_at": "employer|job|company|arbeitgeber|firma|arbeitsplatz",
    "boss": "boss|chef|chefin",
    "partner": "partner|partnerin",
    "role": "role|position|beruf",
}
"""What facts are called."""
_IN_A_CLAUSE = {
    "phone": "mobile|mobile phone number|cell number|cell phone number|telephone number|mobilnummer",
    "email": "e-mail|mail",
    "address": "home address",
    "works_at": "position at work|stelle",
    "partner": "freund|freundin|boyfriend|girlfriend",
}
"""What they are called as well, where a clause says that somebody has one."""
_NAMED = "|".join(f"(?P<{fact}>{names}|{_IN_A_CLAUSE.get(fact, names)})" for fact, names in NAMES.items())
_NAMED = f"(?:{_NAMED})"
_OF_A_NAME = (
    rf"(?:when|what|where|which|how) (?:{_WHOSE}){_NAMED}(?: is)?{_NOW}",
    rf"(?:that )?{_WHOSE}{_NEW}{_NAMED}(?: has changed| changed| is new)?{_NOW}",
    rf"(?:which|what) {_NAMED} {_WHO} (?:has|uses){_NOW}",
    rf"(?:that )?{_WHO} (?:has|got|has got|uses|has changed|changed){_NOW} {_NEW}{_NAMED}",
    rf"(?:welchen?|was für eine?n?) {_NAMED} {_WHO} (?:jetzt |nun |inzwischen )?hat",
    rf"dass {_WHO} (?:jetzt |nun |inzwischen |schon wieder )?{_NEW}{_NAMED} (?:hat|bekommen hat|gekriegt hat|"
    r"benutzt)",
    rf"dass sich {_NEW}{_NAMED} von {_WHO} geändert hat",
    rf"(?:dass |wie )?{_WHOSE}{_NEW}{_NAMED}(?: ist| lautet| sich geändert hat)?",
    rf"wie {_NEW}{_NAMED} von {_WHO} (?:ist|lautet|heißt)",
    rf"who (?:{_WHOSE}){_NAMED} is{_NOW}",
    rf"wer (?:der|die) {_NAMED} von {_WHO} ist",
    rf"wer {_WHOSE}{_NAMED} ist",
)
_FIRM_EN = "(?:company|firm|employer|business|organi[sz]ation)"
_FIRM_DE = "(?:firma|unternehmen|arbeitgeber|betrieb|verein)"
_TOWN_EN, _TOWN_DE = "(?:town|city|place|village|country|street)", "(?:stadt|ort|dorf|land|straße|gegend)"
_CLAUSES = {
    "works_at": (
        rf"whom? {_WHO} works? for{_NOW}", rf"where {_WHO} works?{_NOW}", rf"(?:that )?{_WHO} has changed jobs",
        rf"(?:für wen|wo|bei wem) {_WHO} (?:jetzt |inzwischen )?arbeitet", rf"dass {_WHO} den job gewechselt hat",
        rf"wer {_WHO} beschäftigt",
        rf"(?:(?:at|for|in|with) )?(?:which|what) {_FIRM_EN} {_WHO} (?:works?|is employed)(?: for| at| with)?{_NOW}",
        rf"(?:bei|für|in) welche[rmns]? {_FIRM_DE} {_WHO} (?:jetzt |inzwischen )?(?:arbeitet|schafft|angestellt ist)",
    ),
    "lives_in": (
        rf"where {_WHO} lives?{_NOW}", rf"where {_WHO} (?:has moved|moved)(?: to)?",
        rf"(?:that )?{_WHO} (?:has moved|moved|moves|has a new home)(?: house| home)?",
        rf"wo {_WHO} (?:jetzt |inzwischen )?(?:wohnt|lebt)",
        rf"(?:dass|wohin) {_WHO} (?:um)?gezogen ist", rf"dass {_WHO} umzieht",
        rf"(?:in )?(?:which|what) {_TOWN_EN} {_WHO} (?:lives?|moved)(?: in| to)?{_NOW}",
        rf"in welche[rmns]? {_TOWN_DE} {_WHO} (?:jetzt |inzwischen )?(?:wohnt|lebt|zieht|gezogen ist)",
    ),
    "birthday": (
        rf"when {_WHO} (?:was born|has (?:a |their |her |his )?birthday|celebrates(?: (?:a |their )?birthday)?)",
        rf"(?:on )?(?:which|what) day {_WHO} was born",
        rf"an welchem tag {_WHO} (?:geburtstag hat|geboren (?:ist|wurde))",
        rf"wann {_WHO} (?:geburtstag (?:hat|feiert)|geboren (?:ist|wurde)|auf die welt gekommen ist)",
    ),
    "role": (
        rf"what {_WHO} does(?: for a living| for work| at work)?{_NOW}",
        rf"what (?:{_WHO})(?: 's|'s|s') (?:job|work) is",
        rf"was {_WHO} (?:von beruf ist|beruflich macht|arbeitet)", rf"welchen beruf {_WHO} hat",
    ),
    "phone": (
        rf"(?:on|under|at) (?:which|what) number {_WHO} (?:can be reached|is reached|is)",
        rf"unter welcher (?:telefon|handy)?nummer {_WHO} (?:zu erreichen|erreichbar) ist",
    ),
}  # fmt: skip
_CHANGES = (
    rf"sich (?:die|der|das) {_NAMED} von {_WHO} ändert",
    rf"(?:{_WHOSE}){_NAMED} changes",
)


@cache
def _compiled(*forms: str) -> tuple[re.Pattern[str], ...]:
    """No start waits for them: most sentences have no trigger."""
    return tuple(re.compile(form) for form in forms)


def fact_in_a_clause(text: str) -> tuple[str, str] | None:
    """Return the predicate of the fact that ``text`` says is learnt, and who it is about."""
    for told in _behind_finding_out(text):
        for predicate, forms in _CLAUSES.items():
            found = _first(told, forms)
            if found is not None:
                return predicate, found["who"]
        found = _first(told, _OF_A_NAME)
        if found is not None:
            return _named(found)
    found = _first(text, _CHANGES)
    return None if found is None else _named(found)


def _behind_finding_out(text: str) -> Iterator[str]:
    """What stands behind the words that say how one comes to know of it: as many words as they can be, first."""
    (finds_out,) = _compiled(_FINDS_OUT)
    ends = [at + 1 for at, letter in enumerate(text) if letter == " "]
    yield from (text[at:] for at in reversed(ends) if finds_out.fullmatch(text, 0, at))


def _first(text: str, forms: tuple[str, ...]) -> re.Match[str] | None:
    return next((found for form in _compiled(*forms) if (found := form.fullmatch(text)) is not None), None)


def _named(found: re.Match[str]) -> tuple[str, str]:
    said = found.groupdict()
    return next(fact for fact in NAMES if said[fact]), said.get("who") or said.get("whose") or said["whose_de"]
