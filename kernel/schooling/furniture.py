"""A furnished home: files and folders whose names sentences can say, and words for everything else.

What this stops: sentences about what is not there, which a planner rightly asks about.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from kernel.schooling.model import Hole, Phrase, Said
from kernel.schooling.phrases import phrases_of, points
from skills.model import Parameter, Tool, ValueKind

K = ValueKind
FOLDERS = (
    "Downloads Documents/Insurance Documents/Contracts Pictures/Holiday Pictures/Garden Music/Jazz Finance Archive "
    "Backup Projects/bridge Projects/kiosk Desktop Work/Clients Invoices Videos Recipes Taxes/2023 Letters Scans "
    "Reisen/Italien Rechnungen Schule Garten Verein"
).split()
_STEMS = (
    "harbour lantern orchard ledger turbine meadow compass quarry walnut saffron cobalt ferry juniper granite "
    "thistle marigold anvil beacon copper delta ember falcon glacier heron island jigsaw kettle lagoon magnet nectar "
    "opal pebble quilt raven summit timber umbrella velvet willow yarrow zenith ahorn birke distel efeu fichte ginster"
).split()
_SUFFIXES = "csv xlsx pdf docx md txt jpg png mp3 mp4 zip json html tsv parquet wav epub pptx".split()
_WORD_ITS_OWN = frozenset({K.TITLE, K.QUERY, K.TEXT})
_SUFFIX = re.compile(r"\.([A-Za-z0-9]{1,7})$")


def furnish(home: Path) -> Path:
    """Put small files and folders below ``home``; return it."""
    for folder in FOLDERS:
        (home / folder).mkdir(parents=True, exist_ok=True)
    for name in _names():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
    return home


def _names() -> list[str]:
    names = []
    for number, stem in enumerate(_STEMS):
        for more in range(2):
            suffix = _SUFFIXES[(number * 2 + more) % len(_SUFFIXES)]
            folder = FOLDERS[(number * 5 + more * 7) % len(FOLDERS)]
            names.append(f"{folder}/{stem}{' plan' * more}.{suffix}")
    return names


@dataclass(slots=True)
class Furniture:
    """What can be said in a home: its files by suffix, its folders, and the words of the examples by parameter."""

    home: Path
    files: dict[str, list[Path]] = field(default_factory=lambda: defaultdict(list))
    folders: list[Path] = field(default_factory=list)
    titles: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    words: dict[tuple[str, str, str], list[str]] = field(default_factory=lambda: defaultdict(list))
    usual: dict[tuple[str, str], list[str]] = field(default_factory=lambda: defaultdict(list))

    @classmethod
    def of(cls, home: Path, tools: Iterable[Tool]) -> Furniture:
        """Read what lies in ``home``, and give the things that ``tools`` call by a name something to be called by."""
        found = cls(home)
        held = tuple(tools)
        for path in sorted(home.rglob("*")):
            if path.is_dir():
                found.folders.append(path)
            elif not path.name.startswith("."):
                found.files[path.suffix[1:].casefold()].append(path)
        for tool in held:
            for language in sorted({one.language for one in tool.examples}):
                found._learn(tool, language)
        return found

    def _learn(self, tool: Tool, language: str) -> None:
        for hole in (hole for phrase in phrases_of(tool, language) for hole in phrase.holes):
            parameter = tool.parameter(hole.parameter)
            suffix = _SUFFIX.search(hole.text)
            if suffix:
                self.usual[str(tool.id), hole.parameter].append(suffix.group(1).casefold())
            if parameter.type.kind in _WORD_ITS_OWN and not points(hole):
                self.words[str(tool.id), hole.parameter, language].append(hole.text)
            if parameter.names and not points(hole):
                self._name(parameter, hole.text)

    def _name(self, parameter: Parameter, title: str) -> None:
        """A note that is spoken of is there."""
        if title.casefold().split()[0] in {"the", "my", "die", "der", "das", "den", "meine", "meinen"}:
            return
        path = self.home / parameter.names.replace("~/", "", 1).replace("*", title.replace("/", "-"))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
        self.titles[parameter.names].append(title)

    def draw(self, phrase: Phrase, hole: Hole, random: Random) -> Said | None:
        """Return a value for a hole of ``phrase``; None where the home has none that would do."""
        parameter = phrase.tool.parameter(hole.parameter)
        match parameter.type.kind:
            case K.FILE | K.TABLE:
                return self._file(phrase, parameter, hole, random)
            case K.FOLDER:
                return self._folder(random)
            case K.TITLE if parameter.names and self.titles[parameter.names]:
                return Said(random.choice(self.titles[parameter.names]))
            case kind if kind in _WORD_ITS_OWN:
                known = self.words[str(phrase.tool.id), hole.parameter, phrase.language]
                return Said(random.choice(known)) if known else None
            case _:
                return Said(hole.text)

    def _file(self, phrase: Phrase, parameter: Parameter, hole: Hole, random: Random) -> Said | None:
        own = _SUFFIX.search(hole.text)
        suffixes = [own.group(1).casefold()] if own else self.usual[str(phrase.tool.id), hole.parameter]
        known = [path for suffix in suffixes for path in self.files.get(suffix, ())]
        if not known:
            return None
        several = parameter.type.many and (" and " in hole.text or " und " in hole.text)
        paths = random.sample(known, 2) if several and len(known) > 1 else [random.choice(known)]
        joined = " und " if phrase.language == "de" else " and "
        return Said(joined.join(path.name for path in paths), tuple(map(str, paths)))

    def _folder(self, random: Random) -> Said | None:
        path = random.choice(self.folders)
        inner = path.relative_to(self.home)
        text = random.choice((path.name, str(inner), f"~/{inner}")) if len(inner.parts) > 1 else path.name
        return Said(text, (str(path),))
