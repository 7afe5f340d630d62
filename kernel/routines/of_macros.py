"""A rule whose deed is a macro: "every Friday at 17:00 do monthly close". Its frozen plan is the routine's plan.

What this stops: a plan that stands for other skills than it was frozen with, or that would have to ask, being done with
nobody looking on. What it does not: follow the macro. One that is kept anew is another rule's.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING

from kernel.language import Line
from kernel.macros.guards import changed
from kernel.macros.model import Macro
from kernel.model import Utterance
from kernel.routines.compiling import Lacking, called
from kernel.routines.hearing import Heard, left_of
from kernel.routines.moving import CannotTell, moved, standing_still
from kernel.routines.routine import Routine

if TYPE_CHECKING:
    from skills import Registry


def of_macro(
    macro: Macro, run: str, said: Utterance, line: Line, heard: Heard, taken: Collection[str], registry: Registry
) -> Routine | Lacking:
    """Return the routine that does what ``macro`` does when ``heard`` says; else what keeps it from being one."""
    if changed(macro.plan, macro.guards, registry):
        return Lacking(macro.name, macro="changed")
    if macro.parameters:
        return Lacking(macro.name, moving=tuple(one.name for one in macro.parameters), macro="told")
    try:
        plan = moved(macro.plan, macro.language, macro.made, said.now, registry.tool)
    except CannotTell as error:
        return Lacking(macro.name, moving=(str(error),))
    for language in dict.fromkeys((line.language, macro.language)):
        still = standing_still(plan, language, said.now, registry.tool)
        if not still:
            break
    else:
        return Lacking(macro.name, moving=tuple(still))
    return Routine(
        called(macro.name, taken), said.text, left_of(line, heard.gone), language, heard.trigger,
        replace(plan, language=language, why={}), secrets.token_hex(8), said.now, macro.cwd, run, heard.limits,
        heard.such,
    )  # fmt: skip
