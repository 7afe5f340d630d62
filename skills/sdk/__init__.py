"""What a skill's code imports, and the only part of Steward that it should know.

A tool is a plain typed function whose first parameter is the ``Context``. It reads through the context, describes
what it wants changed, says one human sentence, and returns a value that another tool can take. Promises: the tool
sees the described changes of the steps before it; nothing of the user's is touched until the whole plan is
committed; what cannot be done ends in a ``ToolError`` that says what to do now. Never: network, clock or randomness
of its own (``ctx.fetch``, ``ctx.now``, ``ctx.random``), or writing to the user's files directly.

The names here are the signature language as well: a parameter's type says what the kernel looks for in a sentence.
"""

from __future__ import annotations

from skills.schedule import Scheduled, next_time, without_clock
from skills.sdk import photos, words
from skills.sdk.asks import Called
from skills.sdk.context import Context
from skills.sdk.errors import ErrorWords, ToolError
from skills.sdk.network import Response
from skills.sdk.programs import Ran
from skills.sdk.types import (
    Column,
    Condition,
    Expression,
    File,
    Folder,
    Hours,
    NewFile,
    Period,
    Quantity,
    Query,
    Record,
    Recurrence,
    Size,
    Table,
    Text,
    Title,
    Unit,
    Url,
)
from skills.sdk.walk import Passed

__all__ = [
    "Called",
    "Column",
    "Condition",
    "Context",
    "ErrorWords",
    "Expression",
    "File",
    "Folder",
    "Hours",
    "NewFile",
    "Passed",
    "Period",
    "Quantity",
    "Query",
    "Ran",
    "Record",
    "Recurrence",
    "Response",
    "Scheduled",
    "Size",
    "Table",
    "Text",
    "Title",
    "ToolError",
    "Unit",
    "Url",
    "next_time",
    "photos",
    "without_clock",
    "words",
]
