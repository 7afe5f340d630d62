"""Facts that are learnt and told by a question: "who somebody works for", "wo jemand wohnt"."""

from __future__ import annotations

import re
from functools import cache

_FINDS_OUT = (
    r"(?:(?:i|we) (?:tell|told) (?:you|steward)|"
    r"(?:i|you|we|steward)(?: have|'ve)? (?:learn|learns|learnt|learned|find out|hear|get to know|are told|am told)|"
    r"(?:du|ich|i|wir)(?: irgendwo)? (?:erfährst|erfahre|erfahr|hörst|höre|mitkriegst|mitbekommst|mitkriege|lernst|"
    r"merkst)|"
    r"(?:ich|i|wir) (?:dir|euch)(?: mal| irgendwann| etwas dazu)? (?:sage|sag|sagen|erzähle|erzähl|erzählen|verrate|"
    r"mitteile|beibringe|sog)) (?:, )?"
)
_WHO = r"(?P<who>[\w-]+(?: [\w-]+)?)"
_QUESTIONS = {
    "works_at": (
        rf"whom? {_WHO} works? for", rf"where {_WHO} works?", rf"(?:für wen|wo|bei wem) {_WHO} arbeitet",
    ),
    "lives_in": (rf"where {_WHO} lives?", rf"wo {_WHO} (?:wohnt|lebt)"),
    "birthday": (
        rf"when {_WHO} (?:was born|has (?:a |their )?birthday)",
        rf"wann {_WHO} (?:geburtstag hat|geboren (?:ist|wurde))",
    ),
}  # fmt: skip


@cache
def _compiled() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """No start waits for them: most sentences have no trigger."""
    return tuple((fact, re.compile(_FINDS_OUT + form)) for fact, forms in _QUESTIONS.items() for form in forms)


def fact_in_a_question(text: str) -> tuple[str, str] | None:
    """Return the predicate of the fact that ``text`` says is learnt, and who it is about."""
    for predicate, pattern in _compiled():
        found = pattern.fullmatch(text)
        if found is not None:
            return predicate, found["who"]
    return None
