"""Facts that are learnt and told as a clause: "who somebody works for", "dass jemand eine neue Nummer hat".

How one comes to know of it may be said in many ways; it is always what a person tells. "Somebody" is anybody.
"""

from __future__ import annotations

import re
from functools import cache

_VERBS_EN = (
    r"(?:learns?|learnt|learned|find out|finds out|found out|hears?|heard|get to know|gets to know|are told|am told|"
    r"get told|discover|discovers|realise|realize|notice|note|know|come to know|get wind|catch|pick up|remember|"
    r"understand)"
)
_VERBS_DE = (
    r"(?:erfährst|erfahre|erfahr|hörst|höre|mitkriegst|mitbekommst|mitkriege|mitbekomme|lernst|merkst|weißt|wissen|"
    r"rausfindest|herausfindest|rauskriegst|rausbekommst|spitzkriegst|feststellst|bemerkst|entdeckst|erfahren hast|"
    r"mitbekommen hast|mitgekriegt hast|gehört hast|dir merkst|davon hörst|davon erfährst)"
)
_TELLS_DE = (
    r"(?:sage|sag|sagen|erzähle|erzähl|erzählen|verrate|mitteile|beibringe|sog|schreibe|gesagt habe|erzählt habe)"
)
_FINDS_OUT = (
    r"(?:(?:i|we) (?:tell|told|mention|mentioned|say|said|let)(?: to)?(?: (?:you|steward))?(?: know)?|"
    rf"(?:i|you|we|steward)(?: have|'ve)? {_VERBS_EN}(?: of| about)?|it comes to (?:your|my) (?:ears|notice)|"
    rf"(?:du|ich|i|wir)(?: irgendwo| mal| irgendwann)? {_VERBS_DE}|"
    rf"(?:ich|i|wir) (?:dir|euch)(?: mal| irgendwann| etwas dazu)? {_TELLS_DE}|"
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
_NAMES = {
    "birthday": r"birthday|birth date|date of birth|geburtstag|geburtsdatum",
    "phone": r"(?:phone|mobile|cell|telephone)(?: phone)? number|phone|number|mobile|telefonnummer|handynummer|nummer|"
    r"mobilnummer|telefon",
    "email": r"e-?mail(?: address)?|mail address|mailadresse|e-mail-adresse|emailadresse|mail",
    "address": r"(?:postal |home )?address|adresse|anschrift",
    "works_at": r"job|employer|position at work|arbeitgeber|job|stelle|arbeitsplatz|firma",
    "partner": r"partner|partnerin|freund|freundin|boyfriend|girlfriend",
    "boss": r"boss|chef|chefin",
}
_OF_A_NAME = (
    rf"(?:when|what|where|which|how) (?:{_WHOSE})(?:{{name}})(?: is)?{_NOW}",
    rf"(?:that )?{_WHOSE}{_NEW}(?:{{name}})(?: has changed| changed| is new)?{_NOW}",
    rf"(?:which|what) (?:{{name}}) {_WHO} (?:has|uses){_NOW}",
    rf"(?:that )?{_WHO} (?:has|got|has got|uses|has changed|changed){_NOW} {_NEW}(?:{{name}})",
    rf"(?:welchen?|was für eine?n?) (?:{{name}}) {_WHO} (?:jetzt |nun |inzwischen )?hat",
    rf"dass {_WHO} (?:jetzt |nun |inzwischen |schon wieder )?{_NEW}(?:{{name}}) (?:hat|bekommen hat|gekriegt hat|"
    r"benutzt)",
    rf"dass sich {_NEW}(?:{{name}}) von {_WHO} geändert hat",
    rf"(?:dass |wie )?{_WHOSE}{_NEW}(?:{{name}})(?: ist| lautet| sich geändert hat)?",
    rf"wie {_NEW}(?:{{name}}) von {_WHO} (?:ist|lautet|heißt)",
)
_CLAUSES = {
    "works_at": (
        rf"whom? {_WHO} works? for{_NOW}", rf"where {_WHO} works?{_NOW}", rf"(?:that )?{_WHO} has changed jobs",
        rf"(?:für wen|wo|bei wem) {_WHO} (?:jetzt |inzwischen )?arbeitet", rf"dass {_WHO} den job gewechselt hat",
        rf"wer {_WHO} beschäftigt",
    ),
    "lives_in": (
        rf"where {_WHO} lives?{_NOW}", rf"where {_WHO} (?:has moved|moved)(?: to)?",
        rf"(?:that )?{_WHO} (?:has moved|moved|moves|has a new home)(?: house| home)?",
        rf"wo {_WHO} (?:jetzt |inzwischen )?(?:wohnt|lebt)",
        rf"(?:dass|wohin) {_WHO} (?:um)?gezogen ist", rf"dass {_WHO} umzieht",
    ),
    "birthday": (
        rf"when {_WHO} (?:was born|has (?:a |their |her |his )?birthday|celebrates(?: (?:a |their )?birthday)?)",
        rf"wann {_WHO} (?:geburtstag (?:hat|feiert)|geboren (?:ist|wurde)|auf die welt gekommen ist)",
    ),
}  # fmt: skip
_CHANGES = (
    rf"sich (?:die|der|das) (?:{{name}}) von {_WHO} ändert",
    rf"(?:{_WHOSE})(?:{{name}}) changes",
)


@cache
def _compiled() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """No start waits for them: most sentences have no trigger."""
    named = [(fact, _FINDS_OUT + form.format(name=name)) for fact, name in _NAMES.items() for form in _OF_A_NAME]
    told = [(fact, _FINDS_OUT + form) for fact, forms in _CLAUSES.items() for form in forms]
    changed = [(fact, form.format(name=name)) for fact, name in _NAMES.items() for form in _CHANGES]
    return tuple((fact, re.compile(form)) for fact, form in (*told, *named, *changed))


def fact_in_a_clause(text: str) -> tuple[str, str] | None:
    """Return the predicate of the fact that ``text`` says is learnt, and who it is about."""
    for predicate, pattern in _compiled():
        found = pattern.fullmatch(text)
        if found is not None:
            said = found.groupdict()
            return predicate, said.get("who") or said.get("whose") or said.get("whose_de") or ""
    return None
