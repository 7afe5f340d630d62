"""What a run does to the ledger and to the user's files, in the order in which the kernel does it; and what must hold
after it was interrupted anywhere.

The change set has every kind of step in it: parked, swapped, filled in place, trashed, copied, made and removed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from memory import Draft, Ledger
from memory.errors import StoreError
from memory.model import EntityId
from permissions.errors import PermissionsError, StorageFailed
from permissions.transactions import Recovery, Transactions
from tests.permissions.transactions.conftest import Lab, Snapshot

Say = Callable[[str], None]
RUN = "r"
ANNA = EntityId("person:anna")
CREATED, STARTED, FINISHED, UNDONE = "run.created", "commit.started", "run.finished", "run.undone"
_FILES = ("a", "b", "text", "linked", "old.txt", "tree/x", "tree/sub/y", "folder/z")


class CallFailed(Exception):
    """The call itself, which writes the new contents into its staging folder, met the fault: not ours to translate."""


class World:
    """One home with a ledger and transactions beside it."""

    def __init__(self, top: Path) -> None:
        top.mkdir(parents=True)
        self.lab = Lab(top)
        self.ledger = top / "ledger"
        for name in _FILES:
            self.lab.file(name, f"content of {name}\n" * 40, mode=0o640)
        os.link(self.lab.home / "linked", self.lab.home / "other name")
        (self.lab.home / "folder" / "link").symlink_to("z")
        self.lab.file("big", bytes(range(256)) * 64)
        self.trash = self.lab.home / ".local" / "share" / "Trash"
        self.before = self.lab.snapshot()

    def effects(self) -> list[dict[str, Any]]:
        """Describe one of each."""
        lab, home = self.lab, self.lab.home
        a, b, t = home / "a", home / "b", home / "t"
        base = lab.move(a, t)["base"]
        return [
            lab.move(a, t),
            lab.move(b, a),
            lab.move(t, b, base),
            lab.over(home / "text", "new text\n" * 50),
            lab.over(home / "linked", "new in both names\n" * 200),
            lab.over(home / "big", b"n" * 9000),
            lab.delete(home / "old.txt"),
            lab.delete(home / "tree"),
            lab.write(home / "new" / "deep" / "file", "n" * 1300),
            lab.copy(home / "folder", home / "copied"),
            lab.move(home / "folder", home / "moved"),
            lab.write(home / "moved" / "inside", "i"),
        ]

    def stage(self, tx: Transactions, run: str = RUN) -> Any:
        """Describe the effects of a run; the contents are written as a call would."""
        staging = tx.begin(run)
        folder = staging.task_folder("t1")
        staging.describe("t1", [self._with_content(folder, effect) for effect in self.effects()])
        return staging

    def _with_content(self, folder: Path, effect: dict[str, Any]) -> dict[str, Any]:
        try:
            return self.lab._with_blob(folder, effect)
        except OSError as error:
            raise CallFailed from error

    def commit(self, tx: Transactions | None = None, say: Say = lambda _word: None) -> None:
        """Stage, seal and commit."""
        staging = self.stage(tx or self.lab.open())
        staging.commit(staging.seal().seal)
        say("committed")


def event(kind: str, **more: Any) -> Draft:
    """Return a durable event of the run."""
    return Draft(kind, {"text": "x" * 300}, run=RUN, **more)


def heard(act: Callable[[], None], say: Say) -> None:
    """Do ``act``; note how it ended, and whether an error was told in a room's own words."""
    try:
        act()
        say("end")
    except (PermissionsError, StoreError) as error:
        say(f"error {error.code}: {error.hint}")
    except CallFailed:
        say("error of the call")
    except BaseException as error:
        say(f"untranslated {error!r}")


def asks_and_commits(world: World, ledger: Ledger, say: Say) -> None:
    """Be a run from its creation to its end."""
    ledger.append(event(CREATED, entities=(ANNA,)))
    say(CREATED)
    tx = world.lab.open()
    staging = world.stage(tx)
    seal = staging.seal().seal
    staging.keep()
    ledger.append(event(STARTED))
    say(STARTED)
    staging.commit(seal)
    say("committed")
    ledger.append(event(FINISHED))
    say(FINISHED)
    ledger.close()


def undoes(world: World, ledger: Ledger, say: Say) -> None:
    """Take the committed run back."""
    say("undoing")
    world.lab.open().undo(RUN)
    say("undone")
    ledger.append(event(UNDONE))
    say(UNDONE)
    ledger.close()


