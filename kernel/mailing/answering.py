"""What a call asks of the person's mailbox: the daemon fetches, within the call's right to use the account.

What this stops: a call without the right; a question that is none; a mailbox asked without end. A call that another
tool asked for is never answered here.
What it does not: judge the letters: the cell gets their bytes as they are.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from kernel.calling.floor import Answer, Floor
from kernel.calling.refusals import fault
from kernel.dispatching.connections import ConnectionLog
from kernel.errors import TaskFailed
from kernel.failures import told
from kernel.mailing.describing import may_mail
from kernel.mailing.post import Post
from permissions.errors import BadScope, PermissionsError
from permissions.model import Right
from skills.model import Tool

MOST_FETCHES = 20


def with_mail(
    answer: Answer | None, tool: Tool, needs: tuple[Right, ...], floor: Floor, network: ConnectionLog,
    shut: tuple[str, ...],
) -> Answer | None:  # fmt: skip
    """Return what answers a call: ``answer``, and its questions about mail where it may use the account."""
    if floor.post is None or not may_mail(tool, needs):
        return answer
    return _Mailbox(answer, tool, floor, floor.post, network, shut).answer


@dataclass(slots=True)
class _Mailbox:
    """The questions of one call."""

    others: Answer | None
    tool: Tool
    floor: Floor
    post: Post
    network: ConnectionLog
    shut: tuple[str, ...]
    asked: int = 0

    async def answer(self, question: bytes, given_bytes: int) -> bytes | None:
        try:
            said = json.loads(question)
        except (ValueError, RecursionError):
            said = None
        if not isinstance(said, dict) or "mail" not in said:
            return await self.others(question, given_bytes) if self.others else None
        self.asked += 1
        if self.asked > MOST_FETCHES:
            return None
        try:
            found = await self._fetched(said["mail"])
        except (TaskFailed, PermissionsError) as error:
            found = self._refused(error)
        except Exception as error:  # the task edge: a fault of ours, told to the call that asked and to nobody else
            found = self._refused(fault(self.tool.id, error))
        return json.dumps(found).encode()

    def _refused(self, error: TaskFailed | PermissionsError) -> dict[str, Any]:
        message, hint = told(error, self.floor.language)
        return {"error": {"code": error.code, "message": message, "hint": hint}}

    async def _fetched(self, wish: Any) -> dict[str, Any]:
        validity, after, since = _wish(wish)
        mailer = self.post.mailer()
        now, letters, more = await mailer.fetch(validity, after, since, self.network.add, self.shut)
        return {
            "validity": now, "more": more,
            "letters": [
                {"uid": one.uid, "seen": one.seen, "size_bytes": one.size_bytes, "arrived_s": one.arrived_s,
                 "mail": base64.b64encode(one.mail).decode("ascii")}
                for one in letters
            ],
        }  # fmt: skip


def _wish(said: Any) -> tuple[int, int, datetime | None]:
    if not isinstance(said, Mapping):
        raise _no_wish()
    validity, after, since = said.get("validity", 0), said.get("after", 0), said.get("since")
    if not all(isinstance(one, int) and not isinstance(one, bool) and 0 <= one < 1 << 33 for one in (validity, after)):
        raise _no_wish()
    try:
        return validity, after, None if since is None else datetime.fromisoformat(str(since))
    except ValueError as error:
        raise _no_wish() from error


def _no_wish() -> BadScope:
    return BadScope("mail.question", "That is no question to a mailbox.", hint="Ask with ctx.mail.fetch.")
