"""What the skill knows from earlier searches: a file of JSON lines for each, in the skill's own folder.

A search adds a file and changes none, so that two at once do not meet, and undo takes one away. The newest are read.

Stops: a file that holds no rows (it is passed over, and said). Does not stop: false rows from the person whose files
they are; what they advise is built, judged and measured like anything else.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gpu_skills.errors import NothingKnown
from gpu_skills.knowledge import Knowledge
from gpu_skills.knowledge.lines import written
from skills.sdk import Context, ErrorWords, File

BEGINS, ENDS = "known-", ".jsonl"
MOST_FILES = 200
"""So many searches are remembered, the newest."""
nothing_yet = ErrorWords(
    "kernels.nothing_known",
    "Nothing was learned about kernels yet{place}.",
    "Optimize one first.",
    "Über Kernel ist noch nichts gelernt{place}.",
    "Optimiere erst einen.",
)


@contextmanager
def knowledge(ctx: Context) -> Iterator[Knowledge]:
    """Give what is known; what is learned meanwhile is described as a new file of the skill's own, also where what
    is done meanwhile fails."""
    with Knowledge(Path(ctx.workroom("knowledge").path) / "known.db") as known:
        for file in files(ctx):
            try:
                known.take_in(ctx.real(file))
            except (NothingKnown, OSError) as error:
                ctx.say(
                    f"What {file.name} says of kernels cannot be read and was not used: {error}",
                    de=f"Was {file.name} über Kernel sagt, ist nicht lesbar und blieb unbenutzt: {error}",
                )
        before = set(written(known.rows()))
        try:
            yield known
        finally:
            _write(ctx, [line for line in written(known.rows()) if line not in before])


def _write(ctx: Context, learned: list[str]) -> None:
    if learned:
        ctx.write(ctx.own(f"{BEGINS}{ctx.now:%Y%m%d-%H%M%S}-{ctx.random.randrange(1 << 32):08x}{ENDS}"),
                  "".join(f"{line}\n" for line in learned))  # fmt: skip


def files(ctx: Context) -> list[File]:
    """Return the files of the newest searches, the oldest of them first."""
    folder = os.path.dirname(ctx.own(f"{BEGINS}{ENDS}"))
    if not ctx.is_folder(folder):
        return []
    found = [
        one for one in ctx.scan(folder, recursive=False) if one.name.startswith(BEGINS) and one.name.endswith(ENDS)
    ]
    return sorted(found, key=lambda one: one.name)[-MOST_FILES:]


def exported(ctx: Context) -> tuple[bytes, int]:
    """Return what is known as JSON lines, and of how many searches. Raises ToolError where nothing is."""
    found = files(ctx)
    if not found:
        raise nothing_yet()
    return b"".join(ctx.read_bytes(one) for one in found), len(found)