def forgets(world: World, ledger: Ledger, say: Say) -> None:
    """Write about somebody, and destroy it again."""
    ledger.append(event(CREATED, entities=(ANNA,)), event("task.done", entities=(ANNA,)))
    say(CREATED)
    ledger.forget(ANNA)
    say("forgotten")
    ledger.append(event(FINISHED))
    say(FINISHED)
    ledger.close()


def recovers(world: World, ledger: Ledger, say: Say) -> None:
    """Come up after a crash. What waits for its disk is told, as the daemon does, and holds up nothing else."""
    waiting = [item for item in world.lab.open().recover() if item.action is Recovery.WAITING]
    ledger.append(event(CREATED))
    say(CREATED)
    ledger.close()
    if waiting:
        raise StorageFailed("storage.waiting", str(waiting[0].problems[0]), hint="It is tried again at the next start.")


# -- what must hold afterwards ----------------------------------------------------------------------------------------
def flaws(world: World, said: tuple[str, ...], after: Snapshot, *, settled: bool) -> Iterator[str]:
    """Recover, and yield everything that is not as it must be. ``after`` is the home after a whole commit.

    ``settled`` says that the home must be in order already: an error was told, and nobody was killed.
    """
    yield from (word for word in said if word.startswith("untranslated"))
    if settled:
        yield from _unrecovered(world, said, after)
    yield from _ledger_flaws(world, said)
    tx = world.lab.open()
    yield from (f"recovery left {item.problems} alone" for item in tx.recover() if item.problems)
    yield from (f"a second recovery found {item}" for item in tx.recover())
    done = bool(tx.effects(RUN))
    if "committed" in said and "undone" not in said and "undoing" not in said and not done:
        yield "an acknowledged commit is gone"
    if "undone" in said and done:
        yield "an acknowledged undo is gone"
    yield from _home_flaws(world, after, done)
    yield from _goes_on(world, tx, after, done)


def _unrecovered(world: World, said: tuple[str, ...], after: Snapshot) -> Iterator[str]:
    """An error that is told says that nothing was changed, unless it says that the next start mends it."""
    error = next((word for word in said if word.startswith("error")), "")
    if not error or "next start" in error:
        return
    whole = "committed" in said and "undone" not in said
    now = world.lab.snapshot()
    if whole and timeless(now) != timeless(after):
        yield f"{error}: the home is not as after the commit"
    if not whole and now != world.before:
        yield f"{error}: the home is not as before"


def timeless(home: Snapshot) -> Snapshot:
    """Return a home without the times in it."""
    return {name: (row[0], *row[2:]) if len(row) == 3 else row for name, row in home.items()}


def _ledger_flaws(world: World, said: tuple[str, ...]) -> Iterator[str]:
    try:
        with Ledger.open(world.ledger) as ledger:
            kinds = [one.kind for one in ledger.events()]
            yield from (f"the ledger: {one.reason} ({one.seq})" for one in ledger.verify().problems)
            yield from (f"acknowledged {k} is gone" for k in (CREATED, STARTED, FINISHED, UNDONE)
                        if k in said and k not in kinds)  # fmt: skip
            if "committed" in said and "undoing" not in said and STARTED in said and STARTED not in kinds:
                yield "the home was changed, and no event says that it began"
            if "forgotten" in said and any(ANNA in one.entities for one in ledger.events()):
                yield "what was forgotten can be read"
            ledger.append(event("task.done"))
    except StoreError as error:
        yield f"the ledger does not open: {error.code} {error}"


def _home_flaws(world: World, after: Snapshot, done: bool) -> Iterator[str]:
    now = world.lab.snapshot()
    trashed = [path.name for path in world.trash.glob("*/*")]
    if bool(trashed) != done:
        yield f"in the trash: {trashed}"
    if done and timeless(now) != timeless(after):
        yield f"neither before nor after: {differ(timeless(now), timeless(after))}"
    if not done and now != world.before:
        yield f"not as before: {differ(now, world.before)}"
    left = [path for path in world.lab.leftovers() if "/runs/" not in path]
    if left:
        yield f"left over: {left}"


def _goes_on(world: World, tx: Transactions, after: Snapshot, done: bool) -> Iterator[str]:
    """What was done can be taken back; what was not done can be done, and taken back."""
    try:
        run = RUN if done or tx.reopen(RUN) else "again"
        if not done:
            staging = tx.reopen(RUN) or world.stage(tx, run)
            staging.commit(staging.seal().seal)
            if timeless(world.lab.snapshot()) != timeless(after):
                yield "the run could not be carried out later"
        tx.undo(run)
        yield from _home_flaws(world, after, False)
    except PermissionsError as error:
        yield f"it does not go on: {error.code} {error}"


def differ(one: Snapshot, other: Snapshot) -> list[str]:
    """Return the names that two homes do not agree on."""
    return sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))
