"""What a client's calls come to: in text for whoever reads it, and as one object like that of ``ask --json``."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from kernel import Ask, BadRequest, Kernel, ToolCall, UnknownRun
from portal.mcp.following import Report, View, followed
from portal.mcp.pace import Pace

RUNS, MEMORY = "steward://runs", "steward://memory"
ASK_OFFER, MEMORY_OFFER = "steward.ask", "steward.memory_search"

LONGEST_TEXT = 50_000
LARGEST_BYTES = 512 * 1024
RUNS_LISTED = 50
HITS = 20
MOST_HITS = 100

_FAILED = ("failed", "blocked", "rolled_back")
_SHOWN = (
    "run",
    "conversation",
    "resolution",
    "answer",
    "marks",
    "language",
    "question",
    "result",
    "effects",
    "error",
    "undone",
)


@dataclass(frozen=True, slots=True)
class Said:
    """The answer to a call. ``question`` is what the run asks back, where it does."""

    text: str
    content: View
    failed: bool = False
    question: View | None = None

    @property
    def conversation(self) -> str:
        """The conversation in which the question is answered."""
        return str(self.content.get("conversation") or "")


class Desk:
    """Answers one client, in its name. One event loop only."""

    def __init__(self, kernel: Kernel, client: str, pace: Pace, wait_s: float, closing: asyncio.Event) -> None:
        self._kernel = kernel
        self._client = client
        self._pace = pace
        self._wait_s = wait_s
        self._closing = closing

    # --- tools ----------------------------------------------------------------------------------------------------

    def listed(self) -> Sequence[View]:
        """Return what this client may call, for its list. Raises UnknownRun when it was removed, TooMuch."""
        self._pace.count_list()
        return self.offers()

    def offers(self) -> Sequence[View]:
        """Return what this client may call. Raises UnknownRun when it was removed."""
        return self._kernel.clients.offers(self._client)

    async def call(self, name: str, arguments: Mapping[str, Any], report: Report) -> Said:
        """Make a call and wait for what it comes to. Raises KernelError, TooMuch."""
        offer = next((str(one["offer"]) for one in self.offers() if one["name"] == name), None)
        if offer is None:
            raise BadRequest("client.not_allowed", f"There is no tool {name[:80]!r} for {self._client}.",
                             hint=f"What there is: tools/list. The person can allow more: ./steward mcp allow "
                             f"{self._client} TOOL")  # fmt: skip
        if offer == MEMORY_OFFER:
            return await self._search(arguments)
        if offer == ASK_OFFER:
            _check(arguments, required=("text",), optional=("conversation",))
            return await self.ask(arguments["text"], arguments.get("conversation"), report)
        async with self._pace.turn():
            run = await self._kernel.call(ToolCall(self._client, offer, arguments))
            return await self._come_to(run, report)

    async def ask(self, text: str, conversation: str | None, report: Report) -> Said:
        """Ask in words, or answer what was asked back. Raises KernelError, TooMuch."""
        async with self._pace.turn():
            run = await self._kernel.ask(Ask(text, conversation or None, channel="mcp", client=self._client))
            return await self._come_to(run, report)

    async def _come_to(self, run: str, report: Report) -> Said:
        view = await followed(self._kernel, run, report, self._wait_s, self._closing)
        content = self._content(view)
        return Said(_text(content), content, view["resolution"] in _FAILED, view.get("question"))

    def _content(self, view: View) -> View:
        content = {name: view.get(name) for name in _SHOWN}
        if len(json.dumps(content, default=str)) > LARGEST_BYTES:  # the person sees all of it
            content["effects"] = self._kernel.outline(view["run"])["effects"]
            content["result"] = {"left_out": f"It is too large; the person sees it: ./steward runs {view['run']}"}
        if view["resolution"] == "pending":
            content["pending"] = {
                "waits_for": "the person", "stage": view.get("stage"), "expires_at": view.get("expires_at"),
                "approve": f"./steward approve {view['run']}", "look_later": f"{RUNS}/{view['run']}",
            }  # fmt: skip
        found: View = sound(content)
        return found

    async def _search(self, arguments: Mapping[str, Any]) -> Said:
        _check(arguments, required=("words",), optional=("limit",))
        limit = arguments.get("limit", HITS)
        if not isinstance(limit, int) or isinstance(limit, bool) or not 1 <= limit <= MOST_HITS:
            raise BadRequest("call.argument", "limit is a whole number.", hint=f"From 1 to {MOST_HITS}.")
        async with self._pace.turn():
            found = sound(await self._kernel.search_for(self._client, arguments["words"], limit))
        lines = [str(one.get("text") or one.get("words") or "") for one in found["hits"]]
        return Said("\n".join(f"- {line}" for line in lines if line) or "Nothing in memory bears on this.", found)

    # --- resources ------------------------------------------------------------------------------------------------

    async def read(self, uri: str) -> View:
        """Return what stands at ``uri``. Raises UnknownRun where there is nothing for this client, TooMuch."""
        self._kernel.clients.known(self._client)
        if uri.startswith(f"{MEMORY}/"):
            return (await self._search({"words": unquote(uri.removeprefix(f"{MEMORY}/"))})).content
        async with self._pace.turn():
            return self._read(uri)

    def _read(self, uri: str) -> View:
        if uri == RUNS:
            return {"runs": sound(self._runs())}
        if uri.startswith(f"{RUNS}/"):
            return self._content(self._own(uri.removeprefix(f"{RUNS}/")))
        raise UnknownRun("resource.unknown", f"There is no {uri[:120]}.", hint=f"{RUNS}, {RUNS}/RUN, {MEMORY}/WORDS")

    def _runs(self) -> list[View]:
        lines = self._kernel.runs(RUNS_LISTED, client=self._client)
        names = ("run", "text", "conversation", "resolution", "started_at", "effects", "undone")
        return [{name: one[name] for name in names} for one in lines]

    def _own(self, run: str) -> View:
        """Return a run of this client; of another's it is not even said that there is one. Raises UnknownRun."""
        if not self._kernel.is_run_of(run, self._client):
            raise UnknownRun("run.unknown", f"There is no run {run[:40]} of {self._client}.", hint=RUNS)
        return self._kernel.view(run)


