"""The sentences in which the planner asks and declines, in English and German."""

from __future__ import annotations

from collections.abc import Sequence

from kernel.composition.schemas.known import parted
from kernel.ranking.words import split_name
from skills.model import Parameter, Tool, ValueKind

K = ValueKind
_LONGEST_ASIDE = 140

_NOUNS = {
    "en": {
        K.FILE: "file", K.FOLDER: "folder", K.NEW_FILE: "file name", K.TABLE: "table", K.TITLE: "title",
        K.TEXT: "text", K.QUERY: "words", K.DATE: "date", K.PERIOD: "period", K.SIZE: "size", K.QUANTITY: "quantity",
        K.UNIT: "unit", K.EXPRESSION: "calculation", K.CONDITION: "condition", K.COLUMN: "column",
        K.INTEGER: "number", K.NUMBER: "number", K.DURATION: "duration", K.HOURS: "time",
        K.RECURRENCE: "repetition", K.URL: "web address", K.RECORD: "values", K.CHOICE: "one",
    },
    "de": {
        K.FILE: "Datei", K.FOLDER: "Ordner", K.NEW_FILE: "Dateiname", K.TABLE: "Tabelle", K.TITLE: "Titel",
        K.TEXT: "Text", K.QUERY: "Wörter", K.DATE: "Datum", K.PERIOD: "Zeitraum", K.SIZE: "Größe",
        K.QUANTITY: "Menge", K.UNIT: "Einheit", K.EXPRESSION: "Rechnung", K.CONDITION: "Bedingung",
        K.COLUMN: "Spalte", K.INTEGER: "Zahl", K.NUMBER: "Zahl", K.DURATION: "Dauer",
        K.HOURS: "Uhrzeit", K.RECURRENCE: "Wiederholung", K.RECORD: "Werte",
        K.CHOICE: "Auswahl", K.URL: "Webadresse",
    },
}  # fmt: skip

