"""When a state of the machine begins: once, not while it lasts, and not anew where a value trembles about its bound."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from kernel.routines.model import Machine, State

Reading = Mapping[State, float]
"""What was read, by state: percent, bytes free, seconds unused, degrees; 1 for yes and 0 for no. What nobody tells is
left out.
"""

_PERCENT_APART = 2.0
_DEGREES_APART = 2.0
_SHARE_APART = 0.05


def stands(trigger: Machine, value: float) -> bool | None:
    """Tell whether the state that ``trigger`` waits for is there; None where it is there if it was, and not if not."""
    bound = trigger.bound
    match trigger.state:
        case State.BATTERY | State.DISK:
            apart = _PERCENT_APART if trigger.state is State.BATTERY else bound * _SHARE_APART
            return True if value < bound else False if value >= min(bound + apart, _most(trigger)) else None
        case State.CHARGED:
            return True if value >= bound else False if value <= bound - _PERCENT_APART else None
        case State.MEMORY | State.ABOVE | State.HEAT:
            apart = _DEGREES_APART if trigger.state is State.HEAT else _PERCENT_APART
            return True if value > bound else False if value <= bound - apart else None
        case State.IDLE:
            return value >= bound
        case _:
            return value == 1


def _most(trigger: Machine) -> float:
    return 100.0 if trigger.state is State.BATTERY else float("inf")


class Edges:
    """What was the case when it was looked last, by name. What is looked at for the first time begins nothing."""

    def __init__(self) -> None:
        self._there: dict[str, bool] = {}
        self._gone_at: dict[str, float] = {}
        self._since: dict[str, float] = {}

    def begins(self, name: str, there: bool | None, now_s: float, held_s: float = 0.0) -> float | None:
        """Return for how long a state had not been there (seconds) that begins just now; None where none does.

        It begins once it has been there for ``held_s``, as far as it was looked at.
        """
        before = self._there.get(name)
        if there is None:
            there = bool(before) or name in self._since
        if not there:
            self._there[name] = False
            self._since.pop(name, None)
            self._gone_at.setdefault(name, now_s)
            return None
        since = self._since.setdefault(name, now_s)
        if before is False and now_s - since < held_s:
            return None
        self._there[name] = True
        gone_at = self._gone_at.pop(name, since)
        return None if before is None or before else max(since - gone_at, 0.0)

    def left_s(self, name: str, now_s: float, held_s: float) -> float | None:
        """Return how long a state still has to be there that has not begun; None where it is not there, or has."""
        since = self._since.get(name)
        return None if since is None or self._there.get(name) else max(since + held_s - now_s, 0.0)

    def keep(self, names: Collection[str]) -> None:
        """Forget all others."""
        for one in self._there.keys() - set(names):
            del self._there[one]
            self._gone_at.pop(one, None)
            self._since.pop(one, None)
