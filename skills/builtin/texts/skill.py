"""Several texts as one; reads and writes nothing."""

from __future__ import annotations

from skills.sdk import Context, Text


def join(
    ctx: Context,
    first: Text,
    second: Text,
    third: Text | None = None,
    fourth: Text | None = None,
    fifth: Text | None = None,
    sixth: Text | None = None,
) -> Text:
    """Put texts together to one, one under the other.

    Args:
        first: what stands at the top.
        second: what stands under it.
        third: what comes then.
        fourth: what comes after that.
        fifth: what comes behind the fourth.
        sixth: what stands at the end.
    """
    parts = [one.strip("\n") for one in (first, second, third, fourth, fifth, sixth) if one and one.strip()]
    between = "\n\n" if any("\n" in one for one in parts) else "\n"
    whole = Text(between.join(parts))
    ctx.say(whole)
    return whole
