"""The two files that describe a skill: ``SKILL.md`` (read leniently) and ``steward.toml`` (read strictly).

``SKILL.md`` is the open Agent Skills format, written by many hands: what can be understood is taken. ``steward.toml``
is ours and grants are decided on it, so every unknown key and every wrong type is refused with its file and line.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator
from pydantic_core import ErrorDetails

from permissions.model import Action
from skills.contents import INSTRUCTIONS
from skills.errors import BadSkill
from skills.model import EffectClass, ParamRole

MANIFEST, SOURCE = "steward.toml", "skill.py"

_LARGEST_BYTES = 1 << 20  # of either file
_LARGEST_FRONT = 64 << 10
"""So many characters of front matter are read at most: as YAML, whose reader takes its time; of more, the lines."""
FORMAT = 1
"""The form of ``steward.toml`` that is read here."""
_FRONT = re.compile(r"\A\ufeff?---[ \t]*\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_DEEP = re.compile(r"[\[{][\s\[{]{50}|^\s*\[+\s*(?:[^\n.]{0,200}\.){12}", re.MULTILINE)
"""What no manifest needs, and what readers of TOML spend their time or their stack on."""
_LINE = re.compile(r"^([A-Za-z_-]+):[ \t]*(.*)$", re.MULTILINE)

Language = Annotated[str, StringConstraints(pattern=r"^[a-z]{2}$")]
Identifier = Annotated[str, StringConstraints(pattern=r"^[a-z_][a-z0-9_]*$")]
Noun = Annotated[str, StringConstraints(pattern=r"^[^\s\d_.,;:!?-]{3,40}$")]
Said = Annotated[str, StringConstraints(pattern=r"^[^\s\d_.,;:!?]{1,40}( [^\s\d_.,;:!?]{1,40}){0,3}$")]
Suffix = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]{1,10}$")]
Required = Annotated[str, StringConstraints(pattern=r"^(exists|absent|some) \{[a-z_][a-z0-9_]*\}$")]
Ensured = Annotated[str, StringConstraints(pattern=r"^(some|exists|(gone|as many as|at most) \{[a-z_][a-z0-9_]*\})$")]
Unit = Literal[
    "mm", "cm", "m", "km", "inch", "ft", "mile", "mg", "g", "kg", "t", "oz", "lb", "ml", "cl", "l", "s", "min", "h",
    "day", "byte", "kB", "MB", "GB", "EUR", "USD", "GBP", "CHF", "%",
]  # fmt: skip
Words = dict[Identifier, dict[str, dict[Language, list[str]]]]


@dataclass(frozen=True, slots=True)
class Instructions:
    """What ``SKILL.md`` says: name, description, the Markdown below the front matter, and its ``allowed-tools``."""

    name: str
    description: str
    body: str
    allowed: str = ""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class RightEntry(_Strict):
    """One right with the reason a person reads."""

    action: Annotated[Action, Field(strict=False)]
    scope: Annotated[str, StringConstraints(min_length=1, max_length=500)]
    reason: Annotated[str, StringConstraints(min_length=3, max_length=300)]


class LimitEntry(_Strict):
    """Limits of one call: seconds and mebibytes."""

    wall_s: Annotated[float, Field(gt=0, le=3600, strict=False)] = 30.0
    memory_mib: Annotated[int, Field(ge=64, le=1 << 20)] = 1024


def _plain_place(text: str) -> str:
    """Refuse a place that is not whole, or is spelt in a way that hides where it leads."""
    parts = text.removesuffix("/").split("/")
    if parts[0] not in ("", "~") or len(parts) < 2 or any(part in ("", ".", "..") for part in parts[1:]):
        raise ValueError("begin with ~/ or /, and leave out '..' and '//'")
    return text


Place = Annotated[str, StringConstraints(pattern=r"^[^*{}\x00-\x1f]+$", max_length=1000), AfterValidator(_plain_place)]
SecretName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]{0,62}$")]
Host = Annotated[str, StringConstraints(pattern=r"^(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*:[0-9]{1,5}$", max_length=259)]


class ServerEntry(_Strict):
    """The ``[server]`` table: an MCP server, started by ``command`` or reached at ``url`` (decision 32).

    A place is a file, or with a slash at its end a folder with all in it. ``programs`` are where its own program lies;
    ``secrets`` are told beside ``env``, out of the vault: in a program's environment, in an address's headers.
    ``safe`` names the tools, as the server calls them, that change nothing: the person says so, never the server.
    """

    command: list[Annotated[str, StringConstraints(max_length=4000)]] = []
    url: Annotated[str, StringConstraints(pattern=r"^(https?://[^\s@]+)?$", max_length=2000)] = ""
    env: dict[Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")], str] = {}
    secrets: dict[Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_-]{0,60}$")], SecretName] = {}
    reads: list[Place] = []
    writes: list[Place] = []
    hosts: list[Host] = []
    programs: list[Place] = []
    safe: list[str] = []
    limits: LimitEntry = LimitEntry(wall_s=120.0)

    @model_validator(mode="after")
    def _one_way(self) -> ServerEntry:
        if bool(self.command) is bool(self.url):
            raise ValueError("a server has a command or a url")
        if self.url.startswith("http:") and self.secrets:
            raise ValueError("a secret is sent to an address with https:// alone")
        if any(not place.endswith("/") for place in self.writes):
            raise ValueError("writes are folders, and end in a slash")
        return self


def _requirement(text: str) -> str:
    from skills.environments.lock import requirement  # with a library: hardly a skill needs packages

    requirement(text)
    return text


class PythonEntry(_Strict):
    """The ``[python]`` table: packages of others, which ``requirements.lock`` beside it pins (decision 37)."""

    requires: Annotated[
        list[Annotated[str, StringConstraints(min_length=1, max_length=200), AfterValidator(_requirement)]],
        Field(min_length=1, max_length=50),
    ]


class AddsEntry(_Strict):
    """The ``adds`` of a tool: ``what`` kind of thing it adds, and the parameter that says what one is ``called``.

    ``words`` are what a person says for one, by language and with its article ("a task"); ``places`` what it is added
    to ("to-do list").
    """

    what: Identifier
    called: Identifier
    words: dict[Language, Annotated[list[Said], Field(min_length=1)]]
    places: dict[Language, list[Said]] = {}


class ToolEntry(_Strict):
    """One ``[tools.<function>]`` table.

    ``works_in`` names the parameters whose folder the tool may change in its own way; ``runs_programs`` is the reason
    for which it runs programs, and without one it cannot. ``requires`` is held before a call, ``ensures`` after it.
    ``names`` says of a parameter that it is what a file of this pattern is called; ``ahead`` lists those whose days are
    to come where nothing else is said, ``early`` those of which a bare hour is one of the morning, ``found`` those that
    take only what a tool of the skill found before ("the second one"), ``people`` those that say who somebody is, so
    that another name of theirs means them; ``beside`` says of a parameter which words a request that gives it has one
    of.
    ``units`` says in which unit a number is: "20 km" is 20000 for one in metres, and about "20 kg" it is asked.
    ``defaults`` are values for parameters that must be given, taken where they are not said; never for a sink.
    ``amends`` says of other tools of the skill that this one puts right what they made: of its parameters, which takes
    what was given there or came of it, and of its choices, which stands for it ("no, make it Tuesday").
    ``brings`` says that a thing of this kind which sets a rule off is like one that the tool found; only of a tool that
    comes with Steward that counts. ``adds`` says what kind of thing it adds: a rule may wait for one. ``gathers`` says
    that it makes one text of the texts that it is given: where several results are to go into one text ("save both as a
    note"), they go through it; only of a tool that comes with Steward that counts.
    """

    effect: Annotated[EffectClass, Field(strict=False)]
    examples: dict[Language, list[str]]
    rights: list[RightEntry] = []
    limits: LimitEntry = LimitEntry()
    words: Words = {}
    roles: dict[Identifier, Annotated[ParamRole, Field(strict=False)]] = {}
    ahead: list[Identifier] = []
    early: list[Identifier] = []
    found: list[Identifier] = []
    people: list[Identifier] = []
    beside: dict[Identifier, list[str]] = {}
    units: dict[Identifier, Unit] = {}
    defaults: dict[Identifier, Any] = {}
    names: dict[Identifier, Annotated[str, StringConstraints(pattern=r"^~/([^/*]+/)*\*\.[a-z0-9]+$")]] = {}
    amends: dict[Identifier, dict[Identifier, Identifier]] = {}
    brings: Literal["file", "text", "event", "mail", "task"] | None = None
    adds: AddsEntry | None = None
    gathers: bool = False
    works_in: list[Identifier] = []
    requires: list[Required] = []
    ensures: list[Ensured] = []
    runs_programs: Annotated[str, StringConstraints(min_length=3, max_length=300)] | None = None


class Manifest(_Strict):
    """A whole ``steward.toml``; ``format`` is the form that it is written in.

    ``words`` at the top serve every tool that has a parameter of that name.

    ``suffixes`` says of a parameter whose choices are kinds of files which suffixes, without the dot, each choice has.
    ``nouns`` are groups of nouns that mean the same in the name of a file.

    ``says`` gives by language what a person reads of the skill: title, summaries of tools, what arguments are
    for, reasons for rights. ``reminds`` is the reason for which it may tell the person something at a time.
    ``publisher`` is the public key (minisign) of whoever signs the package. With ``server`` the tools are those of an
    MCP server, which stand in ``tools.json``. ``python`` says which packages of others the tools need.
    """

    format: Annotated[int, Field(ge=1)] = FORMAT
    version: Annotated[str, StringConstraints(pattern=r"^\d+\.\d+\.\d+([-+][0-9A-Za-z.-]+)?$")]
    title: Annotated[str, StringConstraints(min_length=1, max_length=60)]
    entry: Literal["skill.py"] = "skill.py"
    publisher: Annotated[str, StringConstraints(pattern=r"^(RW[A-Za-z0-9+/]{54})?$")] = ""
    reminds: Annotated[str, StringConstraints(min_length=3, max_length=300)] | None = None
    words: Words = {}
    suffixes: dict[Identifier, dict[str, list[Suffix]]] = {}
    nouns: dict[Identifier, dict[Language, list[Noun]]] = {}
    says: dict[Language, dict[str, str]] = {}
    server: ServerEntry | None = None
    python: PythonEntry | None = None
    tools: dict[Identifier, ToolEntry]

    @model_validator(mode="before")
    @classmethod
    def _tools_of_a_server(cls, told: Any) -> Any:
        """Let a server's manifest leave out the tools; together with a server they are refused."""
        if not isinstance(told, dict) or "server" not in told:
            return told
        if "tools" in told:
            raise ValueError("the tools of a server stand in tools.json, and not here")
        if "python" in told:
            raise ValueError("a server is a program of its own, and brings its packages itself")
        return {**told, "tools": {}}


def read_instructions(folder: Path) -> Instructions:
    """Read ``SKILL.md``; broken YAML is read line by line, a missing name is the folder's. May raise BadSkill."""
    text = _read(folder / INSTRUCTIONS)
    front = _FRONT.match(text)
    body = text[front.end() :] if front else text
    fields = _front_matter(front[1]) if front else {}
    paragraphs = [part for part in body.split("\n\n") if part.strip() and not part.lstrip().startswith("#")]
    description = fields.get("description") or (" ".join(paragraphs[0].split()) if paragraphs else "")
    return Instructions(fields.get("name") or folder.name, description, body.strip(), fields.get("allowed-tools", ""))


def front_matter(text: str) -> str | None:
    """Return what stands between the two lines of dashes at the beginning of a ``SKILL.md``; None without them."""
    found = _FRONT.match(text)
    return found[1] if found else None


def _front_matter(text: str) -> dict[str, str]:
    try:
        loaded = yaml.safe_load(text) if len(text) <= _LARGEST_FRONT else None
    except (yaml.YAMLError, ValueError, RecursionError):  # "description: Use when: ..." is common and is not YAML
        loaded = None
    if loaded is None:
        loaded = {key: value.strip().strip("\"'") for key, value in _LINE.findall(text[:_LARGEST_FRONT])}
    fields = loaded if isinstance(loaded, dict) else {}
    if isinstance(several := fields.get("allowed-tools"), list):
        fields = {**fields, "allowed-tools": " ".join(map(str, several))}
    return {str(key): " ".join(str(value).split()) for key, value in fields.items() if isinstance(value, str)}


def read_manifest(folder: Path) -> Manifest:
    """Read ``steward.toml``. Raises BadSkill that names the file, the line and what was expected."""
    path = folder / MANIFEST
    text = _read(path)
    try:
        _check_depth(text)
        told = tomllib.loads(text)
        _check_format(path, told)
        return Manifest.model_validate(told)
    except ValidationError as error:
        raise _misfit(folder, text, error.errors()[0]) from error
    except (tomllib.TOMLDecodeError, ValueError, RecursionError, MemoryError) as error:
        raise BadSkill(
            "skill.toml", f"{path}: not valid TOML: {error}.", subject=folder.name, hint="Correct the line."
        ) from error


def _check_format(path: Path, told: dict[str, Any]) -> None:
    """Refuse a manifest of a later form as that, and not for the first key that this version does not know."""
    form = told.get("format", FORMAT)
    if not isinstance(form, int) or isinstance(form, bool) or form < 1:
        return  # said with its line, like every value that does not fit
    if form > FORMAT:
        message = f"{path} is of form {form}, and this version of Steward reads form {FORMAT}."
        hint = "Update Steward, or take an older version of the skill."
        raise BadSkill("skill.format", message, subject=path.parent.name, hint=hint)


def _check_depth(text: str) -> None:
    if _DEEP.search(text):
        raise RecursionError("it is nested too deeply")


def misfits(folder: Path) -> tuple[BadSkill, ...]:
    """Return everything that does not fit in ``steward.toml``, where ``read_manifest`` raises the first; none is ()."""
    try:
        read_manifest(folder)
    except BadSkill as error:
        if not isinstance(error.__cause__, ValidationError):
            return (error,)
        text = _read(folder / MANIFEST)
        return tuple(_misfit(folder, text, one) for one in error.__cause__.errors())
    return ()


def _misfit(folder: Path, text: str, first: ErrorDetails) -> BadSkill:
    where = ".".join(str(part) for part in first["loc"] if part != "[key]")
    return BadSkill(
        "skill.manifest",
        f"{folder / MANIFEST}:{line_of(text, [str(part) for part in first['loc']])}: {where}: {first['msg']}.",
        subject=folder.name,
        hint="docs/guides/writing-a-skill.md shows every key.",
    )


def line_of(text: str, keys: list[str]) -> int:
    """Return the number of the line that holds the innermost of ``keys`` that can be found; 1 when none can."""
    lines, at = text.splitlines(), 0
    for depth, key in enumerate(keys):
        header = re.compile(rf"^\s*\[+\s*{re.escape('.'.join(keys[: depth + 1]))}\s*\]")
        plain = re.compile(rf"""^\s*["']?{re.escape(key)}["']?\s*[=.]|[{{,.]\s*["']?{re.escape(key)}["']?\s*=""")
        headers = [number for number, line in enumerate(lines) if header.match(line)]
        at = headers[0] if headers else next((n for n in range(at, len(lines)) if plain.search(lines[n])), at)
    return at + 1


def _read(path: Path) -> str:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BadSkill(
            "skill.file",
            f"{path} cannot be read: {error.strerror}.",
            subject=path.parent.name,
            hint="A skill is a folder with SKILL.md, and with steward.toml and skill.py when it has tools.",
        ) from error
    if len(data) > _LARGEST_BYTES:
        raise BadSkill("skill.file", f"{path} is larger than 1 MiB.", subject=path.parent.name, hint="Shorten it.")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadSkill(
            "skill.file", f"{path} is not UTF-8 text.", subject=path.parent.name, hint="Save it as UTF-8."
        ) from error
