"""The nouns of the kernel: what a sentence becomes on its way to a committed effect.

    Utterance -> Intent -> [Candidate] -> Plan | Question | Decline -> Authorization -> [Outcome] -> Effects

Everything is a value: a plan can be shown, hashed, stored in the ledger and read back.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Any, NewType

from permissions.labels import CLIENT_SAID, USER_SAID, Label
from permissions.model import Decision, Right
from permissions.policy import program_of
from skills.model import Offered, ToolId, ValueKind

RunId = NewType("RunId", str)
TaskId = NewType("TaskId", str)
ConversationId = NewType("ConversationId", str)

Say = Callable[[str, str | None, Mapping[str, Any], bool], Awaitable[None]]
"""``await say(kind, task, body, durable)`` writes one event of the run."""


class Resolution(StrEnum):
    """How a request ended; PENDING until then."""

    EXECUTED = "executed"
    CONFIRMED = "confirmed"
    CLARIFY = "clarify"
    BLOCKED = "blocked"
    DECLINED = "declined"
    ROLLED_BACK = "rolled_back"
    FAILED = "failed"
    PENDING = "pending"


class ShownAs(StrEnum):
    """How a text was shown instead of said."""

    FENCED = "fenced"  # between ``` or triple quotation marks
    QUOTED = "quoted"  # a quotation over a line
    CITED = "cited"  # lines that begin with >
    INDENTED = "indented"
    MAIL = "mail"  # a pasted mail, from its headers on
    TAGGED = "tagged"  # <mail> ... </mail>
    ANNOUNCED = "announced"  # behind "here is the mail:"


@dataclass(frozen=True, slots=True)
class Shown:
    """A text that a person showed and did not say: [start, end) of what they sent. ``text`` is it without its marks."""

    kind: ShownAs
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Utterance:
    """What was said, with the circumstances that give it meaning. ``now`` carries the time zone.

    ``client`` is the program that said it (``mcp:NAME``), or the routine whose moment came (``routine:NAME``); empty
    where the person did. ``shown`` are the texts that were
    shown with it: no part of ``text``, and never read as a request.
    """

    text: str
    conversation: ConversationId
    cwd: str
    home: str
    now: datetime
    client: str = ""
    shown: tuple[Shown, ...] = ()

    @property
    def label(self) -> Label:
        """The label of its words and of what they name: a program's are nobody's word, a routine's the person's."""
        return CLIENT_SAID if program_of(self.client) else USER_SAID


# --- interpret ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Token:
    """A word, number or mark. ``norm`` is case-folded, ``lemma`` its base form; offsets are into the text."""

    text: str
    start: int
    end: int
    norm: str
    lemma: str


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of tokens [first, last) that may be a value of ``kind``. Spans overlap; nothing is decided here.

    ``value`` is the typed value as JSON (see ``skills.model.ValueKind``), ``confidence`` in 0..1, ``label`` says
    where it came from: a person's words are ``user``.
    """

    kind: ValueKind
    first: int
    last: int
    value: Any
    confidence: float
    label: Label
    source: str = ""  # which rule or index saw it: "quoted", "path", "grammar.date", "place", ...


class ReferenceKind(StrEnum):
    """What a reference points at."""

    RESULT = "result"  # it, them, that, the result
    FIELD = "field"  # its total, their names: a projection of a result
    ORDINAL = "ordinal"  # the second one
    OTHER = "other"  # the other one, the rest
    EXTREME = "extreme"  # the oldest one, the two largest of them


@dataclass(frozen=True, slots=True)
class Reference:
    """A stretch of tokens [first, last) that points at an earlier result. ``plural`` is None when it may be both."""

    kind: ReferenceKind
    first: int
    last: int
    plural: bool | None = None
    field: str = ""  # lemma of the noun for FIELD; which extreme for EXTREME; how many for a plural ORDINAL
    ordinal: int = 0  # 1-based, negative from the end; how many for EXTREME
    nouns: tuple[str, ...] = ()  # lemmas that restrict the type: "that file"


@dataclass(frozen=True, slots=True)
class Boundary:
    """A place between tokens where one clause may end and the next begin; every boundary is optional.

    ``at`` is the first token of the next clause, ``left`` the end of the previous one (the connective between is
    dropped); ``strength`` in 0..1.
    """

    left: int
    at: int
    connective: str
    strength: float


@dataclass(frozen=True, slots=True)
class Intent:
    """The segment lattice of a sentence: tokens, typed spans, references and optional clause boundaries."""

    text: str
    language: str
    tokens: tuple[Token, ...]
    spans: tuple[Span, ...]
    references: tuple[Reference, ...]
    boundaries: tuple[Boundary, ...]
    label: Label
    concern: str = ""  # the semantic firewall's objection, "" when there is none


# --- recommend ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Candidate:
    """A tool for the tokens [first, last), with its score and the reasons for it in numbers."""

    tool: ToolId
    first: int
    last: int
    score: float
    reasons: Mapping[str, float] = field(default_factory=dict)


# --- plan ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Constant:
    """A value taken from the sentence, the conversation or a default."""

    value: Any
    label: Label
    text: str = ""  # the words it was read from


@dataclass(frozen=True, slots=True)
class FromTask:
    """The output of an earlier task of this plan: all of it, or one field of it.

    ``index`` picks one of many (0-based, negative from the end); None takes all.
    """

    task: TaskId
    field: str = ""
    index: int | None = None


Argument = Constant | FromTask


class Measure(StrEnum):
    """What of a result a condition looks at."""

    COUNT = "count"  # how many there are: items, rows of a table, 0 or 1 of anything else
    VALUE = "value"  # what it is


