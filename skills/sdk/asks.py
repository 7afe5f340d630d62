"""What a tool asks of the daemon, which does it within the rights of the call: a page of the network, another tool, a
fact about the machine, something on the person's desktop.
"""

from __future__ import annotations

import base64
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
no_doors = ErrorWords(
    "tool.doors",
    "This tool may not ask about this computer or its desktop.",
    "Its steward.toml must name that as a right (system.read, system.stop, desktop.open, desktop.use).",
    "Dieses Werkzeug darf nicht nach diesem Rechner oder seinem Desktop fragen.",
    "In seiner steward.toml muss das als Recht stehen (system.read, system.stop, desktop.open, desktop.use).",
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


class Doors(Protocol):
    """Asks at the daemon's doors."""

    def __call__(self, door: str, given: Mapping[str, Any], /) -> Any:
        """Return what came of it, as JSON. Raises ToolError."""


class Asks:
    """The part of a context that reaches beyond its own cell."""

    def __init__(self, line: Line | None, calls: Calls | None, doors: Doors | None = None) -> None:
        self._network = line
        self._calls = calls
        self._doors = doors
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
        secrets: Mapping[str, tuple[str, str]] | None = None,
    ) -> Response:
        """Return what a host of the call's rights answers. The daemon asks; there is no other network.

        At most ``redirects`` are followed, each within the same rights. Methods that change something there need the
        effect ``once``. ``secrets`` gives by header a form and the name of a secret, which the daemon puts there:
        ``{"Authorization": ("Bearer {}", "weather")}``. It needs ``secret.use`` for that name, and the person keeps the
        secret for that host; its value never comes here. Raises ToolError where it is refused, fails, or is larger or
        slower than allowed.
        """
        return network.fetch(
            self._network, url, method=method, headers=headers, body=body, limit_bytes=limit_bytes,
            timeout_s=timeout_s, redirects=redirects, secrets=secrets,
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

    def system(self, fact: str) -> Any:
        """Return one kind of fact about this machine, as JSON: memory, disks, load, programs, battery, network, uptime,
        versions, temperatures. Each is a right of its own (``system.read``). Raises ToolError.
        """
        return self._knock("system", fact=fact)

    def stop_program(self, name: str, *, force: bool = False) -> Any:
        """Have every process of the person's that is called ``name`` end; return how many ``ended`` and are ``left``.

        Needs ``system.stop`` for that name, and the effect ``once``. Raises ToolError.
        """
        return self._knock("stop", program=name, force=force)

    def show(self, place: str) -> None:
        """Open a whole path or a web address with the person's own program (``desktop.open``, effect ``once``)."""
        self._knock("open", place=place)

    def paste(self) -> str:
        """Return the text on the person's clipboard (``desktop.use:clipboard.read``); "" where there is none."""
        return str(self._knock("clipboard.read"))

    def copy_text(self, text: str) -> None:
        """Put a text on the person's clipboard (``desktop.use:clipboard.write``, effect ``once``)."""
        self._knock("clipboard.write", text=text)

    def screenshot(self) -> bytes:
        """Return a picture of the person's screen as PNG (``desktop.use:screenshot``)."""
        return base64.b64decode(self._knock("screenshot"))

    def notify(self, title: str, text: str) -> bool:
        """Show a notice on the desktop (``desktop.use:notify``, effect ``once``); tell whether one was shown."""
        return bool(self._knock("notify", title=title, text=text))

    def _knock(self, door: str, **given: Any) -> Any:
        if self._doors is None:
            raise no_doors()
        return self._doors(door, given)
