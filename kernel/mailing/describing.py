"""What a tool described to be sent, taken out of its effects and checked before anybody is asked about it.

What this stops: a tool that sends without the right to, or that is not ``once``; content from anywhere but what the
call itself staged (a link, a device, another call's file); a letter that is not one (``permissions.egress.mail``).
What it does not: send anything.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kernel.errors import TaskFailed
from kernel.mailing.post import SECRET
from permissions.model import Action, Right
from skills.model import EffectClass, Tool

if TYPE_CHECKING:
    from permissions.egress import Letter

SEND = "send"
MOST_LETTERS = 20
_BLOB = re.compile(r"[0-9]{4,8}")

Effect = Mapping[str, Any]


def may_mail(tool: Tool, needs: Iterable[Right]) -> bool:
    """Tell whether a call of ``tool`` with the rights ``needs`` may have the account used."""
    return tool.effect is not EffectClass.PURE and Right(Action.SECRET_USE, SECRET) in needs


def letters_of(
    effects: Sequence[Effect], tool: Tool, needs: Iterable[Right], folder: str | None
) -> tuple[list[Letter], tuple[Effect, ...]]:
    """Return the letters among ``effects``, and the effects without them. Raises TaskFailed, Refused.

    ``folder`` is where the call staged its contents.
    """
    sends = [effect for effect in effects if effect.get("op") == SEND]
    if not sends:
        return [], tuple(effects)
    if tool.effect is not EffectClass.ONCE or not may_mail(tool, needs):
        raise _no_right(tool)
    if len(sends) > MOST_LETTERS:
        raise _too_many(tool)
    from permissions.egress import Letter

    try:
        letters = [Letter.of(one, _files(one, folder)) for one in sends]
    except (KeyError, TypeError, ValueError, OSError) as error:
        raise _malformed(tool) from error
    return letters, tuple(effect for effect in effects if effect.get("op") != SEND)


def _files(said: Effect, folder: str | None) -> dict[str, Path]:
    """Return the staged contents that a letter names: plain files, by name, of this call's own folder."""
    found: dict[str, Path] = {}
    for one in said.get("files") or ():
        name = str(one["blob"])
        if folder is None or not _BLOB.fullmatch(name):
            raise ValueError("no content of this call")
        path = Path(folder, name)
        if not stat.S_ISREG(os.lstat(path).st_mode):
            raise ValueError("no plain file")
        found[name] = path
    return found


def _no_right(tool: Tool) -> TaskFailed:
    return TaskFailed(
        "mail.right", f"{tool.id} may not send mail.", subject=tool.id,
        hint="Its steward.toml must say effect once, and name the right secret.use of mail.",
        de=f"{tool.id} darf keine Mail senden.",
        de_hint="In seiner steward.toml müssen die Wirkung once und das Recht secret.use auf mail stehen.",
    )  # fmt: skip


def _too_many(tool: Tool) -> TaskFailed:
    return TaskFailed(
        "mail.many", f"{tool.id} wants to send more than {MOST_LETTERS} mails at once.", subject=tool.id,
        hint="Name fewer.", de=f"{tool.id} möchte mehr als {MOST_LETTERS} Mails auf einmal senden.",
        de_hint="Nenne weniger.",
    )  # fmt: skip


def _malformed(tool: Tool) -> TaskFailed:
    return TaskFailed(
        "mail.form", f"{tool.id} described a mail that is none.", subject=tool.id,
        hint="Report this to the skill's author.", de=f"{tool.id} hat eine Mail beschrieben, die keine ist.",
        de_hint="Melde das dem Autor der Fähigkeit.",
    )  # fmt: skip
