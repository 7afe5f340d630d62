"""How people join requests to each other: the constructs of a sentence of several steps, as templates. Data.

``{a}``, ``{b}``, ``{c}`` are requests, ``{np}`` is a noun phrase ("the largest files in Music"), ``{n}`` a number.
Read by those who make sentences (``kernel.schooling``); the search itself finds boundaries by ``boundaries``.
"""

from __future__ import annotations

from collections.abc import Mapping

Templates = Mapping[str, tuple[str, ...]]

IN_TURN: Templates = {
    "en": (
        "{a} and {b}", "{a} and then {b}", "{a}, then {b}", "{a}. Then {b}", "{a}; {b}", "first {a}, then {b}",
        "{a} and after that {b}", "{a}, and {b}", "{a}. After that, {b}", "{a}, and finally {b}", "{a}. {b}",
    ),
    "de": (
        "{a} und {b}", "{a} und dann {b}", "{a}, dann {b}", "{a}. Dann {b}", "{a}; {b}", "erst {a}, dann {b}",
        "{a} und danach {b}", "{a}, und {b}", "{a}. Danach {b}", "{a} und anschließend {b}", "{a}. {b}",
    ),
}  # fmt: skip
THREE_IN_TURN: Templates = {
    "en": ("{a}, {b} and {c}", "{a}, then {b}, and finally {c}", "first {a}, then {b} and then {c}",
           "{a} and {b}, then {c}", "{a}. Then {b}. {c}"),
    "de": ("{a}, {b} und {c}", "{a}, dann {b}, und zuletzt {c}", "erst {a}, dann {b} und dann {c}",
           "{a} und {b}, danach {c}", "{a}. Dann {b}. {c}"),
}  # fmt: skip
UNPUNCTUATED: Templates = {
    "en": ("{a} {b}", "{a} then {b}", "{a} and {b}", "so {a} and then {b}"),
    "de": ("{a} {b}", "{a} dann {b}", "{a} und {b}", "also {a} und dann {b}"),
}
POINTING: Mapping[str, Mapping[bool, tuple[str, ...]]] = {
    "en": {False: ("it", "that", "the result"), True: ("them", "these", "those", "all of them")},
    "de": {False: ("es", "das", "das Ergebnis"), True: ("sie", "diese", "alle")},
}
"""Words for one thing and for several that were found."""

FIRST_OF: Templates = {"en": ("the first one", "the first of them"), "de": ("das erste davon", "die erste")}
EACH: Templates = {
    "en": ("for each of {np}, {b}", "for every one of {np} {b}", "{b} for each of {np}"),
    "de": (),
}
EACH_AFTER: Templates = {
    "en": ("{a}, and for each of them {b}", "{a}. For each one, {b}"),
    "de": ("{a}, und für jede davon {b}", "{a}. Für jede davon {b}"),
}
IF_MORE: Templates = {
    "en": ("if there are more than {n} {np}, {b}", "{b} if there are more than {n} {np}"),
    "de": ("wenn es mehr als {n} {np} gibt, {b}", "falls es mehr als {n} {np} gibt, {b}"),
}
IF_ANY_AFTER: Templates = {
    "en": ("{a} and if there are more than {n}, {b}", "{a}. If there are more than {n}, {b}"),
    "de": ("{a} und wenn es mehr als {n} sind, {b}", "{a}. Wenn es mehr als {n} sind, {b}"),
}
BOTH: Templates = {
    "en": ("show me both {np} and {other}", "I need {np} and {other}", "give me {np} as well as {other}"),
    "de": ("zeig mir sowohl {np} als auch {other}", "ich brauche {np} und {other}", "gib mir {np} sowie {other}"),
}
PLACE_FIRST: Templates = {
    "en": ("in {place}, {a}", "it's in {place}: {a}", "in {place}: {a}", "look in {place} and {a}"),
    "de": ("in {place}: {a}", "es liegt in {place}: {a}", "schau in {place} und {a}"),
}
THING_FIRST: Templates = {
    "en": ("take {thing} and {b}", "here is {thing}: {b}", "take {thing}, {b}", "I have {thing}, please {b}"),
    "de": ("nimm {thing} und {b}", "hier ist {thing}: {b}", "nimm {thing}, {b}", "ich habe {thing}, bitte {b}"),
}
FOLLOWING: Templates = {
    "en": ("{b}: {np}", "{b}, namely {np}"),
    "de": ("{b}: {np}", "{b}, nämlich {np}"),
}
THE_FOLLOWING: Templates = {"en": ("the following", "this"), "de": ("das Folgende", "Folgendes")}
COURTESY: Templates = {
    "en": ("please {a}", "could you {a}?", "can you {a} for me?", "hey, {a}", "I'd like you to {a}", "{a}, thanks",
           "would you be so kind as to {a}?", "um, {a}", "I need you to {a}", "sorry, could you quickly {a}?"),
    "de": ("bitte {a}", "hallo, {a}", "sei so gut und {a}", "{a}, danke", "{a}, bitte", "äh, {a}",
           "hey, bitte {a}", "ach ja, {a}", "{a}, wenn es geht"),
}  # fmt: skip
"""What stands around a request in the imperative."""

PREPOSITIONS: Mapping[str, frozenset[str]] = {
    "en": frozenset("of in to from into on onto for as by with at about under over called named".split()),
    "de": frozenset("von in aus nach zu zum zur auf für als mit bei über unter an am im ins um namens gegen".split()),
}
PARTICLES = frozenset("auf ab an ein aus um raus heraus vor weg zusammen rein hin her hoch durch mal an bitte".split())
"""Ends of German verbs, which stand at the end of a clause."""

SHOWING = frozenset("me us mir uns mal up out bitte just all".split())
"""What may stand between a verb and a noun phrase."""

DETERMINERS = frozenset(
    "the my all every every das die der den dem meine meinen mein alle sämtliche jede jeden jedes".split()
)
