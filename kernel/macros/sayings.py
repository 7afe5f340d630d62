"""What is said about macros, English and German."""

from __future__ import annotations

from collections.abc import Mapping

_SAID: Mapping[str, Mapping[str, str]] = {
    "en": {
        "kept": "Kept as the macro “{name}”: {text}. Say “{name}” to have it done.",
        "defined": (
            "Kept as the macro “{name}”; nothing was done. Say “{name}” to have it done, or see first what it would do "
            '(./steward macros try "{name}"):'
        ),
        "called": "kept as the macro",
        "does": "does",
        "told": "told each time",
        "is told": "Each time it is told: {names}.",
        "asks": "Before I keep “{name}” I have to ask: {question}",
        "not defined": "I am not sure enough what “{text}” means to keep it under a name. {why}",
        "no place": (
            "“{words}” can be told each time only where it is a value of its own, and in “{text}” it is none. "
            "“{name}” was not kept."
        ),
        "no day": (
            "What “{words}” means the next time cannot be told, so “{name}” was not kept. Say it with other words."
        ),
        "anew": "{tools} changed since the macro “{name}” was kept, so I planned its words anew: {text}.",
        "keep anew": 'To keep the new plan: ./steward macros new "{name}" --run {run}',
        "does not fit": (
            "{tools} changed since the macro “{name}” was kept, and what it was told has no place in the new plan. "
            "Nothing was done. Ask for it in other words, and keep that: ./steward macros new NAME --run RUN"
        ),
        "gone": "The macro “{name}” is no longer there, or was changed. Nothing was done. Say it again.",
        "no step": (
            "“{name}” is a macro, and I cannot tell how it goes with the rest of this sentence. Nothing was done. "
            "Say it by itself, or join the two with “and”."
        ),
        "step changed": (
            "“{name}” is a macro, and {tools} changed since it was kept, so it is put into no other request. Nothing "
            "was done. Say “{name}” by itself and keep its new plan."
        ),
        "step told": (
            "“{name}” is a macro that has to be told {words}. Nothing was done. Say “{name}” by itself, and it "
            "is asked for."
        ),
        "words": (
            "What “{words}” in the macro “{name}” means today cannot be told. Nothing was done. "
            "Say the whole request: {text}"
        ),
        "usual": "{question} The last times: {values}.",
        "in folder": "{question} Files of this kind lay in {folder}.",
        "private": "A macro is written down for good: say it without --private.",
        "nothing": "Nothing was done before this that could become a macro. Ask for it first, then say so again.",
        "then": "then",
    },
    "de": {
        "kept": "Behalten als Makro „{name}“: {text}. Mit „{name}“ wird es getan.",
        "defined": (
            "Behalten als Makro „{name}“; getan wurde nichts. Mit „{name}“ wird es getan; was es täte, zeigt vorher "
            '(./steward macros try "{name}"):'
        ),
        "called": "behalten als Makro",
        "does": "tut",
        "told": "jedes Mal gesagt",
        "is told": "Jedes Mal wird gesagt: {names}.",
        "asks": "Bevor ich „{name}“ behalte, muss ich fragen: {question}",
        "not defined": "Ich bin nicht sicher genug, was „{text}“ heißt, um es unter einem Namen zu behalten. {why}",
        "no place": (
            "„{words}“ lässt sich nur jedes Mal sagen, wo es ein eigener Wert ist; in „{text}“ ist es keiner. „{name}“ "
            "wurde nicht behalten."
        ),
        "no day": (
            "Was „{words}“ beim nächsten Mal heißt, lässt sich nicht sagen; „{name}“ wurde nicht behalten. "
            "Sag es mit anderen Worten."
        ),
        "anew": (
            "{tools}: geändert, seit das Makro „{name}“ behalten wurde; darum habe ich seine Worte neu geplant: {text}."
        ),
        "keep anew": 'Den neuen Plan behalten: ./steward macros new "{name}" --run {run}',
        "does not fit": (
            "{tools}: geändert, seit das Makro „{name}“ behalten wurde, und was ihm gesagt wurde, hat im neuen Plan "
            "keinen Platz. Nichts wurde getan. Sag es mit anderen Worten, und behalte das: "
            "./steward macros new NAME --run LAUF"
        ),
        "gone": "Das Makro „{name}“ gibt es nicht mehr, oder es ist anders. Nichts wurde getan. Sag es noch einmal.",
        "no step": (
            "„{name}“ ist ein Makro, und wie es zum Rest dieses Satzes gehört, lässt sich nicht sagen. Nichts wurde "
            "getan. Sag es allein, oder verbinde beides mit „und“."
        ),
        "step changed": (
            "„{name}“ ist ein Makro; {tools}: geändert, seit es behalten wurde, darum kommt es in keine andere Bitte. "
            "Nichts wurde getan. Sag „{name}“ allein, und behalte den neuen Plan."
        ),
        "step told": (
            "„{name}“ ist ein Makro, dem {words} gesagt werden muss. Nichts wurde getan. Sag „{name}“ allein, dann "
            "wird gefragt."
        ),
        "words": (
            "Was „{words}“ im Makro „{name}“ heute heißt, lässt sich nicht sagen. Nichts wurde getan. "
            "Sag die ganze Bitte: {text}"
        ),
        "usual": "{question} Zuletzt: {values}.",
        "in folder": "{question} Solche Dateien lagen in {folder}.",
        "private": "Ein Makro wird auf Dauer aufgeschrieben: sag es ohne --private.",
        "nothing": "Davor wurde nichts getan, woraus ein Makro werden könnte. Bitte erst darum, dann sag es wieder.",
        "then": "dann",
    },
}


def say(language: str, key: str, **values: str) -> str:
    """Return one sentence in ``language``, English where it is another."""
    return _SAID.get(language, _SAID["en"])[key].format(**values)
