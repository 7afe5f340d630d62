"""Addresses of mail, and the short texts of its headers, read strictly.

What this stops: a second header, recipient or command hidden in a recipient or a subject (CR, LF and other control
characters); an address that two programs read in two ways (quotes, comments, routes, several in one); direction marks
that show another address than is meant.
What it does not: know whether somebody reads mail there.

Source: RFC 5321 section 4.1.2 (Dot-string local parts only), RFC 5322 section 2.2.
"""

from __future__ import annotations

import re
import unicodedata

from permissions.egress.targets import normal_host
from permissions.errors import Refused
from permissions.naming import UNSEEN

_LOCAL = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
_LONGEST_LOCAL = 64
LONGEST_TEXT = 500
LONGEST_NAME = 80


def address_of(text: str) -> str:
    """Return an address in its one form: its domain in small ASCII letters. Raises Refused (``refused.mail.address``).

    An address stands alone; a display name is read by ``named``.
    """
    if len(text) > LONGEST_TEXT:
        raise _no_address(text)
    local, at, host = text.strip().rpartition("@")
    if not at or len(local) > _LONGEST_LOCAL or not _LOCAL.fullmatch(local) or host.startswith("["):
        raise _no_address(text)
    try:
        return f"{local}@{normal_host(host)}"
    except Refused as error:
        raise _no_address(text) from error


def named(text: str) -> tuple[str, str]:
    """Return the display name ("" where there is none) and the address of ``Anna Berg <anna@example.org>``."""
    name, opened, address = text.strip().rpartition("<")
    if not opened:
        return "", address_of(text)
    if not address.endswith(">") or "<" in name or ">" in name or any(one.isspace() for one in address):
        raise _no_address(text)
    return _display(name.strip().strip('"')), address_of(address[:-1])


def _display(name: str) -> str:
    """Return a display name. Raises Refused: it is so long that it hides the address, or looks like one."""
    if len(name) <= LONGEST_NAME and "@" not in name:
        return plain(name)
    shown = ascii(name[:80])[1:-1]
    raise Refused(
        "refused.mail.name",
        f"“{shown}” is no name of a recipient.",
        subject=shown,
        hint=f"Write the address alone, or a name of at most {LONGEST_NAME} characters without “@”.",
    )


def plain(text: str) -> str:
    """Return a short text for a header. Raises Refused (``refused.mail.header``): it is long, or hides something."""
    if len(text) > LONGEST_TEXT or any(unicodedata.category(one) in UNSEEN for one in text):
        shown = ascii(text[:80])[1:-1]
        raise Refused(
            "refused.mail.header",
            f"“{shown}” cannot stand in a mail's header.",
            subject=shown,
            hint="Leave out line breaks and marks that do not show, and keep it below 500 characters.",
        )
    return text


def _no_address(text: str) -> Refused:
    shown = ascii(text[:80])[1:-1]
    return Refused(
        "refused.mail.address",
        f"“{shown}” is no e-mail address.",
        subject=shown,
        hint="Write it whole, such as anna@example.org.",
    )
