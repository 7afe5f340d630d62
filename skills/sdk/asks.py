"""What a tool asks of the daemon, which does it within the rights of the call: a page of the network, another tool."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from permissions.egress import Line, Relay
from skills.sdk import network
from skills.sdk.errors import ErrorWords
from skills.sdk.network import Response

no_calls = ErrorWords(
    "tool.calls",
    "This tool may not call other tools, and wanted to call {place}.",
    "Its steward.toml must name it as a right (skill.call).",
    "Dieses Werkzeug darf keine anderen aufrufen und wollte {place} aufrufen.",
    "In seiner steward.toml muss es als Recht stehen (skill.call).",
)


@dataclass(frozen=True, slots=True)
class Called:
    """What another tool gave back: its value in the type that it declares, and the sentence that it said.

    ``withheld`` are the rights that it needs by its manifest and did not get, because the caller does not have them.
    """

    value: Any
    answer: str
    withheld: tuple[str, ...] = ()
    changes: tuple[Mapping[str, Any], ...] = ()  # that a step wants, each with the new content where it has one

    def part(self, field: str = "", index: int | None = None) -> Part:
        """Return a part of the value for ``ctx.step``: of one item or all (``index``), the whole or a ``field``."""
        return Part(self.value, field, index)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of what another tool gave back, as a plan hands it on."""

    value: Any
    field: str = ""
    index: int | None = None


class Calls(Protocol):
    """Has calls of other tools made."""

    def __call__(self, tool: str, arguments: Mapping[str, Any], *, step: bool = False) -> Called:
        """Return what ``tool`` gave back; as a ``step`` it may say what it wants changed. Raises ToolError."""


class Asks:
    """The part of a context that reaches beyond its own cell."""

    def __init__(self, line: Line | None, calls: Calls | None) -> None:
        self._network = line
        self._calls = calls
        self._relay: Relay | None = None

    def fetch(
        self,
        url: str,
        *,
        method: str = "GET",
        headers: Mapping[str, str] | None = None,
        body: bytes = b"",
        limit_bytes: int = 10 << 20,
        timeout_s: float = 30.0,
        redirects: int = 0,
    ) -> Response:
        """Return what a host of the call's rights answers. The daemon asks; there is no other network.

        At most ``redirects`` are followed, each within the same rights. Methods that change something there need the
        effect ``once``. Raises ToolError where it is refused, fails, or is larger or slower than allowed.
        """
        return network.fetch(
            self._network, url, method=method, headers=headers, body=body, limit_bytes=limit_bytes,
            timeout_s=timeout_s, redirects=redirects,
        )  # fmt: skip

    def _proxies(self) -> Mapping[str, str]:
        """Return what tells programs of this call how they connect; nothing where they may not."""
        self._relay = self._relay or Relay.of_cell()
        return self._relay.environment() if self._relay else {}

    def call(self, tool: str, /, **arguments: Any) -> Called:
        """Have another tool called (``files.find``) in a cell of its own and return what it gave back.

        It gets what this call may and it needs, no more, and what is left of this call's time and memory. It may
        answer, and change what lies in a folder of ``ctx.workroom`` that it is handed; nothing else. What it returns is
        as untrusted as any result. Raises ToolError: no right to call it (``skill.call`` in steward.toml), or whatever
        the other tool failed with.
        """
        if self._calls is None:
            raise no_calls(tool)
        return self._calls(tool, arguments)
