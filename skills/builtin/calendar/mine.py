"""The person's own addresses, which guests answer to: they are said once, and kept in the skill's own folder."""

from __future__ import annotations

from skills.sdk import Context

from .entries import is_address

_FILE = "addresses.txt"
_MOST = 20


def known(ctx: Context) -> frozenset[str]:
    """Return the addresses that the person has said to be theirs."""
    return frozenset(_kept(ctx))


def newest(ctx: Context) -> str:
    """Return the address that was said last; "" where none was."""
    return next(iter(reversed(_kept(ctx))), "")


def keep(ctx: Context, address: str) -> None:
    """Describe that an address is the person's."""
    kept = _kept(ctx)
    if kept[-1:] != [address]:
        lines = [*(one for one in kept if one != address), address][-_MOST:]
        ctx.write(ctx.own(_FILE), "".join(f"{one}\n" for one in lines))


def _kept(ctx: Context) -> list[str]:
    path = ctx.own(_FILE)
    said = ctx.read_text(path).splitlines() if ctx.exists(path) else []
    return [one for line in said if is_address(one := line.strip().casefold())]
