"""The line to an endpoint: one question, streamed back, bounded in everything. The one file that knows ``openai``.

What this stops: a server that sends without end, in one line or in all, packed or plain; one that is silent; one that
sends elsewhere (no redirect is followed, no proxy of the environment is used); one that learns more than it is told
(only the headers below leave, none of the library's own about this machine, none of the environment).
What it does not: end in time. Whoever asks does, with a deadline around all of it.

Imported when a model is asked, and never at start: it costs half a second and 30 MB.
"""

from __future__ import annotations

import asyncio
import email.utils
import logging
import ssl
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx2
import openai

CONNECT_S = 5.0
FIRST_S = 45.0
SILENCE_S = 15.0
"""So long it may take until a connection stands, until something comes back (a model may have to be loaded), and
between two parts of the answer."""

LINE_BYTES = 256 << 10
ALL_BYTES = 4 << 20
BYTES_A_TOKEN = 8
SLACK_BYTES = 4096
"""What may come at most: a line, everything, and of the text for each token that was asked for."""

_SENT = frozenset({"host", "content-type", "content-length", "accept", "transfer-encoding"})
_QUIET = ("openai", "httpx2", "httpcore2")
_NO_KEY = "none"
_NEVER_S = 1e9


class Trouble(Exception):
    """The endpoint gave nothing that can be used. ``code`` is that of the error, without ``model.``.

    ``down`` says that it does not work at all; ``after_s`` when it says it may be asked again; ``unopened`` that nobody
    listened there; ``fixed`` that a bound of ours was reached that nothing sets.
    """

    def __init__(
        self,
        code: str,
        why: str,
        *,
        down: bool = False,
        after_s: float | None = None,
        unopened: bool = False,
        fixed: bool = False,
    ) -> None:
        super().__init__(why)
        self.code = code
        self.down = down
        self.after_s = after_s
        self.unopened = unopened
        self.fixed = fixed


@dataclass(slots=True)
class Called:
    """A tool that the model calls, with what it says for the arguments."""

    name: str = ""
    arguments: str = ""


@dataclass(slots=True)
class Heard:
    """What came back, in ``parts``. ``size_bytes`` counts its words, with what it thought, which is not kept.

    ``usage`` is as it was said.
    """

    parts: list[str] = field(default_factory=list)
    calls: list[Called] = field(default_factory=list)
    finish: str = ""
    refusal: str = ""
    usage: Mapping[str, Any] | None = None
    size_bytes: int = 0
    events: int = 0
    first_ms: int = 0

    @property
    def text(self) -> str:
        """What it says."""
        return "".join(self.parts)


def prepare() -> None:
    """Have the library load what it loads at its first question, which would hold up everybody else; in a thread."""

    async def ask_nobody() -> None:
        def answer(_: httpx2.Request) -> httpx2.Response:
            said = b'data: {"choices":[{"delta":{"content":"x"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
            return httpx2.Response(200, headers={"content-type": "text/event-stream"}, content=said)

        httpx2.AsyncHTTPTransport(verify=False, trust_env=False)
        async with httpx2.AsyncClient(transport=httpx2.MockTransport(answer), trust_env=False) as http:
            client = _library(http, "http://127.0.0.1:1/v1", "")
            stream = await client.post("/chat/completions", cast_to=object, body={}, stream=True,
                                       stream_cls=openai.AsyncStream[object])  # fmt: skip
            async for _ in stream:
                pass

    asyncio.run(ask_nobody())


def be_quiet() -> None:
    """Let the libraries write nothing into our log: they would name addresses, and headers with a key in them."""
    for name in _QUIET:
        log = logging.getLogger(name)
        log.setLevel(logging.CRITICAL + 1)
        log.propagate = False
        log.disabled = True


async def ask(
    heard: Heard, url: str, key: str, body: Mapping[str, Any], most_tokens: int, trust: ssl.SSLContext | None
) -> None:
    """Ask once and hear to the end; ``heard`` has what came until then. Raises Trouble."""
    began = time.monotonic()
    most = most_tokens * BYTES_A_TOKEN + SLACK_BYTES
    try:
        async with _client(url, key, trust) as client:
            stream = await client.post("/chat/completions", cast_to=object, body=dict(body), stream=True,
                                       stream_cls=openai.AsyncStream[object])  # fmt: skip
            async with stream:
                async for event in stream:
                    heard.first_ms = heard.first_ms or max(1, round((time.monotonic() - began) * 1000))
                    _take(heard, event)
                    if heard.size_bytes > most:
                        raise Trouble("too_long", f"it says more than {most_tokens} tokens", fixed=True)
    except (openai.APIError, ValueError, TypeError, RecursionError) as error:
        raise _trouble_of(error) from error
    _check_complete(heard)


