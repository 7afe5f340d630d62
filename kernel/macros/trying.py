"""The plan of a macro for a dry run: as its words mean it today, with all that it has to be told.

What this stops: a dry run that asks back, since the answer to that would be a request. What it does not: plan its words
anew where a skill has changed; that is done when the macro is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from kernel.errors import BadRequest, NotNow
from kernel.macros.filling import filled
from kernel.macros.guards import changed
from kernel.macros.model import Macro
from kernel.model import Constant, Plan
from kernel.routines.moving import CannotTell, moved
from kernel.trying.sayings import say

if TYPE_CHECKING:
    from kernel.house import House


def tried_plan(house: House, macro: Macro, given: Mapping[str, Constant]) -> Plan:
    """Return the plan of ``macro`` with what it is told. Raises BadRequest where something is missing, NotNow."""
    missing = [one.name for one in macro.parameters if one.name not in given]
    if missing:
        text = say(macro.language, "told", name=macro.name, words=", ".join(missing))
        hint = say(macro.language, "told hint", name=f'"{macro.name}"', first=missing[0])
        raise BadRequest("macro.told", text, subject=macro.name, hint=hint)
    hint = say(macro.language, "changed hint", name=f'"{macro.name}"')
    if changed(macro.plan, macro.guards, house.registry):
        raise NotNow("macro.changed", say(macro.language, "changed", name=macro.name), subject=macro.name, hint=hint)
    try:
        plan = moved(macro.plan, macro.language, macro.made, house.clock(), house.registry.tool)
    except CannotTell as error:
        raise NotNow("macro.words", str(error), subject=macro.name, hint=hint) from error
    return filled(macro, plan, given)
