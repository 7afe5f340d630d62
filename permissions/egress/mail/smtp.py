"""Handing one letter over by SMTP, so that it is known what became of it, or known that nobody can know.

What this stops: a letter that some recipients get and others do not without a word (one refused recipient refuses it);
a letter said to be lost that was taken, or sent that was not: between the moment at which the text goes out
(``handing``) and the server's answer to it nobody can know, and that is what is then said (Unclear).
What it does not: keep a server from saying yes and throwing the letter away.

Sources: RFC 5321 (4.2.5: the reply after DATA passes the responsibility on), RFC 3207, RFC 4954; ``smtplib``.
"""

from __future__ import annotations

import base64
import re
import smtplib
import socket
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from typing import Any

from permissions.egress.mail.account import Account, Server
from permissions.egress.mail.conversation import (
    STEP_S,
    Conversation,
    Measured,
    broke_off,
    unencrypted,
    wrong_login,
)
from permissions.errors import Refused, Unclear

_ENHANCED = re.compile(rb"[245]\.\d{1,3}\.\d{1,3}")
GOODBYE_S = 2.0
"""So long its goodbye is waited for: what became of the letter is known by then."""
_GREETS_AS = "steward.invalid"
"""The name of this machine is nobody's affair (RFC 2606)."""


class _Smtp(smtplib.SMTP):
    """``smtplib`` over a conversation: no name is looked up, and what comes is counted."""

    def __init__(self, talk: Conversation) -> None:
        self._talk = talk
        super().__init__(talk.server.host, talk.server.port, local_hostname=_GREETS_AS, timeout=STEP_S)

    def _get_socket(self, host: str, port: int, timeout: float) -> socket.socket:
        return self._talk.connect()

    def getreply(self) -> tuple[int, bytes]:
        if self.file is None and self.sock is not None:
            self.file = Measured(self.sock.makefile("rb"), self._talk)
        return super().getreply()

    def send(self, s: Any) -> None:
        self._talk.up_bytes += len(s)
        super().send(s)

    def close(self) -> None:
        """Let go of the connection: however that ends, it says nothing of the letter."""
        with suppress(OSError):
            super().close()

    def encrypt(self) -> None:
        """Begin encryption; what was said before it counts no more (RFC 3207)."""
        assert self.sock is not None
        if not self.has_extn("starttls") or self.docmd("STARTTLS")[0] != 220:
            raise unencrypted(self._talk.server)
        self.sock = self._talk.wrapped(self.sock)
        self.file = None
        self.helo_resp = self.ehlo_resp = None
        self.esmtp_features = {}
        self.does_esmtp = False


def hand_over(
    talk: Conversation,
    account: Account,
    password: str,
    mail: bytes,
    recipients: Sequence[str],
    handing: Callable[[], None],
) -> None:
    """Give ``mail`` to the account's server; returns when that has taken it for all ``recipients``.

    ``handing`` is called before the first byte of the text leaves; nothing was sent where an error comes before it.

    Raises:
        Unclear: the conversation ended between the text and the answer to it.
        Refused: the server will not take it (``refused.mail.server``, ``.recipient``); nothing was sent.
        Unreachable: it did not come to that; nothing was sent.
    """
    server = talk.server
    try:
        smtp = _signed_in(talk, account, password)
    except (smtplib.SMTPException, OSError) as error:
        raise broke_off(server) from error
    try:
        _begin(smtp, server, account.address, recipients)
    except (smtplib.SMTPException, OSError) as error:
        smtp.close()
        raise broke_off(server) from error
    try:
        _give(smtp, server, mail, handing)
    finally:
        _say_goodbye(smtp)


def _say_goodbye(smtp: _Smtp) -> None:
    """Whatever a goodbye comes to, it says nothing of the letter."""
    with suppress(Exception), closing(smtp):
        if smtp.sock is not None:
            smtp.sock.settimeout(GOODBYE_S)
        smtp.quit()


def _signed_in(talk: Conversation, account: Account, password: str) -> _Smtp:
    smtp = _Smtp(talk)
    smtp.ehlo()
    if talk.server.security == "starttls":
        smtp.encrypt()
        smtp.ehlo()
    ways = smtp.esmtp_features.get("auth", "").upper().split()
    if "PLAIN" in ways or not ways:
        said = base64.b64encode(f"\0{account.user}\0{password}".encode()).decode("ascii")
        code = smtp.docmd("AUTH", f"PLAIN {said}")[0]
    else:
        code = _log_in(smtp, account.user, password)
    if code not in (235, 503):
        smtp.close()
        raise wrong_login(talk.server, account.user)
    return smtp


def _log_in(smtp: _Smtp, user: str, password: str) -> int:
    """Sign in by LOGIN, for servers that know nothing else (it was never standardised)."""
    code = smtp.docmd("AUTH", "LOGIN")[0]
    for said in (user, password):
        if code != 334:
            return code
        code = smtp.docmd(base64.b64encode(said.encode()).decode("ascii"))[0]
    return code


def _begin(smtp: _Smtp, server: Server, sender: str, recipients: Sequence[str]) -> None:
    code, said = smtp.mail(sender)
    if code != 250:
        raise _refused(smtp, server, code, said)
    for one in recipients:
        code, said = smtp.rcpt(one)
        if code not in (250, 251):
            smtp.close()
            raise Refused(
                "refused.mail.recipient",
                f"{server.target.place} takes no mail for {one}: {_brief(code, said)}.",
                subject=one,
                hint="Check the address.",
            )


def _give(smtp: _Smtp, server: Server, mail: bytes, handing: Callable[[], None]) -> None:
    handing()
    try:
        code, said = smtp.data(mail)
    except smtplib.SMTPDataError as error:  # it did not want the text: nothing of it left
        raise _refused(smtp, server, error.smtp_code, error.smtp_error) from error
    except Exception as error:  # whatever ended it: the text may have left
        raise _unclear(server) from error
    if 400 <= code < 600:
        raise _refused(smtp, server, code, said)
    if not 200 <= code < 300:  # no answer that means anything
        raise _unclear(server)


def _refused(smtp: _Smtp, server: Server, code: int, said: bytes | str) -> Refused:
    smtp.close()
    return Refused(
        "refused.mail.server",
        f"{server.target.place} did not take the mail ({_brief(code, said)}).",
        subject=server.target.place,
        hint="Ask again later, or ask whoever runs it.",
    )


def _brief(code: int, said: bytes | str) -> str:
    """Return the codes of a reply: its words are the server's, and could hold what was said to it."""
    found = _ENHANCED.search(said.encode("ascii", "replace") if isinstance(said, str) else said)
    return f"{code} {found[0].decode('ascii')}" if found else str(code)


def _unclear(server: Server) -> Unclear:
    """Nobody can know whether it was taken."""
    return Unclear(
        "mail.unclear",
        f"{server.target.place} broke off before it said whether it took the mail.",
        subject=server.target.place,
        hint="Look into the folder of sent mail.",
    )
