"""The Agent Kernel: from a sentence to a committed effect.

Seven verbs, one file each: ``interpret`` (text to a lattice of typed spans), ``recommend`` (which tools), ``plan`` (a
typed DAG), ``authorize`` (exactly the rights it needs), ``dispatch`` (each call in its own cell), ``commit`` (sealed,
compared, applied whole) and ``remember`` (every step an event). ``daemon`` composes them; ``handling`` is the one way
through.

It promises: every request ends in exactly one resolution; nothing changes before a commit; what was done can be taken
back. It never runs a skill's code in its own process, and no word of any skill stands in it.
"""

from kernel.backup import examine_backup, finish_restore, restore_backup
from kernel.clients.model import Client, ToolCall
from kernel.config import Folders, Settings, check_vectors, load_settings
from kernel.daemon import Ask, Kernel, open_kernel
from kernel.errors import BadRequest, KernelError, NotNow, UnknownRun
from kernel.opening import inspect_ledger
from kernel.sayable import Part, Sayable

__all__ = [
    "Ask",
    "BadRequest",
    "Client",
    "Folders",
    "Kernel",
    "KernelError",
    "NotNow",
    "Part",
    "Sayable",
    "Settings",
    "ToolCall",
    "UnknownRun",
    "check_vectors",
    "examine_backup",
    "finish_restore",
    "inspect_ledger",
    "load_settings",
    "open_kernel",
    "restore_backup",
]
