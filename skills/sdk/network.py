"""What a tool fetches from the network: the daemon asks for it, within the rights of the call; here it is only read.

What this stops: an answer that unfolds to more than was asked for.
What it does not: reach anything. Whoever goes around it finds no network.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from permissions.egress import Answer, Line, NoAnswer
from skills.sdk.errors import ErrorWords, ToolError

_GERMAN: Mapping[str, tuple[str, str]] = {
    "refused.net.host": ("Dieser Aufruf darf sich nicht mit {subject} verbinden.",
                         "Ihm fehlt die Erlaubnis net.connect:{subject}"),
    "refused.net.address": ("{subject} führt zu keiner öffentlichen Adresse.",
                            "Erreichbar sind nur Rechner im öffentlichen Internet."),
    "refused.net.url": ("Diese Webadresse lässt sich nicht verwenden.",
                        "Gib eine Adresse an wie https://example.org/seite."),
    "refused.net.spelling": ("{subject} ist kein ganzer Rechnername.", "Schreibe den Namen ganz aus."),
    "refused.net.method": ("{subject} ist hier nicht erlaubt.",
                           "Nur ein Werkzeug, das steward.toml als once erklärt, darf woanders etwas ändern."),
    "refused.net.header": ("Die Kopfzeile {subject} darf nicht gesendet werden.", "Lass sie weg."),
    "refused.net.secret": ("Das Geheimnis {subject} wird dafür nicht verwendet.",
                           "Es muss erlaubt sein (secret.use) und für diesen Rechner: ./steward secrets list"),
    "secret.none": ("Es gibt kein Geheimnis {subject}.", "Setze es mit: ./steward secrets set {subject}"),
    "refused.net.redirect": ("Der Umleitung zu {subject} wird nicht gefolgt.", "Frage die neue Adresse selbst ab."),
    "net.name": ("Für {subject} gibt es keine Adresse.", "Prüfe den Namen und das Netz und frag noch einmal."),
    "net.connect": ("{subject} antwortet nicht.", "Prüfe das Netz und frag noch einmal."),
    "net.tls": ("Dem Zertifikat von {subject} ist nicht zu trauen.",
                "Eine eigene Zertifizierungsstelle stellst du ein mit: ./steward config set ca_file DATEI"),
    "net.protocol": ("{subject} brach ab oder schickte keine gültige Antwort.", "Frag noch einmal."),
    "net.time": ("Es dauerte länger als {subject} Sekunden.", "Verlange weniger oder frag später noch einmal."),
    "net.size": ("Das sind mehr als {subject} Bytes.", "Verlange weniger, oder erlaube mehr."),
    "scope.ca_file": ("{subject} enthält kein lesbares Zertifikat.",
                      "Ändere es mit: ./steward config set ca_file DATEI"),
    "net.cut": ("Steward hat diesem Aufruf das Netz entzogen.", "Er hat zu viel oder falsch gefragt."),
}  # fmt: skip
_CHARSET = re.compile(r"charset=\"?([A-Za-z0-9_-]+)", re.IGNORECASE)

no_network = ErrorWords(
    "tool.network",
    "This tool has no network.",
    "Its steward.toml must name the hosts as rights (net.connect), and an effect that is not pure.",
    "Dieses Werkzeug hat kein Netz.",
    "In seiner steward.toml müssen die Rechner als Rechte stehen (net.connect) und eine Wirkung, die nicht pure ist.",
)


@dataclass(frozen=True, slots=True)
class Response:
    """What a host answered: ``body`` unpacked, names of headers in lower case, ``url`` where it came from."""

    status: int
    url: str
    headers: tuple[tuple[str, str], ...]
    body: bytes

    @property
    def ok(self) -> bool:
        """Whether the host says that it worked (2xx)."""
        return 200 <= self.status < 300

    def header(self, name: str) -> str:
        """Return the first value of a header, or nothing."""
        return next((value for key, value in self.headers if key == name.lower()), "")

    @property
    def text(self) -> str:
        """The body as text, in the character set that its header names, else UTF-8."""
        named = _CHARSET.search(self.header("content-type"))
        try:
            return self.body.decode(named[1] if named else "utf-8", errors="replace")
        except LookupError:
            return self.body.decode("utf-8", errors="replace")

    def json(self) -> Any:
        """The body as JSON; raises ValueError."""
        return json.loads(self.body)


def fetch(line: Line | None, url: str, *, limit_bytes: int, **wishes: Any) -> Response:
    """Ask for ``url`` over ``line`` (see ``Context.fetch``). Raises ToolError."""
    if line is None:
        raise no_network()
    try:
        answer = line.ask(url, limit_bytes=limit_bytes, **wishes)
    except NoAnswer as error:
        raise _in_words(error) from error
    return Response(answer.status, answer.url, answer.headers, _unpacked(answer, limit_bytes))


def _unpacked(answer: Answer, limit_bytes: int) -> bytes:
    packed = dict(reversed(answer.headers)).get("content-encoding", "").lower()
    if packed not in ("gzip", "x-gzip", "deflate"):
        return answer.body
    unpacker = zlib.decompressobj(wbits=zlib.MAX_WBITS | 32)
    try:
        body = unpacker.decompress(answer.body, limit_bytes + 1)
    except zlib.error as error:
        raise _in_words(
            NoAnswer("net.protocol", "The answer is not packed as it says.", answer.url, "Ask again.")
        ) from error
    if len(body) > limit_bytes:
        said = f"The answer is larger than {limit_bytes} bytes."
        raise _in_words(NoAnswer("net.size", said, str(limit_bytes), "Ask for less, or allow more."))
    return body


def _in_words(error: NoAnswer) -> ToolError:
    german, tip = _GERMAN.get(error.code, (str(error), error.hint))
    return ToolError(
        str(error), hint=error.hint, code=error.code, de=german.replace("{subject}", error.subject),
        de_hint=tip.replace("{subject}", error.subject),
    )  # fmt: skip