async def models_at(url: str, key: str, trust: ssl.SSLContext | None) -> tuple[str, ...]:
    """Return the models that an endpoint lists. Raises Trouble."""
    try:
        async with _client(url, key, trust) as client:
            listed = await client.get("/models", cast_to=object)
    except (openai.APIError, ValueError, TypeError, RecursionError) as error:
        raise _trouble_of(error) from error
    data = listed.get("data") if isinstance(listed, Mapping) else None
    if not isinstance(data, list):
        raise Trouble("garbage", "it lists no models")
    names = (one.get("id") for one in data if isinstance(one, Mapping))
    return tuple(name for name in names if isinstance(name, str))


@asynccontextmanager
async def _client(url: str, key: str, trust: ssl.SSLContext | None) -> AsyncIterator[openai.AsyncOpenAI]:
    assert trust is not None or url.startswith("http://"), "nothing secret goes to an unverified host"
    inner = httpx2.AsyncHTTPTransport(verify=trust or False, trust_env=False, retries=0)
    limits = httpx2.Timeout(None, connect=CONNECT_S)
    async with httpx2.AsyncClient(
        transport=_Bounded(inner, key), timeout=limits, trust_env=False, follow_redirects=False
    ) as http:
        yield _library(http, url, key)


def _library(http: httpx2.AsyncClient, url: str, key: str) -> openai.AsyncOpenAI:
    return openai.AsyncOpenAI(api_key=key or _NO_KEY, base_url=url, http_client=http, max_retries=0, organization="",
                              project="", webhook_secret="", admin_api_key="")  # fmt: skip


class _Bounded(httpx2.AsyncBaseTransport):
    """Sends the few headers that are needed, and bounds what comes back."""

    def __init__(self, inner: httpx2.AsyncHTTPTransport, key: str) -> None:
        self._inner = inner
        self._key = key

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send it; the answer's bytes are counted as they are read. Raises Trouble."""
        kept = {name: value for name, value in request.headers.items() if name.lower() in _SENT}
        kept |= {"accept-encoding": "identity", "user-agent": "steward", "connection": "close"}
        if self._key:
            kept["authorization"] = f"Bearer {self._key}"
        request.headers = httpx2.Headers(kept)
        try:
            async with asyncio.timeout(FIRST_S):
                response = await self._inner.handle_async_request(request)
        except TimeoutError as error:
            raise Trouble("timeout", f"nothing came within {FIRST_S:.0f} s", down=True, fixed=True) from error
        if response.headers.get("content-encoding", "identity").lower() != "identity":
            await response.aclose()
            raise Trouble("garbage", "it packs its answer, which it was not asked to")
        assert isinstance(response.stream, httpx2.AsyncByteStream)
        return httpx2.Response(response.status_code, headers=response.headers, request=request,
                               extensions=response.extensions, stream=_Counted(response.stream))  # fmt: skip

    async def aclose(self) -> None:
        """Close every connection."""
        await self._inner.aclose()


