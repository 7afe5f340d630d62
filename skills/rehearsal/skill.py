"""What a worker rehearses with: a tool that takes what tools take, and does nothing."""

from __future__ import annotations

from skills.sdk import Context, Folder


def nothing(ctx: Context, text: str, place: Folder) -> str:
    """Do nothing.

    Args:
        text: any.
        place: anywhere.
    """
    ctx.say("", de="")
    return text