_SENTENCES = {
    "en": {
        "missing": "Which {noun} do you mean{purpose}?",
        "absent": "There is no “{words}” where I looked. Which {noun} do you mean?",
        "measure": "“{words}” cannot be taken here: this is counted in {unit}. Which {noun} do you mean{purpose}?",
        "origin.said": "“{words}”",
        "origin.unknown": "an earlier result",
        "origin.client": "the program {name}, which asks in its own name",
        "origin.long": "It is too long to be looked at: {count} characters.",
        "origin.times": "{count} times",
        "origin.whether": "whether this is done: {what}",
        "several": "There are {count} that “{words}” may mean. Which one do you mean?",
        "apart": "I can do this for one of these at a time. Which one do you mean?",
        "which": "I am not sure what to do. Which of these do you mean?",
        "twofold": "{what}: which of the two do you mean?",
        "original": "the original: {what}",
        "made": "the new one ({what})",
        "result": "the result of step {step}",
        "field": "the {field} of step {step}",
        "confirm": "I do not understand “{words}”. Shall I do the rest: {plan}?",
        "unsure": "I am not sure that I understood you. Shall I do this: {plan}?",
        "partly": "I do not know what to do with “{words}” here. Shall I do the rest: {plan}?",
        "partly_or": "I do not know what to do with “{words}” here. Do you mean one of these?",
        "aside": "I would leave aside what is said in passing. Shall I do this: {plan}?",
        "later": "It is to wait until you say so, so nothing was done. Please say it again when it is time.",
        "perhaps": "I do not understand “{words}”. Do you mean one of these?",
        "perhaps_all": "I am not sure that I understood you. Do you mean one of these?",
        "none": "none of these",
        "yes": "yes",
        "no": "no",
        "decline": "I have no skill that fits this request, so nothing was done.",
        "made_up": "I make up no text by myself, so there is no “{words}” to write down, and nothing was done. Say its "
        "words and I keep them, for example: write a note called NAME: TEXT",
        "device": "I have no skill that can {deed}, so nothing was done.",
        "printing": "print on paper",
        "faxing": "fax",
        "grave": "I do not understand “{words}” here, so nothing was done. Please say it without that.",
        "gone": "After “{first}” it is no longer there for “{then}”, so nothing was done. Please say which of the two "
        "you want, or in which order.",
        "too_long": "This request is too long: it has {count} words and marks, and I read at most {most} at a time. "
        "Nothing was done. Please ask in several shorter requests; a long text to work with is best kept in a file.",
        "unnamed_file": "None of your files has “{words}” in its name, and only files can be found; nothing was done. "
        "To look inside documents, say: search my documents for {words}.",
        "dropped": "All right, I have dropped it; nothing was done.",
        "unsettled": "Your last request (“{last}”) came to nothing. Shall I take what belongs to “{older}” "
        "instead: {what}?",
        "unfit": "What I found last (“{last}”) does not serve for that. "
        "Shall I take what belongs to “{older}” instead: {what}?",
        "too_old": "What you mean is not what I dealt with last (“{last}”), so nothing was done. Please name it.",
        "slip": "There is no {path}. Do you mean {there}?",
        "slip_new": "There is {there}. Do you mean that, or a new folder {new}?",
        "new_folder": "a new folder {new}",
        "or": "{first} or {last}",
        "unclear": "I did not understand which one you mean.",
        "unnamed": "That does not say which one.",
        "name": "Please name the {noun}, or say “never mind”.",
        "choose": "Answer with a number from 1 to {count}, or say it in other words.",
    },
    "de": {
        "missing": "Was ist gemeint: {noun}{purpose}?",
        "absent": "„{words}“ gibt es dort nicht, wo ich gesucht habe. Was ist gemeint ({noun})?",
        "measure": "„{words}“ passt hier nicht, denn das wird in {unit} gezählt. Was ist gemeint: {noun}{purpose}?",
        "origin.said": "„{words}“",
        "origin.unknown": "einem früheren Ergebnis",
        "origin.client": "dem Programm {name}, das im eigenen Namen fragt",
        "origin.long": "Er ist zu lang, um ihn anzusehen: {count} Zeichen.",
        "origin.times": "{count}-mal",
        "origin.whether": "ob das getan wird: {what}",
        "several": "Es gibt {count}, die mit „{words}“ gemeint sein können. Was davon ist gemeint?",
        "apart": "Das kann ich nur für eines davon auf einmal tun. Was davon ist gemeint?",
        "which": "Ich bin nicht sicher, was zu tun ist. Was davon ist gemeint?",
        "twofold": "{what}: Was von beidem ist gemeint?",
        "original": "das Original: {what}",
        "made": "das Neue ({what})",
        "result": "das Ergebnis von Schritt {step}",
        "field": "{field} von Schritt {step}",
        "confirm": "„{words}“ verstehe ich nicht. Soll ich den Rest tun: {plan}?",
        "unsure": "Ich bin nicht sicher, ob ich richtig verstanden habe. Soll ich das tun: {plan}?",
        "partly": "Mit „{words}“ kann ich hier nichts anfangen. Soll ich den Rest tun: {plan}?",
        "partly_or": "Mit „{words}“ kann ich hier nichts anfangen. Ist eines davon gemeint?",
        "aside": "Was nebenbei gesagt ist, ließe ich weg. Soll ich das tun: {plan}?",
        "later": "Das soll noch warten, darum wurde nichts getan. Bitte noch einmal sagen, wenn es so weit ist.",
        "perhaps": "„{words}“ verstehe ich nicht. Ist eines davon gemeint?",
        "perhaps_all": "Ich bin nicht sicher, ob ich richtig verstanden habe. Ist eines davon gemeint?",
        "none": "nichts davon",
        "yes": "ja",
        "no": "nein",
        "unnamed_file": "Keine Datei hier hat „{words}“ im Namen, und nur Dateien lassen sich finden; es wurde nichts "
        "getan. Um in Dokumenten zu suchen: durchsuche meine Dokumente nach {words}.",
        "decline": "Dafür habe ich keine passende Fähigkeit; es wurde nichts getan.",
        "made_up": "Texte denke ich mir nicht selbst aus; „{words}“ gibt es darum noch nicht; es wurde nichts getan. "
        "Gesagte Worte schreibe ich auf, zum Beispiel: schreib eine Notiz namens NAME: TEXT",
        "device": "Ich habe keine Fähigkeit, die {deed} kann; es wurde nichts getan.",
        "printing": "auf Papier drucken",
        "faxing": "faxen",
        "gone": "Nach „{first}“ ist es für „{then}“ nicht mehr da; es wurde nichts getan. Bitte sagen, was von beidem "
        "geschehen soll oder in welcher Reihenfolge.",
        "too_long": "Diese Anfrage ist zu lang: Sie hat {count} Wörter und Zeichen, und auf einmal lese ich höchstens "
        "{most}. Es wurde nichts getan. Bitte in mehreren kürzeren Anfragen fragen; ein langer Text steht am besten in "
        "einer Datei.",
        "grave": "„{words}“ verstehe ich hier nicht, darum wurde nichts getan. Bitte ohne das sagen.",
        "dropped": "Gut, ich lasse es; es wurde nichts getan.",
        "unsettled": "Die letzte Anfrage („{last}“) führte zu nichts. Soll ich stattdessen nehmen, was zu „{older}“ "
        "gehört: {what}?",
        "unfit": "Das zuletzt Gefundene („{last}“) passt dafür nicht. Soll ich stattdessen nehmen, was zu „{older}“ "
        "gehört: {what}?",
        "too_old": "Das passt nicht zu dem, worum es zuletzt ging („{last}“), es wurde nichts getan. Bitte nenne es.",
        "slip": "{path} gibt es nicht. Ist {there} gemeint?",
        "slip_new": "Es gibt {there}. Ist das gemeint, oder ein neuer Ordner {new}?",
        "new_folder": "ein neuer Ordner {new}",
        "or": "{first} oder {last}",
        "unclear": "Ich habe nicht verstanden, was davon gemeint ist.",
        "unnamed": "Damit weiß ich noch nicht, was gemeint ist.",
        "name": "Bitte nennen ({noun}) oder „vergiss es“ sagen.",
        "choose": "Bitte mit einer Zahl von 1 bis {count} oder mit anderen Worten antworten.",
    },
}


