"""The nouns of models that can be asked: where one answers, what is said to it, and what comes back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

MODELS = "models"
"""The node of the policy tree below which each endpoint has its own: ``models.NAME``."""

MODELS_HASH = "models"
"""What grants are bound to instead of a skill's content: the scope of each names the host."""


class Role(StrEnum):
    """What a model is asked for. A person binds each role to an endpoint; none stands in for another."""

    PLANNER = "planner"
    WORKER = "worker"
    REVIEWER = "reviewer"
    EMBEDDER = "embedder"


class Way(StrEnum):
    """How a reply is brought into a form."""

    SCHEMA = "schema"  # response_format json_schema
    TOOLS = "tools"  # one tool whose parameters are the schema
    TEXT = "text"  # asked for in words, cut out and mended


class Seen(StrEnum):
    """Classes of data that a prompt holds. The first two are always allowed, the others need a grant per host."""

    REQUEST = "request"
    TOOLS = "tools"
    FACTS = "facts"
    FILES = "files"
    RESULTS = "results"


ALWAYS_SEEN = frozenset({Seen.REQUEST, Seen.TOOLS})
"""What every endpoint that a person set may see."""

_PORTS = {"http": 80, "https": 443}


def is_this_machine(name: str) -> bool:
    """Tell whether a host is this machine: a loopback address, or localhost."""
    try:
        return ip_address(name.strip("[]")).is_loopback
    except ValueError:
        return name == "localhost"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A place where a model answers. ``secret`` is the name of its key in the vault, never the key.

    ``price_in`` and ``price_out`` are millionths of ``currency`` for a million tokens.
    """

    name: str
    url: str
    model: str
    secret: str = ""
    family: str = ""
    way: Way = Way.TEXT
    context_tokens: int = 8192
    price_in: int = 0
    price_out: int = 0
    currency: str = "EUR"
    timeout_s: float = 60.0

    @property
    def host(self) -> str:
        """The host and the port, ``host:port``, as a right to see names them."""
        parts = urlsplit(self.url)
        name = parts.hostname or ""
        return f"{f'[{name}]' if ':' in name else name}:{parts.port or _PORTS.get(parts.scheme, 0)}"

    @property
    def is_local(self) -> bool:
        """Whether it answers on this machine: a loopback address, or localhost."""
        return is_this_machine(urlsplit(self.url).hostname or "")

    def kin_of(self, other: Endpoint | None) -> str:
        """Return whether two are of one model family: ``same``, ``other``, or ``unknown`` where nobody said."""
        if other is None:
            return "unknown"
        if (self.url, self.model) == (other.url, other.model):
            return "same"
        if not (self.family and other.family):
            return "unknown"
        return "same" if self.family.casefold() == other.family.casefold() else "other"


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a prompt. ``role`` is ``system``, ``user`` or ``assistant``."""

    role: str
    text: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a model is asked. With a ``schema`` (JSON Schema) the reply has to fit it; ``name`` is what it is called.

    ``told`` says that the messages tell the form, and that whoever asks holds the value to it: the schema then only
    helps a server that can hold to one.
    ``seen`` says which classes of data stand in the messages: whoever writes them knows, nothing else could.
    """

    messages: tuple[Message, ...]
    schema: Mapping[str, Any] | None = None
    name: str = "reply"
    most_tokens: int = 1024
    seen: frozenset[Seen] = ALWAYS_SEEN
    told: bool = False


@dataclass(frozen=True, slots=True)
class Usage:
    """What was used: tokens, and money in millionths. ``estimated`` where the endpoint did not say it."""

    tokens_in: int
    tokens_out: int
    money: int
    estimated: bool


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back. ``value`` is the JSON that was asked for, None where no schema was given."""

    text: str
    value: Any
    usage: Usage
    ms: int
    way: Way
    endpoint: str
