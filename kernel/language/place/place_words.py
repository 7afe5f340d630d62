"""The words that stand around the names of files and folders, and what a written path looks like."""

from __future__ import annotations

import re
from collections.abc import Sequence

FOLDER_NOUNS = frozenset(
    "folder folders directory directories dir subfolder ordner ordners verzeichnis unterordner ordnern".split()
)
FILE_NOUNS = frozenset("file document datei dokument dokuments".split())
PLURAL_FILES = frozenset("files dateien".split())
ANY_THING = FOLDER_NOUNS | FILE_NOUNS | PLURAL_FILES
PLACE_PREPOSITIONS = frozenset(
    "in into inside from to under within at of on onto through im ins aus nach unter unterhalb von vom zum zur auf "
    "innerhalb bei".split()
)
ARTICLES = frozenset("the my our this that a der die das den dem mein meine meinen meinem meiner".split())
UNIVERSAL = frozenset("all every each any alle allen aller jede jeden jedes jeder sämtliche sämtlichen".split())
INDEFINITE = frozenset("a an another any some ein eine einen einem einer eines irgendein".split())
DESKTOP_FOLDERS = {"schreibtisch": "Desktop", "dokumente": "Documents", "bilder": "Pictures", "musik": "Music"}
"""The folders of every home by their German names (xdg-user-dirs), and what they are called in English."""
NAMING = frozenset("called named namens".split())
_OBJECTS = ARTICLES | frozenset("it them these those all everything each his her its their".split())
_FILED = frozenset("under into in away by".split())


def announces_folder(norm: str) -> bool:
    """Tell whether the word says that a folder's name follows."""
    return norm in NAMING or norm in FOLDER_NOUNS


def is_to_file(norms: Sequence[str], at: int) -> bool:
    """Tell whether the word at ``at`` is "file" as something to be done: "file it under Taxes", "file this away"."""
    if norms[at] != "file" or at + 2 >= len(norms) or (at > 0 and norms[at - 1] in ARTICLES | INDEFINITE):
        return False
    whole = norms[at + 1] in _OBJECTS or "/" in norms[at + 1]
    if not whole and not looks_like_path(norms[at + 1]):
        return False
    told = _FILED if whole else _FILED - {"in"}  # "file a.pdf in Work" may be the file that lies there
    return not told.isdisjoint(norms[at + 2 :])


def looks_like_path(text: str) -> bool:
    """Tell whether a token is written as a path or a file name."""
    if "://" in text or "@" in text or not text:
        return False
    if text.startswith(("~", "./", "../")) or (text.startswith("/") and len(text) > 1) or text in {".", ".."}:
        return text not in {".", ".."}
    if "/" in text:
        return bool(re.search(r"[^\W\d]", text)) and not re.fullmatch(r"\w{1,3}/\w{1,3}|and/or|und/oder|he/she", text)
    return bool(
        re.fullmatch(r"\.?[\w][\w\s+@~&%'’.()-]*\.(?:[^\W\d_][A-Za-z0-9]{0,9}|7z|3gp)|\.[A-Za-z_][\w.-]*", text)
    ) and not (re.fullmatch(r"(?:[A-Za-z]\.)+[A-Za-z]?\.?", text))