class _Counted(httpx2.AsyncByteStream):
    """The bytes of an answer. Raises Trouble where there are too many, in all or in a line, or none for too long."""

    def __init__(self, inner: httpx2.AsyncByteStream) -> None:
        self._inner = inner

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Yield them as they come."""
        parts = self._inner.__aiter__()
        total = line = 0
        while True:
            chunk = await _next(parts, SILENCE_S if total else FIRST_S)
            if chunk is None:
                return
            total += len(chunk)
            line = len(chunk) - chunk.rfind(b"\n") - 1 if b"\n" in chunk else line + len(chunk)
            if total > ALL_BYTES or line > LINE_BYTES:
                raise Trouble("too_long", "it sends more than anybody asked for", fixed=True)
            yield chunk

    async def aclose(self) -> None:
        """Close the connection."""
        await self._inner.aclose()


async def _next(parts: AsyncIterator[bytes], within_s: float) -> bytes | None:
    try:
        async with asyncio.timeout(within_s):
            return await anext(parts, None)
    except TimeoutError as error:
        raise Trouble("timeout", f"nothing came for {within_s:.0f} s", down=True, fixed=True) from error


# --- what comes back ------------------------------------------------------------------------------------------------


def _take(heard: Heard, event: object) -> None:
    """Add one event of the stream. Raises TypeError, ValueError where it is none."""
    if not isinstance(event, Mapping):
        raise TypeError("an event is no object")
    heard.events += 1
    if isinstance(event.get("usage"), Mapping):
        heard.usage = event["usage"]
    choices = event.get("choices")
    if not isinstance(choices, list) or not choices:
        return
    choice = choices[0]
    if not isinstance(choice, Mapping):
        raise TypeError("a choice is no object")
    delta = choice.get("delta")
    if isinstance(delta, Mapping):
        _add(heard, delta)
    if isinstance(choice.get("finish_reason"), str):
        heard.finish = choice["finish_reason"]


def _add(heard: Heard, delta: Mapping[str, Any]) -> None:
    if text := _text(heard, delta, "content"):
        heard.parts.append(text)
    heard.refusal += _text(heard, delta, "refusal")
    for name in ("reasoning_content", "reasoning"):
        _text(heard, delta, name)
    calls = delta.get("tool_calls")
    for call in calls if isinstance(calls, list) else ():
        _add_call(heard, call)


def _add_call(heard: Heard, call: object) -> None:
    if not isinstance(call, Mapping) or not isinstance(call.get("function"), Mapping):
        raise TypeError("a call of a tool is no object")
    index = call.get("index", 0)
    if not isinstance(index, int) or not 0 <= index <= len(heard.calls) or index >= _MOST_CALLS:
        raise ValueError("a call of a tool has no place")
    if index == len(heard.calls):
        heard.calls.append(Called())
    heard.calls[index].name += _text(heard, call["function"], "name")
    heard.calls[index].arguments += _text(heard, call["function"], "arguments")


_MOST_CALLS = 16


def _text(heard: Heard, delta: Mapping[str, Any], name: str) -> str:
    """Return a text of ``delta``, and count it; "" where there is none. Raises TypeError, ValueError."""
    value = delta.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise TypeError(f"{name} is no text")
    heard.size_bytes += len(value.encode())  # half a character is refused here, and not when it is written down
    return value


def _check_complete(heard: Heard) -> None:
    """Check that it is an answer. Raises Trouble."""
    if heard.events == 0:
        raise Trouble("garbage", "it streams nothing that is an answer")
    if heard.refusal and not heard.text and not heard.calls:
        raise Trouble("refused", f"it says: {heard.refusal}")
    if heard.finish == "content_filter":
        raise Trouble("refused", "a filter of its own stopped it")
    if not heard.finish:
        raise Trouble("garbage", "it broke off in the middle")
    if not heard.text.strip() and not heard.calls:
        raise Trouble("garbage", "it says nothing")


# --- what went wrong ------------------------------------------------------------------------------------------------


def _trouble_of(error: BaseException) -> Trouble:
    """Return what an error of the library means."""
    for cause in _causes(error):
        if isinstance(cause, Trouble):
            return cause
    match error:
        case openai.APIStatusError():
            return _of_status(error.response.status_code, _reason(error), error.response.headers)
        case openai.APITimeoutError():
            return Trouble("timeout", f"no connection within {CONNECT_S:.0f} s", down=True, fixed=True)
        case openai.APIConnectionError():
            return _of_connection(error)
        case openai.APIError():
            return Trouble("refused", _reason(error))
    return Trouble("garbage", _unreadable(error))


def _unreadable(error: BaseException) -> str:
    if isinstance(error, UnicodeError):
        return "it is no text"
    return "it is nested too deeply" if isinstance(error, RecursionError) else "it is not what a model says"


def _of_connection(error: BaseException) -> Trouble:
    causes = list(_causes(error))
    if any(isinstance(one, httpx2.ConnectError) for one in causes):
        secure = any(isinstance(one, ssl.SSLError) for one in causes) or "certificate" in str(causes).lower()
        why = "its certificate is not believed" if secure else "nobody answers there"
        return Trouble("unreachable", why, down=True, unopened=not secure)
    if any(isinstance(one, httpx2.InvalidURL | httpx2.UnsupportedProtocol) for one in causes):
        return Trouble("unreachable", "its address is none")
    return Trouble("unreachable", "the connection broke", down=True)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    seen = 0
    while error is not None and seen < 12:
        yield error
        error, seen = error.__cause__ or error.__context__, seen + 1


def _of_status(status: int, reason: str, headers: Mapping[str, str]) -> Trouble:
    why = f"it answers {status}{f': {reason}' if reason else ''}"
    if 300 <= status < 400:
        return Trouble("refused", f"it answers {status}, and no redirect is followed")
    if status in (429, 503):
        return Trouble("busy", why, down=status == 503, after_s=_after_s(headers.get("retry-after")))
    if status >= 500:
        return Trouble("unreachable", why, down=True)
    if status == 408:
        return Trouble("timeout", why, fixed=True)
    if status == 413 or "context_length" in reason or "context length" in reason:
        return Trouble("too_long", why)
    return Trouble("refused", why)


def _reason(error: openai.APIError) -> str:
    """Return what the server says of it, on one line; whoever shows it cuts it, when the key is out of it."""
    body: object = error.body
    if isinstance(body, Mapping):
        body = body.get("message") or body.get("error") or body.get("detail")
    return " ".join(body.split()) if isinstance(body, str) and "<" not in body[:1] else ""


def _after_s(said: str | None) -> float | None:
    """Read ``Retry-After``: seconds, or a date (RFC 9110, 10.2.3). None where it says neither."""
    if said is None or len(said) > 40:
        return None
    try:
        found = float(said)
    except ValueError:
        try:
            found = email.utils.parsedate_to_datetime(said).timestamp() - time.time()
        except (ValueError, OverflowError):
            return None
    return max(0.0, found) if found < _NEVER_S else None  # also where it is no number
