"""One question to a model, from the rights it takes to what it cost; and everything about it in the ledger.

What this stops: a model that sees what its host was not granted; one that uses more than a budget has left; an answer
after the deadline; a key in an event, an error or an answer.
What it does not: say whether an answer is right. Whoever asks holds it against what it knows.
"""

from __future__ import annotations

import asyncio
import math
import os
import ssl
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol

from kernel.allotting import Accounts
from kernel.errors import ModelFailed
from kernel.models.breaker import Breakers
from kernel.models.forms import Misfit, digest_of, request_body, said_in, value_in
from kernel.models.model import ALWAYS_SEEN, MODELS, MODELS_HASH, Endpoint, Prompt, Reply, Usage, Way
from kernel.models.sizes import tokens_of_bytes, tokens_sent, usage_of, used, way_to
from kernel.models.wording import failed, failed_at, unfit
from kernel.remembering import bulk
from kernel.terms.held import Held
from permissions import Policy
from permissions.errors import PermissionsError, Refused
from permissions.labels import KERNEL_SAID, Label
from permissions.model import Action, Principal, Right, Verdict
from permissions.policy import Reservation, path_of
from permissions.vault import Vault
from skills import one_import

if TYPE_CHECKING:
    from kernel.models.recorded import Recorded
    from kernel.models.wire import Heard, Trouble
    from kernel.run import Run

MOST_RETRIES = 2
PAUSE_S = 0.2
_MASK = "[key]"
_MASKED_FROM = 6
"""A shorter key is no secret (``ollama``), and may be a word of any answer."""

_NOBODY_SAID = Label()
"""What a model says is nobody's word: untrusted, for the person's eyes."""


class Telling(Protocol):
    """Writes an event down, as ``RunLog.say`` does."""

    def __call__(
        self, kind: str, task: str | None, body: Mapping[str, Any], durable: bool = True, label: Label = KERNEL_SAID
    ) -> Awaitable[None]:
        """Write one event; a durable one is on disk when this returns."""


@dataclass(frozen=True, slots=True)
class Behalf:
    """On whose behalf a model is asked: by which rights, at whose cost, and where it is written down.

    ``held`` are the terms of the request itself.
    """

    run: str
    client: str
    policy: Policy
    now_s: float
    accounts: Accounts
    vault: Vault
    say: Telling
    held: Held = field(default_factory=Held)

    @staticmethod
    def of(run: Run) -> Behalf:
        """Return that of a run."""
        house, around = run.house, run.around()
        return Behalf(run.id, run.client, around.policy, around.now_s, house.accounts, house.post.vault, run.log.say,
                      run.held)  # fmt: skip


@dataclass(slots=True)
class Line:
    """What all questions share: how the endpoints did, and the authority of the person's own for https.

    With ``recorded`` nobody is asked: what was replied then is the answer.
    """

    breakers: Breakers
    ca_file: Path | None = None
    recorded: Recorded | None = None
    _trust: ssl.SSLContext | None = None

    async def trust(self, url: str) -> ssl.SSLContext | None:
        """Return whose certificates are believed; None for http. Raises BadScope."""
        if not url.startswith("https:"):
            return None
        if self._trust is None:
            from permissions.egress import build_trust  # no start waits for it

            self._trust = await asyncio.to_thread(build_trust, self.ca_file)
        return self._trust


def load_wire() -> ModuleType:
    """Return ``kernel.models.wire``. Takes half a second the first time. Raises ModelFailed where it is not installed.

    Nothing that the environment says to the library counts.
    """
    fresh = "kernel.models.wire" not in sys.modules
    try:
        with one_import, _plain_environment():
            from kernel.models import wire

            wire.be_quiet()
            if fresh:
                wire.prepare()
    except ModuleNotFoundError as error:
        raise failed("model.none", "the extra models is not installed", hint="./steward setup models") from error
    return wire


@contextmanager
def _plain_environment() -> Iterator[None]:
    hidden = {name: os.environ.pop(name) for name in list(os.environ) if name.startswith(("OPENAI_", "AZURE_OPENAI"))}
    try:
        yield
    finally:
        os.environ.update(hidden)


