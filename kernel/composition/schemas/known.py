"""What a schema says: the words of a tool's name and description, and for each parameter its words and its form."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import pairwise
from types import MappingProxyType

from kernel.composition.words import is_determiner, is_preposition
from kernel.language.function_words import is_function_word
from kernel.language.kindred import kindred
from kernel.language.place.place_words import ANY_THING, FILE_NOUNS, FOLDER_NOUNS, PLURAL_FILES
from kernel.slots.schema.words import doc_stems, name_stems, stem
from skills.model import Parameter, Tool, ValueKind

K = ValueKind
NAME, SUMMARY, PARAMETER, DOC, REST = 1.0, 1.0, 0.95, 0.9, 0.75
"""How far a word explains itself that stands in the name or the first sentence, in the name of a parameter, in what is
said about one, in the rest of the description."""

WRITTEN = frozenset("text conten body".split())
"""Stems that name what is written, whichever of them a parameter is called by."""

ALIKE = 0.9  # times that, for a word that means the same
PLAIN_VERBS = frozenset("get show list return display fetch retriev give tell do run use make find print view".split())
"""Stems of verbs that hardly tell one tool from another."""

SHOWING = frozenset("get show list return display fetch retriev give tell print view read see".split())
"""Those that ask to see something: one is as good as another."""

_SHORT: Mapping[str, str] = {
    "repo": "repository", "dir": "directory", "msg": "message", "src": "source", "dst": "destination", "num": "number",
    "dest": "destination", "desc": "description", "tz": "timezone", "lang": "language", "config": "configuration",
    "info": "information", "env": "environment", "db": "database", "doc": "document", "img": "image", "max": "maximum",
    "min": "minimum", "addr": "address", "loc": "location", "org": "organization", "temp": "temperature",
}  # fmt: skip
_SENTENCE_ENDS = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
_WORD = re.compile(r"[^\W\d_]+")
_ASIDE = re.compile(r"\([^()]*\)|(?<!\w)(['\"‘“`]).*?['\"’”`](?!\w)")
_QUOTED = re.compile(r"['\"‘“`]([\w./-]{1,40})['\"’”`]")
_FOR_EXAMPLE = re.compile(r"(?i)\b(?:e\.g|for example|such as|like|example)\b")
_FILE_STEMS = frozenset(map(stem, FILE_NOUNS | PLURAL_FILES | {"filename"}))
_FOLDER_STEMS = frozenset(map(stem, FOLDER_NOUNS | {"repo", "repository", "root", "cwd", "workspace"}))
_PATHS = frozenset(map(stem, ["path", "filepath", "paths"]))
_ENDS = frozenset(map(stem, "source destination target from to origin input output src dst dest".split()))
_LONG = frozenset("messag text conten body note prompt input string instru descri commen".split())
_FEW = 24  # words of the rest of a description that count


class Form(StrEnum):
    """What the words of a value look like."""

    TEXT = "text"
    PATH = "path"
    PATTERN = "pattern"
    CLOCK = "clock"
    DAY = "day"
    ZONE = "zone"
    NUMBER = "number"
    TRUTH = "truth"
    CHOICE = "choice"
    TYPED = "typed"  # another kind that the grammar knows
    RECORD = "record"  # an object with fields
    NONE = "none"  # nothing that words could say


@dataclass(frozen=True, slots=True, eq=False)
class Slot:
    """A parameter with the stems of its name and of what is said about it."""

    parameter: Parameter
    names: frozenset[str]
    docs: frozenset[str]
    form: Form
    choices: tuple[str, ...] = ()
    folder: bool = False  # a path that is rather a folder's
    file: bool = False  # or a file's
    led: frozenset[str] = frozenset()
    """Prepositions before its name in what the tool says of itself: "price of a product"."""

    @property
    def name(self) -> str:
        """The parameter's name."""
        return self.parameter.name

    @property
    def is_long(self) -> bool:
        """Whether it is called a text of its own: such a one may hold prepositions, paths and numbers."""
        return not self.names.isdisjoint(_LONG)


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """A tool by its schema. Words are stems; each of ``names`` and ``summary`` comes with those that mean the same.

    ``deeds`` are what it says that it does: the first word of its name and of its description. ``rare`` says of stems
    of names how much they tell among all tools, 0..1; 1 where nothing is said.
    """

    tool: Tool
    server: frozenset[str]
    names: Mapping[str, frozenset[str]]
    summary: Mapping[str, frozenset[str]]
    explained: Mapping[str, float]
    slots: tuple[Slot, ...]
    deeds: frozenset[str]
    outdated: bool
    rare: Mapping[str, float] = field(default_factory=dict)


