"""What is said about routines, English and German."""

from __future__ import annotations

from collections.abc import Mapping

_SAID: Mapping[str, Mapping[str, str]] = {
    "en": {
        "kept": "Kept as “{name}”: {when}: {said}.",
        "title": "Routine {name}",
        "broken.gone": "It rests: the tool {tool} is no longer there.",
        "broken.other": "It rests: the tool {tool} takes other values by now.",
        "broken.words": "It rests: what “{words}” means now cannot be told.",
        "waits": "It waits for your answer: ./steward approve {run}",
        "next": "Next on {at}.",
        "when": "when",
        "does": "does",
        "limit": "but",
        "first": "first",
        "private": "A rule is written down for good: say it without --private.",
        "moving": "I cannot tell what “{words}” would mean the next time. Say the rule again with other words for it.",
        "asks": (
            "I understand when, but of “{said}” I would have to ask: {question} "
            "Say the whole rule again with that in it."
        ),
        "not understood": "I understand when, but not what is to be done: “{said}”. {why}",
        "repeats": "I understand, but “{said}” repeats by itself, and not by such a rule. Say it with simpler times.",
        "nothing to do": "I understand when, but not what is to be done then.",
        "unclear.time of day": "At what time of day? Say the whole rule again with it.",
        "unclear.how often": "When, or how often? Say the whole rule again with it.",
        "unclear.no such day": "There is no such day: {about}. Which one do you mean? Say the whole rule again.",
        "unclear.no such time": "There is no such time of day: {about}. At what time? Say the whole rule again.",
        "unclear.past": "That is over already: {about}. Which day do you mean? Say the whole rule again.",
        "unclear.never": "That could never happen: {about}. Which of it counts? Say the whole rule again.",
        "unclear.no such folder": "There is no folder {about}. Which one do you mean? Say the whole rule again.",
        "unclear.what happens": "What has to happen? Say the whole rule again with it.",
        "unclear.which day": "On which day? Say the whole rule again with it.",
        "unclear.how much": "“{about}”: how much, or how long before? Say the whole rule again with it.",
        "unclear.which folder": "There are several: {about}. Which one do you mean? Say the whole rule again.",
        "not yet": "I understand: {when}. So far I keep only rules that go by the clock, so nothing was kept.",
        "unclear.unknown": (
            "I do not know “{about}”, so I could not keep to it. Say the rule without it, or in another way."
        ),
        "unclear.sets itself off": (
            "That rule would set itself off. Are its own changes to be left out? Say it with that."
        ),
    },
    "de": {
        "kept": "Behalten als „{name}“: {when}: {said}.",
        "title": "Routine {name}",
        "broken.gone": "Sie ruht: Das Werkzeug {tool} gibt es nicht mehr.",
        "broken.other": "Sie ruht: Das Werkzeug {tool} nimmt inzwischen andere Werte.",
        "broken.words": "Sie ruht: Was „{words}“ jetzt heißt, lässt sich nicht sagen.",
        "waits": "Sie wartet auf deine Antwort: ./steward approve {run}",
        "next": "Das nächste Mal am {at}.",
        "when": "wann",
        "does": "tut",
        "limit": "aber",
        "first": "zuerst",
        "private": "Eine Regel wird auf Dauer aufgeschrieben: sag sie ohne --private.",
        "moving": (
            "Ich weiß nicht, was „{words}“ beim nächsten Mal heißen würde. Sag die Regel noch einmal "
            "mit anderen Worten dafür."
        ),
        "asks": (
            "Wann, ist klar, aber zu „{said}“ müsste ich fragen: {question} Sag die ganze Regel noch "
            "einmal mit der Antwort darin."
        ),
        "not understood": "Wann, ist klar, aber nicht, was zu tun ist: „{said}“. {why}",
        "repeats": "Verstanden, aber „{said}“ wiederholt sich selbst, und nicht nach so einer Regel. Sag es einfacher.",
        "nothing to do": "Wann, ist klar, aber nicht, was dann zu tun ist.",
        "unclear.time of day": "Um wie viel Uhr? Sag die ganze Regel noch einmal mit der Uhrzeit.",
        "unclear.how often": "Wann, oder wie oft? Sag die ganze Regel noch einmal damit.",
        "unclear.no such day": "Den Tag gibt es nicht: {about}. Welcher ist gemeint? Sag die ganze Regel noch einmal.",
        "unclear.no such time": "Die Uhrzeit gibt es nicht: {about}. Um wie viel Uhr? Sag die ganze Regel noch einmal.",
        "unclear.past": "Das ist schon vorbei: {about}. Welcher Tag ist gemeint? Sag die ganze Regel noch einmal.",
        "unclear.never": "Das kann nie eintreten: {about}. Was davon gilt? Sag die ganze Regel noch einmal.",
        "unclear.no such folder": (
            "Einen Ordner {about} gibt es nicht. Welcher ist gemeint? Sag die ganze Regel noch einmal."
        ),
        "unclear.what happens": "Was muss passieren? Sag die ganze Regel noch einmal damit.",
        "unclear.which day": "An welchem Tag? Sag die ganze Regel noch einmal damit.",
        "unclear.how much": "„{about}“: wie viel, oder wie lange vorher? Sag die ganze Regel noch einmal damit.",
        "unclear.which folder": "Davon gibt es mehrere: {about}. Welcher ist gemeint? Sag die ganze Regel noch einmal.",
        "not yet": "Verstanden: {when}. Bisher behalte ich nur Regeln, die nach der Uhr gehen, also diese nicht.",
        "unclear.unknown": (
            "„{about}“ kenne ich nicht und könnte mich nicht daran halten. Sag die Regel ohne das, oder anders."
        ),
        "unclear.sets itself off": (
            "Die Regel würde sich selbst auslösen. Zählen ihre eigenen Änderungen nicht mit? Sag sie damit."
        ),
    },
}


def say(language: str, key: str, **values: str) -> str:
    """Return one sentence in ``language``, English where it is another."""
    return _SAID.get(language, _SAID["en"])[key].format(**values)