async def ask(endpoint: Endpoint, role: str, prompt: Prompt, behalf: Behalf, line: Line, deadline_s: float) -> Reply:
    """Ask ``endpoint``, and return what it says. Raises ModelFailed."""
    if line.recorded is not None:
        return line.recorded.reply(endpoint, role, prompt)
    return (await hear(endpoint, role, prompt, behalf, line, deadline_s))[0]


async def hear(
    endpoint: Endpoint, role: str, prompt: Prompt, behalf: Behalf, line: Line, deadline_s: float
) -> tuple[Reply, Heard]:
    """Ask ``endpoint``; return what it says, and how that came. Raises ModelFailed."""
    ends = time.monotonic() + min(deadline_s, endpoint.timeout_s)
    way = way_to(endpoint, prompt)
    body = request_body(endpoint, prompt, way)
    needed = used(endpoint, tokens_sent(body), prompt.most_tokens, estimated=True)
    check_seen(endpoint, prompt, behalf)
    _check_size(endpoint, needed)
    rests = line.breakers.rests_s(key_of(endpoint))
    if rests:
        raise failed("model.resting", f"{math.ceil(rests)} s", name=endpoint.name)
    hurried = deadline_s < endpoint.timeout_s
    async with _Question(endpoint, role, prompt, behalf, line, way, hurried).told(needed) as asked:
        return await asked.reply(body, ends)


def key_of(endpoint: Endpoint) -> str:
    """Return by what it is known how an endpoint does: one that was moved begins anew."""
    return f"{endpoint.name} {endpoint.url}"


def check_seen(endpoint: Endpoint, prompt: Prompt, behalf: Behalf) -> None:
    """Check that the host may see all that the prompt holds. Raises ModelFailed (``model.not_allowed``)."""
    tool = f"{MODELS}.{endpoint.name}"
    principal = Principal(MODELS, MODELS_HASH, tool, behalf.run, "", behalf.client)
    for seen in sorted(prompt.seen - ALWAYS_SEEN):
        right = Right(Action.MODEL_SEE, f"{seen}@{endpoint.host}")
        decision = behalf.policy.decide(principal, right, now_s=behalf.now_s)
        if decision.verdict is not Verdict.ALLOW:
            raise failed("model.not_allowed", f"{seen}, at {endpoint.host}: {decision.reason}", name=endpoint.name,
                         remedy=decision.remedy)  # fmt: skip


def _check_size(endpoint: Endpoint, needed: Usage) -> None:
    total = needed.tokens_in + needed.tokens_out
    if total > endpoint.context_tokens:
        why = f"about {total} tokens with the answer, and it takes {endpoint.context_tokens}"
        raise failed("model.too_long", why, name=endpoint.name)


