"""What goes wrong with a person's files, in words: each takes the place as it is shown."""

from __future__ import annotations

from pathlib import PurePosixPath

from skills.sdk.errors import ErrorWords, ToolError

missing = ErrorWords(
    "tool.missing",
    "There is no {place}.",
    "Check the name, or look for it first.",
    "{place} gibt es nicht.",
    "Prüfe den Namen oder suche zuerst danach.",
)
a_folder = ErrorWords(
    "tool.folder",
    "{place} is a folder, not a file.",
    "Name a file.",
    "{place} ist ein Ordner, keine Datei.",
    "Nenne eine Datei.",
)
a_file = ErrorWords(
    "tool.file",
    "{place} is a file, not a folder.",
    "Name a folder.",
    "{place} ist eine Datei, kein Ordner.",
    "Nenne einen Ordner.",
)
into_itself = ErrorWords(
    "tool.itself",
    "{place} cannot go into itself.",
    "Name a folder outside of it.",
    "{place} kann nicht in sich selbst liegen.",
    "Nenne einen Ordner außerhalb.",
)
pure = ErrorWords(
    "tool.pure",
    "This tool is declared pure and tried to change a file.",
    "The skill's author must declare its effect as idempotent or once in steward.toml.",
    "Dieses Werkzeug ist als rein erklärt und wollte eine Datei ändern.",
    "Wer den Skill schreibt, muss in steward.toml die Wirkung idempotent oder once erklären.",
)
called = ErrorWords(
    "tool.called",
    "This tool was called by another one and tried to change a file outside the folder that it was handed.",
    "A tool that is called answers, or works in a folder of ctx.workroom.",
    "Dieses Werkzeug wurde von einem anderen aufgerufen und wollte außerhalb des übergebenen Ordners etwas ändern.",
    "Ein aufgerufenes Werkzeug antwortet, oder es arbeitet in einem Ordner von ctx.workroom.",
)
no_own_folder = ErrorWords(
    "tool.own",
    "This tool has no folder of its own here.",
    "Run it in Steward, or in a PracticeHome.",
    "Dieses Werkzeug hat hier keinen eigenen Ordner.",
    "Lass es in Steward oder in einem PracticeHome laufen.",
)
no_reminding = ErrorWords(
    "tool.reminds",
    "This tool wanted to tell you something at a time, and its skill does not say why.",
    'The skill\'s author must add reminds = "..." to steward.toml.',
    "Dieses Werkzeug wollte dir zu einer Zeit etwas sagen, und sein Skill erklärt nicht, warum.",
    'Wer den Skill schreibt, muss in steward.toml reminds = "..." ergänzen.',
)
no_program = ErrorWords(
    "tool.program",
    "{place} could not be started: {why}.",
    "Check its name, and that it is installed.",
    "{place} ließ sich nicht starten: {why}.",
    "Prüfe den Namen und ob es installiert ist.",
)
no_programs = ErrorWords(
    "tool.programs",
    "This tool may not run programs, and wanted to run {place}.",
    "The skill's author must say in steward.toml, with runs_programs, why it does.",
    "Dieses Werkzeug darf keine Programme ausführen und wollte {place} ausführen.",
    "Wer den Skill schreibt, muss in steward.toml mit runs_programs sagen, warum es das tut.",
)
too_slow = ErrorWords(
    "tool.slow",
    "{place} took longer than {seconds} seconds and was ended.",
    "Ask for less at once.",
    "{place} brauchte länger als {seconds} Sekunden und wurde beendet.",
    "Verlange weniger auf einmal.",
)
_taken = ErrorWords(
    "tool.taken",
    "There is already something called {name} in {place}.",
    "Choose another name or folder, or move the other one away first.",
    "In {place} gibt es schon etwas mit dem Namen {name}.",
    "Wähle einen anderen Namen oder Ordner, oder räume das andere zuerst weg.",
)
_unreadable = ErrorWords(
    "tool.unreadable",
    "{place} cannot be read: {why}.",
    "Check its permissions.",
    "{place} lässt sich nicht lesen: {why}.",
    "Prüfe die Zugriffsrechte.",
)


def taken(place: str) -> ToolError:
    """Something stands at ``place`` already."""
    path = PurePosixPath(place)
    return _taken(str(path.parent), name=path.name)


def unreadable(place: str, error: OSError) -> ToolError:
    """The operating system refuses to read ``place``, or it vanished meanwhile."""
    return missing(place) if isinstance(error, FileNotFoundError) else _unreadable(place, why=error.strerror)
