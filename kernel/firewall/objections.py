"""The semantic firewall: an objection to a request before anything is planned.

What this stops: requests, in plain English or German, to switch off or get around Steward's own protection; to read or
send secrets (private keys, password stores); to wipe everything or a whole disk; addresses that point back into this
machine or its network, and ``file:`` addresses; pasted text that tries to give orders to an assistant; control
characters, lone surrogates and invisible direction marks, which could show one thing and mean another.

What it does not stop: the same wish in other words, in another language, in quotation marks, or spread over several
requests; names that resolve to this machine (resolving is the egress proxy's work); anything that the policy tree, the
sandbox and the commit rule are there for. It answers early and plainly, and it is never the wall: what it lets through
is still planned, shown, asked for and confined.
"""

from __future__ import annotations

import ipaddress
import re
import socket
import unicodedata
from urllib.parse import urlsplit

from kernel.firewall.said import loosely
from kernel.language.objections import (
    HOSTS,
    INJECTION,
    MARKUP,
    MESSAGES,
    PROTECTION,
    SECRET_PATHS,
    SECRETS,
    SHELL_WIPES,
    WIPES,
)
from kernel.language.place.place_words import looks_like_path
from kernel.language.spelling import is_mended
from kernel.model import Intent, Utterance

_MASK = "\ufffc"
_SPACES = frozenset("\t\n\r")
_HIDDEN = frozenset("\u200b\u2060\ufeff\u00ad\u180e\u061c")
_DIRECTIONS = frozenset(map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A))))
_ADDRESS = re.compile(r"\b([a-z][a-z0-9+.-]{1,31})://([^\s<>\"'“”]{0,2000})", re.IGNORECASE)
_BARE_HOST = re.compile(
    r"(?<![\w.@/-])((?:localhost|(?:\d{1,3}\.){3}\d{1,3}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5}(?:/\S*)?|/\S*))",
    re.IGNORECASE,
)
_FILE_ADDRESS = re.compile(r"\bfile:/", re.IGNORECASE)


def concern(text: str, intent: Intent) -> str:
    """Return the objection to ``text`` in plain words, in the language of the request, or "" when there is none."""
    character = _forbidden_character(text)
    if character:
        return _message("character", intent.language, character=escape(character))
    address = _forbidden_address(text)
    if address:
        return _message("address", intent.language, address=shown(address))
    kind = _forbidden_wish(text, intent)
    return _message(kind, intent.language) if kind else ""


def objection(utterance: Utterance, intent: Intent) -> str:
    """Return the objection to a request as it was sent: to all that was said, and to what cannot be shown as it is.

    In a text that only a colon sets apart a plain wish is one; what stands in one that is marked off is no wish.
    """
    hidden = next(filter(None, (_forbidden_character(one.text) for one in utterance.shown)), "")
    if hidden:
        return _message("character", intent.language, character=escape(hidden))
    return concern(loosely(utterance), intent)


def escape(character: str) -> str:
    """Return a character that must not be printed as its code point, e.g. ``U+202E``."""
    return f"U+{ord(character):04X}"


def shown(text: str) -> str:
    """Return ``text`` fit for a message: forbidden characters as code points, at most 80 characters."""
    safe = "".join(escape(letter) if _is_forbidden(letter) else letter for letter in text[:80])
    return safe + ("…" if len(text) > 80 else "")


def _message(kind: str, language: str, **values: str) -> str:
    return MESSAGES[kind].get(language, MESSAGES[kind]["en"]).format(**values)


def _is_forbidden(letter: str) -> bool:
    if letter in _HIDDEN or letter in _DIRECTIONS or 0xE0000 <= ord(letter) <= 0xE007F:
        return True
    return unicodedata.category(letter) in {"Cc", "Cs"} and letter not in _SPACES


def _forbidden_character(text: str) -> str:
    if text.isascii() and text.isprintable():
        return ""
    return next(
        (letter for letter in text if not (letter.isascii() and letter.isprintable()) and _is_forbidden(letter)), ""
    )


