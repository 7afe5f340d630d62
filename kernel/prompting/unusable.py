"""Why a plan of a model's can not be used, in words for the person, with what to do next.

What this stops: a reason that stands only where the model was told it. What it does not: repeat what a model wrote as
if it were Steward's; of its words there are the names in question, short and in quotation marks.
"""

from __future__ import annotations

from kernel.composition.problem import Flaw, Problem
from permissions.naming import sentence

_LONGEST = 160
_SAYS = {
    Flaw.TOOL: ("it named a tool that is not there, “{what}”", "es nannte ein Werkzeug, das es nicht gibt, „{what}“"),
    Flaw.PARAMETER: ("it gave {tool} something that it does not take, “{what}”",
                     "es gab {tool} etwas, das es nicht nimmt, „{what}“"),
    Flaw.LACKING: ("it did not give {tool} what it needs, “{what}”", "es gab {tool} nicht, was es braucht, „{what}“"),
    Flaw.EMPTY: ("it named nothing to do", "es nannte nichts, was zu tun wäre"),
    Flaw.MANY: ("it has too many steps, {what}", "er hat zu viele Schritte, {what}"),
    Flaw.SAID: ("it took something for said that you did not say",
                "es nahm etwas für gesagt, das du nicht gesagt hast"),
    Flaw.RESULT: ("one of its steps needs a result that is not there",
                  "einer der Schritte braucht ein Ergebnis, das es nicht gibt"),
    Flaw.RULE: ("it worded a rule that cannot be kept, “{what}”",
                "es nannte eine Regel, die sich nicht halten lässt, „{what}“"),
    Flaw.LATER: ("it would have done now what is to be done later",
                 "es hätte jetzt getan, was später getan werden soll"),
    Flaw.FORM: ("its answer is not of the form that it was asked for", "die Antwort hat nicht die verlangte Form"),
}  # fmt: skip
_OTHER = {
    "en": "a value of it does not fit, as the model was told: “{problem}”",
    "de": "ein Wert passt nicht; dem Modell wurde gesagt: „{problem}“",
}
_USELESS = {
    "en": "The model {name} made no plan that can be used: {why}. {next}",
    "de": "Das Modell {name} hat keinen brauchbaren Plan gemacht: {why}. {next}",
}
_NEXT = {
    "en": "Say it in other words, with the names of what is meant.",
    "de": "Sag es mit anderen Worten und nenne beim Namen, was gemeint ist.",
}
_ALL = {
    "en": "All that it was asked and told: ./steward models prompt {run}",
    "de": "Alles, was es gefragt und ihm gesagt wurde: ./steward models prompt {run}",
}


def why_unusable(problem: str, name: str, language: str, run: str) -> str:
    """Return what is said of the model ``name`` whose last answer had this ``problem`` first; ``run`` "" names none."""
    language = language if language in _USELESS else "en"
    after = " ".join(filter(None, (_NEXT[language], _ALL[language].format(run=run) if run else "")))
    return _USELESS[language].format(name=name, why=reason(problem, language), next=after)


def reason(problem: str, language: str) -> str:
    """Return in the person's language what a model was told in its own: the first thing that is wrong."""
    if isinstance(problem, Problem):
        en, de = _SAYS[problem.flaw]
        return (de if language == "de" else en).format(what=_short(problem.what), tool=_short(problem.tool))
    return _OTHER[language].format(problem=_short(problem).rstrip("."))


def _short(words: str) -> str:
    cut = sentence(" ".join(words.split()))
    return cut if len(cut) <= _LONGEST else f"{cut[:_LONGEST]}…"
