"""What is said where a sentence that branches, repeats or says an order cannot be done."""

from __future__ import annotations

_SENTENCES = {
    "en": {
        "deep": "There are too many conditions and lists inside each other, so nothing was done. Ask in two requests.",
        "apart": "I do not know what “{body}” has to do with each of them, so nothing was done. Please say what is to "
        "be done with “it”.",
        "which_first": "You say that “{first}” comes after “{then}”, and the reverse as well. Which is to come first?",
        "turn": "first “{first}”, then “{then}”",
        "in_turn": "{first} and then {then}",
        "circle": "“{first}” is to come before itself by these words, so nothing was done. Please say what comes "
        "first: first …, then ….",
        "deed_or_value": "Is “{name}” here what you had kept under that name?",
        "as_deed": "yes, do “{name}”",
        "either": "What was found and what was made of it may both be meant here, so nothing was done. Please name "
        "what is to be changed, or ask in two requests.",
        "unmet": "There are {count} of them, so what you asked for was not done.",
        "again": "To ask about it I would have to look for these {count} again, and might find others, so nothing was "
        "done. Please say in one request what is to be found and all that is to be done with it.",
        "many": "There are {count} of them, which is too many to name one by one, so nothing was done. Please say it "
        "in one request: what is to be found, and then “for each of them …”.",
        "unfit": "The parts of this request do not fit together, so nothing was done. Ask for one after the other.",
    },
    "de": {
        "deep": "Das sind zu viele Bedingungen und Listen ineinander; es wurde nichts getan. Frag in zwei Anfragen.",
        "apart": "Was „{body}“ mit jedem davon zu tun hat, weiß ich nicht; es wurde nichts getan. Bitte sagen, was "
        "„damit“ geschehen soll.",
        "which_first": "„{first}“ soll nach „{then}“ kommen und umgekehrt auch. Was soll zuerst geschehen?",
        "turn": "zuerst „{first}“, dann „{then}“",
        "in_turn": "{first} und dann {then}",
        "circle": "„{first}“ müsste demnach vor sich selbst kommen; es wurde nichts getan. Bitte sagen, was zuerst "
        "kommt: zuerst …, dann ….",
        "deed_or_value": "Ist „{name}“ hier das, was unter diesem Namen behalten ist?",
        "as_deed": "ja, „{name}“ tun",
        "either": "Gemeint sein kann hier das Gefundene und auch, was daraus wurde; es wurde nichts getan. Bitte "
        "nennen, was geändert werden soll, oder in zwei Anfragen fragen.",
        "unmet": "Das sind {count}, darum wurde nicht getan, was verlangt war.",
        "again": "Um danach zu fragen, müsste ich diese {count} noch einmal suchen und könnte andere finden; es wurde "
        "nichts getan. Bitte in einer Anfrage sagen, was zu finden ist und was alles damit geschehen soll.",
        "many": "Das sind {count}, zu viele, um sie einzeln zu nennen; es wurde nichts getan. Bitte in einer Anfrage "
        "sagen: was zu finden ist, und dann „für jedes davon …“.",
        "unfit": "Die Teile dieser Anfrage passen nicht zusammen; es wurde nichts getan. Frag eins nach dem anderen.",
    },
}


def say(language: str, key: str) -> str:
    """Return the sentence ``key`` in ``language``."""
    return _SENTENCES["de" if language == "de" else "en"][key]
