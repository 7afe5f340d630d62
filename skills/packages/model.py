"""The nouns of packages: what is refused, what was staged, who signed it, and what it may do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from skills.errors import SkillError
from skills.model import EffectClass, Pin, Skill, ToolId


class Refused(SkillError):
    """A package that is not taken, for one reason; ``subject`` is the member or the name that it is about."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much a package may be. Bytes; ``ratio`` is bytes unpacked to bytes packed of a whole archive."""

    members: int = 2000
    total_bytes: int = 64 << 20
    member_bytes: int = 16 << 20
    ratio: int = 100
    depth: int = 8
    path_bytes: int = 200


@dataclass(frozen=True, slots=True)
class Signer:
    """Whose key signed a package: its public key as minisign writes it, and what the signature says of itself."""

    key: str
    comment: str


@dataclass(frozen=True, slots=True)
class Staged:
    """A package in quarantine that nothing was found against. ``skill.folder`` is where it lies."""

    skill: Skill
    folder: Path
    signer: Signer | None

    @property
    def digest(self) -> str:
        """The SHA-256 over all names and contents, which grants are bound to."""
        return self.skill.hash


@dataclass(frozen=True, slots=True)
class ServerPowers:
    """How the server of a package is started or reached, and what its cell is shown; values of ``env`` are compared."""

    command: tuple[str, ...] = ()
    url: str = ""
    env: tuple[tuple[str, str], ...] = ()
    programs: frozenset[str] = frozenset()
    sees: frozenset[tuple[str, str]] = frozenset()
    safe: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Powers:
    """What a skill may do, as far as its manifest says: what a person agrees to when it is installed.

    ``rights`` are (tool, action, scope); ``effects`` the class of each tool; ``sinks`` the (tool, parameter) pairs into
    which nothing untrusted goes unasked; ``free`` the other parameters; ``works_in`` (tool, parameter) pairs;
    ``programs`` the tools that run programs; ``reminds`` whether it tells the person something at a time;
    ``server`` how the program of others is started whose tools they are; ``packages`` the Python packages of others
    that run with it.
    """

    rights: frozenset[tuple[ToolId, str, str]]
    effects: dict[ToolId, EffectClass]
    sinks: frozenset[tuple[ToolId, str]]
    free: frozenset[tuple[ToolId, str]]
    works_in: frozenset[tuple[ToolId, str]]
    programs: frozenset[ToolId]
    reminds: bool = False
    server: ServerPowers | None = None
    packages: tuple[Pin, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return what a skill without a server and without packages may do, to be written down."""
        return {
            "rights": [list(one) for one in sorted(self.rights)],
            "effects": {tool: str(effect) for tool, effect in sorted(self.effects.items())},
            "sinks": [list(one) for one in sorted(self.sinks)], "free": [list(one) for one in sorted(self.free)],
            "works_in": [list(one) for one in sorted(self.works_in)], "programs": sorted(self.programs),
            "reminds": self.reminds,
        }  # fmt: skip

    @staticmethod
    def from_json(body: Mapping[str, Any]) -> Powers:
        """Read what ``to_json`` wrote."""

        def pairs(name: str) -> frozenset[tuple[ToolId, str]]:
            return frozenset((ToolId(tool), str(one)) for tool, one in body[name])

        return Powers(
            rights=frozenset((ToolId(tool), str(action), str(scope)) for tool, action, scope in body["rights"]),
            effects={ToolId(tool): EffectClass(effect) for tool, effect in body["effects"].items()},
            sinks=pairs("sinks"), free=pairs("free"), works_in=pairs("works_in"),
            programs=frozenset(ToolId(one) for one in body["programs"]), reminds=bool(body["reminds"]),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Widening:
    """One thing that a version wants and the one before it did not."""

    tool: ToolId
    what: str
    was: str
    now: str

    def to_json(self) -> dict[str, Any]:
        """Return it as clients show it."""
        return {"tool": self.tool, "what": self.what, "was": self.was, "now": self.now}
