"""The person's mail account, as a tool may use it: the daemon speaks with the servers, and no tool knows the password.

What this stops: nothing; it runs among the code that the wall holds.
What it does not: send. What is described here is shown to a person, and leaves only after their yes to exactly it;
a script's ``--yes`` is that yes only where the request itself names every address, whole.
"""

from __future__ import annotations

import base64
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from skills.sdk.errors import ErrorWords

Ask = Callable[[Mapping[str, Any]], Mapping[str, Any]]
"""Asks the daemon about the mailbox; raises ToolError."""

no_mail = ErrorWords(
    "tool.mail",
    "This tool may not use your mail account.",
    "Its steward.toml must name the right secret.use of mail, and an effect that is not pure (to send: once).",
    "Dieses Werkzeug darf dein Mailkonto nicht benutzen.",
    "In seiner steward.toml müssen das Recht secret.use auf mail und eine Wirkung stehen, die nicht pure ist "
    "(zum Senden: once).",
)


@dataclass(frozen=True, slots=True)
class Arrived:
    """A letter on the server: its number there, and its bytes; ``mail`` is empty where it is too large to fetch.

    ``arrived_s`` is when the server got it (Unix seconds), 0 where it does not say.
    """

    uid: int
    seen: bool
    size_bytes: int
    mail: bytes
    arrived_s: int = 0


@dataclass(frozen=True, slots=True)
class Arrivals:
    """Letters of the inbox, oldest first. Numbers (``uid``) count within one ``validity``; ``more`` says that there are
    more after these.
    """

    validity: int
    letters: tuple[Arrived, ...]
    more: bool


class Mail:
    """What a context offers as ``ctx.mail``."""

    def __init__(
        self, describe: Callable[[dict[str, Any]], None], stage: Callable[[bytes], str], ask: Ask | None
    ) -> None:
        self._describe = describe
        self._stage = stage
        self._ask = ask

    def send(
        self,
        to: Sequence[str],
        subject: str,
        text: str,
        *,
        cc: Sequence[str] = (),
        files: Sequence[tuple[str, bytes]] = (),
        in_reply_to: str = "",
        references: Sequence[str] = (),
    ) -> None:
        """Describe a mail to be sent: addresses such as ``Anna Berg <anna@example.org>``, plain text, (name, content).

        It leaves when everything else of the plan is done, and after a person said yes to exactly this mail. Raises
        ToolError in a tool that is not declared to change anything.
        """
        attached = [{"name": os.path.basename(name), "blob": self._stage(content)} for name, content in files]
        self._describe({
            "op": "send", "to": list(to), "cc": list(cc), "subject": subject, "text": text, "files": attached,
            "in_reply_to": in_reply_to, "references": list(references),
        })  # fmt: skip

    def fetch(self, *, validity: int = 0, after: int = 0, since: datetime | None = None) -> Arrivals:
        """Return letters of the inbox numbered above ``after``, unread as before. Raises ToolError.

        At most 200 letters and 20 MiB come at once; ask again after the last one where there are ``more``.
        """
        if self._ask is None:
            raise no_mail()
        said = self._ask({"validity": validity, "after": after, "since": since.isoformat() if since else None})
        letters = tuple(
            Arrived(
                int(one["uid"]),
                bool(one["seen"]),
                int(one["size_bytes"]),
                base64.b64decode(one["mail"]),
                int(one.get("arrived_s", 0)),
            )
            for one in said["letters"]
        )
        return Arrivals(int(said["validity"]), letters, bool(said["more"]))