def say(language: str, key: str, **values: object) -> str:
    """Return the sentence ``key`` in ``language`` (English when we have no other)."""
    return _SENTENCES.get(language, _SENTENCES["en"])[key].format(**values)


def either(language: str, names: Sequence[str]) -> str:
    """Return names as alternatives: "a, b or c"."""
    *first, last = names
    return say(language, "or", first=", ".join(first), last=last) if first else last


def noun(language: str, parameter: Parameter) -> str:
    """Return the everyday word for what ``parameter`` takes."""
    nouns = _NOUNS.get(language, _NOUNS["en"])
    return nouns.get(parameter.type.kind, parameter.name.replace("_", " "))


def purpose(language: str, tool: Tool, parameter: Parameter) -> str:
    """Return what the parameter is for as an aside: in the language of the request, or nothing."""
    doc = tool.said(parameter.doc, language).strip().rstrip(".")
    if not doc or (language != "en" and doc == parameter.doc.strip().rstrip(".")):
        return ""
    return f" ({doc})"


def summary(language: str, tool: Tool) -> str:
    """Return what a tool does, in the language of the request where its manifest says it."""
    text = tool.said(tool.summary, language).strip()
    return (text if tool.examples else _short(text)).rstrip(".")


def name_of(parameter: Parameter) -> str:
    """Return what a schema calls a parameter, in words: "sourceZone" and "source_zone" are "source zone"."""
    return split_name(parameter.name).lower()


def described(tool: Tool, parameter: Parameter) -> str:
    """Return what a schema says that a parameter is for, as an aside in its own words; else what its tool is for."""
    says_more = parameter.doc and parameter.doc.casefold().rstrip(".") != name_of(parameter)
    short = _short(parameter.doc if says_more else tool.summary).rstrip(".")
    return f" ({short})" if short else ""


def _short(text: str) -> str:
    """The first sentence of a description, as much of it as can be read at a glance."""
    first = parted(text)[0]
    return first if len(first) <= _LONGEST_ASIDE else first[:_LONGEST_ASIDE].rsplit(" ", 1)[0] + " …"
