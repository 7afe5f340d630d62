"""A process that is let see less: of one tree only some places, for the tests of a skill.

What this stops: reading, listing and changing anything in ``tree`` but what is named, by whatever way; starting set-id
programs. It holds for good and for every child, in a cell too: Landlock layers add up.
What it does not: what is open already; asking whether a path exists; anything outside ``tree``, which stays what it was
(a cell of its own bounds that). It is a rehearsal of the wall, no replacement for it.
Source: ``landlock(7)``.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from permissions.confine import landlock, namespaces
from permissions.confine.landlock import Access, Rule
from permissions.errors import WallUnavailable


def see_only(tree: str, readable: Iterable[str], writable: Iterable[str]) -> None:
    """From here on, see of what lies in ``tree`` only the files and folders ``readable``; write to ``writable`` alone.

    All are real, absolute paths; ``writable`` may lie anywhere, one that is absent is left out. Raises WallUnavailable.
    """
    if not landlock.abi():
        raise WallUnavailable("wall.narrow", "This kernel has no Landlock.", hint="Use Linux 5.13 or later.")
    namespaces.forbid_new_privileges()
    rules = [*_all_but(tree), *(Rule(path, Access.RUN) for path in readable)]
    rules += [Rule(path, access) for path in writable for access in (Access.WRITE, Access.RUN)]
    try:
        landlock.restrict(rules)
    except OSError as error:
        raise WallUnavailable("wall.narrow", f"This process could not be confined: {error}.") from error


def _all_but(tree: str) -> Iterator[Rule]:
    """Yield rules for everything that does not lie in ``tree`` and does not hold it: to be read and run.

    Links are passed over: one may lead into the tree, and where it leads elsewhere that has a rule of its own.
    """
    above = "/"
    for name in [part for part in tree.split("/") if part]:
        try:
            with os.scandir(above) as entries:
                beside = [entry.path for entry in entries if entry.name != name and not entry.is_symlink()]
        except OSError:  # what cannot be listed holds nothing that could be shown
            beside = []
        yield from (Rule(path, Access.RUN) for path in beside)
        above = os.path.join(above, name)
    yield Rule("/dev", Access.DEVICE)
