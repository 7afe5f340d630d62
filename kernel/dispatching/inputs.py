"""What a call read, kept with what its plan changes: a commit on what has changed since would rest on old words.

What this stops: a note, a table or a mail's text made of a file that somebody saved anew before the changes came about,
also where a later call of the plan made it. A skill that names files beyond its rights: these are passed over.
What it does not: know more than a call tells of itself. What a program or a library opened, what a tool that was called
by another one read, and what lies in a tree that the call worked in (decision 11) is not compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from permissions.model import Action, Layer, Right

Version = Sequence[int]


def inputs_of(read: Mapping[str, Version], needs: Sequence[Right], layers: Sequence[Layer]) -> dict[str, Version]:
    """Return of what a call says that it ``read`` what it had the right to, outside the trees that it worked in."""
    may = [need for need in needs if need.action is Action.FS_READ]
    files, trees = {need.scope for need in may}, {need.scope for need in may if need.tree}
    own = {layer.tree for layer in layers}
    return {
        path: version
        for path, version in read.items()
        if (path in files or not trees.isdisjoint(_above(path))) and own.isdisjoint(_above(path))
    }


def _above(path: str) -> Iterator[str]:
    yield path
    while path.strip("/"):
        path = path.rpartition("/")[0] or "/"
        yield path
