"""What a rule goes by, and this machine does not tell: then nothing would ever come of it, and it is not kept."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import TYPE_CHECKING

from kernel.routines.model import Limit, Machine, State, Trigger

if TYPE_CHECKING:
    from kernel.house import House

_LEVELS, _PLUGS = (State.BATTERY, State.CHARGED, State.ABOVE), (State.PLUGGED, State.UNPLUGGED)


async def untold(house: House, trigger: Trigger, limits: Iterable[tuple[Limit, float]]) -> tuple[str, str]:
    """Return what this machine does not tell ("battery", "charger", "memory", "heat", "idle") and why; both are empty
    where it tells.
    """
    state = trigger.state if isinstance(trigger, Machine) else None
    kept = {one for one, _ in limits}
    battery = state in _LEVELS or not kept.isdisjoint({Limit.BATTERY, Limit.NOT_LOW})
    charger = state in _PLUGS or Limit.CHARGING in kept
    if battery or charger:
        power = await asyncio.to_thread(house.senses.power)
        if battery and power.percent is None:
            return "battery", ""
        if charger and power.plugged is None:
            return "charger", ""
    if state is State.MEMORY and await asyncio.to_thread(house.senses.memory_in_use) is None:
        return "memory", ""
    if state is State.HEAT and await asyncio.to_thread(house.senses.celsius) is None:
        return "heat", ""
    if state is not State.IDLE:
        return "", ""
    from kernel.system.idling import Idling  # few rules are about it

    why = await Idling(house.senses.around, house.senses.awake_s).lacking()
    return ("idle", why) if why else ("", "")
