"""One page or file from the web: asked for, followed where it leads on the same host, refused in words.

What this stops: a page that leads to another host being followed there (the person is asked for that host), encryption
being given up on the way, going on without end, more than so many bytes.
What it does not: decide what may be reached; the daemon does, for every question anew.
"""

from __future__ import annotations

import re
from contextlib import suppress
from urllib.parse import urljoin, urlsplit

from skills.sdk import Context, ErrorWords, Response, ToolError, Url

MOST_HOPS = 5
PAGE_BYTES = 5 << 20
_PAGE_S = 20.0
_MOVED = frozenset({301, 302, 303, 307, 308})
_PORTS = {"http": 80, "https": 443}
_ASKED = {
    "user-agent": "Steward (a person's own assistant; one page at a time)",
    "accept-encoding": "gzip",
    "accept-language": "en, de",
}
_PAGE = "text/html, application/xhtml+xml, text/plain;q=0.8, */*;q=0.5"

_REFUSED = {
    401: ("asks for a name and a password", "verlangt Namen und Passwort"),
    403: ("does not give that out", "gibt das nicht heraus"),
    404: ("has no such page", "hat keine solche Seite"),
    410: ("has that page no more", "hat diese Seite nicht mehr"),
    429: ("asks to be asked less often", "möchte seltener gefragt werden"),
    451: ("may not show that here", "darf das hier nicht zeigen"),
    503: ("is too busy now", "ist gerade überlastet"),
}
_endless = ErrorWords(
    "web.moves", "{place} leads on and on, and to no page.", "Name the page itself.",
    "{place} leitet immer weiter und führt zu keiner Seite.", "Nenne die Seite selbst.",
)  # fmt: skip
_plain = ErrorWords(
    "web.unencrypted", "{place} leads on to an address without encryption, which was not followed.",
    "If you want it all the same, name that address with http://.",
    "{place} leitet zu einer Adresse ohne Verschlüsselung weiter; dem wurde nicht gefolgt.",
    "Wenn du sie trotzdem willst, nenne diese Adresse mit http://.",
)  # fmt: skip


def get(ctx: Context, url: Url, *, limit_bytes: int = PAGE_BYTES, timeout_s: float = _PAGE_S) -> Response:
    """Return what stands at ``url``, on its own host. Raises ToolError."""
    here = str(url)
    for _ in range(MOST_HOPS + 1):
        answer = ctx.fetch(
            here, headers={**_ASKED, "accept": _PAGE}, limit_bytes=limit_bytes, timeout_s=timeout_s
        )  # fmt: skip
        if answer.status not in _MOVED or not answer.header("location"):
            return _good(answer, here)
        here = _onward(str(url), here, answer.header("location"))
    raise _endless(host_of(str(url)))


def host_of(url: str) -> str:
    """Return the host of an address as it is written, without what would not be shown."""
    return urlsplit(url).hostname or url


def is_open(url: str) -> bool:
    """Tell whether what comes from ``url`` can be read and changed on its way."""
    return urlsplit(url).scheme != "https"


def _onward(asked: str, here: str, location: str) -> str:
    """Return where a page leads on. Raises ToolError where that is another host, with that address as the choice."""
    try:
        there = urljoin(here, _written(location))
        old, new = urlsplit(here), urlsplit(there)
    except ValueError as error:  # it leads on to what is no address
        raise _endless(host_of(asked)) from error
    if old.scheme == "https" and new.scheme != "https":
        raise _plain(host_of(here))
    if _origin(old) == _origin(new):
        return there
    host = host_of(there)
    raise ToolError(
        f"{host_of(here)} leads on to {host}. Shall I go there?", hint=f"Ask for {there} itself.", code="web.moved",
        de=f"{host_of(here)} leitet weiter zu {host}. Soll ich dorthin gehen?",
        de_hint=f"Frag nach {there} selbst.", instead_of=asked, choices=(there,),
    )  # fmt: skip


def _origin(parts: object) -> tuple[str, int | None]:
    host, scheme = getattr(parts, "hostname", "") or "", getattr(parts, "scheme", "")
    try:
        port = getattr(parts, "port", None)
    except ValueError:
        port = None
    return host.casefold(), port or _PORTS.get(scheme)


def _written(location: str) -> str:
    """An address in a header is bytes; what is not ASCII in it was meant as UTF-8."""
    with suppress(UnicodeError):
        location = location.encode("latin-1").decode("utf-8")
    return re.sub(r"\s", "", location)


def _good(answer: Response, url: str) -> Response:
    if answer.ok:
        return answer
    english, german = _REFUSED.get(answer.status, ("did not answer well", "hat nicht gut geantwortet"))
    host = host_of(url)
    raise ToolError(
        f"{host} {english} ({answer.status}).", hint="Check the address, or try again later.", code="web.status",
        de=f"{host} {german} ({answer.status}).",
        de_hint="Prüfe die Adresse, oder versuche es später noch einmal.",
    )  # fmt: skip
