"""Which hosts and ports a call may reach: the scopes of its ``net.connect`` rights, and nothing else.

What this stops: a host that a person denied inside of a star; ``example.org.evil`` passing for ``example.org``,
``evilexample.org`` for ``*.example.org``, an address for a name, another port.
What it does not: say where a name leads (``addresses``).
"""

from __future__ import annotations

from collections.abc import Iterable

from permissions.egress.targets import Target, is_address, normal_host
from permissions.errors import BadScope, Refused


class Hosts:
    """The allowed hosts of a call, from scopes such as ``example.org:443``, ``*.example.org:443``, ``example.org:*``.

    ``*.example.org`` means every name below ``example.org`` and not that name itself; ``*`` before a port every public
    host there.
    """

    def __init__(self, scopes: Iterable[str], denied: Iterable[str] = ()) -> None:
        """Raise BadScope for what is no ``host:port``. What is ``denied`` holds against every scope."""
        self._rules = tuple(map(_rule, scopes))
        self._denied = tuple(map(_rule, denied))

    def require_by_name(self, target: Target) -> None:
        """Raise Refused unless a right names ``target``; an address must be named as such, and not by a star."""
        self.require(target)
        if is_address(target.host) and not any(
            host == target.host and _holds((host, port), target) for host, port in self._rules
        ):
            raise _lacking(target)

    def require(self, target: Target) -> None:
        """Raise Refused: no right names ``target`` (``refused.net.host``), or it was denied (``.denied``)."""
        if any(_holds(rule, target) for rule in self._denied):
            raise Refused("refused.net.denied", f"You denied this call {target.place}.", subject=target.place,
                          hint="./steward perms shows what is denied, and how to take it back.")  # fmt: skip
        if not any(_holds(rule, target) for rule in self._rules):
            raise _lacking(target)


def _lacking(target: Target) -> Refused:
    return Refused("refused.net.host", f"This call may not connect to {target.place}.", subject=target.place,
                   hint=f"The right that it lacks is net.connect:{target.place}")  # fmt: skip


def _rule(scope: str) -> tuple[str, str]:
    host, colon, port = scope.rpartition(":")
    named = host.removeprefix("*.")
    try:
        if not colon or (port != "*" and not 0 < int(port) < 1 << 16):
            raise BadScope("scope.host", f"{scope!r} is not host:port.", subject=scope)
        return (host if host == "*" else host[: len(host) - len(named)] + _name(named, below=named != host)), port
    except (ValueError, Refused) as error:
        raise BadScope("scope.host", f"{scope!r} is not host:port.", subject=scope) from error


def _name(text: str, *, below: bool) -> str:
    """Return the one form of a name; of ``*.org`` the part below the star may be a single label."""
    return normal_host(f"x.{text}")[2:] if below else normal_host(text)


def _holds(rule: tuple[str, str], target: Target) -> bool:
    host, port = rule
    if port not in ("*", str(target.port)):
        return False
    if host == "*":
        return True
    if host.startswith("*."):
        return target.host.endswith(host[1:])  # what follows the star is a name, so no address ends in it
    return target.host == host