def _forbidden_address(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).replace("。", ".")
    match = _FILE_ADDRESS.search(folded)
    if match:
        return folded[match.start() :].split()[0]
    for match in _ADDRESS.finditer(folded):
        if leads_inside(match.group(0)):
            return match.group(0)
    for match in _BARE_HOST.finditer(folded):
        if leads_inside("http://" + match.group(1)):
            return match.group(1)
    return ""


def leads_inside(address: str) -> bool:
    """Tell whether the host of an address is this machine, a private network or a cloud's metadata service.

    Numeric hosts are read in every form that inet_aton(3) accepts. Names are compared, never resolved.
    """
    try:
        host = (urlsplit(address).hostname or "").rstrip(".").lower()
    except ValueError:
        return True  # malformed on purpose or not: nothing that could be fetched safely
    if not host:
        return False
    if host in HOSTS or host.endswith((".localhost", ".local", ".internal", ".lan", ".home.arpa")):
        return True
    number = _ip(host) or _embedded_ip(host)
    return number is not None and not number.is_global


def _ip(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        found = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return _loose_ip(host)
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return mapped or found


def _loose_ip(host: str) -> ipaddress.IPv4Address | None:
    if not re.fullmatch(r"(?:0x[0-9a-f]{1,8}|\d{1,12})(?:\.(?:0x[0-9a-f]{1,8}|\d{1,12})){0,3}", host):
        return None
    try:
        return ipaddress.IPv4Address(socket.inet_aton(host))
    except OSError:
        return None


def _embedded_ip(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Wildcard name services answer with the address inside the name: 127.0.0.1.nip.io."""
    match = re.search(r"(?:^|[.-])(\d{1,3}(?:[.-]\d{1,3}){3})[.-](?:nip\.io|sslip\.io|xip\.io|localtest\.me)$", host)
    if match:
        return _ip(match.group(1).replace("-", "."))
    return ipaddress.IPv4Address("127.0.0.1") if host.endswith(("localtest.me", "lvh.me", "nip.io")) else None


def _forbidden_wish(text: str, intent: Intent) -> str:
    """The kind of wish that is refused; names of files and what stands in quotation marks say nothing about it."""
    unquoted = _masked(text, intent, files=False)
    if MARKUP.search(text) or INJECTION.search(unquoted):
        return "injection"
    if SECRET_PATHS.search(text):
        return "secrets"
    if SHELL_WIPES.search(unquoted):
        return "wipe"
    plain = _masked(text, intent, files=True)
    for kind, pattern in (("protection", PROTECTION), ("secrets", SECRETS), ("wipe", WIPES)):
        if pattern.search(plain):
            return kind
    return ""


def _masked(text: str, intent: Intent, *, files: bool) -> str:
    """The text in lower case: quotations as one mark each, misspelt words as they are read.

    With ``files`` names of files are one mark too, and every clause begins a line, so that what frames a wish ("I was
    wondering whether you could ...") does not hide it.
    """
    holes = {
        (intent.tokens[s.first].start, intent.tokens[s.last - 1].end): _MASK
        for s in intent.spans
        if s.source == "quoted"
    }
    if files:
        holes |= {(token.start, token.end): _MASK for token in intent.tokens if _is_file_name(token.text)}
    holes |= {(token.start, token.end): token.norm for token in intent.tokens if is_mended(token)}
    if files:
        starts = {one.at for one in intent.boundaries if 0 < one.at < len(intent.tokens)}
        holes |= {(intent.tokens[at].start, intent.tokens[at].start): "\n" for at in starts}
    parts, at = [], 0
    for (start, end), instead in sorted(holes.items()):
        if start >= at:
            parts += [text[at:start], instead]
            at = end
    folded = unicodedata.normalize("NFKC", "".join((*parts, text[at:]))).lower()
    return re.sub(r"[^\S\n]+", " ", folded.replace("’", "'"))


def _is_file_name(text: str) -> bool:
    return looks_like_path(text) and text not in {"~", "~/", "/"}
