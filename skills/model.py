"""The nouns of skills: skill, tool, parameter, value type, example, and what a call sends and returns.

A tool is a typed Python function. Its parameters' and result's types are a closed set of value kinds that the kernel
knows how to find in a sentence, to check and to show; words belong to the skill's own manifest, never to the kernel.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NewType

from permissions.model import ASKED_EACH_TIME

SkillId = NewType("SkillId", str)
"""ASCII ``[a-z][a-z0-9-]{1,62}``; the folder's name."""

ToolId = NewType("ToolId", str)
"""``<skill>.<function>``, e.g. ``files.largest``."""


OWN = "own"
"""What the scope of a right begins with that lies in the skill's own folder: ``own/**``."""


class ValueKind(StrEnum):
    """What a value means. The kernel's grammar finds these in text; the SDK has a Python type for each."""

    TEXT = "text"  # free text, a body; the user's own words or an earlier result rendered as text
    TITLE = "title"  # a short name for something new
    QUERY = "query"  # words to look for (content words of a noun phrase)
    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"
    CHOICE = "choice"  # one of a closed set; its words stand in the manifest
    FILE = "file"  # an existing file
    FOLDER = "folder"  # an existing folder (or one to be made where the tool allows)
    NEW_FILE = "new_file"  # a path that need not exist yet
    DATE = "date"  # a calendar day, ISO 8601
    PERIOD = "period"  # {"start": ISO date or None, "end": ISO date, exclusive, or None}
    SIZE = "size"  # {"min": bytes or None, "max": bytes or None}
    DURATION = "duration"  # seconds
    HOURS = "hours"  # {"start": "HH:MM", "end": "HH:MM" or None, "rough": a part of the day}
    RECURRENCE = "recurrence"  # a rule of RFC 5545: FREQ=WEEKLY;BYDAY=MO
    QUANTITY = "quantity"  # {"value": decimal string, "unit": str}
    UNIT = "unit"  # a unit of measure by name
    EXPRESSION = "expression"  # arithmetic, as written
    CONDITION = "condition"  # {"column": str, "op": "=|!=|<|<=|>|>=|contains", "value": str}
    COLUMN = "column"  # a column's name, as written
    URL = "url"  # a web address with its scheme: https://example.org/page
    TABLE = "table"  # rows with named columns, as a value
    RECORD = "record"  # named fields, as a value
    ANY = "any"  # result only: shown, and passed on as text


@dataclass(frozen=True, slots=True)
class ValueType:
    """The type of a parameter or a result. ``fields`` name what "its X" or "their X" can project."""

    kind: ValueKind
    many: bool = False
    choices: tuple[str, ...] = ()
    fields: Mapping[str, ValueType] = field(default_factory=dict)


class ParamRole(StrEnum):
    """How far an untrusted value may go: into a sink only when trusted or approved."""

    SINK = "sink"
    PAYLOAD = "payload"
    NEUTRAL = "neutral"


class EffectClass(StrEnum):
    """What calling a tool may change. ``pure`` gets no writable layer, ``once`` is never dispatched twice."""

    PURE = "pure"
    IDEMPOTENT = "idempotent"
    ONCE = "once"


@dataclass(frozen=True, slots=True)
class Parameter:
    """One argument of a tool.

    ``words`` maps each choice to the words that mean it, by language (``{"newest": {"en": ("newest", "latest")}}``).
    ``suffixes`` maps a choice that is a kind of file to the suffixes of such files, without the dot.
    ``default`` is meaningful only when ``required`` is false; None means "left to the tool". ``names`` is a pattern of
    paths (``~/Notes/*.md``): the argument is what one of these files is called. ``ahead``: its days are to come where
    nothing else is said ("on Friday" is the next one). ``early``: a bare hour is one of the morning. ``found``: it is
    never said by name, and only what a tool of the same skill found before is meant ("the second one"). ``person``:
    it says who somebody is, so that another name of theirs, or what they are to the speaker, means them. ``beside`` are
    words of which one stands in a request that gives this argument; ``<when>`` among them stands for a day, a time of
    day or a repetition, and several in one entry stand there together. ``unit`` is what a number is in ("m"): what is
    said in another unit of the same measure is converted. ``usual`` (JSON) is taken where a required one is not said,
    instead of asking for it; ``~`` stands for the home in it.
    """

    name: str
    type: ValueType
    required: bool
    doc: str
    role: ParamRole = ParamRole.NEUTRAL
    default: Any = None
    words: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    suffixes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    names: str = ""
    ahead: bool = False
    early: bool = False
    found: bool = False
    person: bool = False
    beside: tuple[str, ...] = ()
    unit: str = ""
    usual: Any = None

    def said(self, choice: str, language: str) -> str:
        """Return the first word for ``choice`` in ``language``; itself in English or where none is known."""
        known = self.words.get(choice, {}).get(language, ()) if language != "en" else ()
        return known[0] if known else choice


