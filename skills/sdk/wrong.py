"""What goes wrong with a person's files, in words: one function an error, each takes the place as it is shown."""

from __future__ import annotations

from pathlib import PurePosixPath

from skills.sdk.errors import ToolError


def missing(place: str) -> ToolError:
    """Nothing stands at ``place``."""
    return ToolError(
        f"There is no {place}.",
        hint="Check the name, or look for it first.",
        code="tool.missing",
        de=f"{place} gibt es nicht.",
        de_hint="Prüfe den Namen oder suche zuerst danach.",
    )


def taken(place: str) -> ToolError:
    """Something stands at ``place`` already."""
    path = PurePosixPath(place)
    return ToolError(
        f"There is already something called {path.name} in {path.parent}.",
        hint="Choose another name or folder, or move the other one away first.",
        code="tool.taken",
        de=f"In {path.parent} gibt es schon etwas mit dem Namen {path.name}.",
        de_hint="Wähle einen anderen Namen oder Ordner, oder räume das andere zuerst weg.",
    )


def unreadable(place: str, error: OSError) -> ToolError:
    """The operating system refuses to read ``place``, or it vanished meanwhile."""
    if isinstance(error, FileNotFoundError):
        return missing(place)
    return ToolError(
        f"{place} cannot be read: {error.strerror}.",
        hint="Check its permissions.",
        code="tool.unreadable",
        de=f"{place} lässt sich nicht lesen: {error.strerror}.",
        de_hint="Prüfe die Zugriffsrechte.",
    )


def a_folder(place: str) -> ToolError:
    """A file is wanted and ``place`` is a folder."""
    return ToolError(
        f"{place} is a folder, not a file.",
        hint="Name a file.",
        code="tool.folder",
        de=f"{place} ist ein Ordner, keine Datei.",
        de_hint="Nenne eine Datei.",
    )


def a_file(place: str) -> ToolError:
    """A folder is wanted and ``place`` is a file."""
    return ToolError(
        f"{place} is a file, not a folder.",
        hint="Name a folder.",
        code="tool.file",
        de=f"{place} ist eine Datei, kein Ordner.",
        de_hint="Nenne einen Ordner.",
    )


def into_itself(place: str) -> ToolError:
    """A folder is to go below itself."""
    return ToolError(
        f"{place} cannot go into itself.",
        hint="Name a folder outside of it.",
        code="tool.itself",
        de=f"{place} kann nicht in sich selbst liegen.",
        de_hint="Nenne einen Ordner außerhalb.",
    )


def pure() -> ToolError:
    """A tool that is declared pure described a change."""
    return ToolError(
        "This tool is declared pure and tried to change a file.",
        hint="The skill's author must declare its effect as idempotent or once in steward.toml.",
        code="tool.pure",
        de="Dieses Werkzeug ist als rein erklärt und wollte eine Datei ändern.",
        de_hint="Wer den Skill schreibt, muss in steward.toml die Wirkung idempotent oder once erklären.",
    )
