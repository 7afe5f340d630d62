"""A request as it comes in: what a caller sends, and what of it is refused before anything is written down."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from kernel.errors import BadRequest
from kernel.model import ConversationId
from permissions.naming import shown
from permissions.policy import CLIENT

LONGEST_TEXT = 20_000
"""Characters of a request."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A request as a caller sends it. ``yes`` is a script's advance consent (see the command line contract).

    ``private``: nothing of what is said or found is written down or learnt. ``client`` is the name of the program that
    asks in its own name; empty for the person. ``budget`` and ``deadline`` are terms as a person writes them
    (``5ct``, ``30s``); empty: none.
    """

    text: str
    conversation: str | None = None
    cwd: str = ""
    yes: bool = False
    channel: str = "cli"
    private: bool = False
    client: str = ""
    budget: str = ""
    deadline: str = ""


def conversation_of(ask: Ask, node: str, key: str = "") -> ConversationId:
    """Return the conversation of a request that comes from the client at ``node`` (empty: from the person).

    ``key`` tells the client from a namesake. Raises BadRequest where a client and somebody else would share one.
    """
    own = f"{node}/{key}/" if node else ""
    given = ask.conversation or f"{own}c-{secrets.token_hex(4)}"
    if not given.startswith(own) or (not own and given.startswith(CLIENT)):
        raise BadRequest("request.conversation", f"{shown(given)} is the conversation of somebody else.",
                         subject=shown(given), hint="Leave it out to begin one.")  # fmt: skip
    return ConversationId(given)


def checked_text(text: str) -> str:
    """Return ``text`` ready to be interpreted. Raises BadRequest on what nobody can mean."""
    if not text.strip():
        raise BadRequest("request.empty", "The request is empty.", hint='Say what to do: ./steward ask "..."')
    if len(text) > LONGEST_TEXT:
        raise BadRequest("request.too_long", f"The request has {len(text)} characters; {LONGEST_TEXT} are read.",
                         hint="Put long text into a file and name the file.")  # fmt: skip
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise BadRequest("request.encoding", "The request is not valid text.", hint="Send UTF-8.") from error
    return text