@dataclass(frozen=True, slots=True)
class ExampleSlot:
    """Where a parameter's value stands in an example: half-open character offsets into ``Example.text``."""

    parameter: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence that means this tool, with its values marked."""

    text: str
    language: str
    slots: tuple[ExampleSlot, ...] = ()


@dataclass(frozen=True, slots=True)
class RightTemplate:
    """A right a tool needs, before its arguments are known.

    ``scope`` is a path that may contain ``{parameter}`` (the path of a file or folder argument, or the text of a
    title), e.g. ``{folder}/**`` or ``~/Notes/**``; ``/**`` at the end means the tree.
    """

    action: str
    scope: str
    reason: str

    @property
    def is_own(self) -> bool:
        """Whether it is about the skill's own folder: what is kept there is nothing of the person's."""
        return self.scope.split("/", maxsplit=1)[0] == OWN


class Check(StrEnum):
    """What can be required of an argument or ensured of a result: a closed set, which the kernel holds both to."""

    EXISTS = "exists"  # the files or folders are there
    ABSENT = "absent"  # they are not there yet
    GONE = "gone"  # they are not there any more
    SOME = "some"  # there is at least one: an item, a row, a word
    AS_MANY = "as many as"  # as many results as the parameter has items
    AT_MOST = "at most"  # no more results than the parameter says


@dataclass(frozen=True, slots=True)
class Clause:
    """One thing that a tool requires of ``parameter``, or ensures; without one it is about the result."""

    check: Check
    parameter: str = ""


@dataclass(frozen=True, slots=True)
class ToolLimits:
    """Limits of one call of a tool: seconds and bytes."""

    wall_s: float = 30.0
    memory_bytes: int = 1 << 30


@dataclass(frozen=True, slots=True)
class Served:
    """What a tool of an MCP server is called there, and what it was when a person reviewed it (decision 32).

    ``schema`` is the whole JSON schema of its arguments, which a call is held to before it is made; ``output`` that of
    its result, None where it has none. ``claims`` are the server's annotations: shown, and never believed. ``digest``
    is the SHA-256 over all that it said of itself.
    """

    name: str
    schema: Mapping[str, Any]
    output: Mapping[str, Any] | None
    claims: Mapping[str, Any]
    digest: str


@dataclass(frozen=True, slots=True)
class Adds:
    """What a tool adds to the person's things: one of the kind ``what``, which its parameter ``called`` gives a name.

    ``words`` by language: what a person says for one, with its article ("a task"); ``places``: what it is added to.
    """

    what: str
    called: str
    words: Mapping[str, tuple[str, ...]]
    places: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Tool:
    """A typed function of a skill, with what the kernel needs to choose, fill, authorise and run it.

    ``says`` holds by language what a person reads of it (the summary, what parameters are for, the reasons for rights)
    where it is not English. ``requires`` is held before a call, ``ensures`` after it.
    ``nouns`` are those of its skill that mean the same in the name of a file. ``amends`` says of other functions of the
    skill that it puts right what they made, and which of its parameters takes what was given there.
    ``works_in`` names the parameters whose folder it may change in its own way, in a layer, ``works_at`` such folders
    themselves. ``served`` is set where an MCP server does it and no code of the skill; ``followed`` where a model does,
    by the instructions of the skill; ``code`` is the folder of the code where that is not the skill's own.
    ``brings`` names the kind of thing that sets a rule off and is like one that the tool found, ``adds`` what it adds.
    ``gathers``: it makes one text of its texts, which a plan may want though nobody names it ("save both as a note").
    """

    id: ToolId
    skill: SkillId
    function: str
    summary: str
    effect: EffectClass
    parameters: tuple[Parameter, ...]
    result: ValueType
    examples: tuple[Example, ...]
    rights: tuple[RightTemplate, ...]
    limits: ToolLimits = field(default_factory=ToolLimits)
    says: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    works_in: tuple[str, ...] = ()
    runs_programs: bool = False
    requires: tuple[Clause, ...] = ()
    ensures: tuple[Clause, ...] = ()
    works_at: tuple[str, ...] = ()
    served: Served | None = None
    nouns: tuple[tuple[str, ...], ...] = ()
    amends: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    followed: bool = False
    code: str = ""
    brings: str = ""
    adds: Adds | None = None
    gathers: bool = False

    @property
    def asks_always(self) -> bool:
        """Whether no standing grant answers for it: nobody may do it twice, and it does as it likes in a folder, ends a
        program or opens something before the person; or a model decides what is done.
        """
        if self.followed:
            return True
        each_time = bool(self.works_in or self.works_at) or any(
            right.action in ASKED_EACH_TIME for right in self.rights
        )
        return each_time and self.effect is EffectClass.ONCE

    def said(self, text: str, language: str) -> str:
        """Return ``text`` (a summary, a reason, what a parameter is for) in ``language``, else as it is."""
        return self.says.get(language, {}).get(text, text)

    def parameter(self, name: str) -> Parameter:
        """Return the parameter called ``name``. Raises KeyError."""
        found = self.find(name)
        if found is None:
            raise KeyError(name)
        return found

    def find(self, name: str) -> Parameter | None:
        """Return the parameter called ``name``, None where there is none."""
        for parameter in self.parameters:
            if parameter.name == name:
                return parameter
        return None


@dataclass(frozen=True, slots=True)
class Pin:
    """A Python package as a skill's lock has it: its name (PEP 503), version, and the SHA-256 of wheels it may be."""

    name: str
    version: str
    hashes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Skill:
    """An installed skill. ``hash`` is the SHA-256 over its sorted file list and contents; grants are bound to it.

    ``reminds`` is the reason for which what it keeps on the clock (``skills.schedule``) is told; empty: it is not.
    ``packages`` are the Python packages of others that its calls run with (``skills.environments``).
    """

    id: SkillId
    version: str
    title: str
    description: str
    folder: str
    hash: str
    shipped: bool
    tools: tuple[Tool, ...]
    says: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    reminds: str = ""
    packages: tuple[Pin, ...] = ()

    def named(self, language: str) -> str:
        """Return the title in ``language``."""
        return self.says.get(language, {}).get(self.title, self.title)


@dataclass(frozen=True, slots=True)
class Call:
    """What the kernel asks a cell to do. Everything a tool may know about the world is in here.

    ``view`` lists the staged changes of earlier tasks of the plan (see ``skills.sdk.view``); ``staging`` is the
    writable folder of this task, or None for a pure tool; ``programs`` says that it may run programs; ``called`` that
    another tool asked for it: then it describes nothing. ``own`` is the folder that its skill has for itself.
    """

    tool: ToolId
    folder: str
    function: str
    arguments: Mapping[str, Any]
    language: str
    home: str
    cwd: str
    now: str
    timezone: str
    seed: int
    staging: str | None = None
    view: tuple[Mapping[str, Any], ...] = ()
    programs: bool = False
    called: bool = False
    own: str = ""
    reminds: bool = False


@dataclass(frozen=True, slots=True)
class Offered:
    """What a tool that refused one of its arguments could take ``instead_of`` it, as a person would say it.

    Where it knows no ``choices`` but what is missing, ``asks`` is the parameter that a person can still say.
    """

    instead_of: str
    choices: tuple[str, ...]
    asks: str = ""


class Holds(StrEnum):
    """How long what a call says holds, by what it has looked at besides its arguments and its files."""

    MOMENT = "moment"  # the time, chance, the folder that it was called from; or nobody knows
    DAY = "day"  # the day, in the person's zone
    ALWAYS = "always"


@dataclass(frozen=True, slots=True)
class CallResult:
    """What a tool returned: its value as JSON, the sentence for the person, and the effects it described.

    ``effects`` are described effects in the form that ``permissions.transactions`` stages (op, path, blob, ...).
    ``error`` is set instead of ``value`` when the tool refused with a message for the person; ``offered`` then says
    what it would take. ``read`` are the versions of files that it read (dev, ino, size, mtime_ns, ctime_ns), by path.
    ``holds`` is how long it would say the same again of what is still as it was.
    """

    value: Any = None
    answer: str = ""
    effects: tuple[Mapping[str, Any], ...] = ()
    table: Mapping[str, Any] | None = None
    files: tuple[str, ...] = ()
    error: Mapping[str, str] | None = None
    offered: Offered | None = None
    read: Mapping[str, Sequence[int]] = field(default_factory=dict)
    holds: Holds = Holds.MOMENT