@dataclass(slots=True)
class _Question:
    """A question that was allowed: what it holds in the budgets, and what is written down of it."""

    endpoint: Endpoint
    role: str
    prompt: Prompt
    behalf: Behalf
    line: Line
    way: Way
    hurried: bool = False  # whoever asks has less time than the endpoint was given
    key: str = ""
    text: str = ""
    ms: int = 0
    held: Reservation | None = None
    spent: Usage = field(default_factory=lambda: Usage(0, 0, 0, True))

    @asynccontextmanager
    async def told(self, needed: Usage) -> AsyncIterator[_Question]:
        """Reserve what is needed, write down that it is asked and what came of it; settle what it used."""
        code, asked = "cancelled", False
        self.behalf.held.reserve(self.endpoint, needed.money)
        try:
            await self._reserve(needed)
            await self._say_asked(needed)
            asked = True
            yield self
            code = ""
        except ModelFailed as error:
            code = error.code
            raise
        finally:
            self.line.breakers.neither(key_of(self.endpoint))
            self.behalf.held.settle(self.endpoint, needed.money, self.spent.money)
            await asyncio.shield(self._ended(code, asked))

    async def _ended(self, code: str, asked: bool) -> None:
        if self.held is not None:
            await self._settle(self.held)
        if asked:
            await self._say_replied(code)

    async def _reserve(self, needed: Usage) -> None:
        path = path_of(MODELS, f"{MODELS}.{self.endpoint.name}", self.behalf.client)
        wanted = {"tokens": needed.tokens_in + needed.tokens_out, f"money.{self.endpoint.currency}": needed.money}
        amounts = {meter: wanted[meter] for meter in self.behalf.accounts.budgets.meters(path) & wanted.keys()}
        if not amounts:
            return
        try:
            self.held = held = self.behalf.accounts.reserve(path, amounts)
        except Refused as error:
            raise failed("model.budget", str(error), name=self.endpoint.name, remedy=error.hint) from error
        body = {"id": held.id, "path": list(path), "amounts": dict(held.amounts)}
        await self.behalf.say("budget.reserved", None, body, False)

    async def _settle(self, held: Reservation) -> None:
        tokens = self.spent.tokens_in + self.spent.tokens_out
        used = {meter: tokens if meter == "tokens" else self.spent.money for meter in held.amounts}
        self.behalf.accounts.settle(held, used)
        body = {"id": held.id, "path": list(held.path), "used": used}
        await self.behalf.say("budget.settled", None, body, True)

    # --- asking ---------------------------------------------------------------------------------------------------

    async def reply(self, body: Mapping[str, Any], ends: float) -> tuple[Reply, Heard]:
        """Ask until there is an answer, or none to be expected. Raises ModelFailed."""
        self._take_key()
        began = time.monotonic()
        try:
            heard = await self._heard(body, ends)
        finally:
            self.ms = max(1, round((time.monotonic() - began) * 1000))
        return self._read(heard), heard

    def _take_key(self) -> None:
        if not self.endpoint.secret:
            return
        try:
            self.key = self.behalf.vault.take(self.endpoint.secret)
        except PermissionsError as error:
            raise self._failed("model.refused", f"its key is missing: {str(error).rstrip('.')}", error.hint) from error

    async def _heard(self, body: Mapping[str, Any], ends: float) -> Heard:
        wire = await self._wire(ends)
        name = key_of(self.endpoint)
        try:
            async with asyncio.timeout(max(0.0, ends - time.monotonic())):
                heard = await self._tried(wire, body, ends)
        except TimeoutError as error:
            self.line.breakers.down(name)
            raise self._failed("model.timeout", "its time is over", fixed=self.hurried) from error
        except wire.Trouble as trouble:
            _note(self.line.breakers, name, trouble)
            hint = f"It may be asked again in {math.ceil(trouble.after_s)} s." if trouble.after_s is not None else ""
            raise self._failed(f"model.{trouble.code}", str(trouble), hint, fixed=trouble.fixed) from trouble
        except PermissionsError as error:
            raise self._failed("model.unreachable", str(error).rstrip("."), error.hint) from error
        self.line.breakers.well(name)
        return heard

    async def _wire(self, ends: float) -> ModuleType:
        """Return what asks; the first time that takes a while, which is no fault of the endpoint's."""
        try:
            async with asyncio.timeout(max(0.0, ends - time.monotonic())):
                return await asyncio.to_thread(load_wire)
        except TimeoutError as error:
            raise self._failed("model.timeout", "this machine was too busy to ask", fixed=True) from error

    async def _tried(self, wire: ModuleType, body: Mapping[str, Any], ends: float) -> Heard:
        """Ask, and where it is worth it ask again. Raises Trouble."""
        trust = await self.line.trust(self.endpoint.url)
        tried = 0
        while True:
            tried += 1
            heard: Heard = wire.Heard()
            free = False
            try:
                await wire.ask(heard, self.endpoint.url, self.key, body, self.prompt.most_tokens, trust)
            except wire.Trouble as trouble:
                free = trouble.unopened or (trouble.code in ("busy", "refused") and not heard.events)
                pause_s = _pause_s(trouble, tried, ends - time.monotonic())
                if pause_s is None:
                    raise
            else:
                return heard
            finally:
                self._charge(body, heard, free=free)
            await asyncio.sleep(pause_s)

    def _failed(self, code: str, why: str, hint: str = "", *, fixed: bool = False) -> ModelFailed:
        masked = self._masked(why)  # masked first: cut, a part of it would be left
        return failed_at(self.endpoint, code, masked, hint, fixed=fixed)

    def _masked(self, text: str) -> str:
        return text.replace(self.key, _MASK) if len(self.key) >= _MASKED_FROM else text

    def _masked_in(self, value: Any) -> Any:
        """Return a value without the key, which its text may have had in escapes."""
        match value:
            case str():
                return self._masked(value)
            case list():
                return [self._masked_in(one) for one in value]
            case dict():
                return {self._masked(name): self._masked_in(one) for name, one in value.items()}
        return value

    # --- reading --------------------------------------------------------------------------------------------------

    def _read(self, heard: Heard) -> Reply:
        self.text = self._masked(heard.text)
        try:
            self.text = self._masked(said_in(heard, self.prompt.name) if self.way is Way.TOOLS else heard.text)
            value = None if self.prompt.schema is None else self._masked_in(value_in(self.text, self.prompt))
        except Misfit as error:
            if heard.finish == "length":
                why = f"it needs more than the {self.prompt.most_tokens} tokens that it was given"
                raise failed("model.too_long", why, name=self.endpoint.name, fixed=True) from error
            raise unfit(self.endpoint, error.code, self._masked(str(error)), self.text) from error
        return Reply(self.text, value, self.spent, self.ms, self.way, self.endpoint.name)

    def _charge(self, body: Mapping[str, Any], heard: Heard, *, free: bool) -> None:
        """Count what the endpoint says that it used, where that can be; else what it looks like.

        What was asked counts from the moment that it was on its way; an endpoint that turned it away was ``free``.
        """
        if free:
            self.spent = used(self.endpoint, 0, 0, estimated=True)
            return
        sent = tokens_sent(body)
        said = usage_of(heard.usage, sent, max(self.prompt.most_tokens, heard.size_bytes))
        given, out = said or (sent, tokens_of_bytes(heard.size_bytes))
        self.spent = used(self.endpoint, given, out, estimated=said is None)

    # --- writing down ---------------------------------------------------------------------------------------------

    async def _say_asked(self, needed: Usage) -> None:
        messages = [{"role": one.role, "text": one.text} for one in self.prompt.messages]
        body = {
            "role": self.role, "endpoint": self.endpoint.name, "host": self.endpoint.host,
            "model": self.endpoint.model, "way": str(self.way), "digest": digest_of(self.prompt),
            "seen": sorted(self.prompt.seen), "takes": self.endpoint.context_tokens,
            "tokens": needed.tokens_in + needed.tokens_out, "money": needed.money, **bulk.kept("messages", messages),
        }  # fmt: skip
        if self.prompt.schema is not None:
            body |= {"name": self.prompt.name, **bulk.kept("schema", self.prompt.schema)}
        await self.behalf.say("model.asked", None, body, False)

    async def _say_replied(self, code: str) -> None:
        usage = {"tokens_in": self.spent.tokens_in, "tokens_out": self.spent.tokens_out, "money": self.spent.money,
                 "currency": self.endpoint.currency, "estimated": self.spent.estimated}  # fmt: skip
        body = {"endpoint": self.endpoint.name, "code": code, "ms": self.ms, "way": str(self.way), "usage": usage,
                "digest": digest_of(self.prompt), **bulk.kept("text", self.text)}  # fmt: skip
        await self.behalf.say("model.replied", None, body, False, _NOBODY_SAID)


def _pause_s(trouble: Trouble, tried: int, left_s: float) -> float | None:
    """Return how long to wait until the same is asked again; None where it is not."""
    if trouble.unopened and tried == 1:
        return PAUSE_S if left_s > PAUSE_S else None
    if trouble.code != "busy" or trouble.after_s is None or tried > MOST_RETRIES:
        return None
    return trouble.after_s if trouble.after_s < left_s else None


def _note(breakers: Breakers, name: str, trouble: Trouble) -> None:
    """Take note of how an endpoint did: that it answers at all, if only no, is well."""
    if trouble.down:
        breakers.down(name)
    else:
        breakers.well(name)
