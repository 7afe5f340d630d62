"""Controllers: everything that the tree can allow or bound, each with its unit, and amounts as a person writes them.

A right is allowed or not (files, network, devices ...). A limit holds for one call (memory, CPU ...). A budget is used
up by one call after the other (tokens, money ...). Amounts are whole numbers of the controller's base unit and never
negative, so nothing is ever lost to rounding and NaN does not exist.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from permissions.errors import BadAmount
from permissions.model import Action

MOST = (1 << 53) - 1
"""The largest amount: what every JSON reader holds exactly."""


@dataclass(frozen=True, slots=True)
class Controller:
    """One row of the table: its base ``unit``, its ``actions`` if it is a right, and where an amount may bound it."""

    name: str
    unit: str
    actions: tuple[Action, ...] = ()
    limit: bool = False
    budget: bool = False


_FILES = (Action.FS_READ, Action.FS_CREATE, Action.FS_WRITE, Action.FS_DELETE)

CONTROLLERS: Mapping[str, Controller] = {
    one.name: one
    for one in (
        Controller("files", "path", _FILES),
        Controller("network", "host:port", (Action.NET_CONNECT,)),
        Controller("devices", "name", (Action.DEVICE_USE,)),
        Controller("skills", "skill", (Action.SKILL_CALL,)),
        Controller("graph", "label", (Action.GRAPH_READ, Action.GRAPH_WRITE)),
        Controller("secrets", "name", (Action.SECRET_USE, Action.SECRET_REVEAL)),
        Controller("microphone", "name", (Action.MICROPHONE_LISTEN,)),
        Controller("system", "fact", (Action.SYSTEM_READ, Action.SYSTEM_STOP)),
        Controller("desktop", "name", (Action.DESKTOP_OPEN, Action.DESKTOP_USE)),
        Controller("models", "class@host:port", (Action.MODEL_SEE,)),
        Controller("processes", "count", limit=True),
        Controller("pids", "count", limit=True),
        Controller("memory", "bytes", limit=True),
        Controller("cpu", "ms", limit=True),
        Controller("wall", "ms", limit=True, budget=True),
        Controller("disk", "bytes", limit=True, budget=True),
        Controller("gpu", "ms", budget=True),
        Controller("tokens", "count", budget=True),
        Controller("money", "micro", budget=True),
    )
}

_MONEY = re.compile(r"money\.[A-Z]{3}")
_AMOUNT = re.compile(r"(?P<number>[0-9]{1,15}(?:\.[0-9]{1,6})?)\s*(?P<unit>[A-Za-zµ]*)")
_SCALES: Mapping[str, Mapping[str, int]] = {
    "bytes": {"": 1, "b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12,
              "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40},
    "ms": {"": 1000, "ms": 1, "s": 1000, "m": 60_000, "min": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 604_800_000},
    "count": {"": 1, "k": 1000, "m": 1_000_000},
}  # fmt: skip


_SIZES = (("GB", 10**9), ("MB", 10**6), ("kB", 10**3), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10))


def controller_of(meter: str) -> Controller:
    """Return the controller that ``meter`` belongs to; of money a meter has a currency: ``money.EUR``."""
    name = "money" if _MONEY.fullmatch(meter) else meter
    found = CONTROLLERS.get(name)
    if found is None or meter == "money" or found.actions:
        known = ", ".join("money.EUR" if c.name == "money" else c.name for c in CONTROLLERS.values() if not c.actions)
        raise BadAmount("limit.controller", f"{meter!r} has no amount.", subject=meter, hint=f"One of: {known}.")
    return found


def checked_meter(meter: str, *, total: bool) -> str:
    """Return ``meter`` if it can be bounded so: for one call, or in total. Raises BadAmount."""
    found = controller_of(meter)
    if not (found.budget if total else found.limit):
        only = "only in total (--total)" if found.budget else "only for one call (without --total)"
        raise BadAmount("limit.kind", f"{meter} can be bounded {only}.", subject=meter)
    return meter


def checked_amount(value: object, meter: str = "") -> int:
    """Return ``value`` if it is an amount: a whole number, not negative, not too large. Raises BadAmount."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MOST:
        raise BadAmount("limit.amount", f"{value!r} is no amount of {meter or 'anything'}.", subject=str(value)[:60],
                        hint="A whole number, zero or more.")  # fmt: skip
    return value


def parse_amount(text: str, meter: str) -> int:
    """Read ``512 MB``, ``30s``, ``2h``, ``100k`` or ``1.50`` (money) for ``meter``. Raises BadAmount."""
    unit = controller_of(meter).unit
    scales = {"": 10**6, meter.rpartition(".")[2].lower(): 10**6} if unit == "micro" else _SCALES[unit]
    found = _AMOUNT.fullmatch(text.strip())
    scale = scales.get(found["unit"].lower()) if found else None
    if found is None or scale is None:
        known = ", ".join(name for name in scales if name) or "none"
        raise BadAmount("limit.amount", f"{text!r} is no amount of {meter}.", subject=text[:60],
                        hint=f"A number, zero or more, with one of these units: {known}.")  # fmt: skip
    try:
        exact = Decimal(found["number"]) * scale
    except InvalidOperation as error:
        raise BadAmount("limit.amount", f"{text!r} is no amount of {meter}.", subject=text[:60]) from error
    if exact != exact.to_integral_value():
        raise BadAmount("limit.amount", f"{text!r} is finer than {meter} is counted.", subject=text[:60])
    return checked_amount(int(exact), meter)


def amount_words(amount: int, meter: str) -> str:
    """Write an amount as it may be typed back: ``512 MB``, ``30 s``, ``1.50 EUR``."""
    unit = controller_of(meter).unit
    if unit == "micro":
        whole = Decimal(amount) / 10**6
        return f"{whole:.2f} {meter.rpartition('.')[2]}" if amount % 10**4 == 0 else f"{whole} {meter[-3:]}"
    if unit == "ms":
        return f"{amount // 1000} s" if amount % 1000 == 0 else f"{amount} ms"
    if unit == "bytes":
        name, scale = _largest(amount, _SIZES)
        return f"{amount // scale} {name}"
    return str(amount)


def _largest(amount: int, units: tuple[tuple[str, int], ...]) -> tuple[str, int]:
    """Return the unit in which ``amount`` is the smallest whole number."""
    return max((unit for unit in units if amount and amount % unit[1] == 0), key=lambda unit: unit[1], default=("B", 1))