def known_of(tool: Tool) -> Known:
    """Read the schema of ``tool``."""
    server = frozenset(name_stems(tool.skill)) - {"mcp", "server"}
    own = [one for one in name_stems(tool.function) if one not in server] or list(name_stems(tool.function))
    first, rest = parted(tool.summary)
    summary = {one: _alike(one, first) for one in _content(first)}
    names = {one: _alike(one, tool.function.replace("_", " ")) for one in own}
    slots = tuple(_led(slot_of(one), first) for one in tool.parameters)
    if not (_FILE_STEMS | _FOLDER_STEMS).isdisjoint({*summary, *names}):
        slots = tuple(map(_as_place, slots))
    deeds = frozenset[str]().union(*(words[one] for words in (names, summary) for one in list(words)[:1]))
    explained = _explained(tool, slots, names, summary, rest, server)
    if not deeds.isdisjoint(SHOWING):
        explained = dict.fromkeys(SHOWING, PARAMETER) | explained
    outdated = "deprecated" in tool.summary.casefold()
    return Known(
        tool, server, MappingProxyType(names), MappingProxyType(summary), MappingProxyType(explained), slots, deeds,
        outdated,
    )  # fmt: skip


def _led(slot: Slot, text: str) -> Slot:
    words = [word for word in _WORD.findall(text.lower()) if not is_determiner(word)]
    pairs = (one for one, name in pairwise(words) if stem(name) in slot.names and is_preposition(one))
    return replace(slot, led=frozenset(pairs))


def _as_place(slot: Slot) -> Slot:
    """Of a tool that works on files, what is only called a source or a destination is a path."""
    return replace(slot, form=Form.PATH) if slot.form is Form.TEXT and slot.names <= _ENDS else slot


def _content(text: str) -> tuple[str, ...]:
    """The stems of the content words of a text."""
    words = (word for word in _WORD.findall(text.lower()) if not is_function_word(word, "en"))
    return tuple(dict.fromkeys(map(stem, words)))


def _told(doc: str) -> frozenset[str]:
    """The stems of what the first sentence about a parameter says, without its asides and examples."""
    return frozenset(_content(_ASIDE.sub(" ", parted(doc)[0])))


def parted(text: str) -> tuple[str, str]:
    """Return the first sentence of a description, and the rest."""
    first, *rest = _SENTENCE_ENDS.split(" ".join(text.split()))
    return first, " ".join(rest)


def _alike(one: str, text: str) -> frozenset[str]:
    """A stem with those of words that mean the same as the word of ``text`` that it was made of."""
    words = [word for word in re.findall(r"[^\W\d_]+", text.lower()) if stem(word) == one]
    forms = {*words, *(word.removesuffix("s") for word in words)}
    found = {one, *map(stem, kindred(forms, "en"))}
    for nouns in (FOLDER_NOUNS, FILE_NOUNS | PLURAL_FILES):
        found |= set(map(stem, nouns)) if not nouns.isdisjoint(forms) else set()
    return frozenset(found)


