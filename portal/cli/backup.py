"""``backup`` and ``restore``: what Steward keeps of the person in one file, and back from it."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from portal.cli import daemon as process
from portal.cli.house import connected
from portal.cli.outcome import FAILED, OK, PENDING, USAGE, Failure, emit, is_interactive, say, tell
from portal.cli.words import many, one_line, size
from portal.client import Client
from portal.locate import find_places, private_folder
from portal.wire import DaemonError

if TYPE_CHECKING:
    from kernel import KernelError

LOOK_AGAIN_S = 0.2
Step = Callable[[int, int], None]

_NOTES = {
    "unknown": "This Steward does not know the file: it was written elsewhere, or changed since. It brings rights "
    "along.",
    "home": "It was taken under another home folder, {home}: rights, routines and macros go on naming that one, and "
    "what was changed there cannot be taken back here.",
    "secrets": "It holds no passwords. Set them again: ./steward secrets set NAME",
    "lists": "Something was forgotten since it was written. What skills' lists, settings and skills of yours say of "
    "that may come back: look with ./steward memory forget NAME",
    "forgets": "No record is here that knows what was forgotten since it was written; what was may come back. Forget "
    "it again: ./steward memory forget NAME",
}


def backup(file: str, *, as_json: bool, secrets: bool, yes: bool) -> int:
    """Have the daemon write a backup; ask before one is written over another."""
    path = os.path.abspath(os.path.expanduser(file))
    replace = yes
    if os.path.lexists(path) and not yes:
        if as_json or not is_interactive():
            raise Failure("backup.exists", f"{path} is there already.",
                          "Choose another name, or write over that backup with --yes.", USAGE)  # fmt: skip
        from portal.cli.prompt import confirm

        replace = confirm(f"{one_line(path, 200)} is there already. Write over that backup? [y/N] ")
        if not replace:
            tell("Nothing was written.")
            return OK
    with connected() as client, _bar("Backup", wanted=not as_json) as step:
        taken = _taken(client, path, secrets=secrets, replace=replace, step=step)
    if as_json:
        emit(taken)
        return OK
    tell(f"Written: {one_line(str(taken['path']), 300)} ({size(taken['size_bytes'])}, {many(taken['files'], 'file')}, "
         f"{many(taken['events'], 'event')} of the ledger).")  # fmt: skip
    tell("Passwords are in it." if secrets else "No passwords are in it; with them: --secrets")
    if taken["left_out"]:
        tell(f"Left out, for it is no plain file: {', '.join(one_line(str(one), 80) for one in taken['left_out'])}")
    tell("Whoever can read this file can read what Steward knows of you: keep it where only you can.")
    return OK


def _taken(client: Client, path: str, *, secrets: bool, replace: bool, step: Step) -> dict[str, Any]:
    """Wait for a backup, and say meanwhile how far it is."""
    done = threading.Event()

    def look() -> None:
        with Client(find_places()) as watching:
            while not done.wait(LOOK_AGAIN_S):
                try:
                    at_work = watching.backups()["at_work"]
                except DaemonError:
                    return
                if at_work:
                    step(at_work["done_bytes"], at_work["total_bytes"])

    watcher = threading.Thread(target=look, daemon=True)
    watcher.start()
    try:
        return client.take_backup(path, secrets=secrets, replace=replace)
    finally:
        done.set()
        watcher.join()


def restore(file: str, *, as_json: bool, yes: bool) -> int:
    """Check a backup, ask, stop the daemon, put the backup in place, and start the daemon again."""
    from kernel import KernelError

    path = Path(os.path.abspath(os.path.expanduser(file)))
    try:
        found = _examined(path, as_json)
        if not yes and not _agreed(found, path, as_json):
            return PENDING if as_json or not is_interactive() else OK
        restored = _restored(path, as_json)
    except KernelError as error:
        raise _failure(error) from error
    started, why = True, ""
    try:
        process.ensure_running(find_places())
    except Failure as failure:
        started, why = False, f"{failure} {failure.hint}"
    if as_json:
        emit({"backup": found, "restored": restored, "started": started, "why": why})
    else:
        _print_restored(restored)
        if why:
            say(f"The daemon does not start on it: {why}")
    return OK if started else FAILED


def _examined(path: Path, as_json: bool) -> dict[str, Any]:
    from kernel import examine_backup

    with _bar("Checking", wanted=not as_json) as step:
        return examine_backup(path, lambda now: step(now.done_bytes, now.total_bytes))


def _agreed(found: Mapping[str, Any], path: Path, as_json: bool) -> bool:
    """Show what a backup holds and ask; without a terminal, say how to go on."""
    if as_json:
        emit({"backup": dict(found), "restored": None, "started": False, "why": ""})
    else:
        _print_found(found)
    if as_json or not is_interactive():
        say(f"Nothing was restored yet. To do it: ./steward restore {path} --yes")
        return False
    from portal.cli.prompt import confirm

    running = process.daemon_pid(find_places()) is not None
    stops = "Steward is stopped and started again. " if running else ""
    if confirm(f"Put this in place of what Steward keeps now? {stops}What is there now is kept beside. [y/N] "):
        return True
    tell("Nothing was restored.")
    return False


def _restored(path: Path, as_json: bool) -> dict[str, Any]:
    from kernel import restore_backup

    places = find_places()
    for folder in (places.config, places.data, places.state, places.runtime):
        private_folder(folder)
    process.stop(places)
    with process.alone(places), _bar("Restoring", wanted=not as_json) as step:
        return restore_backup(path, lambda now: step(now.done_bytes, now.total_bytes)).to_json()


def _print_found(found: Mapping[str, Any]) -> None:
    when = datetime.fromtimestamp(float(found["at_s"])).astimezone().strftime("%Y-%m-%d %H:%M")
    tell(f"A whole backup of {when}: {many(found['events'], 'event')}, {many(found['files'], 'file')}, "
         f"{size(found['size_bytes'])}, {'with' if found['secrets'] else 'without'} passwords.")  # fmt: skip
    if found["skills"]:
        tell(f"Installed skills: {', '.join(one_line(str(one), 60) for one in found['skills'])}")
    tell("Rights are those of that day, also ones that were taken away since.")
    _print_notes(found)


def _print_restored(restored: Mapping[str, Any]) -> None:
    when = datetime.fromtimestamp(float(restored["at_s"])).astimezone().strftime("%Y-%m-%d %H:%M")
    tell(f"Restored: Steward is as on {when}.")
    if restored["forgotten_again"]:
        tell(f"Forgotten since, and forgotten again: {many(restored['forgotten_again'], 'event')}.")
    tell(f"What was there before is kept in {one_line(str(restored['kept_beside']), 300)}; remove it when all is well.")
    _print_notes(restored)


def _print_notes(found: Mapping[str, Any]) -> None:
    for note in found["notes"]:
        tell(f"Note: {_NOTES[note].format(home=one_line(str(found['home']), 200))}")


def _failure(error: KernelError) -> Failure:
    from kernel import BadRequest

    return Failure(error.code, str(error), error.hint, USAGE if isinstance(error, BadRequest) else FAILED)


@contextmanager
def _bar(title: str, *, wanted: bool) -> Iterator[Step]:
    """Give what draws how far something is, in a terminal; elsewhere it draws nothing."""
    if not wanted or not is_interactive():
        yield lambda done, total: None
        return
    from portal.cli.screens import byte_bar

    with byte_bar(title) as step:
        yield step