def _check(arguments: Mapping[str, Any], required: tuple[str, ...], optional: tuple[str, ...]) -> None:
    """Check the arguments of one of the two own tools. Raises BadRequest."""
    hint = f"It takes {', '.join((*required, *optional))}."
    unknown = next((name for name in arguments if name not in (*required, *optional)), None)
    if unknown is not None:
        raise BadRequest("call.argument", f"There is no argument {unknown[:60]!r}.", hint=hint)
    for name in required:
        if not isinstance(arguments.get(name), str) or not arguments[name].strip():
            raise BadRequest("call.argument", f"{name} must be text.", hint=hint)
    if not isinstance(arguments.get("conversation") or "", str):
        raise BadRequest("call.argument", "conversation must be text.", hint=hint)


def _text(content: View) -> str:
    """Return what a model, or a person, reads of a run."""
    parts = [str(content.get("answer") or "")]
    if content["resolution"] == "clarify":
        parts.append(f"(To answer, ask again with conversation {content['conversation']!r}.)")
    if pending := content.get("pending"):
        parts.append(f"This waits for the person, who can allow it in Steward's page or with {pending['approve']}. "
                     f"How it ended stands later at {pending['look_later']}.")  # fmt: skip
    said = "\n".join(part for part in parts if part) or str(content["resolution"])
    return said if len(said) <= LONGEST_TEXT else said[:LONGEST_TEXT] + "\n… (cut)"


def sound(value: Any) -> Any:
    """Return ``value`` as JSON that any reader takes: file names may hold bytes that are no text."""
    return json.loads(json.dumps(value, ensure_ascii=False, default=str).encode("utf-8", "replace"))
