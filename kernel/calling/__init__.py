"""Calling: what one call of a tool is made of, whether a plan's task asks for it or another tool does.

It promises: a cell is given what was decided for its call and no more; a call that another tool asks for has the meet
of what that one may and what it needs itself, runs within its time and memory, and ends with it. It never decides a
right, and a call that another tool asks for changes nothing of the person's.
"""

from kernel.calling.cell import Staged, as_call, contents_for, limits_of, settled, shown_to, spec_of, visible, worked_in
from kernel.calling.floor import Floor, Space, StagingArea
from kernel.calling.short import MEMORY as CALLED_MEMORY
from kernel.calling.subcalls import Caller, Tally, answering

__all__ = [
    "CALLED_MEMORY",
    "Caller",
    "Floor",
    "Space",
    "Staged",
    "StagingArea",
    "Tally",
    "answering",
    "as_call",
    "contents_for",
    "limits_of",
    "settled",
    "shown_to",
    "spec_of",
    "visible",
    "worked_in",
]
