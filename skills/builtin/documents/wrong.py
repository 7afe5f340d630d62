"""Why a document cannot be read, in words."""

from __future__ import annotations

from skills.sdk import ErrorWords

empty = ErrorWords(
    "documents.data",
    "{place} is empty.",
    "Name another document.",
    "{place} ist leer.",
    "Nenne ein anderes Dokument.",
)
damaged = ErrorWords(
    "documents.damaged",
    "{place} is damaged and cannot be read.",
    "Open it with another program and save it again, or fetch it anew.",
    "{place} ist beschädigt und lässt sich nicht lesen.",
    "Öffne die Datei mit einem anderen Programm und speichere sie neu, oder hole sie noch einmal.",
)
too_big = ErrorWords(
    "documents.too-big",
    "{place} is too large to be read (more than {packed} MB, or {text} MB of text).",
    "Split it first.",
    "{place} ist zu groß zum Lesen (mehr als {packed} MB, oder {text} MB Text).",
    "Teile die Datei zuerst.",
)
encrypted = ErrorWords(
    "documents.encrypted",
    "{place} is protected by a password.",
    "Open it with its password and save an unprotected copy.",
    "{place} ist mit einem Passwort geschützt.",
    "Öffne die Datei mit ihrem Passwort und speichere eine ungeschützte Kopie.",
)
scanned = ErrorWords(
    "documents.scanned",
    "{place} has no text, only pictures (a scan) or blank pages: {pages} in all.",
    "Add a text layer with a text recognition program first, for instance: ocrmypdf in.pdf out.pdf",
    "{place} enthält keinen Text, nur Bilder (ein Scan) oder leere Seiten, insgesamt {pages}.",
    "Ergänze zuerst eine Textebene mit einer Texterkennung, zum Beispiel: ocrmypdf ein.pdf aus.pdf",
)
unknown = ErrorWords(
    "documents.format",
    "{place} is not a document that I can read.",
    "Save it as PDF, DOCX, HTML, Markdown or plain text first.",
    "{place} ist kein Dokument, das ich lesen kann.",
    "Speichere es zuerst als PDF, DOCX, HTML, Markdown oder reinen Text.",
)
no_text = ErrorWords(
    "documents.format",
    "{place} is {kind}, not a document that I can read.",
    "Name a PDF, DOCX, HTML, Markdown or plain text file.",
    "{place} ist {art}, kein Dokument, das ich lesen kann.",
    "Nenne eine PDF-, DOCX-, HTML-, Markdown- oder reine Textdatei.",
)