class Comparison(StrEnum):
    """How it is held against the value of the condition."""

    EQUAL = "="
    UNEQUAL = "!="
    LESS = "<"
    AT_MOST = "<="
    MORE = ">"
    AT_LEAST = ">="
    CONTAINS = "contains"
    LACKS = "lacks"


@dataclass(frozen=True, slots=True)
class Condition:
    """Holds or not when ``task`` is done: a measure of its result (or of one ``field``) against a ``value``."""

    task: TaskId
    measure: Measure
    comparison: Comparison
    value: Any
    field: str = ""
    text: str = ""  # the words that it was read from


@dataclass(frozen=True, slots=True)
class Task:
    """One tool call of a plan, or one for each item of an earlier result.

    It is made only when every condition of ``when`` holds. With ``each`` it is made once for each item of what that
    task found: there a reference to that task means the item, and one to a task of the same ``each`` means what came of
    the same item; from outside it means the list.
    """

    id: TaskId
    tool: ToolId
    arguments: Mapping[str, Argument]
    after: tuple[TaskId, ...] = ()
    text: str = ""  # the words of the request that it answers
    when: tuple[Condition, ...] = ()
    each: TaskId | None = None

    def takes(self) -> frozenset[TaskId]:
        """Return the tasks whose results this one is made from: by data, by condition, or as its list."""
        data = {value.task for value in self.arguments.values() if isinstance(value, FromTask)}
        loop = () if self.each is None else (self.each,)
        return frozenset({*data, *(one.task for one in self.when), *loop})

    def needs(self) -> frozenset[TaskId]:
        """Return the tasks that come before this one: those that it takes something of, and those by order alone."""
        return self.takes() | frozenset(self.after)

    def renamed(self, names: Mapping[TaskId, TaskId]) -> Task:
        """Return it with other names for tasks, for itself too; what ``names`` does not hold keeps its own."""

        def name(task: TaskId) -> TaskId:
            return names.get(task, task)

        return replace(
            self,
            id=name(self.id),
            arguments={
                key: replace(value, task=name(value.task)) if isinstance(value, FromTask) else value
                for key, value in self.arguments.items()
            },
            after=tuple(dict.fromkeys(map(name, self.after))),
            when=tuple(replace(one, task=name(one.task)) for one in self.when),
            each=None if self.each is None else name(self.each),
        )


@dataclass(frozen=True, slots=True)
class Plan:
    """A typed DAG, frozen before any untrusted byte is read. ``score`` in 0..1 is the planner's confidence."""

    tasks: tuple[Task, ...]
    language: str
    version: int = 1
    score: float = 1.0
    why: Mapping[str, Any] = field(default_factory=dict)  # reasons by task: candidate's numbers, runner-up
    reply: bool = field(default=False, compare=False)  # it answers the question that was open

    @property
    def model(self) -> str:
        """The model that made it, as the person calls it; empty where the kernel did."""
        return str(self.why.get("model") or "")

    @property
    def macro(self) -> Mapping[str, Any]:
        """The macro that it came of (``kernel.macros``): its name and key; empty where it came of none."""
        return self.why.get("macro") or {}

    @property
    def steps(self) -> tuple[Mapping[str, Any], ...]:
        """The macros whose plans were put in as steps: name and key of each."""
        return tuple(self.why.get("steps") or ())

    @property
    def worker(self) -> str:
        """The model that follows instructions in it; empty where none does."""
        return str(self.why.get("worker") or "")

    @property
    def worker_host(self) -> str:
        """The host of another machine on which that model runs; empty where it runs on this one."""
        return str(self.why.get("worker_host") or "")

    @property
    def maker(self) -> str:
        """The model whose work its result is: that made it, or that worked in it; empty where there is none."""
        return self.model or self.worker


@dataclass(frozen=True, slots=True)
class Question:
    """What the kernel must know before it may act. The answer completes ``draft`` at ``task``.``parameter``."""

    text: str
    task: TaskId
    parameter: str
    draft: Plan
    choices: tuple[str, ...] = ()
    values: tuple[Any, ...] = ()  # the typed values behind ``choices``
    settled: float = 0.0  # the score of ``draft`` if the value that is missing were there
    reply: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Decline:
    """No skill fits: why, and the nearest. ``unclear`` are the words that nobody understood, where these are why."""

    text: str
    nearest: tuple[ToolId, ...] = ()
    unclear: str = ""
    reply: bool = field(default=False, compare=False)


Proposal = Plan | Question | Decline


# --- authorize ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TaskRights:
    """What one task needs, and what was decided on each right.

    ``named`` are the paths that the request itself named, for which ``--yes`` answers an overwrite or a deletion.
    """

    task: TaskId
    needs: tuple[Right, ...]
    decisions: tuple[Decision, ...]
    reasons: tuple[str, ...]
    named: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Authorization:
    """The decision on a whole plan: one card. ``verdict`` is the strictest of all its rights."""

    verdict: str
    tasks: tuple[TaskRights, ...]


# --- dispatch, commit, remember -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one task. ``value`` is the tool's result as JSON, labelled; of one made for each item a list."""

    task: TaskId
    ok: bool
    value: Any = None
    answer: str = ""
    label: Label | None = None
    effects: tuple[Mapping[str, Any], ...] = ()
    table: Mapping[str, Any] | None = None
    files: tuple[str, ...] = ()
    error: Mapping[str, str] | None = None
    offered: Offered | None = None
    level: str = ""
    wall_s: float = 0.0
    peak_bytes: int = 0
    reserved_bytes: int = 0
    connections: int = 0
    up_bytes: int = 0
    down_bytes: int = 0
    skipped: bool = False  # its condition did not hold, or what it takes was not made: ``answer`` says why
