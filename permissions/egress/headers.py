"""Methods and headers that a call may send, checked before a byte of them leaves.

What this stops: a second request hidden in a header's value (CR LF), headers that say where a request goes or ends
(``Host``, ``Content-Length``, ``Transfer-Encoding``), that change the protocol or speak to a proxy; methods that change
something at the other side, from a tool that is not declared to; own headers going along to another host.
What it does not: keep a call from putting what it knows into a header of a host that it may reach.

Source: RFC 9110 sections 5.1, 5.5, 7.6.1, 9.
"""

from __future__ import annotations

import re

from permissions.errors import Refused

Headers = tuple[tuple[str, str], ...]

READING = frozenset({"GET", "HEAD", "OPTIONS"})
CHANGING = frozenset({"POST", "PUT", "PATCH", "DELETE"})
_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}")
_VALUE = re.compile(r"[\x21-\x7e](?:[\t\x20-\x7e]{0,8190}[\x21-\x7e])?|")
_CARRIES = re.compile(r"auth|key|token|secret|credential|password|session|cookie")
"""What the name of a header that may hold a secret has in it: others are repeated by hosts (``X-Forwarded-Host``)."""
_MOST = 64
_OURS = frozenset(
    "connection content-length expect host http2-settings keep-alive te trailer transfer-encoding upgrade".split()
)
_EVERYWHERE = frozenset({"accept", "accept-language", "accept-encoding", "user-agent"})
_DEFAULTS = {"accept": "*/*", "accept-encoding": "identity", "user-agent": "Steward"}


def check_method(method: str, *, changes: bool, body: bool) -> str:
    """Return ``method`` if the call may use it. Raises Refused (``refused.net.method``)."""
    if method not in READING | CHANGING:
        raise _refused("method", method, "is no method that can be used", "Use GET, or POST to send something.")
    if method in CHANGING and not changes:
        hint = "Only a tool that is declared `once` in steward.toml may change something at the other side."
        raise _refused("method", method, "changes something, and this tool may only read", hint)
    if body and method in READING:
        raise _refused("method", method, "sends no content", "Use POST to send something.")
    return method


def check_headers(headers: Headers) -> Headers:
    """Return ``headers`` with what is always sent added to them. Raises Refused (``refused.net.header``)."""
    if len(headers) > _MOST:
        raise _refused("header", str(len(headers)), "are too many headers", "Send fewer.")
    for name, value in headers:
        if not _NAME.fullmatch(name) or not _VALUE.fullmatch(value):
            raise _refused("header", ascii(name[:50])[1:-1], "or its value holds characters that no header may",
                           "Send visible ASCII characters.")  # fmt: skip
        if name.lower() in _OURS or name.lower().startswith("proxy-"):
            raise _refused("header", name, "is set by Steward itself", "Leave it out.")
    given = {name.lower() for name, _ in headers}
    return (*headers, *((name, value) for name, value in _DEFAULTS.items() if name not in given))


def may_carry(name: str, value: str) -> bool:
    """Tell whether a header may hold ``value``, a secret: it is the call's own, and goes along to no other host."""
    low = name.lower()
    own = bool(_NAME.fullmatch(name)) and low not in _OURS | _EVERYWHERE and not low.startswith("proxy-")
    return own and bool(_CARRIES.search(low)) and bool(_VALUE.fullmatch(value))


def without_packing(headers: Headers) -> Headers:
    """Return ``headers`` so that the answer comes as it is."""
    kept = tuple((name, value) for name, value in headers if name.lower() != "accept-encoding")
    return (*kept, ("accept-encoding", _DEFAULTS["accept-encoding"]))


def for_another_host(headers: Headers) -> Headers:
    """Return those of ``headers`` that may follow a redirect to another host: none that could hold a secret."""
    return tuple((name, value) for name, value in headers if name.lower() in _EVERYWHERE)


def _refused(what: str, subject: str, why: str, hint: str) -> Refused:
    return Refused(f"refused.net.{what}", f"{subject[:100]} {why}.", subject=subject[:100], hint=hint)