def _explained(
    tool: Tool,
    slots: Iterable[Slot],
    names: Mapping[str, frozenset[str]],
    summary: Mapping[str, frozenset[str]],
    rest: str,
    server: frozenset[str],
) -> dict[str, float]:
    found: dict[str, float] = {}

    def add(words: Iterable[str], weight: float) -> None:
        for word in words:
            found[word] = max(weight, found.get(word, 0.0))

    add(doc_stems(rest)[:_FEW], REST)
    for slot in slots:
        add(slot.docs, DOC)
        add(slot.names, PARAMETER)
    for alike, weight in ((summary, SUMMARY), (names, NAME)):
        add((one for others in alike.values() for one in others), weight * ALIKE)
        add(alike, weight)
    add([*server, *name_stems(tool.function)], NAME)
    return found


def _in_full(names: Iterable[str]) -> frozenset[str]:
    """Stems of a name with those of what its pieces are short for."""
    return frozenset({full for one in names for full in (one, stem(_SHORT.get(one, one)))})


# --- parameters ---------------------------------------------------------------------------------------------------


def slot_of(parameter: Parameter) -> Slot:
    """Read one parameter."""
    names, docs = _in_full(name_stems(parameter.name)), _told(parameter.doc)
    docs |= {one for name in parameter.type.fields for one in name_stems(name)}
    docs |= WRITTEN if not names.isdisjoint(WRITTEN) else frozenset()
    form = _form(parameter, names)
    choices = parameter.type.choices
    if form is Form.TEXT and not parameter.type.many and not choices:
        choices = _listed(parameter.doc)
        form = Form.CHOICE if choices else form
    file, folder = not names.isdisjoint(_FILE_STEMS), not names.isdisjoint(_FOLDER_STEMS)
    kind = parameter.type.kind
    return Slot(parameter, names, docs, form, choices, folder or kind is K.FOLDER, file or kind is K.FILE)


_FORMS: Mapping[ValueKind, Form] = {
    K.INTEGER: Form.NUMBER, K.NUMBER: Form.NUMBER, K.BOOLEAN: Form.TRUTH, K.CHOICE: Form.CHOICE,
    K.FILE: Form.PATH, K.FOLDER: Form.PATH, K.NEW_FILE: Form.PATH, K.DATE: Form.DAY, K.HOURS: Form.TYPED,
    K.PERIOD: Form.TYPED, K.SIZE: Form.TYPED, K.DURATION: Form.TYPED, K.RECURRENCE: Form.TYPED,
    K.QUANTITY: Form.TYPED, K.UNIT: Form.TYPED, K.EXPRESSION: Form.TYPED,
    K.TEXT: Form.TEXT, K.TITLE: Form.TEXT, K.QUERY: Form.TEXT, K.COLUMN: Form.TEXT,
}  # fmt: skip


def _form(parameter: Parameter, names: frozenset[str]) -> Form:
    """The form that the kind says; of a text, what its name and its description say."""
    form = _FORMS.get(parameter.type.kind, Form.RECORD if parameter.type.fields else Form.NONE)
    return _form_of_text(names, parameter.doc) if form is Form.TEXT else form


def _form_of_text(names: frozenset[str], doc: str) -> Form:
    if "IANA" in doc or not names.isdisjoint({"timezo", "tz"}):
        return Form.ZONE
    if "HH:MM" in doc.upper() or names == {"time"}:
        return Form.CLOCK
    if not names.isdisjoint({"patter", "glob"}):
        return Form.PATTERN
    if not names.isdisjoint(_PATHS) or names <= _FILE_STEMS | _FOLDER_STEMS:
        return Form.PATH
    dated = not names.isdisjoint({"date", "day", "timest", "deadli"}) or "YYYY" in doc.upper()
    return Form.DAY if dated else Form.TEXT


def _listed(doc: str) -> tuple[str, ...]:
    """The values that a description names between quotation marks, where it gives them as all there are."""
    found = tuple(dict.fromkeys(_QUOTED.findall(doc)))
    return found if len(found) > 1 and not _FOR_EXAMPLE.search(doc) else ()


def says_things(word: str) -> bool:
    """Tell whether the word only says that a file or folder follows."""
    return word in ANY_THING
