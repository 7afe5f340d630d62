"""How a person shows a text instead of saying something, in English and German, as patterns over whole lines."""

from __future__ import annotations

import re


def _any(words: str) -> str:
    return "(?:" + "|".join(word.strip().replace(" ", r"\s+") for word in words.split("|")) + ")"


_NOUN = _any(
    r"e-?mails?|mails?|messages?|texts?|letters?|notes?|articles?|paragraphs?|posts?|pages?|documents?|transcripts?|"
    r"snippets?|excerpts?|passages?|replies|reply|answers?|invitations?|newsletters?|logs?|log files?|errors?|"
    r"error messages?|quotes?|recipes?|conversations?|chats?|threads?|comments?|reviews?|contents?|output|tickets?|"
    r"nachrichten?|nachricht|briefe?s?|notiz(?:en)?|artikels?|abs(?:atz|ätze)|beitr(?:ag|äge)|seiten?|dokumente?s?|"
    r"protokolle?s?|ausschnitte?s?|ausz(?:ug|üge)|antwort(?:en)?|einladung(?:en)?|fehlermeldung(?:en)?|zitate?s?|"
    r"rezepte?s?|unterhaltung(?:en)?|chatverlauf|kommentare?s?|bewertung(?:en)?|inhalte?s?|ausgabe|anschreiben"
)
_OWNER = _any("the|a|an|my|his|her|their|our|der|die|das|den|dem|ein|eine|einen|meine|mein|seine|ihre|unsere")
_POINTING = _any("this|these|the following|das|dies|diese|diesen|dieser|dieses|folgendes|folgende|folgenden|folgender")
_HERE = _any(
    r"here is|here's|here are|this is|below is|below are|attached is|pasted|forwarded|hier ist|hier kommt|das ist|"
    r"anbei|unten steht|eingefügt|weitergeleitet|hier"
)
_SPEAKS = _any(
    r"says?|said|reads?|wrote|writes|goes|went|schreibt|schrieb|geschrieben|sagt|sagte|lautet|steht|stand|meint|meinte"
)
_WHO = _any(
    r"it|he|she|they|i got this|i received this|there|da|das|darin|drin|er|sie|es|dort|ich habe das bekommen|"
    r"das habe ich bekommen"
)

ANNOUNCED = re.compile(
    r"(?:^|(?<=[.!?;,\n]))[ \t]*(?:and |but |so |ok(?:ay)?,? |und |also |aber )?(?:"
    rf"{_HERE}\s+(?:{_OWNER}\s+)?(?:[^\W\d]\w*\s+){{0,3}}?{_NOUN}(?:\s+(?!and\b|und\b)[\w@.'’-]+){{0,6}}"
    rf"|(?:{_OWNER}\s+)?{_NOUN}(?:\s+[\w@.'’-]+){{0,4}}?\s+{_SPEAKS}(?:\s+(?:this|that|das|so|folgendes|drin|da))?"
    rf"|{_WHO}\s+(?:{_SPEAKS}(?:\s+(?:this|that|das|so|folgendes|drin|da))?|{_SPEAKS}\s+da)"
    r"|das\s+(?:steht|stand)\s+(?:da|drin|dort)|i (?:got|received) (?:this|the following)(?:\s+\w+){0,2}"
    r")[ \t]*:(?![\w/\\])\s*",
    re.IGNORECASE,
)
"""A clause that does nothing but announce a text: "here is the mail:", "das steht da:", "the letter says:"."""

_READING = _any(
    r"summari[sz]e|sum up|translate|proofread|rephrase|paraphrase|shorten|explain|correct|reply to|respond to|answer|"
    r"read(?: out)?|(?:über)?setze?|übersetze|erkläre?|korrigiere?|kürze?|beantworte|antworte auf|lies|formuliere"
)
_KEPT = _any("note|notes|file|reminder|clipboard|task|draft|mail|e-mail|document|notiz|notizen|datei|zwischenablage|"
             "erinnerung|aufgabe|entwurf|dokument|liste|list")  # fmt: skip
_UP_TO = r"[^.:;!?\n\"“„«]{0,60}?"
POINTED = re.compile(
    rf"\b(?:{_READING}\s+(?:(?:me|mir|bitte)\s+)?{_POINTING}(?:\s+[^\W\d]\w*){{0,2}}"
    rf"|fass\w*\s+(?:(?:mir|bitte)\s+)?{_POINTING}(?:\s+[^\W\d]\w*){{0,2}}\s+zusammen"
    rf"|{_POINTING}(?:\s+[^\W\d]\w*){{0,2}}?\s+{_NOUN}(?:\s+(?:vor|an|ab|auf|ein|zusammen))?"
    rf"|{_POINTING}(?:\s+{_NOUN})?\s+(?:as|als|in|into|to|on|onto|auf|ins?|zu)\b{_UP_TO}\b{_KEPT}\b{_UP_TO}"
    rf"|what (?:it|this|the (?:following )?{_NOUN}) says|was (?:da|hier|darin|drin) steht)"
    r"[ \t]*:(?![\w/\\])\s*",
    re.IGNORECASE,
)
"""A request that points at what stands behind it: "summarise this:", "save this as a note:", "fasse das zusammen:"."""

