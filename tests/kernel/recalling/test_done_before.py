"""What was done before, as a request speaks of it: which files and folders are meant, and when nothing is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from kernel.context.deeds import Deed, DeedKind
from kernel.context.world import HomeWorld
from kernel.interpret import interpret
from kernel.language import Lexicon
from kernel.model import ConversationId, Utterance
from skills.model import ValueKind

NOW = datetime(2026, 3, 11, 10, 0, tzinfo=ZoneInfo("Europe/Berlin"))
K = DeedKind
PLACES = ("Archive/logo.png", "Desktop/r2.txt", "Documents/invoice_acme.pdf", "Music/song.mp3", "Notes/Garden.md",
          "Stuff/new.txt")  # fmt: skip


@dataclass
class Told:
    """A past of a few deeds, the latest first."""

    deeds: list[Deed] = field(default_factory=list)
    conversation: str = "now"
    talks: tuple[str, ...] = ()

    def back(self, since: datetime | None = None, until: datetime | None = None) -> Iterator[Deed]:
        """Yield those of a stretch of time."""
        yield from (one for one in self.deeds if (not since or one.at >= since) and (not until or one.at < until))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with a few files."""
    for place in PLACES:
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_text("x")
    return tmp_path


@pytest.fixture
def past(home: Path) -> Told:
    """Deeds of today, of yesterday and of last week."""

    def deed(days: float, kind: DeedKind, path: str, source: str = "", request: str = "", talk: str = "old") -> Deed:
        at, place = NOW - timedelta(days=days), f"{home}/{path}"
        folder = not place.rpartition("/")[2].count(".")
        return Deed(f"r-{days}", at, kind, place, place, source and f"{home}/{source}", folder, request, talk)

    return Told([
        deed(0.05, K.RENAMED, "Desktop/r2.txt", "Desktop/todo.txt", "rename todo.txt to r2.txt"),
        deed(1.0, K.MOVED, "Archive/logo.png", "Downloads/logo.png", "move logo.png to Archive"),
        deed(1.1, K.MADE, "Stuff", request="create a folder called Stuff"),
        deed(1.2, K.MADE, "Notes/Garden.md", request="make a note called Garden", talk="older"),
        deed(6.0, K.MOVED, "Documents/invoice_acme.pdf", "Downloads/invoice_acme.pdf", "file the acme invoice"),
        deed(6.1, K.MADE, "Music/song.mp3", request="copy song.mp3 to Music"),
        deed(7.0, K.MOVED, "Gone/away.txt", "away.txt", "move away.txt to Gone"),
    ])  # fmt: skip


@pytest.mark.parametrize(
    ("text", "kind", "places"),
    [
        ("open the file I renamed this morning", "file", ["Desktop/r2.txt"]),
        ("open the file that I just renamed", "file", ["Desktop/r2.txt"]),
        ("move the file you moved yesterday to Music", "file", ["Archive/logo.png"]),
        ("move the file I moved to Archive to Music", "file", ["Archive/logo.png"]),
        ("show the folder I made yesterday", "folder", ["Stuff"]),
        ("read the note I made yesterday", "file", ["Notes/Garden.md"]),
        ("open the last file I moved", "file", ["Archive/logo.png"]),
        ("delete the song I copied last week", "file", ["Music/song.mp3"]),
        ("read the note from our last conversation", "file", ["Notes/Garden.md"]),
        ("move new.txt to where I put the last invoice", "folder", ["Documents"]),
        ("put it in the folder where I filed the invoice last week", "folder", ["Documents"]),
        ("lies die Datei, die ich heute früh umbenannt habe", "file", ["Desktop/r2.txt"]),
        ("verschiebe die Datei, die ich gestern verschoben habe, nach Music", "file", ["Archive/logo.png"]),
        ("öffne den Ordner, den ich gestern angelegt habe", "folder", ["Stuff"]),
        ("leg es dorthin, wo ich die letzte PDF hingelegt habe", "folder", ["Documents"]),
        ("lies die Notiz aus unserem letzten Gespräch", "file", ["Notes/Garden.md"]),
        ("open the file I moved", "file", ["Archive/logo.png", "Documents/invoice_acme.pdf"]),
        ("open the file I renamed yesterday", "file", [""]),
        ("lies die Datei, die ich letzte Woche umbenannt habe", "file", [""]),
    ],
)
def test_what_was_done_says_what_is_meant(home: Path, past: Told, text: str, kind: str, places: list[str]) -> None:
    """Several are all of them; "" stands for nothing that was done so."""
    assert _recalled(text, home, past) == [(kind, f"{home}/{place}" if place else "") for place in places]


@pytest.mark.parametrize(
    "text",
    [
        "find the photos I took last week",
        "find the file I downloaded yesterday",
        "delete the file I deleted yesterday",
        "open the file I edited yesterday",  # perhaps in an editor: the words are read as ever
        "make a note called 'the file I renamed this morning'",
        "what did I rename this morning",
        "I renamed the file this morning",
        "wo ist die Rechnung, die ich gestern bekommen habe",
    ],
)
def test_other_words_are_read_as_ever(home: Path, past: Told, text: str) -> None:
    """What people do themselves, what is quoted, and what is no description of a thing."""
    assert _recalled(text, home, past) == []


def test_several_are_one_list(home: Path, past: Told) -> None:
    """ "The files I moved" are all of them; what is no longer there is none of them."""
    found = _recalled("zip the files I moved last week and this week", home, past)
    assert found == [("file", f"{home}/Documents/invoice_acme.pdf")]
    (kind, places), *rest = _recalled("copy all the files I moved to Music", home, past)
    assert (kind, rest) == ("file", [])
    assert places == [f"{home}/Archive/logo.png", f"{home}/Documents/invoice_acme.pdf"]


def _recalled(text: str, home: Path, past: Told) -> list[tuple[str, object]]:
    world = HomeWorld(str(home))
    world.look()
    said = Utterance(text, ConversationId("now"), str(home), str(home), NOW)
    spans = interpret(said, world, Lexicon(kinds=KINDS), past=past).spans
    recalled = [one for one in spans if one.source == "recalled" or one.value == ""]
    return [(one.kind.value, one.value) for one in recalled if one.kind in (ValueKind.FILE, ValueKind.FOLDER)]


KINDS = frozenset({("note", "md"), ("notiz", "md"), ("song", "mp3"), ("pdf", "pdf")})