REMINDED = re.compile(
    r"(?<=\w)(?:,?\s*(?:of|about|that|to|an|daran,?))?\s*(?:what (?:it|this) says|was (?:da|hier|darin|drin) steht|"
    r"this|the following|daran|das|dies|folgendes)\s*+:?\s*+$",
    re.IGNORECASE,
)
"""What a reminder points at a shown text with: the text is what it is about."""
REMINDS = re.compile(r"\b(?:remind\w*|erinner\w*)\b", re.IGNORECASE)

_FROM = _any(r"from|von|absender|sent|gesendet|date|datum|received|return-path|message-id|x-original-to|delivered-to")
_HEADER = _any(
    r"from|to|cc|bcc|subject|date|sent|reply-to|received|return-path|message-id|mime-version|content-type|importance|"
    r"attachments?|in-reply-to|references|delivered-to|x-[\w-]+|dkim-signature|"
    r"von|an|betreff|datum|gesendet|antwort an|absender|empfänger|wichtigkeit|anlagen?|anhänge?|kopie"
)
_MARKED = r"[ \t]*(?:[*_]{1,2})?"
MAIL_HEADER = re.compile(rf"{_MARKED}{_HEADER}(?:[*_]{{1,2}})?[ \t]*:(?:[*_]{{1,2}})?(?:[ \t]|$)", re.IGNORECASE)
SENDER_HEADER = re.compile(rf"{_MARKED}{_FROM}(?:[*_]{{1,2}})?[ \t]*:(?:[*_]{{1,2}})?(?:[ \t]|$)", re.IGNORECASE)
FORWARDED = re.compile(
    r"[ \t]*+(?:-{2,}|_{5,}|={3,}|\*{3,})?[ \t]*+(?:begin(?: of)? )?(?:original message|forwarded (?:message|mail)|"
    r"forwarded by .{0,80}|ursprüngliche nachricht|originalnachricht|weitergeleitete (?:nachricht|e-?mail)|"
    r"anfang der weitergeleiteten nachricht)[ \t]*+:?[ \t]*+(?:-{2,}|_{3,}|={3,}|\*{3,})?[ \t]*$",
    re.IGNORECASE,
)
WROTE = re.compile(
    r"[ \t]*(?:on|am)[ \t].{6,120}\b(?:wrote|schrieb(?: [^:]{0,80})?)[ \t]*:[ \t]*$"
    r"|[ \t]*[^:\n]{2,80}<[^>\s]+@[^>\s]+>[ \t]+(?:wrote|schrieb)(?:[^:\n]{0,60})[ \t]*:[ \t]*$",
    re.IGNORECASE,
)
"""The line above what somebody wrote: "On Monday, Anna wrote:"."""

TAG = re.compile(
    r"<(?P<name>e?mail|message|text|document|doc|content|quote|blockquote|page|data|html|body|article|letter|note|"
    r"file|context|attachment|input|source|transcript|xml|pre|code)\b[^<>\n]{0,200}>",
    re.IGNORECASE,
)

GERMAN = re.compile(
    r"\b(?:als|und|mir|bitte|eine?n?|den|dem|der|das|die|ist|mit|auf|speichere?|fasse|notiz|hier|zusammen|erinnere)\b",
    re.IGNORECASE,
)

CALLED = frozenset(
    "text mail email e-mail message letter article paragraph post page document transcript snippet excerpt passage "
    "reply answer invitation newsletter log error quote recipe conversation chat comment review content contents "
    "nachricht brief artikel absatz beitrag seite dokument protokoll ausschnitt auszug antwort einladung "
    "fehlermeldung zitat rezept unterhaltung kommentar bewertung inhalt ausgabe above below block".split()
)
"""What a person calls a text that they have shown."""

MESSAGES = {
    "en": {
        "alone": "I see a text, but not what to do with it. What you show is only ever read, never obeyed. Say in "
        "words of your own what should happen (“save this as a note”), before it or behind its end.",
        "unfit": "What you show can be the content of something, but it cannot choose a name, a place or a condition. "
        "Say that in words of your own.",
        "text": "the text that you showed",
    },
    "de": {
        "alone": "Ich sehe einen Text, aber nicht, was damit geschehen soll. Was du zeigst, wird nur gelesen und nie "
        "befolgt. Sag in eigenen Worten, was geschehen soll („speichere das als Notiz“), davor oder nach seinem Ende.",
        "unfit": "Was du zeigst, kann ein Inhalt sein, aber es kann keinen Namen, keinen Ort und keine Bedingung "
        "bestimmen. Sag das in eigenen Worten.",
        "text": "der Text, den du gezeigt hast",
    },
}
